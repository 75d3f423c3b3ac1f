//! Recovery over any files: it decides by the table of PROTOCOL §13, loses nothing, never writes the backup, and changes
//! nothing when it is run again.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::sync::LazyLock;
use std::time::Duration;

use handoff_guard::check::{session_id, verify};
use handoff_guard::protocol::keys::Key;
use handoff_guard::protocol::profile::Profile;
use handoff_guard::protocol::timestamp::Timestamp;
use handoff_guard::source::Source;
use handoff_guard::store::error::Error;
use handoff_guard::store::fs::Kind;
use handoff_guard::store::recover::{Damage, Leftovers, Outcome, Recovery, Request, recover};
use handoff_guard::store::replace::Extent;

use super::files;
use crate::simulation::disk::Disk;
use crate::simulation::fault::Plan;
use crate::simulation::stage::NAMES;
use crate::simulation::{Flavour, SimDirectory};

/// A temporary file of a dead writer; what it holds never matters.
pub(crate) static LEFTOVER: LazyLock<OsString> =
    LazyLock::new(|| OsString::from(".handoff-79032f65-00000000000000aa.cand"));

/// What of a file decides.
pub(crate) struct Facts<T> {
    /// The session that it names.
    pub(crate) session: Option<String>,
    /// `updated_at` and the round, when it is verifiable.
    pub(crate) version: Option<(T, u32)>,
}

impl Facts<Timestamp> {
    fn of(file: Option<&[u8]>) -> Self {
        let Some(bytes) = file else { return Self { session: None, version: None } };
        let source = Source::new(bytes);
        let version = verify(&source, Profile::Full).ok().map(|version| {
            let updated = version.document().front_matter().unwrap().timestamp(Key::UpdatedAt).unwrap();
            (updated.value, version.document().round().unwrap().value)
        });
        Self { session: session_id(&source), version }
    }
}

/// The table of PROTOCOL §13, read again.
pub(crate) fn table<T: Ord>(official: &Facts<T>, backup: &Facts<T>, session: Option<&str>, damage: Damage) -> Outcome {
    let session = session.or(official.session.as_deref()).or(backup.session.as_deref());
    let of_session = |file: &Facts<T>| file.session.as_deref() == session;
    let ours = |file: &Facts<T>| file.version.is_some() && of_session(file);
    match (ours(official), ours(backup), &official.version, &backup.version) {
        (true, true, Some((official, round)), Some((backup, round_before))) if damage == Damage::Reported => {
            match backup.cmp(official).then(round.cmp(round_before)) {
                Ordering::Greater => Outcome::Restored,
                Ordering::Less | Ordering::Equal => Outcome::Healthy,
            }
        }
        (true, ..) => Outcome::Healthy,
        (false, _, Some(_), _) => Outcome::OtherSession,
        (false, true, None, _) => Outcome::Restored,
        (false, false, None, _) => Outcome::Nothing,
    }
}

/// Runs a recovery; what it says, and the disk behind it.
pub(crate) fn run(disk: &Disk, flavour: Flavour, request: Request<'_>) -> (Result<Recovery, Error>, Disk) {
    let directory = SimDirectory::new(disk.clone(), flavour, Plan::Healthy);
    let result = recover(&directory, &NAMES, request);
    let after = directory.disk().clone();
    (result, after)
}

/// Recovers `disk`: it ends as was `decided` (restoring, where a dry run would), loses nothing, and changes nothing the
/// second time.
pub(crate) fn assert_recovers(disk: &Disk, flavour: Flavour, request: Request<'_>, decided: Outcome) -> Recovery {
    let (result, after) = run(disk, flavour, request);
    let recovery = result.unwrap();
    if request.extent == Extent::DryRun {
        let would = if decided == Outcome::Restored { Outcome::WouldRestore } else { decided };
        assert_eq!(recovery.outcome, would);
        assert_eq!(after.contents(), disk.contents());
        return recovery;
    }
    assert_eq!(recovery.outcome, decided);
    let stands = matches!(decided, Outcome::Healthy | Outcome::Restored);
    assert_nothing_is_lost(disk, &after, if stands { request.leftovers } else { Leftovers::Keep });
    let standing = if decided == Outcome::Restored { &NAMES.backup } else { &NAMES.official };
    assert_eq!(after.content(&NAMES.official), disk.content(standing));
    let was_there = disk.number(&NAMES.official).is_some();
    assert_eq!(recovery.set_aside.is_some(), decided == Outcome::Restored && was_there);
    let (again, settled) = run(&after, flavour, request);
    assert_eq!(settled.contents(), after.contents());
    assert_eq!(again.unwrap().outcome, if decided == Outcome::Restored { Outcome::Healthy } else { decided });
    recovery
}

fn assert_nothing_is_lost(before: &Disk, after: &Disk, leftovers: Leftovers) {
    assert_eq!(before.number(&NAMES.backup), after.number(&NAMES.backup), "recovery never writes the backup");
    assert_eq!(before.content(&NAMES.backup), after.content(&NAMES.backup));
    let holds = after.contents();
    for (name, content) in before.contents() {
        let is_pruned = leftovers == Leftovers::Remove && *name == **LEFTOVER;
        assert!(is_pruned || holds.values().any(|held| *held == content), "{name:?} is lost");
    }
    assert_eq!(after.number(&LEFTOVER).is_some(), before.number(&LEFTOVER).is_some() && leftovers == Leftovers::Keep);
}

/// Recovers from an official file, a backup and a leftover; an empty one is not there.
pub(super) fn assert_sound(found: &[&[u8]]) {
    let file = |at: usize| found.get(at).copied().filter(|bytes| !bytes.is_empty());
    let [official, backup, leftover] = [file(0), file(1), file(2)];
    let put = |disk: Disk, (name, bytes): (&OsString, Option<&[u8]>)| match bytes {
        Some(bytes) => disk.with(name, Kind::Regular, bytes),
        None => disk,
    };
    let files = [(&NAMES.official, official), (&NAMES.backup, backup), (&*LEFTOVER, leftover)];
    let disk = files.into_iter().fold(Disk::default(), put);
    let [official, backup] = [official, backup].map(Facts::of);
    let mut asked = vec![(None, Damage::NotReported)];
    if official.version.is_some() && backup.version.is_some() {
        asked.push((None, Damage::Reported));
    }
    if backup.session.is_some() && backup.session != official.session {
        asked.push((backup.session.as_deref(), Damage::NotReported));
    }
    for (session_id, damage) in asked {
        let request = Request {
            session_id,
            damage,
            expected: None,
            leftovers: Leftovers::Remove,
            patience: Duration::ZERO,
            extent: Extent::Commit,
        };
        let decided = table(&official, &backup, session_id, damage);
        let recovery = assert_recovers(&disk, Flavour::Modern, request, decided);
        #[cfg(feature = "cli")]
        super::rendered::assert_recovery_shown(&recovery, damage, found);
        #[cfg(not(feature = "cli"))]
        drop(recovery);
    }
}

/// A version with the one before it as its backup, whole and broken off in the middle of the body and of the front matter.
pub(super) fn seeds<'f>(pairs: impl Iterator<Item = (&'f [u8], &'f [u8])>) -> BTreeSet<Vec<u8>> {
    pairs
        .flat_map(|(before, after)| {
            let part = |parts: usize| &after[..after.len() / parts];
            [files([after, before]), files([part(2), before, after]), files([part(8), before]), files([b"", after])]
        })
        .collect()
}
