//! What people and other agents say, as a step reads and writes it: passages of Markdown, each with its place.

use std::ops::Range;

use super::fragment::{Fidelity, Fragment, Origin, Role};
use super::text::{TAB, content, dedented, dedented_by, paragraph};
use crate::document::content::trimmed;
use crate::document::outline::{Block, BlockKind, Outline, has_anchor};
use crate::protocol::character::is_blank;
use crate::protocol::profile::Profile;
use crate::protocol::words::{NONE, UNVERIFIED};
use crate::source::Span;

/// One passage.
#[derive(Clone, Debug)]
pub(super) struct Said {
    /// Its raw Markdown: line breaks are line feeds, no indentation of its own, no blanks around it.
    pub(super) text: String,
    /// What it is in a list of passages.
    pub(super) form: Form,
    /// Its place in the input.
    pub(super) span: Span,
    /// Whether the text is what stands at that place.
    pub(super) fidelity: Fidelity,
}

/// What a passage becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// An item of a list.
    Item,
    /// A paragraph.
    Paragraph,
}

impl Said {
    /// A passage that is no longer what stands at `span`, unless it is blank.
    pub(super) fn reworked(text: &str, form: Form, span: Span) -> Option<Self> {
        let text = text.trim().replace("\r\n", "\n");
        (!is_blank(&text)).then_some(Self { text, form, span, fidelity: Fidelity::Reworked })
    }

    /// Where the passage came from that stands in the version as `written`.
    pub(super) fn origin(&self, role: Role, written: &str) -> Origin {
        let fidelity = if written == self.text { self.fidelity } else { Fidelity::Reworked };
        Origin { role, span: self.span, fidelity }
    }

    /// Makes another text a part of the passage.
    fn take_along(&mut self, other: &Self) {
        self.text = format!("{}\n\n{}", self.text, other.text);
        self.span = Span::new(self.span.start().min(other.span.start()), self.span.end().max(other.span.end()));
        self.fidelity = Fidelity::Reworked;
    }

    /// True when it is neither `none` nor `unverified`.
    pub(super) fn is_real(&self) -> bool {
        self.text != NONE && self.text != UNVERIFIED
    }

    /// True when it says where something can be seen.
    pub(super) fn has_anchor(&self) -> bool {
        has_anchor(&content(&self.text))
    }
}

/// The outline of a text that is no document.
pub(super) fn outline(text: &str) -> Outline<'_> {
    Outline::parse(text, Span::new(0, text.len()), Profile::Full)
}

/// The entries of a section: its items, and its other blocks that hold text.
pub(super) fn entries(text: &str) -> Vec<Said> {
    let outline = outline(text);
    let entries = outline.blocks.iter().filter(|block| !matches!(block.kind, BlockKind::Empty | BlockKind::Heading(_)));
    entries.flat_map(|block| in_block(&outline, block)).collect()
}

/// The passages of some blocks: items, paragraphs, and the raw text of every other block, a heading or HTML too. HTML
/// comments are no text. Definitions of links, which are no blocks, belong to the passage before them, else to the next.
pub(super) fn passages(outline: &Outline<'_>, blocks: Range<usize>) -> Vec<Said> {
    let mut said: Vec<Said> = Vec::new();
    let mut before = definitions(outline, blocks.start);
    for index in blocks {
        let mut new = outline.blocks.get(index).map(|block| in_block(outline, block)).unwrap_or_default();
        if let Some(first) = new.first_mut().filter(|first| first.is_real()) {
            before.take().into_iter().for_each(|before| first.take_along(&before));
        }
        said.extend(before.take().filter(|_| !new.is_empty()));
        said.extend(new);
        let Some(definitions) = definitions(outline, index + 1) else { continue };
        match said.last_mut().filter(|last| last.is_real()) {
            Some(last) => last.take_along(&definitions),
            None => before = Some(definitions),
        }
    }
    said.extend(before);
    said
}

/// The first block that is neither the one list of a text nor the one paragraph that says all.
pub(super) fn beside_the_list(outline: &Outline<'_>, blocks: Range<usize>) -> Option<Span> {
    let blocks = outline.blocks.get(blocks).unwrap_or_default().iter();
    let mut blocks = blocks.filter(|block| !in_block(outline, block).is_empty());
    let first = blocks.next()?;
    let stray = match first.kind {
        BlockKind::List(_) | BlockKind::Paragraph => blocks.next()?,
        BlockKind::Empty | BlockKind::Heading(_) | BlockKind::Table(_) | BlockKind::Code | BlockKind::Quote => first,
    };
    Some(trimmed(stray.span, outline.text()))
}

fn in_block(outline: &Outline<'_>, block: &Block<'_>) -> Vec<Said> {
    let text = outline.text();
    let passage = |place: Span, form, lines: &dyn Fn(&str) -> String| {
        let span = trimmed(place, text);
        let shown = shown(outline, place);
        let said = Said::reworked(&lines(shown.trim()), form, span)?;
        Some(Said { fidelity: Fidelity::of(&said.text, span.of(text)), ..said })
    };
    let item = |item: Span| passage(item, Form::Item, &|shown| dedented_by(shown, content_column(text, item)));
    match &block.kind {
        BlockKind::List(items) => items.iter().filter_map(|&place| item(place)).collect(),
        BlockKind::Paragraph => passage(block.span, Form::Paragraph, &dedented).into_iter().collect(),
        BlockKind::Empty if !block.span.of(text).trim_start().starts_with('<') => Vec::new(),
        BlockKind::Empty | BlockKind::Heading(_) | BlockKind::Table(_) | BlockKind::Code | BlockKind::Quote => {
            passage(block.span, Form::Item, &dedented).into_iter().collect()
        }
    }
}

/// The text at a place without HTML comments, each code span on one line, because only there it stays code.
fn shown(outline: &Outline<'_>, place: Span) -> String {
    let text = outline.text();
    let is_quoted = |line: &str| line.trim_start().starts_with('>');
    let code = outline.code_span_places(place).filter_map(|span| {
        let code = span.of(text);
        let goes_on = code.contains('\n') && !code.lines().skip(1).any(is_quoted);
        goes_on.then(|| (span, code.lines().map(str::trim).collect::<Vec<_>>().join(" ")))
    });
    let mut edits: Vec<(Span, String)> =
        outline.comments(place).map(|span| (span, String::new())).chain(code).collect();
    edits.sort_unstable();
    let mut shown = String::new();
    let mut at = place.start();
    for (span, with) in edits {
        shown.push_str(Span::new(at, span.start().max(at)).of(text));
        shown.push_str(&with);
        at = at.max(span.end());
    }
    shown.push_str(Span::new(at, place.end().max(at)).of(text));
    shown
}

/// The column behind the marker of an item, from the bytes behind it.
pub(super) fn marker_column(text: &str, item: Span) -> usize {
    column(text, item.start())
}

/// The column at which the content of an item stands.
pub(super) fn content_column(text: &str, item: Span) -> usize {
    let first = item.of(text).lines().next().unwrap_or_default();
    let blanks = first.len() - first.trim_start_matches([' ', '\t']).len();
    let (marker, content) = (marker_column(text, item), column(text, item.start() + blanks));
    // Blanks that are more are the beginning of code.
    if blanks == first.len() || content > marker + TAB { marker + 1 } else { content }
}

fn column(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rfind('\n').map_or(before, |end| before.get(end + 1..).unwrap_or_default());
    line.bytes().fold(0, |column, byte| if byte == b'\t' { column / TAB * TAB + TAB } else { column + 1 })
}

/// The definitions of links before a block.
fn definitions(outline: &Outline<'_>, block: usize) -> Option<Said> {
    let span = trimmed(outline.between(block..block), outline.text());
    let text = span.of(outline.text());
    if text.starts_with('[') { Said::reworked(&dedented(text), Form::Item, span) } else { None }
}

/// Passages as the content of a section or field.
pub(super) fn listed(said: &[Said], role: Role) -> Fragment {
    let mut fragment = Fragment::default();
    let mut before = None;
    for passage in said {
        match before {
            Some(Form::Item) if passage.form == Form::Item => fragment.push("\n"),
            Some(Form::Item | Form::Paragraph) => fragment.push("\n\n"),
            None => {}
        }
        // The word alone is the content; among others it is an item, or it would continue the one before it.
        if passage.form == Form::Paragraph || (passage.text == NONE && said.len() == 1) {
            let written = paragraph(&passage.text);
            fragment.push_from(&written, passage.origin(role, &written));
        } else {
            fragment.push("- ");
            let written = content(&passage.text);
            fragment.push_from(&written, passage.origin(role, &written));
        }
        before = Some(passage.form);
    }
    fragment
}
