//! What the TL;DR shows of a section: it is derived, and has little room (PROTOCOL §6).

use super::draft::Draft;
use super::fragment::Fragment;
use super::said::{Said, entries};
use super::text::{item, read, shortened};
use crate::document::outline::has_anchor;
use crate::protocol::sections::{DetailsSection, TLDR_LIMIT, TldrSection};
use crate::source::Span;

/// How many characters the TL;DR gives to one list.
pub(super) const LIST: usize = 120;

/// The first items that fit, shortened, and where the others are; `nothing` when there is none.
pub(super) fn projected(items: &[String], section: DetailsSection, nothing: &str) -> Vec<String> {
    if items.is_empty() { vec![nothing.to_owned()] } else { with_pointer(items, section, LIST) }
}

/// The first items that fit into `room` characters, and where the others are.
fn with_pointer(items: &[String], section: DetailsSection, room: usize) -> Vec<String> {
    let mut shown = fitting(items, room);
    let more = items.len() - shown.len();
    shown.extend((more > 0).then(|| pointer(more, section)));
    shown
}

/// The first items that fit into `room` characters, shortened. An anchor that shortening would cut off is left to the
/// section, whose title is an anchor itself.
fn fitting(items: &[String], mut room: usize) -> Vec<String> {
    let mut shown = Vec::new();
    for item in items {
        let short = shortened(item, LIST);
        let size = short.chars().count();
        if size > room || (has_anchor(item) && !has_anchor(&short)) {
            break;
        }
        // The marker and the line feed count.
        room = room.saturating_sub(size + "- \n".len());
        shown.push(short);
    }
    shown
}

/// The item that stands for `more` items that did not fit.
fn pointer(more: usize, section: DetailsSection) -> String {
    format!("{more}{}", more_under(section))
}

/// How many items a pointer to this section stands for; `None` for another item.
fn pointed_to(item: &str, section: DetailsSection) -> Option<usize> {
    item.strip_suffix(more_under(section).as_str())?.parse().ok()
}

fn more_under(section: DetailsSection) -> String {
    format!(" more under `## {section}`")
}

/// Which entries of a section the TL;DR shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shows {
    /// All.
    Entries,
    /// Those that say where something can be seen.
    Anchored,
}

impl Shows {
    fn is_shown(self, said: &Said) -> bool {
        said.is_real() && !said.text.is_empty() && (self == Self::Entries || said.has_anchor())
    }
}

/// Brings what was added to a section into the TL;DR, as far as there is room; where the TL;DR says nothing yet, all that
/// the section says.
pub(super) fn project(draft: &mut Draft<'_>, to: TldrSection, from: DetailsSection, shows: Shows, added: &[Said]) {
    let section = draft.details(from).text.clone();
    let standing = entries(&section);
    let shown_text = draft.tldr(to).text.clone();
    let shown = entries(&shown_text);
    let room = TLDR_LIMIT.saturating_sub(draft.tldr_size() + pointer(usize::MAX, from).len()).min(LIST);
    if !shown.iter().any(Said::is_real) {
        let all: Vec<String> =
            standing.iter().filter(|said| shows.is_shown(said)).map(|said| item(&read(&said.text))).collect();
        if !all.is_empty() {
            let lines = with_pointer(&all, from, room).join("\n- ");
            *draft.tldr(to) = Fragment::from(format!("- {lines}"));
        }
        return;
    }
    let known: Vec<&str> = shown.iter().map(|said| said.text.as_str()).collect();
    let new: Vec<String> = added.iter().filter(|said| shows.is_shown(said)).map(|said| item(&said.text)).collect();
    let new: Vec<String> = new.into_iter().filter(|item| !known.contains(&shortened(item, LIST).as_str())).collect();
    if new.is_empty() {
        return;
    }
    let before = shown.iter().find_map(|said| Some((said.span, pointed_to(&said.text, from)?)));
    let mut lines = fitting(&new, room);
    let more = new.len() - lines.len() + before.map_or(0, |(_, more)| more);
    lines.extend((more > 0).then(|| pointer(more, from)));
    let lines = lines.join("\n- ");
    let section = draft.tldr(to);
    match before {
        Some((place, _)) => {
            let end = place.start() + place.of(&shown_text).trim_end().len();
            let start = end - place.of(&shown_text).trim().len();
            section.replace(Span::new(start, end), Fragment::from(lines));
        }
        None => super::merge::append(section, &Fragment::from(format!("- {lines}"))),
    }
}
