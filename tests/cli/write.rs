//! `write`: how a transaction ends, and what is on disk then.

use std::fs::File;

use serde_json::{Value, json};
use snapbox::cmd::OutputAssert;
use snapbox::str;

use crate::sandbox::{INITIAL, NEEDS_ANSWERS, READY, Sandbox, digest, receipt};

/// A session whose first version is written.
fn begun() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("h.md", INITIAL);
    sandbox.write("next.md", NEEDS_ANSWERS);
    sandbox
}

fn stderr(assert: &OutputAssert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

/// Another legal successor of the first version.
fn other() -> String {
    NEEDS_ANSWERS.replacen("round 1 asks two questions", "round 1 asks about", 1)
}

#[test]
fn a_first_version_and_its_successor_are_committed() {
    let sandbox = Sandbox::new();
    let first = sandbox.guard("write h.md --expect-session importer-4c81").stdin(INITIAL).assert();
    first.code(0).stderr_eq("").stdout_eq(str![[r#"
h.md: committed
session: importer-4c81
now: sha256 [..], COLLECTING, round 0
checked: profile full, [..] rules

"#]]);
    sandbox.write("next.md", NEEDS_ANSWERS);
    sandbox.guard("write h.md --from next.md").assert().code(0).stderr_eq("").stdout_eq(str![[r#"
h.md: committed
session: importer-4c81
before: sha256 [..], COLLECTING, round 0
now: sha256 [..], NEEDS_ANSWERS, round 1
backup: h.md.bak
checked: profile full, [..] rules

"#]]);
    assert_eq!(sandbox.read("h.md"), NEEDS_ANSWERS.as_bytes());
    assert_eq!(sandbox.read("h.md.bak"), INITIAL.as_bytes());
    assert_eq!(sandbox.names(""), ["h.md", "h.md.bak", "next.md"]);
}

#[test]
fn the_receipt_names_both_versions() {
    let sandbox = begun();
    let command = sandbox.guard("write h.md --from next.md --output-format json");
    let written = receipt(&command.assert().code(0).stderr_eq(""));
    let state =
        |text: &str, status: &str, round: u32| json!({ "digest": digest(text), "status": status, "round": round });
    assert_eq!(written["outcome"], "committed");
    assert_eq!(written["session_id"], "importer-4c81");
    assert_eq!(written["before"], state(INITIAL, "COLLECTING", 0));
    assert_eq!(written["after"], state(NEEDS_ANSWERS, "NEEDS_ANSWERS", 1));
    assert_eq!(written["backup"], "h.md.bak");
    assert_eq!(written["rules"], handoff_guard::rules::RULES.len());
    assert_eq!(written["error"], Value::Null);
}

#[test]
fn the_same_bytes_again_change_nothing_whatever_digest_was_expected() {
    let sandbox = begun();
    let command = sandbox.guard(&format!("write h.md --output-format json --expect-digest {}", digest("another")));
    let unchanged = receipt(&command.stdin(INITIAL).assert().code(0));
    assert_eq!((&unchanged["outcome"], &unchanged["backup"]), (&json!("unchanged"), &Value::Null));
    assert_eq!(sandbox.names(""), ["h.md", "next.md"]);
}

#[test]
fn a_dry_run_decides_and_writes_nothing() {
    let sandbox = begun();
    for (text, code, outcome) in [
        (NEEDS_ANSWERS, 0, "would-commit"),
        (INITIAL, 0, "would-not-change"),
        (READY, 1, "rejected"),
        ("", 1, "rejected"),
    ] {
        let command = sandbox.guard("write h.md --dry-run --output-format json").stdin(text);
        assert_eq!(receipt(&command.assert().code(code))["outcome"], outcome);
    }
    assert_eq!(sandbox.read("h.md"), INITIAL.as_bytes());
    assert_eq!(sandbox.names(""), ["h.md", "next.md"]);
}

#[test]
fn a_rejected_candidate_is_reported_like_any_document_and_kept() {
    let sandbox = begun();
    let candidate = NEEDS_ANSWERS.replacen("created_at: \"2026", "created_at: \"2025", 1);
    sandbox
        .guard("write h.md")
        .stdin(&candidate)
        .assert()
        .code(1)
        .stdout_eq(str![[r#"
error[succession/created-at]: [..]
  --> <stdin>:[..]
...
note: in the previous version
  --> h.md:[..]
...
<stdin>: invalid, 1 error
learn more: handoff-guard explain succession/created-at

"#]])
        .stderr_eq(str![[r#"
error: h.md: the candidate was rejected and kept as `h.md.rejected`
now: the official file is as it was
next: repair the defects and write again

"#]]);
    assert_eq!(sandbox.read("h.md.rejected"), candidate.as_bytes());
    assert_eq!(sandbox.read("h.md"), INITIAL.as_bytes());
    let rejected = receipt(&sandbox.guard("write h.md --output-format json").stdin(&candidate).assert().code(1));
    assert_eq!(rejected["outcome"], "rejected");
    assert_eq!(rejected["diagnostics"][0]["rule"], "succession/created-at");
    assert_eq!(rejected["diagnostics"][0]["related"][0]["document"], "previous");
    assert_eq!(rejected["error"]["kept"], "h.md.rejected");
    assert_eq!(rejected["after"], Value::Null);
}

#[test]
fn a_candidate_with_a_credential_is_neither_kept_nor_shown() {
    let sandbox = begun();
    let token = format!("ghp_{}", "a1".repeat(18));
    let candidate = NEEDS_ANSWERS.replacen("- Connect", &format!("- {token} Connect"), 1);
    for format in ["text", "json"] {
        let command = sandbox.guard(&format!("write h.md --output-format {format}")).stdin(&candidate);
        let assert = command.assert().code(1);
        let shown = [assert.get_output().stdout.clone(), assert.get_output().stderr.clone()].concat();
        assert!(!String::from_utf8_lossy(&shown).contains(&token));
    }
    assert_eq!(sandbox.names(""), ["h.md", "next.md"]);
}

#[test]
fn a_candidate_that_never_ends_is_not_read_to_its_end() {
    let sandbox = begun();
    let mut large = NEEDS_ANSWERS.as_bytes().to_vec();
    large.resize(9 * 1024 * 1024, b'\n');
    let rejected = receipt(&sandbox.guard("write h.md --output-format json").stdin(large).assert().code(1));
    assert_eq!(rejected["diagnostics"][0]["rule"], "encoding/too-large");
    assert_eq!(rejected["error"]["kept"], Value::Null);
}

// Exit codes of paths and arguments.

#[test]
fn a_path_that_cannot_be_an_official_file_is_misuse() {
    let sandbox = begun();
    sandbox.write("folder/x", "");
    let long = "x".repeat(247);
    for (file, reason) in [
        ("nowhere/h.md", "the directory `nowhere` does not exist"),
        ("h.md/x.md", "`h.md` is not a directory"),
        ("..", "the path names no file"),
        ("h.md/", "the path names no file"),
        ("h.md/.", "the path names no file"),
        ("-", "`-` is no file here"),
        ("folder", "`folder` is a directory"),
        ("missing.md", "`missing.md` does not exist"),
        (long.as_str(), "the file name has 247 bytes; it may have 246"),
    ] {
        let assert = sandbox.guard(&format!("write --from next.md -- {file}")).assert().code(2).stdout_eq("");
        let message = stderr(&assert);
        assert!(message.contains(reason) && message.contains("\nnext: "), "{message}");
        let refused = sandbox.guard(&format!("write --from next.md --output-format json -- {file}")).assert().code(2);
        assert_eq!(receipt(&refused)["outcome"], "unusable");
    }
    assert_eq!(sandbox.names(""), ["folder", "h.md", "next.md"]);
}

#[test]
fn wrong_arguments_are_misuse() {
    let sandbox = begun();
    let (short, upper) = ("a".repeat(63), digest(INITIAL).to_uppercase());
    for args in [
        String::new(),
        "h.md --from nowhere.md".to_owned(),
        "h.md --from .".to_owned(),
        format!("h.md --from next.md --expect-digest {short}"),
        "h.md --from next.md --lock-timeout -1".to_owned(),
        "h.md --from next.md --lock-timeout inf".to_owned(),
        "h.md --from next.md --lock-timeout 1e300".to_owned(),
    ] {
        sandbox.guard(&format!("write {args}")).assert().code(2);
    }
    sandbox.guard(&format!("write h.md --from next.md --lock-timeout 0.5 --expect-digest {upper}")).assert().code(0);
}

// Conflicts.

#[test]
fn a_first_version_never_replaces_a_file() {
    let sandbox = begun();
    let first = INITIAL.replacen("nothing audited yet", "nothing was audited", 1);
    let command = sandbox.guard("write h.md --expect-session importer-4c81 --output-format json").stdin(first);
    assert_eq!(receipt(&command.assert().code(4))["outcome"], "conflict");
    assert_eq!(sandbox.read("h.md"), INITIAL.as_bytes());
}

#[test]
fn a_backup_without_an_official_file_is_recovered_first() {
    let sandbox = Sandbox::new();
    sandbox.write("h.md.bak", INITIAL);
    let command = sandbox.guard("write h.md --expect-session importer-4c81 --output-format json").stdin(INITIAL);
    assert_eq!(receipt(&command.assert().code(7))["outcome"], "not-verifiable");
    sandbox.write("h.md.bak", "notes");
    sandbox.guard("write h.md --expect-session importer-4c81").stdin(INITIAL).assert().code(4);
    assert_eq!(sandbox.names(""), ["h.md.bak"]);
}

#[test]
fn an_official_file_that_is_not_verifiable_is_left_to_recovery() {
    let sandbox = begun();
    sandbox.write("h.md", INITIAL.split_once("# Handoff Details").unwrap().0);
    sandbox.write("h.md.bak", INITIAL);
    let assert = sandbox.guard("write h.md --from next.md").assert().code(7).stdout_eq("");
    let message = stderr(&assert);
    assert!(message.contains("error[details/missing-section]") && message.contains("next: run `recover`"), "{message}");
    assert_eq!(sandbox.read("h.md.bak"), INITIAL.as_bytes());
    let failed = receipt(&sandbox.guard("write h.md --from next.md --output-format json").assert().code(7));
    assert_eq!(failed["outcome"], "not-verifiable");
    assert!(!failed["error"]["defects"].as_array().unwrap().is_empty());
}

#[test]
fn of_two_writers_with_the_same_base_one_is_first_and_the_other_is_told() {
    let sandbox = begun();
    sandbox.write("other.md", other());
    let run = |from: &str| {
        let args = format!("write h.md --from {from} --output-format json --expect-digest {}", digest(INITIAL));
        sandbox.guard(&args).output().unwrap()
    };
    let outcomes = std::thread::scope(|scope| {
        let writers = ["next.md", "other.md"].map(|from| scope.spawn(move || run(from)));
        writers.map(|writer| writer.join().unwrap().status.code().unwrap())
    });
    let (winner, loser) = match outcomes {
        [0, 4] => ("next.md", "other.md"),
        [4, 0] => ("other.md", "next.md"),
        other => panic!("{other:?}"),
    };
    assert_eq!(sandbox.read("h.md"), sandbox.read(winner));
    assert_eq!(sandbox.read("h.md.rejected"), sandbox.read(loser));
    assert_eq!(sandbox.read("h.md.bak"), INITIAL.as_bytes());
}

#[test]
fn a_writer_that_lost_is_told_where_its_candidate_is_unless_that_holds_a_credential() {
    let sandbox = begun();
    let stale = format!("write h.md --from other.md --output-format json --expect-digest {}", digest("another"));
    sandbox.write(
        "other.md",
        other().replace("status_reason: \"", &format!("status_reason: \"ghp_{} ", "a1B2".repeat(9))),
    );
    assert_eq!(receipt(&sandbox.guard(&stale).assert().code(4))["error"]["kept"], Value::Null);
    assert!(!sandbox.path("h.md.rejected").exists());
    sandbox.write("other.md", other());
    for args in [stale.as_str(), "write h.md --from other.md --output-format json --expect-session importer-4c81"] {
        let refused = receipt(&sandbox.guard(args).assert().code(4));
        assert_eq!(refused["error"]["kept"], "h.md.rejected", "{refused}");
        assert!(refused["error"]["message"].as_str().unwrap().contains("kept as `h.md.rejected`"), "{refused}");
        assert_eq!(sandbox.read("h.md.rejected"), other().as_bytes());
        sandbox.write("h.md.rejected", "an older one");
    }
}

#[test]
fn a_digest_that_differs_by_converted_line_ends_says_so() {
    let sandbox = begun();
    sandbox.write("h.md", INITIAL.replace('\n', "\r\n"));
    let assert = sandbox.guard(&format!("write h.md --from next.md --expect-digest {}", digest(INITIAL))).assert();
    let message = stderr(&assert.code(4));
    assert!(message.contains("only the line ends differ"), "{message}");
}

#[test]
fn a_lock_that_is_held_is_waited_for_and_a_stale_lock_file_is_no_lock() {
    let sandbox = begun();
    sandbox.write(".h.md.lock", "");
    let lock = File::open(sandbox.path(".h.md.lock")).unwrap();
    lock.lock().unwrap();
    let assert = sandbox.guard("write h.md --from next.md --lock-timeout 0.01").assert().code(4);
    assert!(stderr(&assert).contains("`.h.md.lock` is still held by another writer after 0.01 s"));
    drop(lock);
    // A process that another test just forked may hold it for a moment.
    sandbox.guard("write h.md --from next.md").assert().code(0);
}

#[test]
fn candidates_of_dead_writers_are_neither_read_nor_in_the_way() {
    let sandbox = begun();
    let leftover = leftover("h.md");
    sandbox.write(&leftover, NEEDS_ANSWERS);
    sandbox.guard("write h.md --from next.md").assert().code(0);
    assert_eq!(sandbox.names(""), [leftover.as_str(), "h.md", "h.md.bak", "next.md"]);
}

/// The name of a candidate that a dead writer of `official` left behind.
pub(super) fn leftover(official: &str) -> String {
    let digest: String = digest(official).chars().take(8).collect();
    format!(".handoff-{digest}-00000000deadbeef.cand")
}

// What only Unix has.

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    use std::process::Command;

    use super::*;
    use crate::sandbox::GUARD;

    fn chmod(sandbox: &Sandbox, name: &str, mode: u32) {
        std::fs::set_permissions(sandbox.path(name), std::fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn the_temporary_directory_of_the_system_is_not_used() {
        let sandbox = begun();
        sandbox.guard("write h.md --from next.md").env("TMPDIR", "/nowhere").assert().code(0);
    }

    #[test]
    fn a_symbolic_link_is_refused_or_followed_and_never_replaced() {
        let sandbox = begun();
        sandbox.write("links/next.md", NEEDS_ANSWERS);
        symlink("../h.md", sandbox.path("links/l.md")).unwrap();
        let assert = sandbox.guard("write links/l.md --from next.md").assert().code(2);
        assert!(stderr(&assert).contains("symbolic link to `../h.md`") && stderr(&assert).contains("--follow"));
        sandbox.guard("write links/l.md --from next.md --follow").assert().code(0);
        assert!(sandbox.path("links/l.md").is_symlink());
        assert_eq!(sandbox.read("h.md"), NEEDS_ANSWERS.as_bytes());
        assert_eq!(sandbox.names(""), ["h.md", "h.md.bak", "links", "next.md"]);
        assert_eq!(sandbox.names("links"), ["l.md", "next.md"]);
        symlink("nowhere", sandbox.path("dangling.md")).unwrap();
        sandbox.guard("write dangling.md --follow --expect-session importer-4c81 --from h.md").assert().code(2);
    }

    #[test]
    fn the_mode_and_the_group_of_the_file_are_kept() {
        for mode in [0o644, 0o640, 0o600] {
            let sandbox = begun();
            sandbox.write("shared/h.md", INITIAL);
            chmod(&sandbox, "shared", 0o2775);
            chmod(&sandbox, "shared/h.md", mode);
            let group = std::fs::metadata(sandbox.path("shared/h.md")).unwrap().gid();
            sandbox.guard("write shared/h.md --from next.md").assert().code(0);
            for name in ["shared/h.md", "shared/h.md.bak"] {
                let now = std::fs::metadata(sandbox.path(name)).unwrap();
                assert_eq!((now.mode() & 0o7777, now.gid()), (mode, group), "{name}");
            }
        }
    }

    #[test]
    fn a_first_version_has_the_mode_of_any_new_file() {
        let sandbox = begun();
        sandbox.guard("write first.md --expect-session importer-4c81").stdin(INITIAL).assert().code(0);
        let mode = |name| std::fs::metadata(sandbox.path(name)).unwrap().mode();
        assert_eq!(mode("first.md"), mode("next.md"));
    }

    #[test]
    fn a_file_with_other_names_is_refused() {
        let sandbox = begun();
        std::fs::hard_link(sandbox.path("h.md"), sandbox.path("other.md")).unwrap();
        sandbox.guard("write h.md --from next.md").assert().code(2);
        assert_eq!(sandbox.read("other.md"), INITIAL.as_bytes());
    }

    #[test]
    fn a_fifo_is_refused_at_once() {
        let sandbox = begun();
        assert!(Command::new("mkfifo").arg(sandbox.path("pipe.md")).status().unwrap().success());
        sandbox.guard("write pipe.md --from next.md").assert().code(2);
        sandbox.guard("write h.md --from pipe.md").assert().code(2);
        sandbox.guard("recover pipe.md").assert().code(2);
    }

    #[test]
    fn a_path_need_not_be_utf_8() {
        let sandbox = begun();
        let name = OsStr::from_bytes(b"\xff\x1bhandoff.md");
        // Some file systems take UTF-8 only.
        if File::create_new(sandbox.path(name)).is_err() {
            return;
        }
        sandbox.write(name, INITIAL);
        let assert = sandbox.guard("write --from next.md").arg(name).assert().code(0);
        let said = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
        assert!(said.starts_with("\u{fffd}\\u{1b}handoff.md: committed\n"), "{said:?}");
        assert_eq!(sandbox.read(name), NEEDS_ANSWERS.as_bytes());
        let committed = sandbox.guard("recover --output-format json").arg(name).assert().code(0);
        assert_eq!(receipt(&committed)["path"], "\u{fffd}\u{1b}handoff.md");
    }

    /// A run where no file may be larger than 8 blocks, of 512 bytes or 1024: more than one of our documents, and less
    /// than a `large` one.
    fn limited(sandbox: &Sandbox, args: &str) -> OutputAssert {
        let command = sandbox.command("sh").args(["-c", "ulimit -f 8; exec \"$@\"", "sh", GUARD]);
        command.args(args.split_whitespace()).assert()
    }

    fn large(text: &str) -> String {
        format!("{text}\n<!-- {} -->\n", "x".repeat(20_000))
    }

    #[test]
    fn a_write_beyond_the_file_size_limit_fails_and_does_not_kill() {
        let sandbox = begun();
        sandbox.write("large.md", large(NEEDS_ANSWERS));
        sandbox.write("h.md.bak", "an older version");
        let assert = limited(&sandbox, "write h.md --from large.md").code(5).stdout_eq("");
        let message = stderr(&assert);
        assert!(message.contains("not committed: could not write the candidate"), "{message}");
        assert!(message.contains("now: the official file is as it was\nnext: raise the limit"), "{message}");
        assert_eq!(sandbox.names(""), ["h.md", "h.md.bak", "large.md", "next.md"]);
        assert_eq!(sandbox.read("h.md"), INITIAL.as_bytes());
    }

    #[test]
    fn a_backup_that_cannot_be_written_leaves_both_files_alone() {
        let sandbox = begun();
        sandbox.write("h.md", large(INITIAL));
        sandbox.write("h.md.bak", "an older version");
        let failed = receipt(&limited(&sandbox, "write h.md --from next.md --output-format json").code(5));
        assert_eq!(failed["outcome"], "not-committed");
        assert_eq!(failed["error"]["step"], "write the new backup");
        assert_eq!(sandbox.names(""), ["h.md", "h.md.bak", "next.md"]);
        assert_eq!(sandbox.read("h.md"), large(INITIAL).as_bytes());
        assert_eq!(sandbox.read("h.md.bak"), b"an older version");
    }

    #[test]
    fn a_receipt_that_nobody_reads_changes_no_outcome() {
        let sandbox = begun();
        let (_, writer) = std::io::pipe().unwrap();
        let mut command = Command::new(GUARD);
        command.current_dir(sandbox.path("")).args(["write", "h.md", "--from", "next.md"]).stdout(writer);
        assert_eq!(command.status().unwrap().code(), Some(0));
        assert_eq!(sandbox.read("h.md"), NEEDS_ANSWERS.as_bytes());
    }
}

#[test]
fn a_credential_as_the_session_id_is_in_no_receipt() {
    let sandbox = Sandbox::new();
    let token = format!("ghp_{}", "a1B2".repeat(9));
    sandbox.write("new.md", INITIAL.replace("importer-4c81", &token));
    for args in ["write x.md --expect-session importer-4c81 --from new.md --output-format json", "recover new.md"] {
        let output = sandbox.guard(args).output().unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(!said.contains(token.split_at(4).1), "{said}");
    }
}

#[test]
fn a_name_that_belongs_to_another_file_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("new.md", INITIAL);
    for name in ["x.md.bak", "x.md.rejected", ".x.md.lock", "x.md.damaged-12ab"] {
        sandbox.guard(&format!("write {name} --expect-session importer-4c81 --from new.md")).assert().code(2);
    }
}

#[test]
fn the_backup_of_another_session_is_left_alone() {
    let sandbox = Sandbox::new();
    sandbox.write("new.md", INITIAL);
    sandbox.write("x.md.bak", INITIAL.replace("importer-4c81", "other"));
    sandbox.guard("write x.md --expect-session importer-4c81 --from new.md").assert().code(4);
    sandbox.guard("write x.md --expect-session other --from new.md").assert().code(7);
}
