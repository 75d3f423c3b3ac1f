//! How often each command flushes, and that a check writes nothing.

use super::scene::Scenario;
use super::strace::{Call, calls, run};
use super::strace_works;

fn flushes(calls: &[Call]) -> usize {
    calls.iter().filter(|call| matches!(call.name.as_str(), "fsync" | "fdatasync")).count()
}

#[test]
fn each_command_flushes_as_often_as_it_must_and_not_more() {
    if !strace_works() {
        return;
    }
    for (scenario, expected) in [
        (Scenario::init(), 2),
        (Scenario::update(), 4),
        (Scenario::update_with_backup(), 4),
        (Scenario::again(), 2),
        (Scenario::restore(), 3),
        (Scenario::restore_missing(), 2),
        (Scenario::confirm(), 2),
    ] {
        assert_eq!(flushes(&calls(&scenario)), expected, "{}", scenario.name);
    }
}

#[test]
fn a_check_never_flushes_and_opens_nothing_for_writing() {
    if !strace_works() {
        return;
    }
    for args in ["check h.md", "check next.md --previous h.md"] {
        let scenario = Scenario::update_with_backup().with_args(args);
        let scene = scenario.build();
        let run = run(&scenario, &scene, &[]);
        assert_eq!(run.status.code(), Some(0), "{args}: {}", run.stderr);
        let changes =
            ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "sync(", "flock(", "rename", "link", "mkdir", "chmod"];
        let changing = |line: &&str| changes.iter().any(|word| line.contains(word)) && !line.starts_with("readlink");
        let found: Vec<&str> = run.trace.lines().filter(changing).collect();
        assert_eq!(found, [""; 0], "{args}");
        assert!(scene.is_old(), "{args}");
    }
}
