//! What a write says it did, or why it refuses, for every arrangement of the official file and its backup.

use std::time::Duration;

use handoff_guard::protocol::digest::Digest;
use handoff_guard::protocol::status::Status;
use handoff_guard::source::Source;
use handoff_guard::store::error::{Error, StaleCause};
use handoff_guard::store::replace::{Extent, Progress, Receipt, Request, Start, Success, standing, write};

use crate::simulation::disk::Disk;
use crate::simulation::fault::Plan;
use crate::simulation::stage::{Age, NAMES, OTHER_SESSION, SESSION, disk, version};
use crate::simulation::{Flavour, SimDirectory};

const FIRST: Start<'static> = Start::First { session_id: SESSION };

/// Writes and returns what was said; a dry run or a refusal leaves every version as it was.
fn run(start: &Disk, bytes: &[u8], how: Start<'_>, expected: Option<Digest>, extent: Extent) -> Result<Receipt, Error> {
    let directory = SimDirectory::new(start.clone(), Flavour::Modern, Plan::Healthy);
    let result = write(&directory, &NAMES, Request { bytes, start: how, expected, patience: Duration::ZERO, extent });
    if result.is_err() || extent == Extent::DryRun {
        for name in [&NAMES.official, &NAMES.backup] {
            assert_eq!(directory.disk().content(name), start.content(name), "{result:?}");
        }
    }
    result
}

fn digest(age: Age) -> Digest {
    Digest::of(&age.bytes())
}

#[test]
fn a_receipt_names_both_digests_both_places_and_the_backup() {
    let collecting = Some(Progress { status: Status::Collecting, round: 0 });
    let (none, old) = (Disk::default(), disk(Some(&Age::Old.bytes()), None));
    let backup = Some(NAMES.backup.clone());
    let (first, follow) = ((&none, Age::Old, FIRST), (&old, Age::New, Start::Follow));
    let same = (&old, Age::Old, Start::Follow);
    for ((start, age, how), extent, outcome, before, kept) in [
        (first, Extent::Commit, Success::Committed, None, None),
        (first, Extent::DryRun, Success::WouldCommit, None, None),
        (follow, Extent::Commit, Success::Committed, Some(Age::Old), backup),
        (follow, Extent::DryRun, Success::WouldCommit, Some(Age::Old), None),
        (same, Extent::Commit, Success::Unchanged, Some(Age::Old), None),
        (same, Extent::DryRun, Success::WouldNotChange, Some(Age::Old), None),
    ] {
        let receipt = run(start, &age.bytes(), how, None, extent).unwrap();
        assert_eq!((receipt.outcome, receipt.backup), (outcome, kept));
        assert_eq!((receipt.before, receipt.after), (before.map(digest), digest(age)), "{outcome:?}");
        assert_eq!((receipt.from, receipt.to), (before.and(collecting), collecting), "{outcome:?}");
    }
}

#[test]
fn without_an_official_file_a_verifiable_backup_is_recoverys_business() {
    let other = version(OTHER_SESSION, 10);
    for (backup, is_ours, is_version) in
        [(&*Age::Old.bytes(), true, true), (other.as_bytes(), false, true), (b"torn".as_slice(), false, false)]
    {
        let start = disk(None, Some(backup));
        let first = run(&start, &Age::Old.bytes(), FIRST, None, Extent::Commit).unwrap_err();
        assert!(matches!(first, Error::BackupLeft { verifiable, .. } if verifiable == is_ours), "{first:?}");
        let directory = SimDirectory::new(start.clone(), Flavour::Modern, Plan::Healthy);
        let follows = run(&start, &Age::New.bytes(), Start::Follow, None, Extent::Commit);
        for error in [follows.unwrap_err(), standing(&directory, &NAMES).unwrap_err()] {
            let left = matches!(error, Error::BackupLeft { verifiable: true, .. });
            assert!(left == is_version && (left || matches!(error, Error::Missing { .. })), "{error:?}");
        }
    }
}

#[test]
fn a_write_that_is_based_on_another_version_is_refused() {
    let start = disk(Some(&Age::Old.bytes()), None);
    let refused = |how, expected| run(&start, &Age::New.bytes(), how, Some(expected), Extent::Commit).unwrap_err();
    let crlf = version(SESSION, 10).replace('\n', "\r\n");
    assert_eq!(digest(Age::Old), Digest::of(version(SESSION, 10).as_bytes()));
    for (expected, wanted) in
        [(digest(Age::Previous), StaleCause::Content), (Digest::of(crlf.as_bytes()), StaleCause::LineEnds)]
    {
        let error = refused(Start::Follow, expected);
        assert!(matches!(error, Error::Stale { found, cause, .. } if found == digest(Age::Old) && cause == wanted));
    }
    assert!(matches!(refused(FIRST, digest(Age::Old)), Error::Exists { .. }));
    let lost = run(&Disk::default(), &Age::Old.bytes(), FIRST, Some(digest(Age::Old)), Extent::Commit);
    assert!(matches!(lost, Err(Error::Missing { .. })));
}

#[test]
fn a_rejected_candidate_is_kept_unless_it_leaks_or_is_too_large_or_nothing_was_to_be_written() {
    let start = disk(Some(&Age::Old.bytes()), None);
    let plain = version(SESSION, 11).replace("handoff_status: COLLECTING", "handoff_status: BLOCKED");
    let leaking = format!("{plain}\nghp_{}\n", "a1B2".repeat(9));
    let valid_but_leaking = format!("{}\nghp_{}\n", version(SESSION, 11), "a1B2".repeat(9));
    let large = plain.clone() + &" ".repeat(Source::MAX_BYTES + 1 - plain.len());
    for (bytes, extent, is_kept) in [
        (&plain, Extent::Commit, true),
        (&plain, Extent::DryRun, false),
        (&leaking, Extent::Commit, false),
        (&valid_but_leaking, Extent::Commit, false),
        (&large, Extent::Commit, false),
    ] {
        let directory = SimDirectory::new(start.clone(), Flavour::Modern, Plan::Healthy);
        let request =
            Request { bytes: bytes.as_bytes(), start: Start::Follow, expected: None, patience: Duration::ZERO, extent };
        let error = write(&directory, &NAMES, request).unwrap_err();
        assert!(matches!(&error, Error::Rejected { kept, .. } if kept.is_some() == is_kept), "{error}");
        let held = directory.disk().content(&NAMES.rejected).map(|content| content.to_vec());
        assert_eq!(held, is_kept.then(|| bytes.clone().into_bytes()));
    }
}
