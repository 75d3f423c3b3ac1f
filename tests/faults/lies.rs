//! System calls that report success and do nothing.

use super::scene::Scenario;
use super::strace::{Call, calls, run};
use super::strace_works;

/// Every call of the scenario that changes a file or a name, with what it would have returned.
fn lies(scenario: &Scenario, names: &[&str]) -> Vec<(Call, String)> {
    let is_change = |call: &Call| names.contains(&call.name.as_str()) && !matches!(call.handle(), "1" | "2");
    let changes = calls(scenario).into_iter().filter(is_change);
    let lie = |call: Call| {
        let injection = call.inject(&format!("retval={}", call.returned()), "");
        (call, injection)
    };
    changes.map(lie).collect()
}

#[test]
fn bytes_that_were_never_written_are_found_when_they_are_read_back() {
    if !strace_works() {
        return;
    }
    let mut faults = 0;
    for (scenario, writes) in [
        (Scenario::init(), 1),
        (Scenario::update(), 2),
        (Scenario::update_with_backup(), 2),
        (Scenario::again(), 1),
        (Scenario::restore(), 1),
        (Scenario::restore_by_copy(), 2),
        (Scenario::confirm(), 1),
    ] {
        let lies = lies(&scenario, &["write"]);
        assert_eq!(lies.len(), writes, "{}", scenario.name);
        for (call, injection) in lies {
            let fault = format!("{}: {injection} ({})", scenario.name, call.rest);
            let scene = scenario.build();
            let run = run(&scenario, &scene, &[&injection]);
            assert_eq!(run.status.code(), Some(5), "{fault}: {}", run.stderr);
            assert!(scene.is_old() && scene.leftovers().is_empty(), "{fault}: {:?}", scene.leftovers());
            scene.holds(&fault);
            scene.goes_on(&fault);
            faults += 1;
        }
    }
    eprintln!("{faults} lying writes");
}

#[test]
fn a_rename_over_the_official_file_that_never_happened_is_no_success() {
    if !strace_works() {
        return;
    }
    for scenario in [Scenario::init(), Scenario::update_with_backup(), Scenario::again(), Scenario::restore()] {
        let (call, injection) = lies(&scenario, &["renameat", "renameat2"]).pop().unwrap();
        let fault = format!("{}: {injection} ({})", scenario.name, call.rest);
        let scene = scenario.build();
        let run = run(&scenario, &scene, &[&injection]);
        assert_eq!(run.status.code(), Some(8), "{fault}: {}", run.stderr);
        assert!(scene.is_old(), "{fault}");
        scene.holds(&fault);
        scene.goes_on(&fault);
    }
}
