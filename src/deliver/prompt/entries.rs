//! The entries of a section in a prompt.

use crate::deliver::with_lf;
use crate::document::content::{Content, Entry, EntryKind};

/// The entries of a section, each as Markdown that ends its line; the word for nothing is none.
pub(super) fn listed<'c>(content: &'c Content<'_>) -> impl Iterator<Item = String> + 'c {
    content.entries.iter().filter(|entry| entry.is_real()).map(markdown)
}

fn markdown(entry: &Entry<'_>) -> String {
    let text = with_lf(&entry.text);
    match entry.kind {
        EntryKind::Item(_) => format!("- {text}\n"),
        EntryKind::Paragraph | EntryKind::Table(_) | EntryKind::Other => format!("\n{text}\n\n"),
    }
}
