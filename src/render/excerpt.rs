//! The few lines of a document that a finding is about, ready for the terminal: credentials masked, control and
//! invisible characters escaped, long lines cut to a window, however large the document is.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Origin, Snippet};

use crate::protocol::character::visible;
use crate::source::{LineIndex, Position, Source, Span};

/// Terminal cells of a line that are shown; a longer line is cut.
const WIDTH: usize = 120;
/// Cells of a cut line that are shown before the place.
const LEAD: usize = 40;
/// Lines between two places that are shown in one excerpt; the lines between them are left out there, not here.
const REACH: usize = 400;
/// Stands where a line is cut.
const CUT: &str = "…";

/// The text of `source` with every byte of `hidden` as `*`; as long as the file, with the same lines.
pub(super) fn masked(source: &Source, hidden: impl IntoIterator<Item = Span>) -> String {
    let text = source.printable();
    let mut shown = String::with_capacity(text.len());
    for span in hidden {
        shown.push_str(Span::new(shown.len(), span.start()).of(&text));
        for c in Span::new(shown.len(), span.end()).of(&text).chars() {
            if matches!(c, '\n' | '\r') {
                shown.push(c);
            } else {
                shown.extend(std::iter::repeat_n('*', c.len_utf8()));
            }
        }
    }
    shown.push_str(Span::new(shown.len(), text.len()).of(&text));
    shown
}

/// A document for people.
pub(super) struct Page<'t> {
    path: String,
    text: &'t str,
    lines: LineIndex<'t>,
}

/// A place to point at.
pub(super) struct Mark<'m> {
    pub(super) kind: AnnotationKind,
    pub(super) span: Span,
    pub(super) label: Option<&'m str>,
}

/// Lines of one page that are shown together. Every row has a mark at least.
pub(super) struct Excerpt<'p> {
    page: &'p Page<'p>,
    position: Position,
    rows: Vec<Row>,
}

struct Row {
    number: usize,
    line: Span,
    window: Span,
    marks: Vec<(AnnotationKind, Span, Option<String>)>,
}

impl Row {
    fn shows(&self, span: Span) -> bool {
        self.window.start() <= span.start() && span.end() <= self.window.end()
    }
}

impl<'t> Page<'t> {
    /// `text` is a [`masked`] one.
    pub(super) fn new(path: &str, text: &'t str) -> Self {
        Self { path: visible(path), text, lines: LineIndex::new(text) }
    }

    /// The excerpts that show all `marks`, in their order; marks close to each other share one.
    pub(super) fn excerpts<'m>(&self, marks: impl Iterator<Item = Mark<'m>>) -> Vec<Excerpt<'_>> {
        let mut excerpts: Vec<Excerpt<'_>> = Vec::new();
        for mark in marks {
            let row = self.row(&mark);
            if let Some(excerpt) = excerpts.iter_mut().find(|excerpt| excerpt.has_room(&row)) {
                excerpt.add(row);
            } else {
                let place = row.marks.first().map_or(row.line.start(), |(_, span, _)| span.start());
                excerpts.push(Excerpt { page: self, position: self.lines.position(place), rows: vec![row] });
            }
        }
        excerpts
    }

    /// The line of a mark, with the part of the mark that is on it.
    fn row(&self, mark: &Mark<'_>) -> Row {
        let start = self.boundary(mark.span.start());
        let line = self.line_around(start);
        let start = start.min(line.end());
        let window = self.window(line, start);
        let end = self.boundary(mark.span.end()).clamp(start, window.end());
        let marks = vec![(mark.kind, Span::new(start, end), mark.label.map(visible))];
        Row { number: self.lines.position(start).line, line, window, marks }
    }

    fn line_before(&self, row: &Row) -> Row {
        let line = self.line_around(row.line.start().saturating_sub(1));
        Row { number: row.number - 1, line, window: self.window(line, line.start()), marks: Vec::new() }
    }

    /// The last character boundary that is not behind `offset`.
    fn boundary(&self, offset: usize) -> usize {
        let offset = offset.min(self.text.len());
        (0..=offset).rev().find(|&at| self.text.is_char_boundary(at)).unwrap_or_default()
    }

    /// The line around a character boundary, without its line end.
    fn line_around(&self, offset: usize) -> Span {
        let (before, after) = self.text.split_at_checked(offset).unwrap_or((self.text, ""));
        let start = before.rfind('\n').map_or(0, |feed| feed + 1);
        let end = offset + after.find('\n').unwrap_or(after.len());
        let line = Span::new(start, end);
        let len = line.of(self.text).strip_suffix('\r').map_or(end - start, str::len);
        Span::new(start, start + len)
    }

    /// The part of a line to show when `place` must be seen.
    fn window(&self, line: Span, place: usize) -> Span {
        if fitting(line.of(self.text).chars(), WIDTH) == line.of(self.text).len() {
            return line;
        }
        let before = Span::new(line.start(), place).of(self.text);
        let start = place - fitting(before.chars().rev(), LEAD);
        let rest = Span::new(start, line.end()).of(self.text);
        Span::new(start, start + fitting(rest.chars(), WIDTH))
    }
}

/// How many bytes of `chars`, from the first on, fit into `width` cells.
fn fitting(chars: impl Iterator<Item = char>, width: usize) -> usize {
    let mut used = 0;
    chars
        .take_while(|&c| {
            used += cells_of(c);
            used <= width
        })
        .map(char::len_utf8)
        .sum()
}

/// Cells that a character takes when it is shown, at most: a tab is four blanks, an escape its length, and any other
/// character may be wide.
fn cells_of(c: char) -> usize {
    match c {
        '\t' => 4,
        ' '..='~' => 1,
        c => visible(c.encode_utf8(&mut [0; 4])).chars().count().max(2),
    }
}

/// `text` as it is shown: escaped, but for tabs, which the renderer widens. A part of a text is shown as the same part
/// of the shown text.
fn shown(text: &str) -> String {
    text.split('\t').map(visible).collect::<Vec<_>>().join("\t")
}

impl Excerpt<'_> {
    /// The file, line and column of the first place.
    pub(super) fn origin(&self) -> Origin<'static> {
        let Position { line, column } = self.position;
        Origin::path(self.page.path.clone()).line(line).char_column(column)
    }

    fn has_room(&self, row: &Row) -> bool {
        let near = self.rows.iter().all(|other| other.number.abs_diff(row.number) <= REACH);
        let mut same_line = self.rows.iter().filter(|other| other.number == row.number);
        near && same_line.all(|other| row.marks.iter().all(|(_, span, _)| other.shows(*span)))
    }

    fn add(&mut self, row: Row) {
        if let Some(same) = self.rows.iter_mut().find(|same| same.number == row.number) {
            same.marks.extend(row.marks);
        } else {
            let at = self.rows.partition_point(|other| other.number < row.number);
            self.rows.insert(at, row);
        }
    }

    /// The rows with everything that points into them. Where more than one line is between two rows, those lines are
    /// empty here and left out by the renderer.
    pub(super) fn snippet(&self) -> Snippet<'static, Annotation<'static>> {
        let first = self.rows.first().map_or(1, |row| row.number);
        let mut text = String::new();
        let mut annotations = Vec::new();
        let mut number = first;
        for row in &self.rows {
            if row.number == number + 2 {
                // The renderer shows a line that is the only one between two rows.
                text.push('\n');
                number += 1;
                self.push_row(&self.page.line_before(row), &mut text, &mut annotations);
            }
            text.extend(std::iter::repeat_n('\n', row.number - number));
            number = row.number;
            self.push_row(row, &mut text, &mut annotations);
        }
        Snippet::source(text).line_start(first).annotations(annotations)
    }

    fn push_row(&self, row: &Row, text: &mut String, annotations: &mut Vec<Annotation<'static>>) {
        let part = |from: usize, to: usize| shown(Span::new(from, to).of(self.page.text));
        if row.window.start() > row.line.start() {
            text.push_str(CUT);
        }
        let base = text.len();
        for (kind, span, label) in &row.marks {
            let start = base + part(row.window.start(), span.start()).len();
            let range: Range<usize> = start..start + part(span.start(), span.end()).len();
            annotations.push(kind.span(range).label(label.clone()));
        }
        text.push_str(&part(row.window.start(), row.window.end()));
        if row.window.end() < row.line.end() {
            text.push_str(CUT);
        } else if row.line.is_empty() {
            text.push(' ');
        }
    }
}
