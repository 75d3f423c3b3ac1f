//! What a run says about documents.

use serde_json::{Value, json};
use snapbox::str;

use super::formats::FORMATS;
use crate::sandbox::{INITIAL, READY, Sandbox, bad};

fn stdout(assert: &snapbox::cmd::OutputAssert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

/// The valid document with a state in its TL;DR that is not the state.
fn contradicting() -> String {
    INITIAL.replacen("- Status: COLLECTING", "- Status: REVIEW_PENDING", 1)
}

#[test]
fn the_full_report_shows_both_places_the_verdict_and_the_way_on() {
    let sandbox = Sandbox::new();
    sandbox.guard("check -").stdin(contradicting()).assert().code(1).stderr_eq("").stdout_eq(str![[r#"
error[tldr/status-mismatch]: [..]
  --> <stdin>:27:11
   |
 8 | handoff_status: COLLECTING
   |                 ----------[..]
...
27 | - Status: REVIEW_PENDING
   |           ^^^^^^^^^^^^^^[..]
...
<stdin>: invalid, 1 error
learn more: handoff-guard explain tldr/status-mismatch

"#]]);
}

#[test]
fn carets_stand_under_wide_characters() {
    let sandbox = Sandbox::new();
    let text = INITIAL.replacen("- Write the adapter", "- 任务\u{7}交接", 1);
    sandbox.guard("check -").stdin(text).assert().code(1).stdout_eq(str![[r#"
error[encoding/control-character]: [..]
  --> <stdin>:32:5
   |
32 | - 任务/u{7}交接 between reader and writer.
   |       ^^^^^[..]
...
<stdin>: invalid, 1 error
learn more: handoff-guard explain encoding/control-character

"#]]);
}

#[test]
fn several_documents_end_with_a_summary() {
    let sandbox = Sandbox::with_documents();
    sandbox.write("other.handoff.md", INITIAL);
    sandbox.guard("check good.handoff.md bad.handoff.md nowhere other.handoff.md").assert().code(2).stdout_eq(str![[
        r#"
error[fence/missing]: [..]
 --> bad.handoff.md:1:[..]
...
bad.handoff.md: invalid, 1 error
learn more: handoff-guard explain fence/missing

3 files checked: 2 valid, 1 invalid, 1 unreadable; 1 error

"#
    ]]);
    sandbox.guard("check good.handoff.md other.handoff.md").assert().code(0).stdout_eq("2 files checked: 2 valid\n");
}

#[test]
fn advice_is_counted_or_shown_and_never_rejects() {
    let sandbox = Sandbox::new();
    let text = INITIAL.replacen("# Handoff Details", "---\n\n# Handoff Details", 1);
    sandbox.guard("check -").stdin(&text).assert().code(0).stdout_eq(str![[r#"
<stdin>: valid, 1 piece of advice (shown with --advice)

"#]]);
    sandbox.guard("check - --output-format concise").stdin(&text).assert().code(0).stdout_eq("");
    sandbox.guard("check - --output-format concise --advice").stdin(&text).assert().code(0).stdout_eq(str![[r#"
<stdin>:43:1: advice[portability/body-marker] [..]

"#]]);
    sandbox.guard("check - --advice").stdin(&text).assert().code(0).stdout_eq(str![[r#"
advice[portability/body-marker]: [..]
  --> <stdin>:43:1
...
<stdin>: valid, 1 piece of advice
learn more: handoff-guard explain portability/body-marker

"#]]);
}

#[test]
fn the_reference_profile_has_fewer_rules() {
    let sandbox = Sandbox::new();
    let text = INITIAL.replacen("# Handoff Details", "---\n\n# Handoff Details", 1);
    sandbox.guard("check - --profile reference").stdin(text).assert().code(0).stdout_eq("<stdin>: valid\n");
    sandbox.guard("check - --profile other").stdin("").assert().code(2);
}

#[test]
fn no_control_character_of_a_document_reaches_the_terminal() {
    let sandbox = Sandbox::new();
    let text = INITIAL.replacen("- Status: COLLECTING", "- Status: \u{1b}[31mREADY\u{202e}\u{9b}\u{7}", 1);
    for format in FORMATS {
        let command = sandbox.guard(&format!("check - --advice --color never --output-format {format}"));
        let report = stdout(&command.stdin(&text).assert().code(1));
        assert!(report.contains("encoding/control-character"), "{report}");
        let unsafe_character = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!report.contains(unsafe_character), "{report:?}");
    }
}

#[test]
fn a_credential_is_never_shown() {
    let sandbox = Sandbox::new();
    let token = format!("ghp_{}", "a1".repeat(18));
    let text = INITIAL.replacen("- Status: COLLECTING", &format!("- Status: READY {token}"), 1);
    for format in FORMATS {
        let command = sandbox.guard(&format!("check - --advice --output-format {format}"));
        let report = stdout(&command.stdin(&text).assert().code(1));
        assert!(report.contains("security/secret"), "{report}");
        assert!(!report.contains("ghp_a1"), "{report}");
    }
}

#[test]
fn colours_are_used_when_asked_for_and_never_in_a_pipe() {
    let sandbox = Sandbox::with_documents();
    let coloured = |args: &str| stdout(&sandbox.guard(args).assert().code(1)).contains('\u{1b}');
    assert!(!coloured("check bad.handoff.md"));
    assert!(coloured("check bad.handoff.md --color always"));
    assert!(!coloured("check bad.handoff.md --color never"));
}

/// The JSON report of a run, which obeys its schema.
pub(super) fn checked(sandbox: &Sandbox, args: &str, code: i32) -> Value {
    let report = stdout(&sandbox.guard(&format!("check --output-format json {args}")).assert().code(code));
    assert!(report.ends_with("}\n") && report.lines().count() == 1, "{report}");
    let report = serde_json::from_str(&report).unwrap();
    let schema = stdout(&sandbox.guard("schema report").assert().code(0));
    let schema = serde_json::from_str(&schema).unwrap();
    let errors: Vec<String> =
        jsonschema::validator_for(&schema).unwrap().iter_errors(&report).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?} in {report:#}");
    report
}

#[test]
fn the_json_report_obeys_its_schema_and_says_everything() {
    let sandbox = Sandbox::with_documents();
    sandbox.write("contradicting.md", contradicting());
    let report = checked(&sandbox, "good.handoff.md contradicting.md bad.handoff.md nowhere", 2);
    let summary = json!({ "checked": 3, "valid": 1, "invalid": 2, "unreadable": 1 });
    assert_eq!(report["summary"], summary);
    assert_eq!(report["errors"][0]["path"], "nowhere");
    assert_eq!(report["files"][0]["verdict"], "valid");
    assert_eq!(report["files"][0]["profile"], "full");
    let finding = &report["files"][1]["diagnostics"][0];
    assert_eq!(finding["rule"], "tldr/status-mismatch");
    assert_eq!(finding["severity"], "error");
    assert_eq!(finding["clause"], "PROTOCOL §6");
    assert_eq!(finding["start"], json!({ "line": 27, "column": 11 }));
    let start = contradicting().find("REVIEW_PENDING").unwrap();
    assert_eq!(finding["span"], json!({ "start": start, "end": start + "REVIEW_PENDING".len() }));
    assert_eq!(finding["related"][0]["document"], "checked");
    assert_eq!(report["files"][2]["diagnostics"][0]["rule"], "fence/missing");
}

#[test]
fn the_json_report_carries_advice_and_places_in_the_previous_version() {
    let sandbox = Sandbox::with_documents();
    sandbox.write("r.md", READY.replacen("# Handoff Details", "---\n\n# Handoff Details", 1));
    let report = checked(&sandbox, "r.md", 0);
    assert_eq!(report["files"][0]["diagnostics"][0]["severity"], "advice");
    sandbox.write("new.md", INITIAL.replacen("created_at: \"2026", "created_at: \"2025", 1));
    let report = checked(&sandbox, "new.md --previous good.handoff.md", 1);
    let findings = report["files"][0]["diagnostics"].as_array().unwrap();
    let finding = findings.iter().find(|finding| finding["rule"] == "succession/created-at").unwrap();
    assert_eq!(finding["related"][0]["document"], "previous");
}

#[test]
fn the_json_report_exists_when_nothing_could_be_judged() {
    let sandbox = Sandbox::with_documents();
    let report = checked(&sandbox, "good.handoff.md --previous bad.handoff.md", 2);
    assert_eq!(report["files"], json!([]));
    let reason = report["errors"][0]["message"].as_str().unwrap();
    assert!(reason.contains("error[fence/missing]"), "{reason}");
    checked(&sandbox, ". --allow-empty", 1);
}

#[test]
fn the_digest_is_of_the_bytes_and_absent_when_they_were_not_all_read() {
    let sandbox = Sandbox::new();
    let mut large = INITIAL.as_bytes().to_vec();
    large.resize(4 * 1024 * 1024 + 1, b'\n');
    sandbox.write("large.md", &large);
    assert_eq!(checked(&sandbox, "large.md --exit-zero", 0)["files"][0]["digest"], Value::Null);
    sandbox.write("bad.md", bad());
    let digest = handoff_guard::protocol::digest::Digest::of(bad().as_bytes()).to_string();
    assert_eq!(checked(&sandbox, "bad.md", 1)["files"][0]["digest"], digest);
}
