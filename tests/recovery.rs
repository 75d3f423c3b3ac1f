//! Recovery over any two files: it follows the table of PROTOCOL §13, loses nothing, never writes the backup, and changes
//! nothing when it is run again.

use std::ffi::OsString;
use std::time::Duration;

use handoff_guard::protocol::digest::Digest;
use handoff_guard::store::error::{Error, Unsuitable};
use handoff_guard::store::fs::Kind;
use handoff_guard::store::recover::{Damage, Leftovers, Origin, Outcome, Recovery, Request};
use handoff_guard::store::replace::Extent;
use proptest::prelude::*;
use proptest::sample::select;

use crate::simulation::Flavour;
use crate::simulation::disk::Disk;
use crate::simulation::stage::{NAMES, OTHER_SESSION, SESSION, verifiable, version};
use crate::soundness::recovery::{Facts, LEFTOVER, assert_recovers, run, table};
use crate::support;

/// A version in round 1; its times are those of the fixture until they are replaced.
const ROUND_ONE: &str = include_str!("../fixtures/valid/five-questions.handoff.md");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Session {
    Ours,
    Other,
}

impl Session {
    const fn id(self) -> &'static str {
        match self {
            Self::Ours => SESSION,
            Self::Other => OTHER_SESSION,
        }
    }
}

/// A verifiable version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Version {
    session: Session,
    /// Of 2026-03-02, in the offset +08:00.
    hour: u8,
    round: u8,
}

/// What a name is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum File {
    Absent,
    Version(Version),
    /// The first half of the front matter.
    TornEarly(Version),
    /// Everything up to the middle of the body: the front matter can be read.
    TornLate(Version),
    Zeros,
    Empty,
    Garbage,
    Special(Kind),
}

impl Version {
    fn text(self) -> String {
        let text = version(self.session.id(), self.hour);
        if self.round == 0 {
            return text;
        }
        let line = text.lines().find(|line| line.starts_with("updated_at:")).unwrap();
        let fixture = ROUND_ONE.lines().find(|line| line.starts_with("updated_at:")).unwrap();
        let created = ROUND_ONE.lines().find(|line| line.starts_with("created_at:")).unwrap();
        let text = ROUND_ONE.replace(created, r#"created_at: "2026-03-02T09:00:00+08:00""#).replace(fixture, line);
        text.replace(SESSION, self.session.id())
    }
}

impl File {
    fn session(self) -> Option<Session> {
        match self {
            Self::Version(version) | Self::TornLate(version) => Some(version.session),
            Self::Absent | Self::TornEarly(_) | Self::Zeros | Self::Empty | Self::Garbage | Self::Special(_) => None,
        }
    }

    fn bytes(self) -> Vec<u8> {
        let cut = |version: Version, pattern: &str| {
            let text = version.text();
            let at = text.find(pattern).unwrap();
            text.as_bytes()[..at].to_vec()
        };
        match self {
            Self::Version(version) => version.text().into_bytes(),
            Self::TornEarly(version) => cut(version, "status_reason"),
            Self::TornLate(version) => cut(version, "# Handoff Details"),
            Self::Zeros => vec![0; 1024],
            Self::Garbage => b"\xff\xfe not a handoff".to_vec(),
            Self::Absent | Self::Empty | Self::Special(_) => Vec::new(),
        }
    }

    fn put(self, disk: Disk, name: &OsString) -> Disk {
        match self {
            Self::Absent => disk,
            Self::Special(kind) => disk.with(name, kind, &[]),
            _ => {
                let bytes = self.bytes();
                assert_eq!(verifiable(&bytes), matches!(self, Self::Version(_)), "{self:?}");
                disk.with(name, Kind::Regular, &bytes)
            }
        }
    }

    fn facts(self) -> Facts<u8> {
        let version = match self {
            Self::Version(version) => Some((version.hour, version.round.into())),
            _ => None,
        };
        Facts { session: self.session().map(|session| session.id().to_owned()), version }
    }
}

fn any_version() -> impl Strategy<Value = Version> {
    let sessions = prop_oneof![4 => Just(Session::Ours), 1 => Just(Session::Other)];
    (sessions, 10_u8..12, 0_u8..2).prop_map(|(session, hour, round)| Version { session, hour, round })
}

fn any_file() -> impl Strategy<Value = File> {
    prop_oneof![
        2 => Just(File::Absent),
        6 => any_version().prop_map(File::Version),
        1 => any_version().prop_map(File::TornEarly),
        1 => any_version().prop_map(File::TornLate),
        2 => select(vec![File::Zeros, File::Empty, File::Garbage]),
        1 => select(vec![Kind::Symlink, Kind::Directory, Kind::Special]).prop_map(File::Special),
    ]
}

/// What the caller says.
#[derive(Clone, Copy, Debug)]
struct Flags {
    session: Option<Session>,
    damage: Damage,
    hope: Option<Version>,
    leftovers: Leftovers,
    extent: Extent,
    flavour: Flavour,
}

fn any_flags() -> impl Strategy<Value = Flags> {
    (
        select(vec![None, None, Some(Session::Ours), Some(Session::Other)]),
        select(vec![Damage::Reported, Damage::NotReported]),
        proptest::option::of(any_version()),
        select(vec![Leftovers::Keep, Leftovers::Remove]),
        select(vec![Extent::Commit, Extent::Commit, Extent::Commit, Extent::DryRun]),
        select(vec![Flavour::Modern, Flavour::LinkAndUnlink, Flavour::WithoutLinks]),
    )
        .prop_map(|(session, damage, hope, leftovers, extent, flavour)| Flags {
            session,
            damage,
            hope,
            leftovers,
            extent,
            flavour,
        })
}

impl Flags {
    fn request(self) -> Request<'static> {
        Request {
            session_id: self.session.map(Session::id),
            damage: self.damage,
            expected: self.hope.map(|version| Digest::of(version.text().as_bytes())),
            leftovers: self.leftovers,
            patience: Duration::ZERO,
            extent: self.extent,
        }
    }
}

fn assert_follows_the_table(official: File, backup: File, leftover: Option<Version>, flags: Flags) {
    let disk = backup.put(official.put(Disk::default(), &NAMES.official), &NAMES.backup);
    let disk = leftover.map_or(File::Absent, File::Version).put(disk, &LEFTOVER);
    let request = flags.request();

    if let File::Special(kind) = official {
        let reason = if kind == Kind::Symlink { Unsuitable::Symlink } else { Unsuitable::NotRegular(kind) };
        let (result, after) = run(&disk, flags.flavour, request);
        assert!(matches!(result, Err(Error::Unsuitable { reason: found, .. }) if found == reason), "{result:?}");
        assert_eq!(after, disk);
        return;
    }
    let decided = table(&official.facts(), &backup.facts(), flags.session.map(Session::id), flags.damage);
    let recovery = assert_recovers(&disk, flags.flavour, request, decided);
    assert_origin(&recovery, official, backup, flags);

    let standing = match decided {
        Outcome::Healthy => Some(official),
        Outcome::Restored => Some(backup),
        Outcome::WouldRestore | Outcome::OtherSession | Outcome::Nothing => None,
    };
    let stands = flags.hope.map(|hope| standing == Some(File::Version(hope)));
    assert_eq!(recovery.expected_stands, stands);
    assert_eq!(recovery.leftovers, leftover.map(|_| LEFTOVER.clone()).into_iter().collect::<Vec<_>>());
}

fn assert_origin(recovery: &Recovery, official: File, backup: File, flags: Flags) {
    let session = flags
        .session
        .map(|session| (session, Origin::Caller))
        .or_else(|| official.session().map(|session| (session, Origin::Official)))
        .or_else(|| backup.session().map(|session| (session, Origin::Backup)));
    let told = recovery.session.as_ref().map(|session| (session.id.as_str(), session.origin));
    assert_eq!(told, session.map(|(session, origin)| (session.id(), origin)));
}

proptest! {
    #![proptest_config(support::config(600))]

    #[test]
    fn recovery_of_any_two_files_follows_the_table_and_loses_nothing(
        official in any_file(),
        backup in any_file(),
        leftover in proptest::option::of(any_version()),
        flags in any_flags(),
    ) {
        assert_follows_the_table(official, backup, leftover, flags);
    }
}
