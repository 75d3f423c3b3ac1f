//! What the next commit would record.

use super::{FILE, LIFE, Repository, findings, reworded, stderr};
use crate::cli::reports::checked;
use crate::sandbox::{GUARD, INITIAL, Sandbox, git};

#[test]
fn the_index_is_checked_and_not_the_working_tree() {
    let Some(repository) = Repository::new() else { return };
    repository.check("--staged").code(0).stdout_eq("").stderr_eq("note: no change of a handoff file is staged\n");
    repository.version(LIFE[1]);
    repository.write(FILE, LIFE[4]);
    repository.git("add --all");
    repository.write(FILE, "broken");
    repository.check("--staged").code(0).stdout_eq("").stderr_eq("");
    let strict = findings(&repository.check("--staged --every-write").code(1));
    assert!(strict.contains(&format!("{FILE} (index): succession/round")), "{strict:?}");
    let report = checked(&repository.0, "--staged", 0);
    assert_eq!(report["files"][0]["revision"], "index");
    assert_eq!(report["files"][0]["previous"]["revision"], repository.git("rev-parse HEAD"));

    repository.git("add --all");
    assert_eq!(findings(&repository.check("--staged").code(1)), [format!("{FILE} (index): fence/missing")]);
    repository.check("--staged nowhere.md").code(2).stdout_eq("");
    repository.check("--staged notes.md").code(0).stderr_eq("note: no change of a handoff file is staged\n");
    repository.check("--staged --since HEAD").code(2);
    repository.check(&format!("--every-write {FILE}")).code(2);
    repository.check(&format!("--staged --previous {FILE}")).code(2);
}

#[test]
fn a_sealed_file_is_protected_before_it_is_committed() {
    let Some(repository) = Repository::new() else { return };
    repository.version(LIFE[7]);
    repository.remove(FILE);
    repository.write("other.handoff.md", reworded(LIFE[7]));
    repository.git("add --all");
    let expected = ["other.handoff.md (index): succession/sealed"];
    assert_eq!(findings(&repository.check("--staged").code(1)), expected);
    // Also when the commit before deleted it.
    repository.git("rm --quiet --cached other.handoff.md");
    repository.git("commit --quiet -m x");
    repository.git("add --all");
    assert_eq!(findings(&repository.check("--staged").code(1)), expected);
    repository.write("other.handoff.md", LIFE[7]);
    repository.git("add --all");
    repository.check("--staged").code(0).stdout_eq("").stderr_eq("");
}

#[test]
fn before_the_first_commit_there_is_only_the_index() {
    let sandbox = Sandbox::new();
    if git(&sandbox, "", "init --quiet").is_none() {
        return;
    }
    sandbox.write(FILE, INITIAL);
    sandbox.guard("check --staged").assert().code(0).stderr_eq("note: no change of a handoff file is staged\n");
    git(&sandbox, "", "add --all").unwrap();
    sandbox.guard("check --staged --every-write").assert().code(0).stdout_eq(format!("{FILE} (index): valid\n"));
    sandbox.guard("check --since HEAD").assert().code(2).stdout_eq("");
}

#[test]
fn a_conflict_is_to_be_resolved_first() {
    let Some(repository) = Repository::new() else { return };
    repository.version(LIFE[1]);
    repository.git("checkout --quiet -b topic");
    repository.version(LIFE[2]);
    repository.git("checkout --quiet main");
    repository.version(LIFE[6]);
    let mut merge = std::process::Command::new("git");
    merge.args(["-c", "user.name=a", "-c", "user.email=a@example.org", "merge", "--quiet", "topic"]);
    assert!(!merge.current_dir(repository.0.path("")).output().unwrap().status.success());
    let refused = stderr(&repository.check("--staged").code(2));
    assert!(refused.contains(&format!("error: {FILE} (index): a merge left it in conflict")), "{refused}");
    // What resolves it follows both.
    repository.write(FILE, LIFE[2]);
    repository.git("add --all");
    let report = findings(&repository.check("--staged").code(1));
    assert!(report.contains(&format!("{FILE} (index): succession/transition")), "{report:?}");
    repository.write(FILE, LIFE[7]);
    repository.git("add --all");
    repository.check("--staged").code(0).stdout_eq("").stderr_eq("");
    repository.git("commit --quiet -m x");
    repository.check("--since start").code(0).stdout_eq("").stderr_eq("");
}

#[test]
fn what_is_only_meant_to_be_added_is_not_staged() {
    let Some(repository) = Repository::new() else { return };
    repository.write(FILE, "broken");
    repository.git(&format!("add --intent-to-add {FILE}"));
    repository.check("--staged").code(0).stdout_eq("").stderr_eq("note: no change of a handoff file is staged\n");
    assert_eq!(findings(&repository.check("--since HEAD").code(1)), [format!("{FILE}: fence/missing")]);
}

#[cfg(unix)]
#[test]
fn a_hook_sees_the_index_of_a_partial_commit() {
    let Some(repository) = Repository::new() else { return };
    repository.version(INITIAL);
    repository.0.script(".git/hooks/pre-commit", format!("#!/bin/sh\nexec '{GUARD}' check --staged\n"));
    repository.write(FILE, "broken");
    for args in [&["commit", "-m", "x", FILE][..], &["commit", "-a", "-m", "x"]] {
        let mut commit = std::process::Command::new("git");
        commit.args(["-c", "user.name=a", "-c", "user.email=a@example.org"]).args(args);
        assert!(!commit.current_dir(repository.0.path("")).output().unwrap().status.success(), "{args:?}");
    }
    repository.write(FILE, INITIAL);
    repository.write("notes.md", "more");
    repository.git("commit --quiet -a -m x");
}
