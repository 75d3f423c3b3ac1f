//! `prompt`, `estimate`, `export`, `discard`: handing over, and cleaning up afterwards.

use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Value, json};
use snapbox::cmd::OutputAssert;
use snapbox::str;

use crate::sandbox::{INITIAL, NEEDS_ANSWERS, READY, REVIEW_PENDING, Sandbox, bad, digest, receipt};

/// A sealed document with its backup, and a directory for copies.
fn sealed() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("h.md", READY);
    sandbox.write("h.md.bak", REVIEW_PENDING);
    sandbox.write("out/notes", "other");
    sandbox
}

fn stderr(assert: &OutputAssert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

fn stdout(assert: &OutputAssert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

/// Everything in the sandbox, also hidden files.
fn all(sandbox: &Sandbox) -> Vec<(String, Vec<u8>)> {
    let files = crate::support::files_below(&sandbox.path(""));
    files.into_iter().map(|(path, bytes)| (path.to_string_lossy().into_owned(), bytes)).collect()
}

/// Runs a command that is refused and must not touch anything; what it says on standard error.
fn refused(sandbox: &Sandbox, args: &str, code: i32) -> String {
    let before = all(sandbox);
    let assert = sandbox.guard(args).assert().code(code);
    assert_eq!(all(sandbox), before, "{args}");
    let said = stderr(&assert);
    assert!(said.contains("\nnext: "), "{args}: {said}");
    said
}

#[test]
fn a_prompt_names_the_absolute_path_and_ends_with_the_removal() {
    let sandbox = sealed();
    let path = sandbox.path("h.md").canonicalize().unwrap();
    for lang in ["en", "zh"] {
        let prompt = stdout(&sandbox.guard(&format!("prompt h.md --kind startup --lang {lang}")).assert().code(0));
        assert_eq!(prompt.matches(&*path.to_string_lossy()).count(), 2, "{prompt}");
        assert!(prompt.lines().last().unwrap().starts_with("5. "), "{prompt}");
    }
}

#[test]
fn a_prompt_at_the_wrong_moment_says_what_is_possible() {
    let sandbox = sealed();
    sandbox.write("asking.md", NEEDS_ANSWERS);
    sandbox.write("begun.md", INITIAL);
    sandbox.guard("prompt h.md --kind auditor").assert().code(2).stdout_eq("").stderr_eq(str![[r#"
error: h.md: a prompt of the kind `auditor` needs COLLECTING with a round left; this document is READY
next: possible now: `--kind startup`, `--kind full`, `--kind compressed`

"#]]);
    assert!(refused(&sandbox, "prompt begun.md --kind startup", 2).contains("possible now: `--kind auditor`"));
    assert!(refused(&sandbox, "prompt asking.md --kind reviewer", 2).contains("answers of the current round first"));
}

#[test]
fn an_invalid_document_gets_its_findings_on_standard_error_and_no_prompt() {
    let sandbox = Sandbox::with_documents();
    for command in ["prompt bad.handoff.md --kind startup", "estimate bad.handoff.md"] {
        let assert = sandbox.guard(command).assert().code(1).stdout_eq("");
        let said = stderr(&assert);
        assert!(said.starts_with("bad.handoff.md:1:4: error[fence/missing] "), "{said}");
        assert!(said.contains("next: repair it"), "{said}");
    }
    sandbox.guard("prompt missing.md --kind startup").assert().code(2).stdout_eq("");
    sandbox.guard("prompt - --kind startup").assert().code(2).stdout_eq("");
}

#[test]
fn a_long_full_prompt_needs_force_and_a_compressed_one_obeys_its_budget() {
    let sandbox = Sandbox::new();
    let risks = "- 风险是可以说的很长的。\n".repeat(700);
    sandbox.write("h.md", READY.replace("## Known Risks\n", &format!("## Known Risks\n{risks}")));
    let said = refused(&sandbox, "prompt h.md --kind full", 2);
    assert!(said.contains("more than the 6000 that are safe") && said.contains("--force"), "{said}");
    let full = stdout(&sandbox.guard("prompt h.md --kind full --force").assert().code(0));
    assert!(full.contains(&risks));
    let short = stdout(&sandbox.guard("prompt h.md --kind compressed --budget 700 --lang zh").assert().code(0));
    assert!(short.contains("因篇幅未收录的条目（括号内为条数）：Known Risks ("), "{short}");
    let least = sandbox.guard("prompt h.md --kind compressed --budget 7").assert().code(0);
    assert!(stderr(&least).starts_with("note: what is always kept is longer than --budget 7"), "{}", stderr(&least));
    sandbox.guard("prompt h.md --kind full --budget 7").assert().code(2);
    sandbox.guard("prompt h.md --kind startup --force").assert().code(2);
}

fn estimate(sandbox: &Sandbox, args: &str) -> Value {
    static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
        let number = json!({ "type": "integer", "minimum": 0 });
        let properties = json!({
            "version": { "const": 1 },
            "path": { "type": "string" },
            "status": { "type": "string" },
            "final": { "type": "boolean" },
            "characters": number,
            "tokens": number,
            "estimated": { "const": true },
            "method": { "type": "string" },
            "limit": { "type": ["integer", "null"] },
            "safe": number,
            "long": number,
            "recommendation": { "enum": ["ask", "remind", "ask-without-full"] },
            "offered": { "items": { "enum": ["document-and-startup", "document", "full", "compressed"] } },
        });
        let required: Vec<&String> = properties.as_object().unwrap().keys().collect();
        let schema = json!({ "additionalProperties": false, "required": required, "properties": properties });
        jsonschema::validator_for(&schema).unwrap()
    });
    let command = sandbox.guard(&format!("estimate h.md --output-format json {args}"));
    let report = serde_json::from_str(&stdout(&command.assert().code(0).stderr_eq(""))).unwrap();
    let errors: Vec<String> = SCHEMA.iter_errors(&report).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?} in {report:#}");
    report
}

#[test]
fn an_estimate_says_what_the_length_means_and_that_it_is_one() {
    let sandbox = sealed();
    sandbox.guard("estimate h.md").assert().code(0).stderr_eq("").stdout_eq(str![[r#"
h.md: about [..] tokens, [..] characters; an estimate (ASCII characters / 4 plus every other character)
state: READY, sealed
thresholds: safe up to 6000 tokens, long above 12000
recommendation: every way is safe: ask the user which one, unless the user has said it already
  1. the document and a start-up prompt: `export`, and `prompt --kind startup` (recommended)
  2. the document alone: `export`
  3. the full prompt: `prompt --kind full`
  4. a compressed prompt, which names the document: `prompt --kind compressed`

"#]]);
    assert_eq!(estimate(&sandbox, "")["recommendation"], "ask");
    let limited = estimate(&sandbox, "--limit 100");
    assert_eq!((&limited["recommendation"], &limited["safe"]), (&json!("ask-without-full"), &json!(100)));
    assert_eq!(limited["offered"], json!(["document-and-startup", "document", "compressed"]));
    let text = stdout(&sandbox.guard("estimate h.md --limit 100").assert().code(0));
    assert!(text.contains("; the host takes 100\n") && text.contains("--budget 100`\n"), "{text}");
}

#[test]
fn the_length_of_an_unsealed_document_is_not_final() {
    let sandbox = Sandbox::new();
    sandbox.write("h.md", INITIAL);
    assert_eq!(estimate(&sandbox, "")["final"], false);
    let text = stdout(&sandbox.guard("estimate h.md").assert().code(0));
    assert!(text.contains("state: COLLECTING, not sealed yet, so this is not the final length\n"), "{text}");
}

#[test]
fn a_copy_is_the_document_byte_for_byte() {
    let sandbox = sealed();
    let exported = receipt(&sandbox.guard("export h.md out --output-format json").assert().code(0).stderr_eq(""));
    assert_eq!(sandbox.read("out/h.md"), READY.as_bytes());
    assert_eq!((&exported["command"], &exported["outcome"]), (&json!("export"), &json!("committed")));
    assert_eq!(exported["after"]["digest"], digest(READY));
    assert_eq!(sandbox.names("out"), ["h.md", "notes"]);
    sandbox.guard("export h.md out/other.md").assert().code(0).stderr_eq("").stdout_eq(str![[r#"
out/other.md: committed
session: importer-4c81
now: sha256 [..], READY, round 2
checked: profile full, [..] rules

"#]]);
    let again = receipt(&sandbox.guard("export h.md out --output-format json").assert().code(0));
    assert_eq!(again["outcome"], "unchanged");
    assert!(crate::support::files_below(&sandbox.path("out")).len() == 3, "an export leaves no other file");
}

#[test]
fn an_export_never_replaces_a_file_unasked() {
    let sandbox = sealed();
    assert!(refused(&sandbox, "export h.md out/notes", 4).contains("--overwrite"));
    assert!(refused(&sandbox, "export h.md h.md --overwrite", 2).contains("the destination is the document itself"));
    assert!(refused(&sandbox, "export h.md . --overwrite", 2).contains("the destination is the document itself"));
    sandbox.guard("export h.md out/notes --overwrite").assert().code(0);
    assert_eq!(sandbox.read("out/notes"), READY.as_bytes());
}

#[test]
fn only_a_sealed_and_valid_document_is_exported() {
    let sandbox = sealed();
    sandbox.write("bad.md", bad());
    sandbox.write("pending.md", REVIEW_PENDING);
    assert!(refused(&sandbox, "export pending.md out", 2).contains("REVIEW_PENDING, not sealed"));
    assert!(refused(&sandbox, "export bad.md out", 1).contains("nothing was exported"));
    refused(&sandbox, "export missing.md out", 2);
    refused(&sandbox, "export h.md missing/x.md", 2);
    assert!(
        refused(&sandbox, "export h.md missing/", 2).contains("the path is that of a directory, and there is none")
    );
    refused(&sandbox, "export h.md out/x.bak", 2);
    let receipt = receipt(&sandbox.guard("export bad.md out --output-format json").assert().code(1));
    assert_eq!(receipt["diagnostics"][0]["rule"], "fence/missing");
}

#[test]
fn a_copy_does_not_belong_into_the_root_of_a_repository() {
    let sandbox = sealed();
    sandbox.write("out/.git", "gitdir: elsewhere\n");
    assert!(refused(&sandbox, "export h.md out", 2).contains("--here"));
    sandbox.guard("export h.md out --here").assert().code(0);
}

#[test]
fn what_will_go_is_listed_first_and_goes_when_it_is_confirmed() {
    let sandbox = sealed();
    sandbox.write("h.md.rejected", "rejected");
    sandbox.write("h.md.damaged-00aa", "damaged");
    sandbox.write("other.md.bak", REVIEW_PENDING);
    let before = all(&sandbox);
    sandbox.guard("discard h.md").assert().code(0).stderr_eq("").stdout_eq(str![[r#"
h.md: would discard
session: importer-4c81
before: sha256 [..], READY, round 2
would remove: h.md.rejected: the newest candidate that was refused
would remove: h.md.damaged-00aa: a damaged file that was set aside
would remove: h.md.bak: the version before
would remove: h.md: the handoff itself
why it matters: these files are the only record of the session that can be verified, and nothing brings them back; `export` keeps a copy
next: say --yes to remove them

"#]]);
    assert_eq!(all(&sandbox), before);
    let gone = receipt(&sandbox.guard("discard h.md --yes --output-format json").assert().code(0).stderr_eq(""));
    assert_eq!((&gone["outcome"], &gone["after"]), (&json!("discarded"), &Value::Null));
    let fates: Vec<&Value> = gone["discarded"].as_array().unwrap().iter().map(|file| &file["fate"]).collect();
    assert_eq!(fates, [&json!("removed"); 5]);
    let left: Vec<String> = all(&sandbox).into_iter().map(|(path, _)| path).collect();
    assert!(left.len() == 2 && left[0].ends_with("other.md.bak") && left[1].ends_with("notes"), "{left:?}");
    assert!(refused(&sandbox, "discard h.md --yes", 2).contains("does not exist"));
}

#[test]
fn a_session_that_may_still_be_needed_is_not_discarded_without_force() {
    let sandbox = Sandbox::new();
    sandbox.write("asking.md", NEEDS_ANSWERS);
    sandbox.write("bad.md", bad());
    sandbox.write("lost.md.bak", READY);
    for yes in ["", "--yes"] {
        assert!(refused(&sandbox, &format!("discard asking.md {yes}"), 2).contains("NEEDS_ANSWERS, not sealed"));
        assert!(refused(&sandbox, &format!("discard bad.md {yes}"), 7).contains("--force"));
        assert!(refused(&sandbox, &format!("discard lost.md {yes}"), 7).contains("`recover`"));
    }
    for name in ["asking.md", "bad.md", "lost.md"] {
        sandbox.guard(&format!("discard {name} --yes --force")).assert().code(0);
    }
    assert!(all(&sandbox).is_empty());
}

#[test]
fn a_backup_of_another_session_is_named_and_left() {
    let sandbox = sealed();
    sandbox.write("h.md.bak", REVIEW_PENDING.replace("importer-4c81", "exporter-9d20"));
    let said = stdout(&sandbox.guard("discard h.md --yes").assert().code(0));
    assert!(said.contains("left: h.md.bak: the version before; it belongs to the session `exporter-9d20`"), "{said}");
    assert_eq!(sandbox.names(""), ["h.md.bak", "out"]);
}

#[test]
fn a_discard_waits_for_a_writer_as_long_as_it_is_told_to() {
    let sandbox = sealed();
    sandbox.write(".h.md.lock", "");
    let lock = std::fs::File::open(sandbox.path(".h.md.lock")).unwrap();
    lock.lock().unwrap();
    assert!(refused(&sandbox, "discard h.md --yes --lock-timeout 0.05", 4).contains("--lock-timeout"));
    drop(lock);
    sandbox.guard("discard h.md --yes --lock-timeout 0.05").assert().code(0);
    assert_eq!(sandbox.names(""), ["out"]);
}

/// A writer that waits for the lock while the lock file goes finds a lock file of its own.
#[test]
fn a_writer_that_waits_for_the_lock_is_not_alone_with_a_removed_one() {
    use handoff_guard::store::fs::{Directory as _, RealDirectory};
    use std::time::Duration;

    let sandbox = Sandbox::new();
    let name = std::ffi::OsStr::new(".h.md.lock");
    let directory = RealDirectory::open(&sandbox.path("")).unwrap();
    let held = directory.lock(name, Duration::ZERO).unwrap().unwrap();
    let path = sandbox.path("");
    let waiter = std::thread::spawn(move || {
        let directory = RealDirectory::open(&path).unwrap();
        directory.lock(std::ffi::OsStr::new(".h.md.lock"), Duration::from_secs(60)).unwrap().unwrap()
    });
    // Long enough for the waiter to open the file that goes; the outcome is the same if it was not.
    std::thread::sleep(Duration::from_millis(30));
    directory.unlink(name).unwrap();
    drop(held);
    let waited = waiter.join().unwrap();
    assert!(directory.lock(name, Duration::ZERO).unwrap().is_none(), "two writers hold the lock");
    drop(waited);
}
