//! The documents and the names that every simulated transaction works on, and the transactions.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use handoff_guard::check::verify;
use handoff_guard::protocol::digest::Digest;
use handoff_guard::protocol::profile::Profile;
use handoff_guard::source::Source;
use handoff_guard::store::Names;
use handoff_guard::store::error::Error;
use handoff_guard::store::fs::{Directory, Kind};
use handoff_guard::store::recover::{self, Damage, Leftovers, Recovery};
use handoff_guard::store::replace::{self, Extent, Receipt, Start};

use super::disk::{Bytes, Disk};

const DOCUMENT: &str = include_str!("../../fixtures/valid/empty-sections-before-the-end.handoff.md");
const UPDATED_AT: &str = r#"updated_at: "2026-03-02T09:00:00+08:00""#;

/// The session of every version.
pub(crate) const SESSION: &str = "importer-4c81";
/// A session of the same length.
pub(crate) const OTHER_SESSION: &str = "exporter-9d20";

/// The names around the official file.
pub(crate) static NAMES: LazyLock<Names> = LazyLock::new(|| Names::new(OsStr::new("a.handoff.md")).unwrap());

/// The versions of the session, from the first one on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Age {
    /// What the backup holds before an update.
    Previous,
    /// What the official file holds before an update.
    Old,
    /// What an update writes.
    New,
    /// What is written to see that a write works again.
    Later,
}

impl Age {
    const ALL: [Self; 4] = [Self::Previous, Self::Old, Self::New, Self::Later];

    /// The bytes of this version.
    pub(crate) fn bytes(self) -> Bytes {
        static VERSIONS: LazyLock<[Bytes; 4]> =
            LazyLock::new(|| Age::ALL.map(|age| Bytes::from(version(SESSION, 9 + age as u8).as_bytes())));
        Arc::clone(&VERSIONS[self as usize])
    }
}

/// A version of a session, updated at an hour of one day.
pub(crate) fn version(session_id: &str, hour: u8) -> String {
    let updated_at = format!(r#"updated_at: "2026-03-02T{hour:02}:00:00+08:00""#);
    let document = DOCUMENT.replace(SESSION, session_id).replace(UPDATED_AT, &updated_at);
    assert!(verifiable(document.as_bytes()), "the versions on the stage are verifiable");
    document
}

/// A candidate that can follow [`Age::Old`] in everything but its status.
pub(crate) fn rejected() -> String {
    version(SESSION, 11).replace("handoff_status: COLLECTING", "handoff_status: BLOCKED")
}

/// Whether a file with this content is a verifiable version; remembered by the content.
pub(crate) fn verifiable(bytes: &[u8]) -> bool {
    thread_local! {
        static KNOWN: RefCell<HashMap<Vec<u8>, bool>> = RefCell::default();
    }
    KNOWN.with_borrow_mut(|known| {
        if let Some(answer) = known.get(bytes) {
            return *answer;
        }
        let answer = verify(&Source::new(bytes), Profile::Full).is_ok();
        known.insert(bytes.to_vec(), answer);
        answer
    })
}

/// What a name holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Role {
    Absent,
    Version(Age),
    /// No version.
    Bad,
}

impl Role {
    /// What `name` holds on `disk`.
    pub(crate) fn of(disk: &Disk, name: &OsStr) -> Self {
        let Some((_, inode)) = disk.bound(name) else { return Self::Absent };
        let age = Age::ALL.into_iter().find(|age| inode.kind == Kind::Regular && *age.bytes() == *inode.content);
        assert_eq!(age.is_some(), verifiable(&inode.content), "a version from nowhere");
        age.map_or(Self::Bad, Self::Version)
    }

    /// Whether it is a version.
    pub(crate) fn is_version(self) -> bool {
        matches!(self, Self::Version(_))
    }
}

/// A disk with these contents at the official name and at the backup's.
pub(crate) fn disk(official: Option<&[u8]>, backup: Option<&[u8]>) -> Disk {
    let files: [(&OsString, Option<&[u8]>); 2] = [(&NAMES.official, official), (&NAMES.backup, backup)];
    files.into_iter().fold(Disk::default(), |disk, (name, content)| match content {
        Some(content) => disk.with(name, Kind::Regular, content),
        None => disk,
    })
}

/// A transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Work {
    /// Writes a first version.
    First(Age),
    /// Writes a version that follows, or the same bytes again.
    Follow(Age),
    /// Writes a candidate that validation rejects.
    Reject,
    /// Recovers; the caller may report damage, and may hope for a version.
    Recover { is_damaged: bool, hope: Option<Age>, leftovers: Prune },
}

/// Whether recovery removes leftovers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Prune {
    No,
    Yes,
}

/// What a transaction that ended well says.
#[derive(Debug)]
pub(crate) enum Done {
    Write(Box<Receipt>),
    Recovery(Box<Recovery>),
}

impl Done {
    /// What recovery did.
    pub(crate) fn recovery(&self) -> Option<recover::Outcome> {
        match self {
            Self::Write(_) => None,
            Self::Recovery(recovery) => Some(recovery.outcome),
        }
    }
}

impl Work {
    /// Plain recovery.
    pub(crate) const RECOVER: Self = Self::Recover { is_damaged: false, hope: None, leftovers: Prune::No };
    /// Recovery where the caller saw damage.
    pub(crate) const RECOVER_DAMAGED: Self = Self::Recover { is_damaged: true, hope: None, leftovers: Prune::No };

    /// Runs the transaction.
    pub(crate) fn run<D: Directory>(self, directory: &D) -> Result<Done, Error> {
        let first = Start::First { session_id: SESSION };
        match self {
            Self::First(age) => write(directory, &age.bytes(), first),
            Self::Follow(age) => write(directory, &age.bytes(), Start::Follow),
            Self::Reject => write(directory, rejected().as_bytes(), Start::Follow),
            Self::Recover { is_damaged, hope, leftovers } => {
                let request = recover::Request {
                    session_id: None,
                    damage: if is_damaged { Damage::Reported } else { Damage::NotReported },
                    expected: hope.map(|age| Digest::of(&age.bytes())),
                    leftovers: if leftovers == Prune::Yes { Leftovers::Remove } else { Leftovers::Keep },
                    patience: Duration::ZERO,
                    extent: Extent::Commit,
                };
                recover::recover(directory, &NAMES, request).map(|recovery| Done::Recovery(Box::new(recovery)))
            }
        }
    }
}

fn write<D: Directory>(directory: &D, bytes: &[u8], start: Start<'_>) -> Result<Done, Error> {
    let request = replace::Request { bytes, start, expected: None, patience: Duration::ZERO, extent: Extent::Commit };
    replace::write(directory, &NAMES, request).map(|receipt| Done::Write(Box::new(receipt)))
}
