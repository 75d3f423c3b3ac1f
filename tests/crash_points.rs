//! No crash, at any call of any transaction, on any file system, costs a version (PROTOCOL §12, §13).

use std::collections::BTreeSet;

use crate::simulation::crash::Model;
use crate::simulation::enumeration::{Report, Scenario, Violation, enumerate};
use crate::simulation::fault::Plan;
use crate::simulation::mutant::Mutation;
use crate::simulation::scenarios::{confirmation, damage, first, pruning, recovery, rejected, rewrite, update};
use crate::simulation::stage::Age;
use crate::simulation::{Flavour, SimDirectory};

/// How many calls a transaction makes, how many disks its crashes leave in all models, and how many disks the crashes of
/// the recoveries from those leave. The counts may grow and shrink a little, but an enumeration of nothing is an error.
#[derive(Clone, Copy)]
struct About(usize, usize, usize);

fn assert_kept(scenario: &Scenario, about: About) {
    let report = enumerate(scenario, Mutation::None);
    assert_eq!(report.broken(), BTreeSet::new(), "{report:#?}");
    assert_counts(&report, about);
}

fn assert_counts(report: &Report, About(points, states, second_states): About) {
    let counts = [
        (report.points, points),
        (report.states.values().sum(), states),
        (report.second_states.values().sum(), second_states),
    ];
    for (count, about) in counts {
        assert!((about - about / 4..=2 * about).contains(&count), "{count} is not about {about}: {report:#?}");
    }
}

#[test]
fn a_first_version_is_there_completely_or_not_at_all() {
    assert_kept(&first(Flavour::Modern), About(10, 20, 17));
}

#[test]
fn a_first_version_that_is_linked_is_there_completely_or_not_at_all() {
    assert_kept(&first(Flavour::LinkAndUnlink), About(11, 21, 18));
}

#[test]
fn an_update_without_a_backup_keeps_the_old_version_or_the_new_one() {
    assert_kept(&update(None), About(18, 45, 50));
}

#[test]
fn an_update_with_an_older_backup_keeps_the_old_version_or_the_new_one() {
    assert_kept(&update(Some(Age::Previous)), About(18, 49, 54));
}

#[test]
fn an_update_whose_backup_is_the_old_version_keeps_the_old_version_or_the_new_one() {
    assert_kept(&update(Some(Age::Old)), About(14, 21, 26));
}

#[test]
fn a_rejected_candidate_changes_no_version() {
    assert_kept(&rejected(), About(8, 17, 17));
}

#[test]
fn recovery_of_a_missing_file_keeps_the_backup() {
    assert_kept(&recovery(None, Flavour::Modern), About(12, 20, 50));
    assert_kept(&recovery(None, Flavour::LinkAndUnlink), About(13, 21, 54));
}

#[test]
fn recovery_of_a_torn_file_keeps_the_backup_and_the_torn_file() {
    let new = Age::New.bytes();
    for torn in [&new[..new.len() / 2], &[], &vec![0; new.len()]] {
        assert_kept(&recovery(Some(torn), Flavour::Modern), About(15, 26, 71));
    }
    assert_kept(&recovery(Some(&new[..new.len() / 2]), Flavour::WithoutLinks), About(19, 36, 184));
}

#[test]
fn recovery_that_removes_leftovers_keeps_the_backup() {
    assert_kept(&pruning(), About(14, 40, 100));
}

#[test]
fn recovery_after_reported_damage_keeps_both_versions() {
    assert_kept(&damage(Flavour::Modern), About(15, 26, 71));
    assert_kept(&damage(Flavour::WithoutLinks), About(19, 36, 184));
}

#[test]
fn the_same_bytes_again_keep_the_version_where_a_rename_is_atomic() {
    for scenario in [rewrite(), confirmation()] {
        let report = enumerate(&scenario, Mutation::None);
        for model in Model::ALL.into_iter().filter(|model| model.renames_atomically()) {
            assert_eq!(report.violations[&model], BTreeSet::new(), "{report:#?}");
        }
        assert_counts(&report, About(12, 19, 26));
    }
}

/// The backup is an older version and is left alone, so that there is nothing to fall back to (PROTOCOL §12).
#[test]
fn the_same_bytes_again_are_at_risk_where_a_rename_can_leave_nothing() {
    for scenario in [rewrite(), confirmation()] {
        let broken = &enumerate(&scenario, Mutation::None).violations[&Model::Nonatomic];
        assert!(broken.contains(&Violation::NoVersion), "{broken:?}");
    }
}

/// The enumeration sees `violation` once `mutation` spoils the transaction.
fn assert_noticed(scenario: &Scenario, mutation: Mutation, model: Model, violation: Violation) {
    let report = enumerate(scenario, mutation);
    assert!(report.violations[&model].contains(&violation), "{mutation:?} is not noticed: {report:#?}");
}

#[test]
fn an_update_that_does_not_flush_the_candidate_is_noticed() {
    assert_noticed(
        &update(Some(Age::Previous)),
        Mutation::CandidateNotFlushed,
        Model::Journal,
        Violation::OfficialTorn,
    );
}

#[test]
fn an_update_that_does_not_flush_the_new_backup_is_noticed() {
    assert_noticed(
        &update(Some(Age::Previous)),
        Mutation::BackupNotFlushed,
        Model::Journal,
        Violation::BackupUnverified,
    );
}

#[test]
fn an_update_that_does_not_flush_the_names_before_the_rename_is_noticed() {
    assert_noticed(
        &update(Some(Age::Previous)),
        Mutation::NamesNotFlushedBefore,
        Model::Nonatomic,
        Violation::NoVersion,
    );
}

#[test]
fn an_update_that_does_not_flush_the_names_after_the_rename_is_noticed() {
    assert_noticed(&update(Some(Age::Previous)), Mutation::NamesNotFlushedAfter, Model::Journal, Violation::NotDurable);
}

#[test]
fn an_update_that_moves_the_official_file_aside_is_noticed() {
    assert_noticed(&update(Some(Age::Previous)), Mutation::OfficialMovedAside, Model::Journal, Violation::OfficialLost);
}

#[test]
fn an_update_that_writes_in_place_is_noticed() {
    assert_noticed(&update(Some(Age::Previous)), Mutation::WrittenInPlace, Model::Journal, Violation::OfficialTorn);
}

#[test]
fn an_update_that_does_not_read_the_new_backup_back_is_noticed() {
    assert_noticed(
        &update(Some(Age::Previous)),
        Mutation::BackupHalfWritten,
        Model::Journal,
        Violation::BackupUnverified,
    );
}

#[test]
fn a_first_version_that_is_not_flushed_is_noticed() {
    for flavour in [Flavour::Modern, Flavour::LinkAndUnlink] {
        assert_noticed(&first(flavour), Mutation::CandidateNotFlushed, Model::Journal, Violation::OfficialTorn);
        assert_noticed(&first(flavour), Mutation::NamesNotFlushedAfter, Model::Journal, Violation::NotDurable);
    }
}

#[test]
fn a_recovery_that_does_not_flush_is_noticed() {
    let torn = recovery(Some(b"---\n"), Flavour::Modern);
    assert_noticed(&torn, Mutation::CandidateNotFlushed, Model::Journal, Violation::OfficialTorn);
    assert_noticed(&torn, Mutation::NamesNotFlushedBefore, Model::Reorder, Violation::RecoveryLostFile);
    assert_noticed(&torn, Mutation::NamesNotFlushedAfter, Model::Journal, Violation::NotDurable);
}

#[test]
fn a_process_that_dies_leaves_what_the_calls_before_left() {
    for scenario in [first(Flavour::LinkAndUnlink), update(Some(Age::Previous)), rewrite(), damage(Flavour::Modern)] {
        let run = |plan| {
            let directory = SimDirectory::new(scenario.start.clone(), scenario.flavour, plan);
            let is_done = scenario.work.run(&directory).is_ok();
            (directory, is_done)
        };
        let (healthy, _) = run(Plan::Healthy);
        for (point, disk) in healthy.history().iter().enumerate().skip(1) {
            for plan in [Plan::CrashBefore(point), Plan::CrashAfter(point - 1)] {
                let (dead, is_done) = run(plan);
                assert_eq!(dead.disk().contents(), disk.contents(), "{plan:?}");
                assert_eq!(is_done, plan == Plan::CrashBefore(healthy.calls().len()), "{plan:?}");
            }
        }
    }
}
