//! What is no verdict, and must never look like one.

use super::{FILE, Repository, findings, stderr};
use crate::sandbox::{GUARD, INITIAL, Sandbox, git};

#[test]
fn nothing_changed_is_a_success_and_a_wrong_path_is_none() {
    let Some(repository) = Repository::new() else { return };
    let notes = "note: nothing changed since HEAD\n";
    repository.check("--since HEAD").code(0).stdout_eq("").stderr_eq(notes);
    repository.version(INITIAL);
    for path in ["", FILE, "."] {
        repository.check(&format!("--since HEAD {path}")).code(0).stdout_eq("").stderr_eq(notes);
        repository.check(&format!("--since start {path}")).code(0).stderr_eq("");
    }
    for path in ["handoff-y.md", "docs", "../outside.md"] {
        let refused = repository.check(&format!("--since start {FILE} {path}")).code(2).stdout_eq("");
        assert!(stderr(&refused).starts_with(&format!("error: {path}: ")));
    }
}

#[test]
fn a_revision_that_is_missing_is_named_with_the_way_to_get_it() {
    let Some(repository) = Repository::new() else { return };
    repository.version(INITIAL);
    for revision in ["nowhere", "--help", "start..HEAD", "start:notes.md", "--all", "\u{1b}[31m", ""] {
        let command = repository.0.command(GUARD).args(["check", &format!("--since={revision}")]);
        let refused = stderr(&command.assert().code(2).stdout_eq(""));
        assert!(refused.contains("names no commit") && refused.contains("fetch-depth: 0"), "{refused}");
        assert!(!refused.contains('\u{1b}'), "{refused}");
    }
    let refused = stderr(&repository.check(&format!("--since {}", "0".repeat(40))).code(2).stdout_eq(""));
    assert!(refused.contains("a new branch has no earlier commit"), "{refused}");
}

#[test]
fn what_is_said_about_files_as_they_are_is_no_part_of_a_history() {
    let Some(repository) = Repository::new() else { return };
    repository.write(FILE, "broken");
    for range in ["--since start", "--staged"] {
        for option in ["--glob *.txt", "--no-ignore", "--files-from notes.md", "--previous notes.md", "--initial"] {
            let refused = stderr(&repository.check(&format!("{range} {option}")).code(2).stdout_eq(""));
            assert!(refused.contains("cannot be used with"), "{refused}");
        }
    }
}

#[test]
fn a_report_never_replaces_a_handoff_file() {
    let Some(repository) = Repository::new() else { return };
    repository.version(INITIAL);
    repository.write("d/new.handoff.md", INITIAL);
    repository.write("plain.md", INITIAL);
    for args in [
        &format!("--since start --output-file {FILE}"),
        &format!("--since HEAD --output-file ./d/../{FILE}"),
        &format!("--staged --output-file {FILE}"),
        "--since start --output-file d/new.handoff.md",
        "--since start plain.md --output-file plain.md",
    ] {
        let refused = stderr(&repository.check(args).code(2).stdout_eq(""));
        assert!(refused.contains("no report can be written there: this run reads it"), "{refused}");
    }
    for name in [FILE, "d/new.handoff.md", "plain.md"] {
        assert_eq!(repository.0.read(name), INITIAL.as_bytes(), "{name}");
    }
    repository.check("--since start --output-file report.txt").code(0);
}

#[test]
fn a_shallow_clone_has_no_history_to_judge() {
    let Some(repository) = Repository::new() else { return };
    repository.version(INITIAL);
    let source = format!("file://{}", repository.0.path("").display());
    repository.git(&format!("clone --quiet --depth=1 {source} ignored/shallow"));
    let command = repository.0.command(GUARD).current_dir(repository.0.path("ignored/shallow"));
    let refused = stderr(&command.args(["check", "--since", "HEAD"]).assert().code(2).stdout_eq(""));
    assert!(refused.contains("shallow clone") && refused.contains("fetch-depth: 0"), "{refused}");
}

#[test]
fn without_a_repository_or_git_there_is_no_history() {
    let sandbox = Sandbox::new();
    sandbox.write(FILE, INITIAL);
    for args in ["--since HEAD", "--staged"] {
        let command = sandbox.guard(&format!("check {args}"));
        let refused = stderr(&command.env("PATH", "").assert().code(2).stdout_eq(""));
        assert!(refused.contains("git cannot be run"), "{refused}");
        if git(&sandbox, "", "--version").is_some() {
            let command = sandbox.guard(&format!("check {args}")).env("GIT_CEILING_DIRECTORIES", "/");
            let refused = stderr(&command.assert().code(2).stdout_eq(""));
            assert!(refused.contains("not a git repository"), "{refused}");
        }
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test damages its own repository")]
fn a_damaged_repository_is_no_success() {
    let Some(repository) = Repository::new() else { return };
    repository.version(INITIAL);
    let blob = repository.git(&format!("rev-parse HEAD:{FILE}"));
    let (folder, name) = blob.split_at(2);
    let object = repository.0.path(".git/objects").join(folder).join(name);
    std::fs::remove_file(object).unwrap();
    let refused = stderr(&repository.check("--since start").code(2).stdout_eq(""));
    assert!(refused.contains("a version is missing from the repository"), "{refused}");
}

#[test]
fn replaced_commits_tell_another_history() {
    let Some(repository) = Repository::new() else { return };
    let broken = repository.version("broken");
    let tree = repository.git("rev-parse start^{tree}");
    let harmless = repository.git(&format!("commit-tree {tree} -p start -m x"));
    repository.git(&format!("replace {broken} {harmless}"));
    let report = findings(&repository.check("--since start").code(1));
    assert_eq!(report, [format!("{FILE}@{broken}: fence/missing")]);
}
