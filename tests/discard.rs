//! A session that is discarded goes as a whole: after a crash at any call it still stands, or a second `discard` ends what
//! the first one began; what an error says agrees with what is on the disk.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::time::Duration;

use handoff_guard::store::discard::{Discarded, Error, Fate, Force, Request, Role, discard};
use handoff_guard::store::error;
use handoff_guard::store::fs::{Directory as _, Kind};
use handoff_guard::store::recover::{self, Damage, Leftovers, Outcome};
use handoff_guard::store::replace::Extent;

use crate::simulation::crash::{Model, crash_states};
use crate::simulation::disk::Disk;
use crate::simulation::fault::{self, Effect, Fault, Operation, Plan};
use crate::simulation::stage::{NAMES, OTHER_SESSION, SESSION};
use crate::simulation::{Flavour, SimDirectory};

const READY: &str = include_str!("../fixtures/valid/ready.handoff.md");
const REVIEW_PENDING: &str = include_str!("../fixtures/valid/review-pending.handoff.md");

const REJECTED: &str = "a.handoff.md.rejected";
const DAMAGED: &str = "a.handoff.md.damaged-00aa";
const LEFTOVER: &str = ".handoff-79032f65-00000000000000aa.cand";
const FOREIGN: &str = "b.handoff.md.bak";

fn file(disk: Disk, name: impl AsRef<OsStr>, content: &str) -> Disk {
    disk.with(name.as_ref(), Kind::Regular, content.as_bytes())
}

/// Everything that can lie beside an official file, and a file of another one.
fn full() -> Disk {
    let disk = file(file(Disk::default(), &NAMES.official, READY), &NAMES.backup, REVIEW_PENDING);
    let beside = [(REJECTED, "rejected"), (DAMAGED, "damaged"), (LEFTOVER, "left"), (FOREIGN, "foreign")];
    let disk = beside.iter().fold(disk, |disk, (name, content)| file(disk, name, content));
    file(disk, &NAMES.lock, "")
}

fn run(directory: &SimDirectory, force: Force) -> Result<Discarded, Error> {
    discard(directory, &NAMES, Request { force, patience: Duration::ZERO, extent: Extent::Commit })
}

fn on(disk: &Disk, plan: Plan) -> SimDirectory {
    SimDirectory::new(disk.clone(), Flavour::Modern, plan)
}

fn recovered(disk: &Disk) -> Outcome {
    let request = recover::Request {
        session_id: None,
        damage: Damage::NotReported,
        expected: None,
        leftovers: Leftovers::Keep,
        patience: Duration::ZERO,
        extent: Extent::Commit,
    };
    recover::recover(&on(disk, Plan::Healthy), &NAMES, request).unwrap().outcome
}

fn names(disk: &Disk) -> Vec<&OsStr> {
    disk.contents().into_keys().collect()
}

/// The session stands, or nothing can bring it back; a second `discard` leaves only the files of others.
fn assert_harmless(disk: &Disk, context: &str) {
    match disk.content(&NAMES.official) {
        Some(content) => {
            assert_eq!(**content, *READY.as_bytes(), "{context}");
            assert_eq!(recovered(disk), Outcome::Healthy, "{context}");
        }
        None => assert_eq!(recovered(disk), Outcome::Nothing, "{context}"),
    }
    let again = on(disk, Plan::Healthy);
    match run(&again, Force::No) {
        Ok(_) => {}
        Err(Error::Missing { .. }) => assert_eq!(names(disk), [FOREIGN], "{context}"),
        Err(error) => panic!("{error}: {context}"),
    }
    assert_eq!(names(&again.disk()), [FOREIGN], "{context}");
}

#[test]
fn everything_of_the_session_goes_and_nothing_else() {
    let directory = on(&full(), Plan::Healthy);
    let discarded = run(&directory, Force::No).unwrap();
    let roles: Vec<Role> = discarded.files.iter().map(|file| file.role).collect();
    assert_eq!(roles, [Role::Leftover, Role::Rejected, Role::Damaged, Role::Backup, Role::Official, Role::Lock]);
    assert!(discarded.files.iter().all(|file| file.fate == Fate::Goes));
    assert_eq!(discarded.version.unwrap().session_id, SESSION);
    assert_eq!(names(&directory.disk()), [FOREIGN]);
    for state in Model::ALL.into_iter().flat_map(|model| crash_states(&directory.disk(), model, &NAMES)) {
        assert_eq!(names(&state), [FOREIGN], "the removal is not durable");
    }
}

#[test]
fn a_crash_at_any_call_leaves_a_whole_session_or_one_that_a_second_discard_ends() {
    let directory = on(&full(), Plan::Healthy);
    run(&directory, Force::No).unwrap();
    let mut states: HashSet<Disk> = HashSet::new();
    for (point, disk) in directory.history().iter().enumerate() {
        // A process that dies leaves what is visible.
        assert_harmless(disk, &format!("killed after {point} calls"));
        for state in Model::ALL.into_iter().flat_map(|model| crash_states(disk, model, &NAMES)) {
            if states.insert(state.clone()) {
                assert_harmless(&state, &format!("a power loss after {point} calls"));
            }
        }
    }
    assert!(states.len() > 15, "{} states", states.len());
}

#[test]
fn what_an_error_says_agrees_with_the_disk() {
    let healthy = on(&full(), Plan::Healthy);
    run(&healthy, Force::No).unwrap();
    let mut runs = 0;
    for (at, call) in healthy.calls().into_iter().enumerate() {
        for effect in [Effect::None, Effect::Happened] {
            for extent in [fault::Extent::Once, fault::Extent::Operation(call.operation), fault::Extent::Everything] {
                let directory =
                    on(&full(), Plan::Error(Fault { at, kind: io::ErrorKind::StorageFull, effect, extent }));
                let result = run(&directory, Force::No);
                let disk = directory.disk();
                let context = format!("{call:?} {effect:?} {extent:?}: {result:?}");
                let stands = disk.number(&NAMES.official).is_some();
                match &result {
                    Ok(discarded) => {
                        let stuck = discarded.files.iter().filter(|file| matches!(file.fate, Fate::Stuck(_)));
                        let left: Vec<OsString> = stuck.map(|file| file.name.clone()).chain([FOREIGN.into()]).collect();
                        assert_eq!(names(&disk), left, "{context}");
                    }
                    Err(Error::Indeterminate { .. }) => assert!(!stands, "{context}"),
                    Err(Error::Transaction(error)) => {
                        assert_eq!(error.outcome(), error::Outcome::NotCommitted, "{context}");
                        let is_told = matches!(extent, fault::Extent::Once) || effect == Effect::None;
                        assert!(stands || !is_told, "{context}");
                    }
                    Err(error) => panic!("{error}: {context}"),
                }
                assert_harmless(&disk, &context);
                runs += 1;
            }
        }
    }
    assert!(runs > 100, "{runs} runs");
}

/// Why the backup goes first.
#[test]
fn a_backup_that_outlives_its_official_file_would_bring_the_session_back() {
    let directory = on(&file(full(), &NAMES.backup, READY), Plan::Healthy);
    directory.unlink(&NAMES.official).unwrap();
    assert_eq!(recovered(&directory.disk()), Outcome::Restored);
}

fn refused(disk: &Disk) -> Error {
    let directory = on(disk, Plan::Healthy);
    let error = run(&directory, Force::No).unwrap_err();
    assert_eq!(directory.disk().contents(), disk.contents(), "{error}");
    assert!(directory.calls().iter().all(|call| call.operation != Operation::Lock), "{error}");
    let forced = on(disk, Plan::Healthy);
    run(&forced, Force::Yes).unwrap();
    assert_eq!(names(&forced.disk()), [] as [&OsStr; 0]);
    error
}

#[test]
fn what_may_still_be_needed_is_refused_and_nothing_is_touched() {
    let official = |text: &str| file(Disk::default(), &NAMES.official, text);
    assert!(matches!(refused(&official(REVIEW_PENDING)), Error::Unsealed { status: Some(_) }));
    assert!(matches!(refused(&official("no handoff")), Error::NotVerifiable { .. }));
    let backup = file(Disk::default(), &NAMES.backup, READY);
    assert!(matches!(refused(&backup), Error::OfficialMissing { recoverable: true, .. }));
    let rejected = file(Disk::default(), REJECTED, READY);
    assert!(matches!(refused(&rejected), Error::OfficialMissing { recoverable: false, .. }));
    assert!(matches!(run(&on(&Disk::default(), Plan::Healthy), Force::Yes), Err(Error::Missing { .. })));
}

#[test]
fn a_backup_of_another_session_is_left_unless_forced() {
    let other = REVIEW_PENDING.replace(SESSION, OTHER_SESSION);
    let disk = file(file(Disk::default(), &NAMES.official, READY), &NAMES.backup, &other);
    let directory = on(&disk, Plan::Healthy);
    let discarded = run(&directory, Force::No).unwrap();
    assert_eq!(discarded.files[0].fate, Fate::OtherSession(OTHER_SESSION.to_owned()));
    assert_eq!(names(&directory.disk()), [&NAMES.backup]);
    let directory = on(&disk, Plan::Healthy);
    run(&directory, Force::Yes).unwrap();
    assert_eq!(names(&directory.disk()), [] as [&OsStr; 0]);
}

#[test]
fn a_handoff_that_another_program_changes_meanwhile_stays() {
    let directory = on(&full(), Plan::Healthy).meddled(Operation::Unlink, |disk| {
        let number = disk.number(&NAMES.official).unwrap();
        disk.set_content(number, REVIEW_PENDING.as_bytes().into());
    });
    let result = run(&directory, Force::No);
    assert!(matches!(result, Err(Error::Transaction(error::Error::Changed { .. }))), "{result:?}");
    assert_eq!(&**directory.disk().content(&NAMES.official).unwrap(), REVIEW_PENDING.as_bytes());
}

#[test]
fn what_is_no_regular_file_is_named_and_left() {
    let disk = file(Disk::default(), &NAMES.official, READY).with(&NAMES.backup, Kind::Symlink, b"");
    let directory = on(&disk, Plan::Healthy);
    assert_eq!(run(&directory, Force::Yes).unwrap().files[0].fate, Fate::NotRegular);
    assert_eq!(names(&directory.disk()), [&NAMES.backup]);
}
