//! What stands under a heading: its entries, and the questions that the rules ask about them (PROTOCOL, "Words").

use std::borrow::Cow;
use std::ops::Range;

use super::outline::{BlockKind, Outline, Table};
use crate::protocol::{anchor, character, words};
use crate::source::Span;

/// The content of a section or field.
#[derive(Debug)]
pub struct Content<'s> {
    /// The indices of its blocks in the outline, headings of lower levels included.
    pub blocks: Range<usize>,
    /// The bytes between its heading and the next.
    pub span: Span,
    /// Its entries that are not empty; in the TL;DR only items are entries.
    pub entries: Vec<Entry<'s>>,
    /// The first block that would be an entry elsewhere.
    pub stray: Option<Span>,
}

/// What counts as an entry (PROTOCOL, "Words").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// List items: the TL;DR.
    Items,
    /// Every block that holds text: everything below `# Handoff Details`.
    Entries,
}

/// An item, or another block that holds text.
#[derive(Clone, Debug)]
pub struct Entry<'s> {
    /// What it is.
    pub kind: EntryKind,
    /// Its bytes.
    pub span: Span,
    /// Its raw Markdown without HTML comments and outer blanks.
    pub text: Cow<'s, str>,
    /// The contents of its code spans that are not empty.
    pub code: Vec<&'s str>,
}

/// The kinds of [`Entry`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// An item of the list with this block index.
    Item(usize),
    /// A paragraph.
    Paragraph,
    /// The table with this block index.
    Table(usize),
    /// A code block or quote.
    Other,
}

impl Entry<'_> {
    /// True when the entry is the bare word.
    pub fn is(&self, word: &str) -> bool {
        self.text == word
    }

    /// True when the entry is neither `none` nor `unverified`.
    pub fn is_real(&self) -> bool {
        !self.is(words::NONE) && !self.is(words::UNVERIFIED)
    }

    /// Where the text behind its first `offset` bytes stands, without blanks around it; the whole entry where a removed
    /// comment makes offsets differ.
    pub fn behind(&self, offset: usize) -> Span {
        let Cow::Borrowed(text) = self.text else { return self.span };
        let offset = offset.min(text.len());
        trimmed(Span::new(offset, text.len()), text).shifted(self.span.start())
    }

    /// Its anchors.
    pub fn anchors(&self) -> impl Iterator<Item = &str> {
        self.code.iter().copied().chain(anchor::anchors(&self.text))
    }

    /// True when the entry contains an anchor.
    pub fn has_anchor(&self) -> bool {
        self.anchors().next().is_some()
    }
}

impl<'s> Content<'s> {
    /// Reads the blocks of `blocks`.
    pub(super) fn read(outline: &Outline<'s>, blocks: Range<usize>, takes: Takes) -> Self {
        let mut entries = Vec::new();
        let mut stray = None;
        for index in blocks.clone() {
            let Some(block) = outline.blocks.get(index) else { break };
            let mut add = |kind, span: Span, text: Cow<'s, str>| {
                let span = trimmed(span, outline.text());
                if character::is_blank(&text) {
                    return;
                }
                if takes == Takes::Items && !matches!(kind, EntryKind::Item(_)) {
                    stray.get_or_insert(span);
                } else {
                    entries.push(Entry { kind, span, text, code: outline.code_spans(span).collect() });
                }
            };
            let raw = || Cow::Borrowed(block.span.of(outline.text()).trim());
            match &block.kind {
                BlockKind::Heading(_) | BlockKind::Empty => {}
                BlockKind::List(items) => {
                    for &item in items {
                        add(EntryKind::Item(index), item, outline.without_comments(item));
                    }
                }
                BlockKind::Paragraph => add(EntryKind::Paragraph, block.span, outline.without_comments(block.span)),
                BlockKind::Table(_) => add(EntryKind::Table(index), block.span, raw()),
                BlockKind::Code | BlockKind::Quote => add(EntryKind::Other, block.span, raw()),
            }
        }
        Self { span: outline.between(blocks.clone()), blocks, entries, stray }
    }

    /// True when the only entry is the bare word.
    pub fn is_exactly(&self, word: &str) -> bool {
        matches!(self.entries.as_slice(), [entry] if entry.is(word))
    }

    /// True when the only entry is `none`.
    pub fn is_none(&self) -> bool {
        self.is_exactly(words::NONE)
    }

    /// True when there is no entry at all.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// True when there is no entry or only `none`: nothing was said.
    pub fn is_silent(&self) -> bool {
        self.is_empty() || self.is_none()
    }

    /// The entries that are neither `none` nor `unverified`.
    pub fn real_entries(&self) -> impl Iterator<Item = &Entry<'s>> {
        self.entries.iter().filter(|entry| entry.is_real())
    }

    /// True when there is a real entry.
    pub fn has_real_entry(&self) -> bool {
        self.real_entries().next().is_some()
    }

    /// The first entry that contains an anchor.
    pub fn anchored_entry(&self) -> Option<&Entry<'s>> {
        self.entries.iter().find(|entry| entry.has_anchor())
    }

    /// The entries that are items of a list.
    pub fn items(&self) -> impl Iterator<Item = &Entry<'s>> {
        self.entries.iter().filter(|entry| matches!(entry.kind, EntryKind::Item(_)))
    }

    /// True when every entry is an item of one and the same list.
    pub fn is_one_list(&self) -> bool {
        let list = |entry: &Entry<'_>| match entry.kind {
            EntryKind::Item(list) => Some(list),
            _ => None,
        };
        let first = self.entries.first().and_then(list);
        first.is_some() && self.entries.iter().all(|entry| list(entry) == first)
    }

    /// Where to point when the content as a whole is meant: its first entry, or the place where one belongs.
    pub fn place(&self) -> Span {
        self.entries.first().map_or(Span::at(self.span.start()), |entry| entry.span)
    }
}

/// The table of an entry.
pub fn table<'o>(outline: &'o Outline<'_>, entry: &Entry<'_>) -> Option<&'o Table> {
    let EntryKind::Table(index) = entry.kind else { return None };
    match &outline.blocks.get(index)?.kind {
        BlockKind::Table(table) => Some(table),
        _ => None,
    }
}

/// The span without white space at its ends.
pub fn trimmed(span: Span, text: &str) -> Span {
    let inner = span.of(text);
    let start = span.start() + (inner.len() - inner.trim_start().len());
    Span::new(start, start + inner.trim().len())
}
