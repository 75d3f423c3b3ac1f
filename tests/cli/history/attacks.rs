//! What somebody who prepares a repository can try: its configuration names programs, and none of them may run.

use std::path::{Path, PathBuf};

use super::{FILE, Repository, stderr};
use crate::sandbox::{INITIAL, NEEDS_ANSWERS};

/// A program that leaves a trace.
struct Spy {
    program: String,
    trace: PathBuf,
}

impl Spy {
    fn new(repository: &Repository) -> Self {
        let trace = repository.0.path(".git/ran");
        let text = format!("#!/bin/sh\n: > '{}'\nexec cat\n", trace.display());
        let program = repository.0.script(".git/spy", text).display().to_string();
        Self { program, trace }
    }
}

/// Two versions of a handoff, the newer one in the working tree too, where git has to look at it again.
fn prepared() -> Option<(Repository, Spy)> {
    let repository = Repository::new()?;
    repository.version(INITIAL);
    repository.version(NEEDS_ANSWERS);
    let spy = Spy::new(&repository);
    Some((repository, spy))
}

/// Everything that reads a repository.
const RUNS: [&str; 4] = ["--since start", "--since start --every-write", "--staged", "--since start ."];

fn nothing_runs(repository: &Repository, spy: &Spy, why: &str) {
    // Its time says that it may have changed.
    repository.write(FILE, NEEDS_ANSWERS);
    for args in RUNS {
        repository.check(args);
        assert!(!spy.trace.exists(), "{why}: check {args}");
    }
    repository.write("new/x", "");
    repository.write(FILE, NEEDS_ANSWERS);
    repository.0.guard("init new/h.md --session-id s --objective o --next-action n --dry-run").output().unwrap();
    assert!(!spy.trace.exists(), "{why}: init");
}

#[test]
fn no_program_that_a_repository_configures_is_run() {
    let Some((repository, spy)) = prepared() else { return };
    for key in [
        "alias.diff",
        "alias.rev-parse",
        "alias.cat-file",
        "core.askPass",
        "core.editor",
        "core.fsmonitor",
        "core.gitProxy",
        "core.pager",
        "core.sshCommand",
        "credential.helper",
        "diff.external",
        "diff.spy.command",
        "diff.spy.textconv",
        "filter.spy.clean",
        "filter.spy.process",
        "filter.spy.smudge",
        "filter.spy.with.dots.clean",
        "gpg.program",
        "merge.spy.driver",
        "pager.diff",
        "pager.status",
    ] {
        let value = if key.starts_with("alias") { format!("!{}", spy.program) } else { spy.program.clone() };
        repository.git(&format!("config {key} {value}"));
        for filter in ["spy", "spy.with.dots"] {
            repository.git(&format!("config filter.{filter}.required true"));
            repository.write(".git/info/attributes", format!("* filter={filter} diff=spy merge=spy\n"));
            nothing_runs(&repository, &spy, key);
        }
        repository.git(&format!("config --unset {key}"));
    }
}

#[test]
fn a_filter_that_cannot_be_switched_off_is_refused() {
    let Some((repository, spy)) = prepared() else { return };
    repository.git(&format!("config filter.a=b.clean {}", spy.program));
    repository.write(".git/info/attributes", "* filter=a=b\n");
    nothing_runs(&repository, &spy, "filter.a=b");
    let refused = stderr(&repository.check("--since start").code(2).stdout_eq(""));
    assert!(refused.contains("the configured `filter.a=b` cannot be switched off"), "{refused}");
}

#[test]
fn no_hook_of_a_repository_is_run() {
    let Some((repository, spy)) = prepared() else { return };
    for hook in ["fsmonitor-watchman", "post-checkout", "post-index-change", "pre-commit", "reference-transaction"] {
        repository.0.script(&format!(".git/hooks/{hook}"), format!("#!/bin/sh\n: > '{}'\n", spy.trace.display()));
    }
    nothing_runs(&repository, &spy, "hooks");
    repository.git("config core.hooksPath .git/hooks");
    nothing_runs(&repository, &spy, "core.hooksPath");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test damages its own repository")]
fn what_a_partial_clone_lacks_is_not_fetched() {
    for (key, url) in [
        ("remote.origin.uploadpack", "."),
        ("core.sshCommand", "ssh://host/path"),
        ("core.gitProxy", "git://host/path"),
        ("protocol.ext.allow", "ext"),
    ] {
        let Some((repository, spy)) = prepared() else { return };
        let blob = repository.git(&format!("rev-parse HEAD~1:{FILE}"));
        let (folder, name) = blob.split_at(2);
        let url = if url == "ext" { format!("ext::{}", spy.program) } else { url.to_owned() };
        let value = if key == "protocol.ext.allow" { "always" } else { &spy.program };
        for (key, value) in [
            ("core.repositoryFormatVersion", "1"),
            ("extensions.partialClone", "origin"),
            ("remote.origin.promisor", "true"),
            ("remote.origin.url", &url),
            (key, value),
        ] {
            repository.git(&format!("config {key} {value}"));
        }
        std::fs::remove_file(repository.0.path(".git/objects").join(folder).join(name)).unwrap();
        nothing_runs(&repository, &spy, key);
        let refused = stderr(&repository.check("--since start").code(2).stdout_eq(""));
        assert!(refused.contains("a partial clone must be completed first"), "{refused}");
    }
}

#[test]
fn a_submodule_is_not_looked_into() {
    let Some((repository, spy)) = prepared() else { return };
    let inner = Repository::new().unwrap();
    let url = inner.0.path("").display().to_string();
    repository.git(&format!("submodule --quiet add {url} s.handoff.md"));
    repository.commit();
    let inside = |args: &str| repository.git(&format!("-C s.handoff.md {args}"));
    for key in ["core.fsmonitor", "filter.spy.clean", "diff.external"] {
        inside(&format!("config {key} {}", spy.program));
    }
    repository.write(".git/modules/s.handoff.md/info/attributes", "* filter=spy\n");
    repository.write("s.handoff.md/notes.md", "notes\n");
    nothing_runs(&repository, &spy, "submodule");
    let refused = stderr(&repository.check("--since start").code(2));
    assert!(refused.contains("a submodule, not a document"), "{refused}");
}

#[test]
fn refs_and_paths_that_look_like_options_are_none() {
    let Some((repository, spy)) = prepared() else { return };
    let file = Path::new(FILE);
    for reference in ["--output=x", "-x", "--upload-pack=x", "--help"] {
        repository.git(&format!("update-ref refs/heads/{reference} HEAD"));
        let refused = stderr(&repository.check(&format!("--since={reference}")).code(0));
        assert!(refused.contains("nothing changed since") || refused.is_empty(), "{refused}");
    }
    for name in ["--output=x.handoff.md", ":(exclude)*.handoff.md", "-.handoff.md", "a\n::error::x.handoff.md"] {
        repository.write(name, "broken");
    }
    repository.commit();
    let assert = repository.check("--since start").code(1);
    let report = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    assert_eq!(report.lines().count(), 4, "{report}");
    assert!(!report.lines().any(|line| line.starts_with("::")), "{report}");
    assert!(!repository.0.path("x").exists() && !spy.trace.exists() && repository.0.path(file).exists());
}

#[test]
fn what_the_environment_tells_git_changes_nothing() {
    let Some((repository, spy)) = prepared() else { return };
    repository.write(FILE, NEEDS_ANSWERS);
    let command = repository.0.guard("check --since start").envs([
        ("GIT_DIR", "/nowhere"),
        ("GIT_WORK_TREE", "/nowhere"),
        ("GIT_EXTERNAL_DIFF", &spy.program),
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "core.fsmonitor"),
        ("GIT_CONFIG_VALUE_0", &spy.program),
    ]);
    command.assert().code(0);
    assert!(!spy.trace.exists());
}
