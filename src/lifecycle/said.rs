//! What people and other agents say, as a step reads and writes it: passages of Markdown, each with its place.

use std::ops::Range;

use super::fragment::{Fidelity, Fragment, Origin, Role};
use super::text::{content, dedented, paragraph};
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
        let text = dedented(text.trim()).trim().to_owned();
        (!is_blank(&text)).then_some(Self { text, form, span, fidelity: Fidelity::Reworked })
    }

    /// Where the passage came from that stands in the version as `written`.
    pub(super) fn origin(&self, role: Role, written: &str) -> Origin {
        let fidelity = if written == self.text { self.fidelity } else { Fidelity::Reworked };
        Origin { role, span: self.span, fidelity }
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
/// comments are no text. Definitions of links, which are no blocks, belong to the passage before them.
pub(super) fn passages(outline: &Outline<'_>, blocks: Range<usize>) -> Vec<Said> {
    let mut said: Vec<Said> = definitions(outline, blocks.start).into_iter().collect();
    for index in blocks {
        said.extend(outline.blocks.get(index).map(|block| in_block(outline, block)).unwrap_or_default());
        let Some(definitions) = definitions(outline, index + 1) else { continue };
        match said.last_mut().filter(|last| last.is_real()) {
            Some(last) => {
                last.text = format!("{}\n\n{}", last.text, definitions.text);
                last.span = last.span.to(definitions.span);
                last.fidelity = Fidelity::Reworked;
            }
            None => said.push(definitions),
        }
    }
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
    let passage = |span: Span, form| {
        let shown = outline.without_comments(span);
        let span = trimmed(span, text);
        let said = Said::reworked(&shown, form, span)?;
        Some(Said { fidelity: Fidelity::of(&said.text, span.of(text)), ..said })
    };
    match &block.kind {
        BlockKind::List(items) => items.iter().filter_map(|&item| passage(item, Form::Item)).collect(),
        BlockKind::Paragraph => passage(block.span, Form::Paragraph).into_iter().collect(),
        BlockKind::Empty if !block.span.of(text).trim_start().starts_with('<') => Vec::new(),
        BlockKind::Empty | BlockKind::Heading(_) | BlockKind::Table(_) | BlockKind::Code | BlockKind::Quote => {
            passage(block.span, Form::Item).into_iter().collect()
        }
    }
}

/// The definitions of links before a block.
fn definitions(outline: &Outline<'_>, block: usize) -> Option<Said> {
    let span = trimmed(outline.between(block..block), outline.text());
    let text = span.of(outline.text());
    if text.starts_with('[') { Said::reworked(text, Form::Item, span) } else { None }
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
