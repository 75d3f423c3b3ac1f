//! Standard output that is full, closed or gone.
#![cfg(unix)]

use std::fs::OpenOptions;
use std::io;
use std::process::{Command, Output, Stdio};

use super::formats::FORMATS;
use crate::sandbox::{DROP_IN, GUARD, Sandbox};

fn run(sandbox: &Sandbox, program: &str, args: &[&str], stdout: Stdio) -> Output {
    let mut command = Command::new(program);
    command.current_dir(sandbox.path("")).args(args).stdout(stdout).stderr(Stdio::piped()).output().unwrap()
}

/// The writing end of a pipe that nobody reads.
fn closed_pipe() -> Stdio {
    let (_, writer) = io::pipe().unwrap();
    writer.into()
}

#[test]
fn a_reader_that_has_gone_away_changes_no_verdict() {
    let sandbox = Sandbox::with_documents();
    for (name, code) in [("good.handoff.md", 0), ("bad.handoff.md", 1), ("nowhere", 2)] {
        for format in FORMATS {
            let output = run(&sandbox, GUARD, &["check", "--output-format", format, name], closed_pipe());
            assert_eq!(output.status.code(), Some(code), "{name} as {format}");
            let message = String::from_utf8(output.stderr).unwrap();
            assert_eq!(message.lines().count(), usize::from(code == 2 && format != "github"), "{message}");
        }
        let output = run(&sandbox, DROP_IN, &[name], closed_pipe());
        assert_eq!(output.status.code(), Some(code), "{name}");
    }
    assert_eq!(run(&sandbox, GUARD, &["explain"], closed_pipe()).status.code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_operational_error() {
    let sandbox = Sandbox::with_documents();
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap().into();
    for args in [&["check", "good.handoff.md"][..], &["check", "bad.handoff.md"], &["explain"], &["--help"]] {
        let output = run(&sandbox, GUARD, args, full());
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(message.starts_with("error: cannot write to standard output: "), "{message}");
    }
    assert_eq!(run(&sandbox, DROP_IN, &["good.handoff.md"], full()).status.code(), Some(2));
}
