//! An input that is one list: the answers to a round's questions, or the points of the summary. A Markdown list, one
//! paragraph for one item, or a JSON list of strings.

use super::input::{Input, Unreadable};
use super::json;
use super::said::{Said, beside_the_list, outline, passages};
use crate::source::Span;

/// The items in their order, and the first thing that is no item of the list.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) items: Vec<Said>,
    pub(super) stray: Option<Span>,
}

pub(super) fn read(input: Input<'_>) -> Result<Listed, Unreadable> {
    if let Some(items) = json::entries(input.text).map_err(|error| input.malformed(error))? {
        return Ok(Listed { items, stray: None });
    }
    let outline = outline(input.text);
    let all = 0..outline.blocks.len();
    Ok(Listed { items: passages(&outline, all.clone()), stray: beside_the_list(&outline, all) })
}
