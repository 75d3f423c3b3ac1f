//! What people and other agents say, as a step reads and writes it: passages of Markdown, each with its place.

use std::ops::Range;

use super::fragment::{Fragment, Origin, Role};
use super::text::{content, dedented, paragraph};
use crate::document::content::trimmed;
use crate::document::outline::{BlockKind, Outline, has_anchor};
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
    /// A passage, unless it is blank.
    pub(super) fn new(text: &str, form: Form, span: Span) -> Option<Self> {
        let text = dedented(text.trim()).trim().to_owned();
        (!is_blank(&text)).then_some(Self { text, form, span })
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
    let blocks = outline.blocks.iter().enumerate();
    let entries = blocks.filter(|(_, block)| !matches!(block.kind, BlockKind::Empty | BlockKind::Heading(_)));
    entries.flat_map(|(index, _)| passages(&outline, index..index + 1)).collect()
}

/// The passages of some blocks: items, paragraphs, and the raw text of every other block, a heading or HTML too.
pub(super) fn passages(outline: &Outline<'_>, blocks: Range<usize>) -> Vec<Said> {
    let text = outline.text();
    let mut said = Vec::new();
    for block in outline.blocks.get(blocks).unwrap_or_default() {
        let raw = |span: Span, form| Said::new(span.of(text), form, trimmed(span, text));
        match &block.kind {
            BlockKind::List(items) => said.extend(items.iter().filter_map(|&item| raw(item, Form::Item))),
            BlockKind::Paragraph => said.extend(raw(block.span, Form::Paragraph)),
            BlockKind::Empty if !block.span.of(text).trim_start().starts_with('<') => {}
            BlockKind::Empty | BlockKind::Heading(_) | BlockKind::Table(_) | BlockKind::Code | BlockKind::Quote => {
                said.extend(raw(block.span, Form::Item));
            }
        }
    }
    said
}

/// Passages as the content of a section or field.
pub(super) fn listed(said: &[Said], role: Role) -> Fragment {
    let mut fragment = Fragment::default();
    let mut before = None;
    for passage in said {
        let origin = Origin { role, span: passage.span };
        match before {
            Some(Form::Item) if passage.form == Form::Item => fragment.push("\n"),
            Some(Form::Item | Form::Paragraph) => fragment.push("\n\n"),
            None => {}
        }
        // The word alone is the content; among others it is an item, or it would continue the one before it.
        if passage.form == Form::Paragraph || (passage.text == NONE && said.len() == 1) {
            fragment.push_from(&paragraph(&passage.text), origin);
        } else {
            fragment.push("- ");
            fragment.push_from(&content(&passage.text), origin);
        }
        before = Some(passage.form);
    }
    fragment
}
