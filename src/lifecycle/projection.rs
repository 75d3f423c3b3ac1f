//! What the TL;DR shows of a section: it is derived, and has little room (PROTOCOL §6).

use super::draft::Draft;
use super::fragment::{Fragment, Role};
use super::merge::{append, claim};
use super::said::{Said, entries, outline};
use super::text::{item, read, shortened};
use crate::document::outline::has_anchor;
use crate::protocol::sections::{DetailsSection, TLDR_LIMIT, TldrSection};
use crate::source::Span;

/// How many characters the TL;DR gives to one list.
pub(super) const LIST: usize = 120;

/// The first texts that fit, shortened, and where the others are; `nothing` when there is none.
pub(super) fn projected(texts: &[String], section: DetailsSection, nothing: &str) -> Vec<String> {
    if texts.is_empty() { vec![nothing.to_owned()] } else { with_pointer(texts, section, LIST) }
}

/// The first texts that fit into `room` characters, and where the others are.
fn with_pointer(texts: &[String], section: DetailsSection, room: usize) -> Vec<String> {
    let mut shown = fitting(texts, room);
    let more = texts.len() - shown.len();
    shown.extend((more > 0).then(|| pointer(more, section)));
    shown
}

/// The first texts that fit into `room` characters as items, shortened. An anchor that shortening would cut off is left to
/// the section, whose title is an anchor itself.
fn fitting(texts: &[String], mut room: usize) -> Vec<String> {
    let mut shown = Vec::new();
    for text in texts {
        let short = shortened(text, LIST, item);
        let size = short.chars().count();
        if size > room || (has_anchor(&item(text)) && !has_anchor(&short)) {
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

/// Brings what was added to a section into the TL;DR, as far as there is room, which may be none; where the TL;DR says
/// nothing yet, all that the section says.
pub(super) fn project(draft: &mut Draft<'_>, to: TldrSection, from: DetailsSection, shows: Shows, added: &[Said]) {
    let section = draft.details(from).text.clone();
    let standing = entries(&section);
    let shown_text = draft.tldr(to).text.clone();
    let shown = entries(&shown_text);
    let spare = TLDR_LIMIT.saturating_sub(draft.tldr_size());
    let longest_pointer = "- \n".len() + pointer(usize::MAX, from).len();
    let room = spare.saturating_sub(longest_pointer).min(LIST);
    if !shown.iter().any(Said::is_real) {
        let all: Vec<String> =
            standing.iter().filter(|said| shows.is_shown(said)).map(|said| read(&said.text)).collect();
        if !all.is_empty() {
            append(draft.tldr(to), &items(&with_pointer(&all, from, room), &all, added));
        }
        return;
    }
    let claims: Vec<String> = shown.iter().map(|known| claim(&read(&known.text))).collect();
    let is_known = |said: &&Said| {
        let short = shortened(&said.text, LIST, item);
        let is_claimed = || shows == Shows::Entries && claims.contains(&claim(&said.text));
        shown.iter().any(|known| known.text == short) || is_claimed()
    };
    let new = added.iter().filter(|said| shows.is_shown(said) && !is_known(said));
    let new: Vec<String> = new.map(|said| said.text.clone()).collect();
    let outline = outline(&shown_text);
    let is_bare = |said: &&Said| outline.comments(said.span).next().is_none();
    let before = shown.iter().filter(is_bare).find_map(|said| Some((said.span, pointed_to(&said.text, from)?)));
    if new.is_empty() || (before.is_none() && spare < longest_pointer) {
        return;
    }
    let mut lines = fitting(&new, room);
    let more = new.len() - lines.len() + before.map_or(0, |(_, more)| more);
    lines.extend((more > 0).then(|| pointer(more, from)));
    let items = items(&lines, &new, added);
    let section = draft.tldr(to);
    match before {
        Some((pointer, _)) => {
            let line = shown_text.get(..pointer.start()).and_then(|text| text.rfind('\n')).map_or(0, |at| at + 1);
            section.replace(Span::new(line, pointer.end()), items);
        }
        None => append(section, &items),
    }
}

/// Lines as items; those that say the first `texts` came from where these were said.
fn items(lines: &[String], texts: &[String], said: &[Said]) -> Fragment {
    let mut items = Fragment::default();
    for (number, line) in lines.iter().enumerate() {
        items.push(if number == 0 { "- " } else { "\n- " });
        let source = texts.get(number).and_then(|text| said.iter().find(|said| said.text == *text));
        match source.filter(|said| shortened(&said.text, LIST, item) == *line) {
            Some(said) => items.push_from(line, said.origin(Role::Report, line)),
            None => items.push(line),
        }
    }
    items
}
