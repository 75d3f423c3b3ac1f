//! `--output-file`.

use super::{FORMATS, json, report};
use crate::sandbox::{INITIAL, Sandbox};

#[test]
fn the_report_goes_to_the_file_and_the_full_one_to_standard_output() {
    let sandbox = Sandbox::with_documents();
    let full = report(&sandbox, ". nowhere");
    for format in FORMATS {
        let args = format!(". nowhere --output-format {format}");
        let alone = report(&sandbox, &args);
        let command = sandbox.guard(&format!("check {args} --output-file report.txt")).assert().code(2);
        assert_eq!(String::from_utf8(command.get_output().stdout.clone()).unwrap(), full, "{format}");
        assert_eq!(String::from_utf8(sandbox.read("report.txt")).unwrap(), alone, "{format}");
    }
    assert_eq!(sandbox.names(""), ["bad.handoff.md", "good.handoff.md", "report.txt"]);
}

#[test]
fn a_colour_of_the_terminal_does_not_reach_the_file() {
    let sandbox = Sandbox::with_documents();
    let output = sandbox.guard("check bad.handoff.md --color always --output-file report.txt").assert().code(1);
    assert!(output.get_output().stdout.contains(&0x1b));
    assert!(!sandbox.read("report.txt").contains(&0x1b));
}

#[test]
fn a_report_that_cannot_be_written_is_an_operational_error_and_changes_nothing() {
    let sandbox = Sandbox::with_documents();
    sandbox.write("folder/kept", "");
    for name in ["folder", "nowhere/report.json", "-", "..", "x.bak"] {
        for (document, code) in [("good.handoff.md", 2), ("bad.handoff.md", 2)] {
            let args = format!("check {document} --output-format json --output-file {name}");
            let output = sandbox.guard(&args).assert().code(code);
            let message = String::from_utf8(output.get_output().stderr.clone()).unwrap();
            assert!(message.contains("report"), "{message}");
        }
    }
    assert_eq!(sandbox.names(""), ["bad.handoff.md", "folder", "good.handoff.md"]);
}

#[test]
fn a_report_never_replaces_what_the_run_reads() {
    let sandbox = Sandbox::with_documents();
    sandbox.write("list.txt", "good.handoff.md");
    for args in [
        "good.handoff.md --output-file ./good.handoff.md",
        ". --output-file good.handoff.md",
        "bad.handoff.md --previous good.handoff.md --output-file good.handoff.md",
        "--files-from list.txt --output-file list.txt",
    ] {
        let output = sandbox.guard(&format!("check {args} --output-format json")).assert().code(2);
        let message = String::from_utf8(output.get_output().stderr.clone()).unwrap();
        assert!(message.contains("no report can be written there: this run reads it"), "{message}");
    }
    assert_eq!(sandbox.read("good.handoff.md"), INITIAL.as_bytes());
    assert_eq!(sandbox.read("list.txt"), b"good.handoff.md");
}

#[test]
fn exit_zero_reports_defects_to_the_file_and_succeeds() {
    let sandbox = Sandbox::with_documents();
    sandbox.guard("check bad.handoff.md --exit-zero --output-format json --output-file r.json").assert().code(0);
    let report = json(&String::from_utf8(sandbox.read("r.json")).unwrap());
    assert_eq!(report["summary"]["invalid"], 1);
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_and_the_access_of_the_file_is_kept() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let sandbox = Sandbox::with_documents();
    sandbox.write("real.json", "old");
    std::fs::set_permissions(sandbox.path("real.json"), std::fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.json", sandbox.path("link.json")).unwrap();
    sandbox.guard("check good.handoff.md --output-format json --output-file link.json").assert().code(0);
    assert_eq!(json(&String::from_utf8(sandbox.read("real.json")).unwrap())["summary"]["valid"], 1);
    assert!(std::fs::symlink_metadata(sandbox.path("link.json")).unwrap().is_symlink());
    let mode = std::fs::metadata(sandbox.path("real.json")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn a_summary_of_nothing_is_a_report_too() {
    let sandbox = Sandbox::new();
    for format in FORMATS {
        sandbox.guard(&format!("check . --allow-empty --output-format {format} --output-file r")).assert().code(0);
        assert!(sandbox.path("r").exists(), "{format}");
    }
}
