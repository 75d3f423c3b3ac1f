//! An input that is one list: the answers to a round's questions, or the points of the summary. A Markdown list, one
//! paragraph for one item, or a JSON list of strings.

use super::input::{Input, Unreadable};
use super::json;
use super::said::{Said, outline, passages};

/// Reads the items in their order; whether they are one list is judged where they stand in the version.
pub(super) fn read(input: Input<'_>) -> Result<Vec<Said>, Unreadable> {
    if json::is_list(input.text) {
        return json::list(input.text).map_err(|error| input.malformed(error));
    }
    let outline = outline(input.text);
    Ok(passages(&outline, 0..outline.blocks.len()))
}
