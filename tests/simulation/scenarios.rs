//! The transactions that are crashed and disturbed, with what each promises.

use handoff_guard::store::fs::Kind;

use super::Flavour;
use super::disk::Disk;
use super::enumeration::Scenario;
use super::stage::{self, Age, Prune, Role, Work};

const PREVIOUS: Role = Role::Version(Age::Previous);
const OLD: Role = Role::Version(Age::Old);
const NEW: Role = Role::Version(Age::New);

/// What a dead update left.
const LEFTOVERS: [&str; 2] = [".handoff-79032f65-00000000000000aa.cand", ".handoff-79032f65-00000000000000bb.bak"];

/// A first version.
pub(crate) fn first(flavour: Flavour) -> Scenario {
    Scenario {
        start: Disk::default(),
        flavour,
        work: Work::First(Age::Old),
        after: OLD,
        recovered: vec![Role::Absent, OLD],
        backups: vec![Role::Absent],
    }
}

/// An update from the old version to the new one, with this backup.
pub(crate) fn update(backup: Option<Age>) -> Scenario {
    let held = backup.map(Age::bytes);
    Scenario {
        start: stage::disk(Some(&Age::Old.bytes()), held.as_deref()),
        flavour: Flavour::Modern,
        work: Work::Follow(Age::New),
        after: NEW,
        recovered: vec![OLD, NEW],
        backups: vec![backup.map_or(Role::Absent, Role::Version), OLD],
    }
}

/// The old version over itself, with the previous one as the backup.
pub(crate) fn rewrite() -> Scenario {
    Scenario { work: Work::Follow(Age::Old), after: OLD, recovered: vec![OLD], ..unchanged_by() }
}

/// A candidate that breaks a rule.
pub(crate) fn rejected() -> Scenario {
    Scenario { work: Work::Reject, ..unchanged_by() }
}

/// The old version, which stays, and a backup of the one before.
fn unchanged_by() -> Scenario {
    Scenario {
        start: stage::disk(Some(&Age::Old.bytes()), Some(&Age::Previous.bytes())),
        flavour: Flavour::Modern,
        work: Work::Reject,
        after: OLD,
        recovered: vec![OLD],
        backups: vec![PREVIOUS],
    }
}

/// Recovery of the old version from the backup.
pub(crate) fn recovery(official: Option<&[u8]>, flavour: Flavour) -> Scenario {
    Scenario {
        start: stage::disk(official, Some(&Age::Old.bytes())),
        flavour,
        work: Work::RECOVER,
        after: OLD,
        recovered: vec![OLD],
        backups: vec![OLD],
    }
}

/// The backup holds the better version of two, and the caller reports damage.
pub(crate) fn damage(flavour: Flavour) -> Scenario {
    Scenario {
        start: stage::disk(Some(&Age::Old.bytes()), Some(&Age::New.bytes())),
        flavour,
        work: Work::RECOVER_DAMAGED,
        after: NEW,
        recovered: vec![OLD, NEW],
        backups: vec![NEW],
    }
}

/// Recovery that makes the version durable for which the caller hopes.
pub(crate) fn confirmation() -> Scenario {
    let work = Work::Recover { is_damaged: false, hope: Some(Age::Old), leftovers: Prune::No };
    Scenario { work, ..unchanged_by() }
}

/// Recovery that removes the temporary files of dead writers.
pub(crate) fn pruning() -> Scenario {
    let plain = recovery(None, Flavour::Modern);
    let work = Work::Recover { is_damaged: false, hope: None, leftovers: Prune::Yes };
    let start = LEFTOVERS.iter().fold(plain.start, |disk, name| disk.with(name.as_ref(), Kind::Regular, b"---\n"));
    Scenario { start, work, ..plain }
}
