//! What somebody who prepares a directory can try.

use std::fs::{File, Permissions, hard_link, set_permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

use crate::sandbox::{GUARD, INITIAL, NEEDS_ANSWERS, READY, Sandbox};

const SECRET: &str = "secret of somebody else";

/// What an attacker can put at a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trap {
    Link,
    DanglingLink,
    HardLink,
    Fifo,
    Directory,
}

const TRAPS: [Trap; 5] = [Trap::Link, Trap::DanglingLink, Trap::HardLink, Trap::Fifo, Trap::Directory];

impl Trap {
    fn set(self, sandbox: &Sandbox, name: &str) {
        let path = sandbox.path(name);
        match self {
            Self::Link => symlink("victim", path).unwrap(),
            Self::DanglingLink => symlink("nowhere", path).unwrap(),
            Self::HardLink => hard_link(sandbox.path("victim"), path).unwrap(),
            Self::Fifo => mkfifo(&path),
            Self::Directory => std::fs::create_dir(path).unwrap(),
        }
    }
}

fn mkfifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// A directory with a file of somebody else.
fn directory() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("victim", SECRET);
    sandbox
}

fn said(sandbox: &Sandbox, args: &[&str]) -> (Option<i32>, String) {
    let output = sandbox.command(GUARD).args(args).output().unwrap();
    (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

#[test]
fn nothing_at_a_name_beside_a_handoff_leads_to_another_file() {
    for trap in TRAPS {
        for name in ["h.md", "h.md.bak", "h.md.rejected", "h.md.damaged-00ff", ".h.md.lock"] {
            for (version, args) in [
                (INITIAL, "write h.md --from next.md"),
                (INITIAL, "write h.md --from victim"),
                ("damaged", "recover h.md"),
                (READY, "discard h.md --yes --force"),
                (READY, "export h.md copy.md --overwrite"),
            ] {
                let sandbox = directory();
                sandbox.write("next.md", NEEDS_ANSWERS);
                if name != "h.md" {
                    sandbox.write("h.md", version);
                }
                trap.set(&sandbox, name);
                let (code, said) = said(&sandbox, &args.split(' ').collect::<Vec<_>>());
                let context = format!("{trap:?} at {name}: {args}: {code:?}: {said}");
                assert!(code.is_some_and(|code| code <= 7), "{context}");
                assert_eq!(sandbox.read("victim"), SECRET.as_bytes(), "{context}");
                assert!(!sandbox.path("nowhere").exists(), "{context}");
                let is_lock = name == ".h.md.lock" && trap != Trap::HardLink && !args.starts_with("export");
                assert!(!is_lock || code == Some(5), "{context}");
            }
        }
    }
}

#[test]
fn a_copy_goes_to_a_regular_file_or_nowhere() {
    for trap in TRAPS {
        for overwrite in ["", " --overwrite"] {
            let sandbox = directory();
            sandbox.write("h.md", READY);
            trap.set(&sandbox, "copy.md");
            let args = format!("export h.md copy.md{overwrite}");
            let (code, said) = said(&sandbox, &args.split(' ').collect::<Vec<_>>());
            let expected = match (trap, overwrite) {
                (Trap::HardLink, "") => 4,
                (Trap::HardLink | Trap::Directory, _) => 0,
                (Trap::Link | Trap::DanglingLink | Trap::Fifo, _) => 2,
            };
            assert_eq!(code, Some(expected), "{trap:?}{overwrite}: {said}");
            assert_eq!(sandbox.read("victim"), SECRET.as_bytes(), "{trap:?}{overwrite}");
        }
    }
}

/// Exchanges two names over and over while `command` runs.
#[cfg(target_os = "linux")]
fn while_exchanged<T>(sandbox: &Sandbox, names: [&str; 2], command: impl FnOnce() -> T) -> T {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use rustix::fs::{CWD, RenameFlags, renameat_with};
    let [one, other] = names.map(|name| sandbox.path(name));
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                // A name that a discard removed cannot be exchanged.
                let _ = renameat_with(CWD, &one, CWD, &other, RenameFlags::EXCHANGE);
            }
        });
        let result = command();
        done.store(true, Ordering::Relaxed);
        result
    })
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_is_exchanged_meanwhile_costs_nobody_anything() {
    for trap in TRAPS {
        for (exchanged, args) in [
            ("h.md", "check h.md --exit-zero"),
            ("h.md", "export h.md copy.md"),
            ("copy.md", "export h.md copy.md --overwrite"),
            ("h.md", "discard h.md --yes"),
            ("h.md", "write h.md --from h.md"),
        ] {
            for _ in 0..4 {
                let sandbox = directory();
                sandbox.write("h.md", READY);
                if exchanged == "copy.md" {
                    sandbox.write("copy.md", "old");
                }
                trap.set(&sandbox, "other");
                let run = || said(&sandbox, &args.split(' ').collect::<Vec<_>>());
                let (code, said) = while_exchanged(&sandbox, [exchanged, "other"], run);
                let context = format!("{trap:?} for {exchanged}: {args}: {code:?}: {said}");
                assert!(code.is_some_and(|code| code <= 8), "{context}");
                assert_eq!(sandbox.read("victim"), SECRET.as_bytes(), "{context}");
                if exchanged == "h.md" && sandbox.path("copy.md").exists() {
                    assert_eq!(sandbox.read("copy.md"), READY.as_bytes(), "{context}");
                }
            }
        }
    }
}

#[test]
fn no_version_can_be_run_with_the_rights_of_its_owner() {
    let sandbox = Sandbox::new();
    let mode = |name: &str| std::fs::metadata(sandbox.path(name)).unwrap().mode() & 0o7777;
    sandbox.write("next.md", NEEDS_ANSWERS);
    for (name, version, args) in
        [("h.md", INITIAL, "write h.md --from next.md"), ("r.md", READY, "export r.md copy.md")]
    {
        sandbox.write(name, version);
        set_permissions(sandbox.path(name), Permissions::from_mode(0o6755)).unwrap();
        sandbox.guard(args).assert().code(0);
    }
    assert_eq!(["h.md", "h.md.bak", "copy.md"].map(mode), [0o755; 3]);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test clears up after itself")]
fn an_ignore_file_that_is_no_file_is_not_waited_for() {
    for name in [".gitignore", ".ignore", ".git/info/exclude"] {
        for folder in ["d", "d/inner"] {
            let sandbox = Sandbox::new();
            sandbox.write("d/a.handoff.md", INITIAL);
            sandbox.write("d/inner/b.handoff.md", INITIAL);
            sandbox.write(format!("{folder}/.git/info/x"), "");
            let path = sandbox.path(format!("{folder}/{name}"));
            mkfifo(&path);
            for args in ["check d", "check d/inner"] {
                let assert = sandbox.guard(args).assert();
                let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
                if folder == "d" || args == "check d/inner" || name != ".git/info/exclude" {
                    assert!(said.contains("it is no regular file; `--no-ignore` does without it"), "{args}: {said}");
                    assert.code(2);
                }
            }
            sandbox.guard("check d --no-ignore").assert().code(0);
            std::fs::remove_file(&path).unwrap();
            symlink("/dev/zero", &path).unwrap();
            sandbox.guard("check d").assert().code(2);
        }
    }
}

#[test]
fn ignore_files_cannot_take_all_memory() {
    let sandbox = Sandbox::new();
    let lines = |bytes: usize| "*a*b[c-d]?\n".repeat(bytes / 11);
    sandbox.write("d/1/2/a.handoff.md", INITIAL);
    sandbox.write("d/.ignore", lines(100 * 1024));
    sandbox.guard("check d").assert().code(0);
    sandbox.write("d/1/.ignore", lines(100 * 1024));
    for args in ["check d", "check d/1/2"] {
        let assert = sandbox.guard(args).assert().code(2);
        let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(said.contains("1/.ignore: what it ignores cannot be told: with those above it"), "{said}");
    }
}

#[test]
fn a_search_shows_nothing_of_what_lies_outside() {
    let sandbox = Sandbox::new();
    sandbox.write("outside", SECRET);
    sandbox.write("d/a.handoff.md", INITIAL);
    symlink("a.handoff.md", sandbox.path("d/inside.handoff.md")).unwrap();
    symlink("../outside", sandbox.path("d/out.handoff.md")).unwrap();
    symlink("/proc/self/environ", sandbox.path("d/process.handoff.md")).unwrap();
    let output = sandbox.guard("check d").env("TOKEN", SECRET).output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(!said.contains(SECRET), "{said}");
    assert!(said.contains("out.handoff.md: a symbolic link that leads out of the directory"), "{said}");
    assert!(said.contains("2 files checked: 2 valid, "), "{said}");
    sandbox.guard("check d/out.handoff.md").assert().code(1);
}

#[test]
fn no_line_of_a_message_begins_with_what_a_name_says() {
    let sandbox = Sandbox::new();
    let name = "a\n::error::x.md";
    for (version, next) in [(INITIAL, NEEDS_ANSWERS), (READY, READY), ("broken", INITIAL)] {
        for args in [
            &["check", name][..],
            &["next", name],
            &["estimate", name],
            &["prompt", name, "--kind", "auditor"],
            &["write", name, "--from", "next.md"],
            &["write", name, "--from", name],
            &["audit", name, "--from", name],
            &["recover", name],
            &["export", name, "."],
            &["export", name, name],
            &["discard", name],
            &["write", "a\n::error::/x.md", "--from", name],
            &["check", "--previous", name, name],
            &["check", "--files-from", name],
            &["check", "next.md", "--output-file", name],
        ] {
            sandbox.write(name, version);
            sandbox.write("next.md", next);
            let (code, said) = said(&sandbox, args);
            assert!(!said.lines().any(|line| line.trim_start().starts_with("::error")), "{args:?}: {code:?}: {said}");
        }
    }
}

#[test]
fn a_huge_file_is_read_no_further_than_a_document_may_reach() {
    let sandbox = Sandbox::new();
    sandbox.write("h.md", INITIAL);
    // It takes no room on the disk, and would take all memory.
    File::create_new(sandbox.path("huge.handoff.md")).unwrap().set_len(1 << 40).unwrap();
    for (args, code) in [
        ("check huge.handoff.md", 1),
        ("check h.md --previous huge.handoff.md", 2),
        ("write h.md --from huge.handoff.md", 1),
        ("write huge.handoff.md --from h.md", 7),
        ("audit h.md --from huge.handoff.md", 1),
        ("recover huge.handoff.md", 6),
        ("export huge.handoff.md copy.md", 1),
        ("discard huge.handoff.md", 7),
        ("next huge.handoff.md", 7),
        ("check --files-from huge.handoff.md", 2),
    ] {
        sandbox.guard(args).assert().code(code);
    }
    assert_eq!(sandbox.read("h.md"), INITIAL.as_bytes());
}
