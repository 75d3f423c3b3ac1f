//! The front matter fence (PROTOCOL §2): the first line is exactly `---`, and the next line that is exactly `---`
//! closes it. Only whole lines count.

use memchr::memchr;

use crate::source::Span;

/// The line that opens and closes the front matter.
pub const FENCE: &str = "---";

/// Where the front matter and the body lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fence {
    /// The opening line, without its line break.
    pub opening: Span,
    /// The bytes between the two fence lines, the last line break included.
    pub front_matter: Span,
    /// The closing line, without its line break.
    pub closing: Span,
    /// Everything after the closing line.
    pub body: Span,
}

impl Fence {
    /// The same fence in a text that begins `base` bytes earlier.
    #[must_use]
    pub const fn shifted(self, base: usize) -> Self {
        Self {
            opening: self.opening.shifted(base),
            front_matter: self.front_matter.shifted(base),
            closing: self.closing.shifted(base),
            body: self.body.shifted(base),
        }
    }
}

/// Why there is no front matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoFence {
    /// The first line, given here, is not a fence.
    Missing(Span),
    /// The first line, given here, is a fence that no later line closes.
    Unclosed(Span),
}

/// Splits `text` at its fence lines.
///
/// # Errors
/// What is missing, and where.
pub fn split(text: &str) -> Result<Fence, NoFence> {
    let mut lines = lines(text, 0);
    let (opening, _) = lines.next().ok_or(NoFence::Missing(Span::at(0)))?;
    if opening.of(text) != FENCE {
        return Err(NoFence::Missing(opening));
    }
    let mut front_matter = None;
    for (line, next) in lines {
        let start = *front_matter.get_or_insert(line.start());
        if line.of(text) == FENCE {
            let body = Span::new(next, text.len());
            return Ok(Fence { opening, front_matter: Span::new(start, line.start()), closing: line, body });
        }
    }
    Err(NoFence::Unclosed(opening))
}

/// The lines of `text` from `start`: each without its line break, with the offset where the next one begins.
pub fn lines(text: &str, start: usize) -> impl Iterator<Item = (Span, usize)> {
    let mut at = start;
    std::iter::from_fn(move || {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let line = rest.get(..memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len()))?;
        let begin = at;
        at = (begin + line.len() + 1).min(text.len());
        let visible = if at - begin > line.len() { line.strip_suffix('\r').unwrap_or(line) } else { line };
        Some((Span::new(begin, begin + visible.len()), at))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_line_closes_and_crlf_is_a_line_break() {
        let text = "---\r\na: b ---\r\n --- \r\n---\r\nbody\n---\n";
        let fence = split(text).unwrap();
        assert_eq!(fence.front_matter.of(text), "a: b ---\r\n --- \r\n");
        assert_eq!(fence.body.of(text), "body\n---\n");
    }

    #[test]
    fn the_last_line_may_lack_its_line_break() {
        assert_eq!(split("---\n---").map(|fence| fence.body.is_empty()), Ok(true));
        assert_eq!(split("---\na: b\n---\r"), Err(NoFence::Unclosed(Span::new(0, 3))));
        assert_eq!(split("--- \n---\n"), Err(NoFence::Missing(Span::new(0, 4))));
        assert_eq!(split(""), Err(NoFence::Missing(Span::at(0))));
    }
}
