//! Pieces of a version that is being composed, and which bytes of which input each part of them came from.

use crate::source::Span;

/// What a step reads beside the version before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// The six fields of an audit or a final review.
    Report,
    /// The answers to the questions of the current round.
    Answers,
    /// The points of the Final Successor Summary.
    Summary,
    /// New contents of sections.
    Updates,
    /// The entries of one section.
    Entries,
}

/// Bytes of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    /// Which input.
    pub role: Role,
    /// Where.
    pub span: Span,
    /// How they were taken.
    pub fidelity: Fidelity,
}

/// How the bytes of an input were taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fidelity {
    /// As they are, so that places in them can be told exactly.
    Exact,
    /// With escapes or indentation, decoded or shortened.
    Reworked,
}

impl Fidelity {
    /// What `taken` is beside the `original`.
    pub(super) fn of(taken: &str, original: &str) -> Self {
        if taken == original { Self::Exact } else { Self::Reworked }
    }
}

/// A part of a composed text that came from an input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// The bytes of the composed text.
    pub span: Span,
    /// Where they came from.
    pub origin: Origin,
}

impl Part {
    /// True when places in the bytes can be told exactly; not where line breaks became longer.
    pub(super) fn is_verbatim(&self) -> bool {
        self.origin.fidelity == Fidelity::Exact && self.span.len() == self.origin.span.len()
    }
}

/// A text that remembers where its parts came from.
#[derive(Clone, Debug, Default)]
pub(super) struct Fragment {
    pub(super) text: String,
    pub(super) parts: Vec<Part>,
}

impl From<String> for Fragment {
    fn from(text: String) -> Self {
        Self { text, parts: Vec::new() }
    }
}

impl Fragment {
    /// Adds a text of our own.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds a text that came from an input.
    pub(super) fn push_from(&mut self, text: &str, origin: Origin) {
        let start = self.text.len();
        self.text.push_str(text);
        self.parts.push(Part { span: Span::new(start, self.text.len()), origin });
    }

    /// Adds another fragment.
    pub(super) fn append(&mut self, other: &Self) {
        let base = self.text.len();
        self.text.push_str(&other.text);
        self.parts.extend(other.parts.iter().map(|part| Part { span: part.span.shifted(base), ..*part }));
    }

    /// Puts another fragment in the place of the bytes of `span`.
    pub(super) fn replace(&mut self, span: Span, with: Self) {
        self.replace_all([(span, with)]);
    }

    /// Puts other fragments in the places of some bytes; the places are in order and do not overlap.
    pub(super) fn replace_all(&mut self, edits: impl IntoIterator<Item = (Span, Self)>) {
        let mut whole = Self::default();
        let mut at = 0;
        for (span, with) in edits {
            whole.append(&self.cut(at, span.start()));
            whole.append(&with);
            at = span.end();
        }
        whole.append(&self.cut(at, self.text.len()));
        *self = whole;
    }

    /// The bytes from `start` to `end`, with the parts that lie in them as a whole.
    pub(super) fn cut(&self, start: usize, end: usize) -> Self {
        let inside = self.parts.iter().filter(|part| start <= part.span.start() && part.span.end() <= end);
        let moved = |part: &Part| {
            let span = Span::new(part.span.start() - start, part.span.end() - start);
            Part { span, origin: part.origin }
        };
        Self { text: Span::new(start, end).of(&self.text).to_owned(), parts: inside.map(moved).collect() }
    }

    /// The same text with `\r\n` for the line feeds whose offsets are chosen.
    pub(super) fn with_crlf(&self, is_chosen: impl Fn(usize) -> bool) -> Self {
        let breaks: Vec<usize> = self.text.match_indices('\n').map(|(at, _)| at).filter(|&at| is_chosen(at)).collect();
        let offset = |at: usize| at + breaks.partition_point(|&line| line < at);
        let mut text = String::with_capacity(self.text.len() + breaks.len());
        let mut start = 0;
        for &at in &breaks {
            text.push_str(Span::new(start, at).of(&self.text));
            text.push('\r');
            start = at;
        }
        text.push_str(Span::new(start, self.text.len()).of(&self.text));
        let parts = self.parts.iter().map(|part| {
            let span = Span::new(offset(part.span.start()), offset(part.span.end()));
            Part { span, origin: part.origin }
        });
        Self { text, parts: parts.collect() }
    }
}
