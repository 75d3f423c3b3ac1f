//! SIGKILL before every system call that a command makes in its directory.

use super::scene::{Aftermath, Scenario};
use super::strace::{calls, run};
use super::strace_works;

fn sweep(scenario: &Scenario) {
    if !strace_works() {
        return;
    }
    let calls = calls(scenario);
    let mut aftermath = Aftermath::default();
    for call in &calls {
        let fault = format!("{}: killed before {} #{} ({})", scenario.name, call.name, call.nth, call.rest);
        let scene = scenario.build();
        let run = run(scenario, &scene, &[&call.inject("signal=SIGKILL", "")]);
        assert!(run.was_killed(), "{fault}: it lived: {:?}", run.status);
        scene.holds(&fault);
        aftermath.goes_on(&scene, &fault);
    }
    eprintln!("{}: {} kills", scenario.name, calls.len());
}

#[test]
fn a_killed_init_leaves_nothing_or_a_whole_first_version() {
    sweep(&Scenario::init());
}

#[test]
fn a_killed_init_without_a_rename_that_refuses_leaves_nothing_or_a_whole_first_version() {
    sweep(&Scenario::init_by_link());
}

#[test]
fn a_killed_first_update_leaves_the_old_version_or_the_new_one() {
    sweep(&Scenario::update());
}

#[test]
fn a_killed_update_leaves_the_old_version_or_the_new_one() {
    sweep(&Scenario::update_with_backup());
}

#[test]
fn a_killed_identical_rewrite_changes_nothing() {
    sweep(&Scenario::again());
}

#[test]
fn a_killed_restore_is_restored() {
    sweep(&Scenario::restore());
}

#[test]
fn a_killed_restore_without_links_is_restored() {
    sweep(&Scenario::restore_by_copy());
}

#[test]
fn a_killed_restore_of_a_missing_file_is_restored() {
    sweep(&Scenario::restore_missing());
}

#[test]
fn a_killed_restore_after_a_report_leaves_either_version() {
    sweep(&Scenario::restore_reported());
}

#[test]
fn a_killed_confirmation_changes_nothing() {
    sweep(&Scenario::confirm());
}
