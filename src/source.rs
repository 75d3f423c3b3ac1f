//! The text under examination and places in it: [`Source`], [`Span`], [`Spanned`], and [`LineIndex`], the only
//! place that knows lines and columns.

use std::borrow::Cow;
use std::ops::Range;

/// A range of bytes, counted from the start of the whole file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    start: usize,
    end: usize,
}

impl Span {
    /// The bytes from `start` up to, not including, `end`; an `end` before `start` gives the empty span at `start`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end: if end < start { start } else { end } }
    }

    /// The empty span before the byte at `offset`.
    pub const fn at(offset: usize) -> Self {
        Self::new(offset, offset)
    }

    /// Offset of the first byte.
    pub const fn start(self) -> usize {
        self.start
    }

    /// Offset behind the last byte.
    pub const fn end(self) -> usize {
        self.end
    }

    /// How many bytes it holds.
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// True when the span holds no byte.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The same bytes in a text that begins `base` bytes earlier.
    #[must_use]
    pub const fn shifted(self, base: usize) -> Self {
        Self { start: self.start + base, end: self.end + base }
    }

    /// From the start of `self` to the end of `other`.
    #[must_use]
    pub const fn to(self, other: Self) -> Self {
        Self::new(self.start, other.end)
    }

    /// True when `offset` lies inside.
    pub const fn contains(self, offset: usize) -> bool {
        self.start <= offset && offset < self.end
    }

    /// Where `part`, which was cut out of `text`, stands in it.
    pub fn of_part(text: &str, part: &str) -> Self {
        let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        Self::new(start, start + part.len())
    }

    /// The bytes of this span in `text`; empty where the span does not fit `text`.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}

/// A value and the place where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Joins a value and its place.
    pub const fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}

/// The bytes of one file, decoded as far as they are text.
#[derive(Clone, Debug)]
pub struct Source {
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Text(String),
    NotText { bytes: Vec<u8>, invalid: Span },
}

impl Source {
    /// A document may not be larger, in bytes (PROTOCOL §1).
    pub const MAX_BYTES: usize = 4 * 1024 * 1024;

    /// Takes the bytes of a file as they are. Nothing is refused here; `check` judges them.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        let content = match String::from_utf8(bytes.into()) {
            Ok(text) => Content::Text(text),
            Err(error) => {
                let start = error.utf8_error().valid_up_to();
                let bytes = error.into_bytes();
                let len = bytes.get(start..).map_or(1, invalid_length);
                Content::NotText { invalid: Span::new(start, start + len), bytes }
            }
        };
        Self { content }
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        match &self.content {
            Content::Text(text) => text.as_bytes(),
            Content::NotText { bytes, .. } => bytes,
        }
    }

    /// The text of the file.
    ///
    /// # Errors
    /// The place of the first bytes that are not UTF-8.
    pub fn text(&self) -> Result<&str, Span> {
        match &self.content {
            Content::Text(text) => Ok(text),
            Content::NotText { invalid, .. } => Err(*invalid),
        }
    }

    /// A text of the same length to show to people: every byte that is not UTF-8 is a `?`.
    pub fn printable(&self) -> Cow<'_, str> {
        match &self.content {
            Content::Text(text) => Cow::Borrowed(text),
            Content::NotText { bytes, .. } => {
                let chunks = bytes.utf8_chunks();
                chunks.flat_map(|chunk| [chunk.valid().to_owned(), "?".repeat(chunk.invalid().len())]).collect()
            }
        }
    }
}

fn invalid_length(bytes: &[u8]) -> usize {
    bytes.utf8_chunks().next().map_or(1, |chunk| chunk.invalid().len().max(1))
}

/// A place for people: both numbers start at 1, and a column is one Unicode scalar value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line number.
    pub line: usize,
    /// Column number.
    pub column: usize,
}

/// Finds the line and column of a byte offset. LF ends a line; the CR of a CRLF belongs to the line before.
#[derive(Debug)]
pub struct LineIndex<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> LineIndex<'t> {
    /// Reads the line ends of `text` once.
    pub fn new(text: &'t str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text, starts }
    }

    /// The position of `offset`; an offset behind the end is the end.
    pub fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts.get(line - 1).copied().unwrap_or_default();
        let column = 1 + self.text.get(start..offset).map_or(0, |before| before.chars().count());
        Position { line, column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_counts_characters_and_a_crlf_ends_one_line() {
        let index = LineIndex::new("任务\r\n交接 x");
        assert_eq!(index.position(6), Position { line: 1, column: 3 });
        assert_eq!(index.position(8), Position { line: 2, column: 1 });
        assert_eq!(index.position(15), Position { line: 2, column: 4 });
    }

    #[test]
    fn invalid_bytes_keep_every_later_offset_in_the_printable_text() {
        let source = Source::new(b"ab\xF0\x90\x8Dcd".to_vec());
        assert_eq!(source.text(), Err(Span::new(2, 5)));
        assert_eq!(source.printable(), "ab???cd");
    }
}
