//! New entries for one section, without a change of state (PROTOCOL §10, `succession/same-state`).

use super::draft::Draft;
use super::fragment::Role;
use super::json;
use super::said::listed;
use super::step::{Composed, Refusal, Step, Work};
use super::updates::{Mode, Update, is_open, whole};
use crate::check::Verifiable;
use crate::protocol::sections::{Part, Section, TldrSection};
use crate::source::Source;

/// The section that `tldr/<title>`, `details/<title>` or a title that only one part has stands for, when it can be set.
pub fn named(name: &str) -> Option<Section> {
    let parts = [(TLDR, Part::Tldr), (DETAILS, Part::Details)];
    let parted = parts.iter().find_map(|&(prefix, part)| Some((Some(part), name.strip_prefix(prefix)?)));
    let (part, title) = parted.unwrap_or((None, name));
    Section::parse(part, title).filter(|&section| is_open(section))
}

const TLDR: &str = "tldr/";
const DETAILS: &str = "details/";

/// `previous`, a session that is not sealed, with other entries in one section, and later; everything else stays byte for
/// byte.
///
/// # Errors
/// Why nothing could be composed; what is wrong with what was composed is said by [`Composed::judge`].
pub fn set<'i>(
    previous: &Verifiable<'_>,
    section: Section,
    mode: Mode,
    entries: &'i Source,
    now: &str,
) -> Result<Composed<'i>, Refusal> {
    let mut work = Work::begin(Step::Set, previous, now)?;
    let input = work.open(Role::Entries, entries)?;
    let entries = json::entries(input.text).map_err(|error| Refusal::Unreadable(input.malformed(error)))?;
    let content = match entries {
        Some(entries) => listed(&entries, Role::Entries),
        None => whole(input, &mut work.defects),
    };
    work.apply(input, &Update { section, mode, content })?;
    if section == Section::Tldr(TldrSection::CurrentState) {
        let status = work.head.status;
        work.draft.set_status(status);
    }
    Ok(work.finish(Draft::finish_at))
}
