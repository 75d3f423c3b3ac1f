//! What a run is about, and how it ends.

use snapbox::str;

use crate::sandbox::{INITIAL, READY, Sandbox, bad};

#[test]
fn a_valid_document_ends_with_zero_and_an_invalid_one_with_one() {
    let sandbox = Sandbox::with_documents();
    sandbox.guard("check good.handoff.md").assert().code(0).stdout_eq("good.handoff.md: valid\n").stderr_eq("");
    sandbox.guard("check bad.handoff.md").assert().code(1).stderr_eq("");
    sandbox.guard("check good.handoff.md bad.handoff.md").assert().code(1).stderr_eq("");
    sandbox.guard("check --exit-zero good.handoff.md bad.handoff.md").assert().code(0);
}

#[test]
fn without_a_path_the_usage_is_wrong_and_standard_input_is_left_alone() {
    let usage = str![[r#"
error: the following required arguments were not provided:
  <PATH>...
...
"#]];
    Sandbox::new().guard("check").stdin(INITIAL).assert().code(2).stdout_eq("").stderr_eq(usage);
    let help = str![[r#"
Strict validator [..]

Usage: handoff-guard <COMMAND>
...
"#]];
    Sandbox::new().guard("").stdin(INITIAL).assert().code(2).stdout_eq("").stderr_eq(help);
}

#[test]
fn a_missing_file_is_named_and_the_others_are_checked() {
    let sandbox = Sandbox::with_documents();
    let assert =
        sandbox.guard("check --output-format concise missing.md bad.handoff.md no\u{1b}[31m/where.md").assert();
    assert
        .code(2)
        .stdout_eq(str![[r#"
bad.handoff.md:1:[..]: error[fence/missing] [..]

"#]])
        .stderr_eq(str![[r#"
error: missing.md: [..]
error: no/u{1b}[31m/where.md: [..]

"#]]);
    sandbox.guard("check --exit-zero missing.md good.handoff.md").assert().code(2);
}

#[test]
fn a_path_is_checked_whatever_it_is_called() {
    let sandbox = Sandbox::new();
    for name in ["-x.md", "--help.md", "a=b c.txt", "任务.md"] {
        sandbox.write(name, INITIAL);
        let valid = format!("{name}: valid\n");
        sandbox.command(crate::sandbox::GUARD).args(["check", "--", name]).assert().code(0).stdout_eq(valid);
    }
}

#[cfg(unix)]
#[test]
fn a_path_that_is_not_utf_8_is_checked() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let sandbox = Sandbox::new();
    let name = OsStr::from_bytes(b"caf\xe9.md");
    sandbox.write(name, INITIAL);
    let command = sandbox.command(crate::sandbox::GUARD).arg("check").arg(name);
    command.assert().code(0).stdout_eq("caf\u{fffd}.md: valid\n");
}

#[test]
fn a_dash_is_standard_input() {
    let sandbox = Sandbox::new();
    sandbox.guard("check -").stdin(INITIAL).assert().code(0).stdout_eq("<stdin>: valid\n");
    let named = sandbox.guard("check - --stdin-filename a.md --output-format concise").stdin(bad());
    named.assert().code(1).stdout_eq(str![[r#"
a.md:1:[..]: error[fence/missing] [..]

"#]]);
    sandbox.guard("check - -").stdin(INITIAL).assert().code(2).stderr_eq(str![[r#"
error: standard input can be read only once

"#]]);
    sandbox.guard("check a.md --stdin-filename b.md").assert().code(2).stdout_eq("");
}

#[test]
fn paths_come_from_a_list_too() {
    let sandbox = Sandbox::with_documents();
    sandbox.write("lines", "good.handoff.md\r\n\nbad.handoff.md\n");
    sandbox.write("nul\nname.md", INITIAL);
    sandbox.guard("check --files-from lines").assert().code(1);
    sandbox.guard("check --files-from -").stdin("good.handoff.md\0nul\nname.md\0").assert().code(0).stdout_eq(str![[
        r#"
2 files checked: 2 valid

"#
    ]]);
    sandbox.guard("check --files-from -").stdin("").assert().code(3).stdout_eq("");
    sandbox.guard("check --files-from -").stdin("-\n").assert().code(2);
    sandbox.guard("check --files-from nowhere").assert().code(2).stderr_eq(str![[r#"
error: nowhere: cannot read the list of paths: [..]

"#]]);
}

#[test]
fn a_directory_is_searched_for_handoff_files_in_order() {
    let sandbox = Sandbox::new();
    for name in ["d/z.handoff.md", "d/.hidden/handoff-1.md", "d/b/handoff-2.md", "d/b.handoff.md"] {
        sandbox.write(name, bad());
    }
    for name in ["d/README.md", "d/handoff.txt", "d/b/handoff-2.md.bak", "d/x.handoff.md.rejected"] {
        sandbox.write(name, bad());
    }
    sandbox.guard("check --output-format concise d").assert().code(1).stdout_eq(str![[r#"
d/.hidden/handoff-1.md:1:[..]
d/b/handoff-2.md:1:[..]
d/b.handoff.md:1:[..]
d/z.handoff.md:1:[..]

"#]]);
}

#[cfg(unix)]
#[test]
fn a_search_follows_no_link_to_a_directory_and_so_ends() {
    use std::os::unix::fs::symlink;
    let sandbox = Sandbox::new();
    sandbox.write("real/a.handoff.md", INITIAL);
    symlink(sandbox.path("real"), sandbox.path("real/loop.handoff.md")).unwrap();
    symlink("a.handoff.md", sandbox.path("real/link.handoff.md")).unwrap();
    symlink("real", sandbox.path("root")).unwrap();
    sandbox.guard("check root").assert().code(0).stdout_eq("2 files checked: 2 valid\n");
    symlink("nowhere", sandbox.path("real/broken.handoff.md")).unwrap();
    sandbox.guard("check root").assert().code(2);
}

#[test]
fn nothing_to_check_is_no_success_unless_it_is_allowed() {
    let sandbox = Sandbox::new();
    sandbox.write("empty/notes.md", "");
    sandbox.guard("check empty").assert().code(3).stdout_eq("").stderr_eq(str![[r#"
error: nothing to check: no file matches `handoff-*.md`, `*.handoff.md`; ignored files were left out, `--no-ignore` includes them

"#]]);
    sandbox.guard("check empty --allow-empty").assert().code(0).stdout_eq("0 files checked\n").stderr_eq("");
    sandbox.guard("check empty nowhere").assert().code(2);
}

#[cfg(unix)]
#[test]
fn a_fifo_is_refused_at_once_and_so_are_sockets_and_devices() {
    let sandbox = Sandbox::with_documents();
    let fifo = sandbox.path("fifo.handoff.md");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let _socket = std::os::unix::net::UnixListener::bind(sandbox.path("socket.handoff.md")).unwrap();
    sandbox.guard("check . /dev/null --exit-zero").assert().code(2).stderr_eq(str![[r#"
error: ./fifo.handoff.md: a FIFO, not a regular file
error: ./socket.handoff.md: a socket, not a regular file
error: /dev/null: a device, not a regular file

"#]]);
}

#[test]
fn a_document_is_held_against_its_session() {
    let sandbox = Sandbox::new();
    sandbox.write("a.md", INITIAL);
    sandbox.write("r.md", READY);
    for (args, code) in [
        ("a.md --expect-session importer-4c81", 0),
        ("a.md --expect-session importer", 1),
        ("a.md --initial", 0),
        ("r.md --initial", 1),
        ("a.md --initial --expect-session importer-4c81", 0),
        ("a.md --initial --expect-session other", 1),
        ("a.md --previous a.md", 0),
        ("a.md --previous a.md --initial", 2),
        ("a.md --previous a.md --expect-session importer-4c81", 2),
        ("a.md r.md --previous a.md", 2),
    ] {
        let status = sandbox.guard(&format!("check --output-format concise {args}"));
        status.assert().code(code);
    }
}

#[test]
fn a_previous_version_must_be_verifiable_itself() {
    let sandbox = Sandbox::with_documents();
    sandbox.guard("check good.handoff.md --previous bad.handoff.md").assert().code(2).stdout_eq("").stderr_eq(str![[
        r#"
error: bad.handoff.md: the previous version has defects itself, so nothing can follow it:
  1:[..]: error[fence/missing] [..]

"#
    ]]);
    sandbox.guard("check good.handoff.md --previous nowhere").assert().code(2).stderr_eq(str![[r#"
error: nowhere: the previous version cannot be read: [..]

"#]]);
    sandbox.guard("check good.handoff.md --previous -").stdin(INITIAL).assert().code(0);
    let changed = INITIAL.replacen("created_at: \"2026", "created_at: \"2025", 1);
    let report = sandbox.guard("check - --previous good.handoff.md").stdin(changed).assert().code(1);
    let report = String::from_utf8(report.get_output().stdout.clone()).unwrap();
    assert!(report.contains("error[succession/created-at]"), "{report}");
    assert!(report.contains("note: in the previous version\n  --> good.handoff.md:"), "{report}");
}

#[test]
fn a_version_with_a_credential_can_be_followed_and_the_credential_stays_hidden() {
    let sandbox = Sandbox::new();
    let token = format!("ghp_{}", "a1".repeat(18));
    let leaking =
        INITIAL.replacen("created_at: \"", &format!("created_at: \"2026-03-02T09:00:00+08:00\" # {token}\n#"), 1);
    sandbox.write("old.md", leaking.replacen("\n#2026-03-02T09:00:00+08:00\"", "", 1));
    sandbox.write("new.md", INITIAL.replacen("created_at: \"2026", "created_at: \"2025", 1));
    let report = sandbox.guard("check new.md --previous old.md").assert().code(1);
    let report = String::from_utf8(report.get_output().stdout.clone()).unwrap();
    assert!(report.contains("note: in the previous version"), "{report}");
    assert!(!report.contains("ghp_"), "{report}");
}
