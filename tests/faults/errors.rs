//! Every system call that can fail, failing once and failing for good: the exit code agrees with the disk.

use super::scene::{Aftermath, Scenario, Scene};
use super::strace::{Call, Run, calls, run};
use super::strace_works;

/// Calls whose failure says something about the file system. Memory and signals are not its business.
const FALLIBLE: &str = "close fchmod fchown fdatasync flock fstat fsync getdents64 linkat newfstatat openat read renameat \
                        renameat2 unlinkat write";

const ERRORS: [&str; 4] = ["ENOSPC", "EIO", "EINTR", "EACCES"];

fn sweep(scenario: &Scenario) {
    if !strace_works() {
        return;
    }
    let calls = calls(scenario);
    let directory = calls[0].returned().to_owned();
    let (mut faults, mut aftermath) = (0, Aftermath::default());
    for call in calls.iter().skip(1).filter(|call| FALLIBLE.split(' ').any(|name| name == call.name)) {
        let mut try_fault = |error: &str, then: &str| {
            let injection = call.inject(&format!("error={error}"), then);
            let fault = format!("{}: {injection} ({})", scenario.name, call.rest);
            let scene = scenario.build();
            let run = run(scenario, &scene, &[&injection]);
            assert!(run.trace.contains("(INJECTED)"), "{fault}: nothing was injected");
            let is_retried =
                matches!(call.name.as_str(), "read" | "write") || (call.name == "fsync" && call.handle() != directory);
            if error == "EINTR" && is_retried {
                assert_eq!(run.status.code(), Some(0), "{fault}: {}", run.stderr);
            }
            agrees(scenario, call, &scene, &run, &fault);
            clean(call, &scene, &run, &fault);
            scene.holds(&fault);
            aftermath.goes_on(&scene, &fault);
            faults += 1;
        };
        if call.name != "close" {
            for error in ERRORS {
                try_fault(error, "");
            }
        }
        try_fault("EIO", "+");
    }
    eprintln!("{}: {faults} errors", scenario.name);
}

fn agrees(scenario: &Scenario, call: &Call, scene: &Scene, run: &Run, fault: &str) {
    let is_as_said = match run.status.code() {
        // A recovery that cannot read the backup keeps a version that stands.
        Some(0) => scene.is_new() || (scenario.recovers() && scene.is_old()),
        // The receipt is lost, not the version.
        Some(2) if call.name == "write" && call.handle() == "1" => scene.is_new(),
        Some(2 | 4 | 5) => scene.is_old(),
        Some(8) => scene.is_old() || scene.is_new(),
        _ => false,
    };
    assert!(is_as_said, "{fault}: {:?} is not what is on disk: {}", run.status, run.stderr);
}

/// No temporary file is left, unless its removal failed.
fn clean(call: &Call, scene: &Scene, run: &Run, fault: &str) {
    let left = scene.leftovers();
    assert!(left.is_empty() || call.name == "unlinkat", "{fault}: left {left:?}: {}", run.stderr);
}

#[test]
fn an_init_with_a_failing_call_says_what_is_on_disk() {
    sweep(&Scenario::init());
}

#[test]
fn an_init_by_link_with_a_failing_call_says_what_is_on_disk() {
    sweep(&Scenario::init_by_link());
}

#[test]
fn an_update_with_a_failing_call_says_what_is_on_disk() {
    sweep(&Scenario::update_with_backup());
}

#[test]
fn an_identical_rewrite_with_a_failing_call_says_what_is_on_disk() {
    sweep(&Scenario::again());
}

#[test]
fn a_restore_with_a_failing_call_says_what_is_on_disk() {
    sweep(&Scenario::restore());
}

#[test]
fn a_restore_by_copy_with_a_failing_call_says_what_is_on_disk() {
    sweep(&Scenario::restore_by_copy());
}

#[test]
fn a_confirmation_with_a_failing_call_says_what_is_on_disk() {
    sweep(&Scenario::confirm());
}

#[test]
fn a_leftover_that_cannot_be_removed_does_not_fail_the_restore() {
    if !strace_works() {
        return;
    }
    let scenario = Scenario::restore();
    let scenario = scenario.clone().with_args(&format!("{} --prune", scenario.args));
    let scene = scenario.build();
    scene.leave_a_candidate();
    let run = run(&scenario, &scene, &["unlinkat:error=EIO:when=1"]);
    assert_eq!(run.status.code(), Some(0), "{}", run.stderr);
    assert!(run.trace.contains("(INJECTED)") && scene.is_new(), "{}", run.stderr);
    assert_eq!(scene.leftovers().len(), 1);
    scene.goes_on("prune");
}
