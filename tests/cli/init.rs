//! `init`: the first version of a session, in and outside of repositories.

use handoff_guard::check::{Baseline, check};
use handoff_guard::protocol::profile::Profile;
use handoff_guard::source::Source;
use serde_json::{Value, json};
use snapbox::cmd::OutputAssert;

use crate::sandbox::{GUARD, INITIAL, Sandbox, git, receipt};

const GOAL: [&str; 4] = ["--objective", "Stream invoices.", "--next-action", "Write the adapter."];

fn init(sandbox: &Sandbox, args: &[&str]) -> OutputAssert {
    sandbox.command(GUARD).arg("init").args(args).args(GOAL).assert()
}

fn text(sandbox: &Sandbox, name: &str) -> String {
    String::from_utf8(sandbox.read(name)).unwrap()
}

/// The value of a key of the front matter, as it is written.
fn value<'t>(text: &'t str, key: &str) -> &'t str {
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": ")).unwrap()
}

#[test]
fn without_a_name_the_file_is_named_after_its_random_session() {
    let sandbox = Sandbox::new();
    let ids = [0, 1].map(|_| {
        let written = receipt(&init(&sandbox, &["--output-format", "json"]).code(0));
        assert_eq!((&written["command"], &written["outcome"]), (&json!("init"), &json!("committed")));
        assert_eq!(written["after"]["status"], "COLLECTING");
        let id = written["session_id"].as_str().unwrap().to_owned();
        assert!(id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
        assert_eq!(written["path"], format!("handoff-{id}.md"));
        sandbox.guard(&format!("check --initial --expect-session {id} handoff-{id}.md")).assert().code(0);
        id
    });
    assert_ne!(ids[0], ids[1]);
}

#[test]
fn every_combination_of_options_makes_a_valid_first_version() {
    const OPTIONS: [[&str; 2]; 11] = [
        ["--acceptance", "A 2 GiB file is imported."],
        ["--completed", "The reader."],
        ["--pending", "# the writer"],
        ["--constraint", "Keep the API."],
        ["--changed-file", "src/import/stream.rs"],
        ["--failed-attempt", "Mapping the file."],
        ["--risk", "none"],
        ["--assumption", "Invoices are sorted."],
        ["--evidence", "src/import/stream.rs:42"],
        ["--modified", "the reader"],
        ["--verified", "`cargo test` passes"],
    ];
    let sandbox = Sandbox::new();
    // Each alone, each left out, and each beside its neighbour, given twice.
    let all = (1 << OPTIONS.len()) - 1;
    let sets = (0..OPTIONS.len()).flat_map(|bit| [1 << bit, all ^ (1 << bit), 0b11 << bit]).chain([all]);
    for (number, set) in sets.enumerate() {
        let chosen = OPTIONS.iter().enumerate().filter(|(bit, _)| set & (1 << bit) != 0).flat_map(|(_, option)| option);
        let (file, id) = (format!("{number}.md"), format!("session {number}"));
        let mut args = vec![file.as_str(), "--session-id", &id];
        args.extend(chosen.clone().chain(chosen));
        init(&sandbox, &args).code(0).stderr_eq("");
        let source = Source::new(sandbox.read(&file));
        let verdict = check(&source, Profile::Full, Baseline::Init { session_id: &id });
        assert!(verdict.is_valid(), "{args:?}: {:#?}", verdict.diagnostics());
    }
}

#[test]
fn the_facts_are_found_where_the_protocol_wants_them() {
    let sandbox = Sandbox::new();
    let risk = ["--risk", "two\n# lines", "--evidence", "commit 8f3ab12c", "--repository", "urn:example:ledger"];
    init(&sandbox, &[&["h.md", "--session-id", "1234567"][..], &risk].concat()).code(0);
    let text = text(&sandbox, "h.md");
    assert_eq!(value(&text, "session_id"), "\"1234567\"");
    assert_eq!(value(&text, "repository"), "\"urn:example:ledger\"");
    assert_eq!(value(&text, "created_at"), value(&text, "updated_at"));
    assert_eq!(text.matches("- two # lines\n").count(), 2);
    assert_eq!(text.matches("- commit 8f3ab12c\n").count(), 2);
}

#[test]
fn what_says_nothing_or_leaks_is_not_written() {
    let sandbox = Sandbox::new();
    init(&sandbox, &["h.md", "--risk", " \u{200b}"]).code(2);
    init(&sandbox, &["h.md", "--session-id", "a\u{1b}"]).code(2);
    init(&sandbox, &["--session-id", "a/b"]).code(2);
    sandbox.guard("init h.md --objective x").assert().code(2);
    let token = format!("ghp_{}", "a1".repeat(18));
    let rejected = receipt(&init(&sandbox, &["h.md", "--risk", &token, "--output-format", "json"]).code(1));
    assert_eq!(rejected["diagnostics"][0]["rule"], "security/secret");
    let assert = init(&sandbox, &["h.md", "--risk", &token]).code(1);
    assert!(!String::from_utf8_lossy(&assert.get_output().stdout).contains(&token));
    assert!(sandbox.names("").is_empty());
}

#[test]
fn a_name_that_is_taken_is_refused() {
    let sandbox = Sandbox::new();
    for content in [INITIAL, "notes"] {
        sandbox.write("h.md", content);
        assert_eq!(receipt(&init(&sandbox, &["h.md", "--output-format", "json"]).code(4))["outcome"], "conflict");
        assert_eq!(text(&sandbox, "h.md"), content);
    }
    init(&sandbox, &["nowhere/h.md"]).code(2);
}

#[test]
fn a_session_that_was_here_before_is_not_begun_again() {
    let damaged = INITIAL.split_once("# Handoff Details").unwrap().0;
    let by_content = ["old.md", "old.md.bak", "old.md.rejected", "old.md.damaged-1a2b"].map(|name| (name, damaged));
    let by_name = [("handoff-importer-4c81.md.damaged-1a2b", "\0\0\0"), ("handoff-importer-4c81.md.bak", "")];
    for (name, content) in by_content.into_iter().chain(by_name) {
        let sandbox = Sandbox::new();
        sandbox.write(name, content);
        let assert = init(&sandbox, &["h.md", "--session-id", "importer-4c81"]).code(4).stdout_eq("");
        let message = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(message.contains(name) && message.contains("another id"), "{message}");
        init(&sandbox, &["h.md", "--session-id", "importer-4c8"]).code(0);
    }
}

// Repositories.

/// A repository in `repository` with a folder for temporary files; `None` where there is no git.
fn repository() -> Option<Sandbox> {
    let sandbox = Sandbox::new();
    sandbox.write("repository/.gitignore", "/tmp\n");
    sandbox.write("repository/tmp/x", "");
    git(&sandbox, "repository", "init --quiet --initial-branch=main")?;
    Some(sandbox)
}

/// Branch, commit and working tree that a new handoff in `folder` records.
fn recorded(sandbox: &Sandbox, folder: &str) -> [String; 3] {
    let command = sandbox.command(GUARD).current_dir(sandbox.path(folder)).env("GIT_DIR", "/nowhere");
    let written = receipt(&command.args(["init", "--output-format", "json"]).args(GOAL).assert().code(0));
    let text = text(sandbox, &format!("{folder}/{}", written["path"].as_str().unwrap()));
    let top = std::fs::canonicalize(sandbox.path(folder.strip_suffix("/tmp").unwrap_or(folder))).unwrap();
    assert_eq!(value(&text, "repository"), Value::from(top.to_str().unwrap()).to_string());
    ["branch", "base_commit", "working_tree"].map(|key| value(&text, key).to_owned())
}

fn facts(branch: &str, commit: &str, tree: &str) -> [String; 3] {
    [branch, commit, tree].map(str::to_owned)
}

#[test]
fn outside_of_a_repository_nothing_is_known() {
    let sandbox = Sandbox::new();
    sandbox.write("plain/x", "");
    assert_eq!(recorded(&sandbox, "plain"), facts("null", "null", "UNAVAILABLE"));
}

#[test]
fn without_git_nothing_is_known() {
    let sandbox = Sandbox::new();
    sandbox.command(GUARD).env("PATH", "").args(["init", "h.md"]).args(GOAL).assert().code(0);
    assert_eq!(value(&text(&sandbox, "h.md"), "working_tree"), "UNAVAILABLE");
}

#[test]
fn branch_commit_and_working_tree_are_those_of_the_repository() {
    let Some(sandbox) = repository() else { return };
    let run = |folder: &str, args: &str| git(&sandbox, folder, args).unwrap();
    let recorded = |folder: &str| recorded(&sandbox, folder);
    assert_eq!(recorded("repository/tmp"), facts("null", "null", "DIRTY"), "unborn");

    run("repository", "add .gitignore");
    run("repository", "commit --quiet -m first");
    let commit = format!("\"{}\"", run("repository", "rev-parse HEAD"));
    assert_eq!(recorded("repository/tmp"), facts("\"main\"", &commit, "CLEAN"));
    sandbox.write("repository/new", "");
    assert_eq!(recorded("repository/tmp"), facts("\"main\"", &commit, "DIRTY"));

    run("repository", "worktree add --quiet ../tree -b feature/#1");
    sandbox.write("tree/tmp/x", "");
    assert_eq!(recorded("tree/tmp"), facts("\"feature/#1\"", &commit, "CLEAN"));
    run("tree", "checkout --quiet --detach");
    assert_eq!(recorded("tree/tmp"), facts("null", "null", "CLEAN"), "detached");
}

#[test]
fn the_root_of_a_repository_is_refused_unless_it_is_asked_for() {
    let sandbox = Sandbox::new();
    for kind in ["directory/.git/x", "worktree/.git"] {
        sandbox.write(kind, "");
        let folder = kind.split('/').next().unwrap();
        let file = format!("{folder}/h.md");
        let assert = init(&sandbox, &[&file]).code(2).stdout_eq("");
        assert!(String::from_utf8_lossy(&assert.get_output().stderr).contains("--here"));
        init(&sandbox, &[&file, "--here"]).code(0);
    }
}

#[test]
fn nothing_that_a_repository_configures_is_run() {
    let Some(sandbox) = repository() else { return };
    let spy = sandbox.path("ran");
    sandbox.write("repository/.git/hooks/fsmonitor", format!("#!/bin/sh\n: > '{}'\n", spy.display()));
    git(&sandbox, "repository", "config core.fsmonitor .git/hooks/fsmonitor").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let hook = sandbox.path("repository/.git/hooks/fsmonitor");
        std::fs::set_permissions(hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    recorded(&sandbox, "repository/tmp");
    assert!(!spy.exists());
}
