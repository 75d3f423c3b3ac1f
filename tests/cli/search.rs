//! Which files of a directory are checked, and in which order they are reported.

use serde_json::Value;
use snapbox::cmd::Command;
use snapbox::str;

use crate::sandbox::{GUARD, INITIAL, Sandbox, bad};

/// A repository, as far as a search looks at it, in which nothing but these lines says what is ignored.
fn repository(ignored: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("home/.gitconfig", "");
    sandbox.write("r/.git/info/handoff-inside.md", bad());
    sandbox.write("r/.gitignore", ignored);
    sandbox
}

/// `handoff-guard check` with a line a finding.
fn check(sandbox: &Sandbox, args: &str) -> Command {
    guard(sandbox, &format!("check --output-format concise {args}"))
}

/// `handoff-guard` for a user whose own files are those in `home`.
fn guard(sandbox: &Sandbox, args: &str) -> Command {
    let home = sandbox.path("home");
    let command = sandbox.command(GUARD).env("HOME", &home).env("XDG_CONFIG_HOME", &home);
    let command = command.env_remove("GIT_CONFIG_GLOBAL").env("GIT_CONFIG_SYSTEM", "");
    command.args(args.split_whitespace())
}

#[test]
fn hidden_folders_are_searched_and_what_git_ignores_is_left_out() {
    let sandbox = repository("drafts/\nhandoff-old-*.md\n");
    for name in ["r/.agents/handoff-1.md", "r/drafts/handoff-2.md", "r/handoff-old-3.md", "r/a/handoff-old-4.md"] {
        sandbox.write(name, bad());
    }
    check(&sandbox, "r").assert().code(1).stderr_eq("").stdout_eq("r/.agents/handoff-1.md:1:[..]\n");
    check(&sandbox, "r --no-ignore").assert().code(1).stdout_eq(str![[r#"
r/.agents/handoff-1.md:1:[..]
r/a/handoff-old-4.md:1:[..]
r/drafts/handoff-2.md:1:[..]
r/handoff-old-3.md:1:[..]

"#]]);
    check(&sandbox, "r/a/handoff-old-4.md r/drafts").assert().code(1).stdout_eq(str![[r#"
r/a/handoff-old-4.md:1:[..]
r/drafts/handoff-2.md:1:[..]

"#]]);
}

#[test]
fn a_gitignore_counts_in_a_repository_only_and_an_ignore_file_everywhere() {
    let sandbox = Sandbox::new();
    for folder in ["a", "b"] {
        sandbox.write(format!("{folder}/handoff-1.md"), bad());
    }
    sandbox.write("a/.gitignore", "*.md\n");
    sandbox.write("b/.ignore", "*.md\n");
    check(&sandbox, "a b").assert().code(1).stdout_eq("a/handoff-1.md:1:[..]\n");
}

#[test]
fn what_a_user_ignores_everywhere_is_left_out() {
    let sandbox = repository("");
    sandbox.write("home/git/ignore", "handoff-*.md\n");
    sandbox.write("r/handoff-1.md", bad());
    check(&sandbox, "r").assert().code(3);
    check(&sandbox, "r --no-ignore").assert().code(1);
}

#[test]
fn nothing_found_says_what_was_looked_for_and_where_not() {
    let sandbox = repository("handoff-*.md\n");
    sandbox.write("r/handoff-1.md", bad());
    check(&sandbox, "r").assert().code(3).stdout_eq("").stderr_eq(str![[r#"
error: nothing to check: no file matches `handoff-*.md`, `*.handoff.md`; ignored files were left out, `--no-ignore` includes them

"#]]);
    check(&sandbox, "r --glob *.txt --no-ignore").assert().code(3).stdout_eq("").stderr_eq(str![[r#"
error: nothing to check: no file matches `*.txt`

"#]]);
    check(&sandbox, "r --allow-empty").assert().code(0).stderr_eq("");
}

#[test]
fn globs_say_which_files_are_searched_for() {
    let sandbox = Sandbox::new();
    for name in ["d/a.txt", "d/sub/a.txt", "d/sub/b.md", "d/handoff-1.md", "d/sub/handoff-2.md"] {
        sandbox.write(name, bad());
    }
    let found = |args: &str| {
        let report = check(&sandbox, args).assert().code(1);
        let report = String::from_utf8(report.get_output().stdout.clone()).unwrap().replace('\\', "/");
        report.lines().map(|line| line.split(':').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(found("d --glob *.txt"), ["d/a.txt", "d/sub/a.txt"]);
    assert_eq!(found("d --glob /*.txt --glob sub/*.md"), ["d/a.txt", "d/sub/b.md", "d/sub/handoff-2.md"]);
    assert_eq!(found("d --glob *.md --glob !b.md"), ["d/handoff-1.md", "d/sub/handoff-2.md"]);
    assert_eq!(found("d --glob !sub/**"), ["d/handoff-1.md"]);
    assert_eq!(found("./d/sub --glob {a,b}.*"), ["./d/sub/a.txt", "./d/sub/b.md"]);
    check(&sandbox, "d --glob [z-a]").assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: [..]`--glob`[..]

"#]]);
}

#[test]
fn the_files_beside_a_handoff_are_never_found() {
    let sandbox = Sandbox::new();
    sandbox.write("d/handoff-1.md", INITIAL);
    for name in [
        "handoff-1.md.bak",
        "handoff-1.md.rejected",
        "handoff-1.md.damaged-00ff",
        ".handoff-1.md.lock",
        ".handoff-89abcdef-0123456789abcdef.cand",
        ".handoff-89abcdef-0123456789abcdef.bak",
        ".handoff-89abcdef-0123456789abcdef.damaged",
    ] {
        sandbox.write(format!("d/{name}"), bad());
    }
    check(&sandbox, "d --glob * --no-ignore").assert().code(0).stderr_eq("");
    check(&sandbox, "d/handoff-1.md.bak").assert().code(1);
}

#[test]
fn a_file_that_is_reached_twice_is_checked_once() {
    let sandbox = Sandbox::new();
    for name in ["a/handoff-1.md", "handoff-2.md"] {
        sandbox.write(name, bad());
    }
    let here = sandbox.path("");
    let absolute = here.join("handoff-2.md");
    let command = check(&sandbox, "./a . a/handoff-1.md a/./handoff-1.md").arg(absolute);
    command.assert().code(1).stdout_eq(str![[r#"
./a/handoff-1.md:1:[..]
./handoff-2.md:1:[..]

"#]]);
}

#[test]
fn an_ignore_file_that_cannot_be_followed_is_no_silent_pass() {
    let sandbox = repository("ok\n[z-a]\n");
    sandbox.write("r/handoff-1.md", INITIAL);
    sandbox.write("r/a/.ignore", b"caf\xe9\n");
    check(&sandbox, "r").assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: r/.gitignore: what it ignores cannot be told: line 2: [..]
error: r/a/.ignore: what it ignores cannot be told: [..]

"#]]);
    check(&sandbox, "r/a r/handoff-1.md").assert().code(2);
    check(&sandbox, "r --no-ignore").assert().code(0).stderr_eq("");
    let report = guard(&sandbox, "check r --output-format json").assert().code(2);
    let report: Value = serde_json::from_slice(&report.get_output().stdout).unwrap();
    assert_eq!(report["summary"]["unreadable"], 2);

    let sandbox = repository("");
    sandbox.write("home/git/ignore", "[z-a]\n");
    sandbox.write("r/handoff-1.md", INITIAL);
    check(&sandbox, "r").assert().code(2).stderr_eq(str![[r#"
error: [..]ignore: what it ignores cannot be told: [..]

"#]]);
}

#[cfg(unix)]
#[test]
fn a_directory_that_cannot_be_read_is_no_silent_pass() {
    use std::fs::{Permissions, read_dir, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = Sandbox::new();
    for name in ["d/closed/handoff-1.md", "d/handoff-2.md"] {
        sandbox.write(name, bad());
    }
    let closed = sandbox.path("d/closed");
    set_permissions(&closed, Permissions::from_mode(0o000)).unwrap();
    let all_powerful = read_dir(&closed).is_ok();
    let assert = check(&sandbox, "d --allow-empty --exit-zero").assert();
    set_permissions(&closed, Permissions::from_mode(0o700)).unwrap();
    if all_powerful {
        return eprintln!("skipped: whoever runs this test may read everything");
    }
    assert.code(2).stdout_eq("d/handoff-2.md:1:[..]\n").stderr_eq(str![[r#"
error: d/closed: the directory cannot be searched: [..]

"#]]);
}

#[test]
fn a_report_is_the_same_whatever_the_number_of_threads() {
    let sandbox = Sandbox::new();
    for number in 0..60 {
        let document = if number % 3 == 0 { INITIAL.to_owned() } else { bad() };
        sandbox.write(format!("d/{}/handoff-{number}.md", number % 7), document);
    }
    sandbox.write("d/3/handoff-large.md", INITIAL.repeat(500));
    for format in ["full", "concise", "json"] {
        let run = |threads: &str| {
            let args = format!("check d missing.md d/nowhere --output-format {format} {threads}");
            let output = sandbox.guard(&args).assert().code(2).get_output().clone();
            (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
        };
        let one = run("--threads 1");
        assert!(one.0.contains("handoff-59.md") && one.1.lines().count() == 2, "{one:?}");
        for threads in ["--threads 2", "--threads 9", ""] {
            assert_eq!(run(threads), one, "{threads}");
        }
    }
    sandbox.guard("check d --threads 0").assert().code(2).stdout_eq("");
}
