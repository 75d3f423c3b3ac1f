//! `recover`: what it finds, what it decides, and that it says why.

use serde_json::{Value, json};
use snapbox::str;

use super::write::leftover;
use crate::sandbox::{COLLECTING, INITIAL, NEEDS_ANSWERS, REVIEW_PENDING, Sandbox, bad, digest, receipt};

fn with(official: Option<&str>, backup: Option<&str>) -> Sandbox {
    let sandbox = Sandbox::new();
    for (name, content) in [("h.md", official), ("h.md.bak", backup)] {
        if let Some(content) = content {
            sandbox.write(name, content);
        }
    }
    sandbox
}

fn recovered(sandbox: &Sandbox, args: &str, code: i32) -> Value {
    receipt(&sandbox.guard(&format!("recover h.md --output-format json {args}")).assert().code(code))
}

/// `updated_at` of a version.
fn updated_at(text: &str) -> &str {
    text.lines().find(|line| line.starts_with("updated_at: ")).unwrap()
}

#[test]
fn a_healthy_file_stays() {
    let sandbox = with(Some(NEEDS_ANSWERS), Some(INITIAL));
    sandbox.guard("recover h.md").assert().code(0).stderr_eq("").stdout_eq(str![[r#"
h.md: healthy
session: importer-4c81, taken from the official file
official: h.md: verifiable, session importer-4c81, NEEDS_ANSWERS, round 1, updated 2026-[..], sha256 [..]
backup: h.md.bak: verifiable, session importer-4c81, COLLECTING, round 0, updated 2026-[..], sha256 [..]
why: the official file is a verifiable version of this session
now: sha256 [..], NEEDS_ANSWERS, round 1
checked: profile full, [..] rules

"#]]);
    assert_eq!(sandbox.names(""), ["h.md", "h.md.bak"]);
}

#[test]
fn a_write_that_the_file_system_lost_is_restored_once() {
    let zeros = "\0".repeat(1500);
    let sandbox = with(Some(&zeros), Some(INITIAL));
    sandbox.guard("recover h.md --dry-run").assert().code(0);
    assert_eq!(sandbox.read("h.md"), zeros.as_bytes());
    sandbox.guard("recover h.md").assert().code(0).stderr_eq("").stdout_eq(str![[r#"
h.md: restored
session: importer-4c81, taken from the backup
official: h.md: not verifiable, every byte is NUL: the file system lost a write
backup: h.md.bak: verifiable, [..]
why: the official file is not verifiable, and the backup is a verifiable version of this session
set aside: h.md.damaged-[..]
now: sha256 [..], COLLECTING, round 0
checked: profile full, [..] rules

"#]]);
    assert_eq!(sandbox.read("h.md"), INITIAL.as_bytes());
    let names = sandbox.names("");
    assert_eq!(sandbox.read(&names[2]), zeros.as_bytes(), "{names:?}");
    assert_eq!(recovered(&sandbox, "", 0)["outcome"], "healthy");
    assert_eq!(sandbox.names(""), names);
}

#[test]
fn a_missing_file_is_restored_and_nothing_is_set_aside() {
    let sandbox = with(None, Some(INITIAL));
    let found = recovered(&sandbox, "", 0);
    assert_eq!((&found["outcome"], &found["recovery"]["set_aside"]), (&json!("restored"), &Value::Null));
    assert_eq!(found["recovery"]["official"]["found"], "missing");
    assert_eq!(sandbox.names(""), ["h.md", "h.md.bak"]);
}

#[test]
fn reported_damage_lets_the_later_version_stand_and_then_the_lower_round() {
    let same_instant = COLLECTING.replacen(updated_at(COLLECTING), updated_at(REVIEW_PENDING), 1);
    let sandbox = with(Some(REVIEW_PENDING), Some(&same_instant));
    assert_eq!(recovered(&sandbox, "", 0)["outcome"], "healthy");
    let found = recovered(&sandbox, "--damaged", 0);
    assert_eq!(found["outcome"], "restored");
    let reason = found["recovery"]["reason"].as_str().unwrap();
    assert!(reason.ends_with("at the same `updated_at` the backup has the lower round"), "{reason}");
    assert_eq!(sandbox.read("h.md"), same_instant.as_bytes());

    let sandbox = with(Some(REVIEW_PENDING), Some(COLLECTING));
    let found = recovered(&sandbox, "--damaged", 0);
    let reason = found["recovery"]["reason"].as_str().unwrap();
    assert!(reason.ends_with("the official file has the later `updated_at`"), "{reason}");
    let sandbox = with(Some(REVIEW_PENDING), Some(&bad()));
    let found = recovered(&sandbox, "--damaged", 0);
    assert_eq!(
        found["recovery"]["reason"],
        "damage was reported, but the backup is no verifiable version of this session"
    );
}

#[test]
fn without_a_verifiable_version_nothing_is_touched_and_a_new_session_is_advised() {
    let sandbox = with(Some(&bad()), Some("notes"));
    sandbox
        .guard("recover h.md")
        .assert()
        .code(6)
        .stdout_eq(str![[r#"
h.md: nothing verifiable
session: unknown, because no front matter can be read
official: h.md: not verifiable
  1:[..]: error[fence/missing] [..]
backup: h.md.bak: not verifiable
  1:1: error[fence/missing] [..]
why: neither file is a verifiable version of this session
checked: profile full, [..] rules

"#]])
        .stderr_eq(str![[r#"
error: h.md: there is no verifiable version of the unknown session; nothing was changed or deleted
next: report what can be seen in the files above, and begin a new session with a new session id; the old one stays damaged

"#]]);
    assert_eq!(sandbox.names(""), ["h.md", "h.md.bak"]);
    let found = recovered(&sandbox, "", 6);
    assert_eq!((&found["outcome"], &found["after"]), (&json!("nothing-verifiable"), &Value::Null));
    assert_eq!(recovered(&with(None, None), "", 6)["recovery"]["backup"]["found"], "missing");
}

#[test]
fn the_name_of_another_session_is_left_alone() {
    let sandbox = with(Some(INITIAL), Some(INITIAL));
    let found = recovered(&sandbox, "--session-id another", 6);
    assert_eq!(found["outcome"], "other-session");
    assert_eq!(found["recovery"]["session_origin"], "caller");
    let sandbox = with(Some(&bad()), Some(INITIAL));
    assert_eq!(recovered(&sandbox, "--session-id another", 6)["outcome"], "nothing-verifiable");
    assert_eq!(sandbox.read("h.md"), bad().as_bytes());
}

#[test]
fn the_version_that_was_hoped_for_stands_or_not() {
    let sandbox = with(Some(NEEDS_ANSWERS), Some(INITIAL));
    let found = recovered(&sandbox, &format!("--expect-digest {}", digest(NEEDS_ANSWERS)), 0);
    assert_eq!(found["recovery"]["expected_stands"], true);
    let found = recovered(&sandbox, &format!("--expect-digest {}", digest(INITIAL)), 4);
    assert_eq!((&found["outcome"], &found["recovery"]["expected_stands"]), (&json!("healthy"), &json!(false)));
    assert_eq!(found["after"]["digest"], digest(NEEDS_ANSWERS));
    let sandbox = with(Some(&bad()), Some("notes"));
    recovered(&sandbox, &format!("--expect-digest {}", digest(INITIAL)), 6);
}

#[test]
fn leftovers_and_conflict_copies_are_reported_and_removed_only_when_asked() {
    let sandbox = with(Some(INITIAL), None);
    let leftover = leftover("h.md");
    sandbox.write(&leftover, NEEDS_ANSWERS);
    sandbox.write("h (conflicted copy).md", NEEDS_ANSWERS);
    let found = recovered(&sandbox, "--prune --dry-run", 0);
    assert_eq!(found["recovery"]["leftovers"], json!([leftover]));
    assert_eq!(found["recovery"]["conflict_copies"], json!(["h (conflicted copy).md"]));
    assert_eq!(found["recovery"]["leftovers_removed"], false);
    assert_eq!(sandbox.names("").len(), 3);
    assert_eq!(recovered(&sandbox, "--prune", 0)["recovery"]["leftovers_removed"], true);
    assert_eq!(sandbox.names(""), ["h (conflicted copy).md", "h.md"]);
}

#[test]
fn what_is_no_file_or_no_text_is_named() {
    let sandbox = with(None, None);
    sandbox.guard("recover nowhere/h.md").assert().code(2);
    sandbox.write("folder/x", "");
    assert_eq!(receipt(&sandbox.guard("recover folder --output-format json").assert().code(2))["outcome"], "unusable");
    sandbox.write("h.md.bak/x", "");
    sandbox.write("h.md", bad());
    assert_eq!(recovered(&sandbox, "", 6)["recovery"]["backup"]["found"], "not-regular");
}
