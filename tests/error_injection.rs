//! Every call of every transaction reports an error, once or from then on, with or without having done its work: what the
//! transaction says agrees with what is on the disk, and everything can be repaired (PROTOCOL §12).

use std::ffi::OsString;
use std::io;

use handoff_guard::protocol::digest::Digest;
use handoff_guard::store::error::{Error, Outcome};
use handoff_guard::store::recover::{self, Found, Recovery};

use crate::simulation::crash::{Model, crash_states};
use crate::simulation::disk::Disk;
use crate::simulation::enumeration::{Recoveries, Scenario, standing_version};
use crate::simulation::fault::{Effect, Extent, Fault, Operation, Plan};
use crate::simulation::scenarios::{confirmation, damage, first, pruning, recovery, rejected, rewrite, update};
use crate::simulation::stage::{Age, Done, NAMES, Role};
use crate::simulation::{Flavour, SimDirectory};

/// The faults that hit the call number `at`. A full disk stands for all errors that mean nothing special to a transaction.
fn faults(at: usize, operation: Operation) -> impl Iterator<Item = Fault> {
    let [special, silent, done] = [
        (vec![io::ErrorKind::NotFound, io::ErrorKind::AlreadyExists], Effect::None),
        (vec![io::ErrorKind::StorageFull], Effect::None),
        (vec![io::ErrorKind::StorageFull], Effect::Happened),
    ];
    let of = |(kinds, effect): (Vec<io::ErrorKind>, Effect), extents: &[Extent]| -> Vec<Fault> {
        let fault = |kind| extents.iter().map(move |&extent| Fault { at, kind, effect, extent });
        kinds.into_iter().flat_map(fault).collect()
    };
    let some = [Extent::Once, Extent::Operation(operation)];
    let all = [Extent::Once, Extent::Operation(operation), Extent::Everything];
    let lost = (vec![io::ErrorKind::StorageFull], Effect::TargetLost);
    let is_rename = operation == Operation::Rename;
    let lost = of(lost, if is_rename { &[Extent::Once] } else { &[] });
    [of(special, &some), of(silent, &all), of(done, &all), lost].into_iter().flatten()
}

/// Disturbs every call of `scenario`; the number of disturbed runs.
fn disturb(scenario: &Scenario) -> usize {
    let healthy = SimDirectory::new(scenario.start.clone(), scenario.flavour, Plan::Healthy);
    let _ = scenario.work.run(&healthy);
    let mut recoveries = Recoveries::new(scenario);
    let mut runs = 0;
    for (at, call) in healthy.calls().into_iter().enumerate() {
        // Where a rename is not atomic, the same bytes again may fall back to the backup.
        let is_update = call.name == NAMES.official && Role::of(&scenario.start, &NAMES.official) != scenario.after;
        for fault in faults(at, call.operation).filter(|fault| fault.effect != Effect::TargetLost || is_update) {
            let directory = SimDirectory::new(scenario.start.clone(), scenario.flavour, Plan::Error(fault));
            let result = scenario.work.run(&directory);
            let end = directory.disk();
            let context = format!("{call:?} {fault:?}: {result:?}");
            match &result {
                Ok(Done::Write(receipt)) => {
                    assert_eq!(receipt.after, Digest::of(end.content(&NAMES.official).unwrap()), "{context}");
                    assert_eq!(Role::of(&end, &NAMES.official), scenario.after, "{context}");
                    assert_durable(&end, scenario.after, &context);
                }
                Ok(Done::Recovery(recovery)) => assert_recovered(scenario, recovery, &end, &context),
                Err(error) => assert_failed(scenario, error, &end, &context),
            }
            assert_clean(scenario, &directory, &result, &context);
            for work in scenario.recoveries() {
                let broken = recoveries.broken_on(&end, work);
                assert!(broken.is_empty(), "{broken:?} {context}");
            }
            runs += 1;
        }
    }
    runs
}

fn assert_durable(end: &Disk, promised: Role, context: &str) {
    for state in Model::ALL.into_iter().flat_map(|model| crash_states(end, model, &NAMES)) {
        assert_eq!(Role::of(&state, &NAMES.official), promised, "not durable: {context}");
    }
}

fn assert_recovered(scenario: &Scenario, recovery: &Recovery, end: &Disk, context: &str) {
    let standing = Role::of(end, &NAMES.official);
    let is_read = |found: &Found| !matches!(found, Found::Unreadable(_) | Found::Missing);
    if is_read(&recovery.official) && is_read(&recovery.backup) {
        assert_eq!(standing, standing_version(&scenario.start, scenario.work), "{context}");
    }
    assert!(
        standing == Role::of(&scenario.start, &NAMES.official) || scenario.recovered.contains(&standing),
        "{context}"
    );
    if recovery.outcome == recover::Outcome::Restored {
        assert_durable(end, standing, context);
    }
}

fn assert_failed(scenario: &Scenario, error: &Error, end: &Disk, context: &str) {
    let start = &scenario.start;
    let (official, backup) = (Role::of(end, &NAMES.official), Role::of(end, &NAMES.backup));
    match error.outcome() {
        Outcome::NotCommitted => {
            assert_eq!(end.number(&NAMES.official), start.number(&NAMES.official), "{context}");
            assert_eq!(end.content(&NAMES.official), start.content(&NAMES.official), "{context}");
        }
        Outcome::Indeterminate => {
            let expected = [Role::of(start, &NAMES.official), scenario.after];
            // A rename that is not atomic may cost the official name; the backup and the candidate are there.
            let is_lost = official == Role::Absent && context.contains("effect: TargetLost");
            assert!(is_lost || expected.contains(&official), "{context}");
        }
    }
    assert!(scenario.backups.contains(&backup), "{context}");
}

/// A temporary file, or half a copy, is left only where removing it failed, and then the error names it.
fn assert_clean(scenario: &Scenario, directory: &SimDirectory, result: &Result<Done, Error>, context: &str) {
    let (end, calls) = (directory.disk(), directory.calls());
    // Nobody can know that a name is his own when creating it failed; a file set aside is never removed by a guess.
    let is_created = |name: &OsString| {
        !calls.iter().any(|call| call.operation == Operation::Create && call.name == *name && call.is_hit)
    };
    let is_half = |name: &OsString| {
        NAMES.is_damaged(name) && is_created(name) && end.content(name) != scenario.start.content(&NAMES.official)
    };
    let is_fresh = |name| scenario.start.number(name).is_none();
    if matches!(result, Err(Error::Indeterminate { .. })) && end.number(&NAMES.official).is_none() {
        let mut kept = end.names().filter(|name| NAMES.is_temporary(name));
        assert!(kept.any(|name| Role::of(&end, name) == scenario.after), "the candidate is lost: {context}");
        return;
    }
    for name in end.names().filter(|name| is_fresh(name) && (NAMES.is_temporary(name) || is_half(name))) {
        let removals = calls.iter().filter(|call| call.operation == Operation::Unlink && call.name == *name);
        assert!(removals.clone().any(|call| call.is_hit), "`{name:?}` is left: {context}");
        if let Err(Error::Failed { left, .. }) = result {
            let is_silent = context.contains("kind: NotFound");
            assert!(is_silent || left.contains(name), "`{name:?}` is left in silence: {context}");
        }
    }
}

#[test]
fn an_error_in_a_first_version_is_reported_as_it_is() {
    assert!(disturb(&first(Flavour::Modern)) >= 100);
    assert!(disturb(&first(Flavour::LinkAndUnlink)) >= 100);
}

#[test]
fn an_error_in_an_update_is_reported_as_it_is() {
    for backup in [None, Some(Age::Previous), Some(Age::Old)] {
        assert!(disturb(&update(backup)) >= 100);
    }
}

#[test]
fn an_error_while_nothing_changes_is_reported_as_it_is() {
    assert!(disturb(&rewrite()) >= 100);
    assert!(disturb(&rejected()) >= 80);
    assert!(disturb(&confirmation()) >= 100);
}

#[test]
fn an_error_in_recovery_is_reported_as_it_is() {
    let torn = &Age::New.bytes()[..500];
    for flavour in [Flavour::Modern, Flavour::LinkAndUnlink, Flavour::WithoutLinks] {
        assert!(disturb(&recovery(None, flavour)) >= 100);
        assert!(disturb(&recovery(Some(torn), flavour)) >= 100);
    }
    assert!(disturb(&damage(Flavour::Modern)) >= 100);
    assert!(disturb(&pruning()) >= 100);
}
