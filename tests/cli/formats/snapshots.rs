//! What each format looks like, and how it names places.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::json as value;
use snapbox::{assert_data_eq, file};

use super::{fingerprint, json, report, results, uri};
use crate::sandbox::{GUARD, INITIAL, Sandbox};

/// A valid document, one with two defects, one with advice, and a path that is not there, seen from the root.
fn shipped(args: &str) -> String {
    let files = "docs/report.handoff.md fixtures/valid/initial.handoff.md \
                 fixtures/advice/portability/yaml11-value/branch-no.handoff.md nowhere";
    let command = Sandbox::new().command(GUARD).current_dir(env!("CARGO_MANIFEST_DIR")).arg("check");
    let output = command.args(files.split_whitespace().chain(args.split_whitespace())).assert().code(2);
    String::from_utf8(output.get_output().stdout.clone()).unwrap()
}

#[test]
fn github_gets_workflow_commands() {
    assert_data_eq!(shipped("--output-format github --advice"), file!["github.txt"]);
    assert!(!shipped("--output-format github").contains("::notice"));
}

#[test]
fn gitlab_gets_a_list_of_issues() {
    let text = shipped("--output-format gitlab --advice");
    assert_data_eq!(serde_json::to_string_pretty(&json(&text)).unwrap(), file!["gitlab.json"].raw());
    assert!(!shipped("--output-format gitlab").contains("\"info\""));
}

#[test]
fn junit_gets_a_case_for_each_document() {
    let text = shipped("--output-format junit --advice");
    roxmltree::Document::parse(&text).unwrap();
    assert_data_eq!(text, file!["junit.xml"].raw());
    assert!(!shipped("--output-format junit").contains("<system-out>"));
}

#[test]
fn code_scanning_gets_a_sarif_log() {
    let mut log = json(&shipped("--output-format sarif"));
    let rules = log["runs"][0]["tool"]["driver"]["rules"].take();
    assert_data_eq!(serde_json::to_string_pretty(&log).unwrap(), file!["sarif.json"].raw());
    let rules = rules.as_array().unwrap();
    assert_eq!(rules.len(), handoff_guard::rules::RULES.len());
    for (index, rule) in rules.iter().enumerate() {
        let texts = ["/shortDescription/text", "/fullDescription/text", "/help/text", "/help/markdown"];
        assert!(texts.iter().all(|text| !rule.pointer(text).unwrap().as_str().unwrap().is_empty()), "{rule}");
        assert!(["error", "note"].contains(&rule["defaultConfiguration"]["level"].as_str().unwrap()), "{rule}");
        for result in results(&log).iter().filter(|result| result["ruleId"] == rule["id"]) {
            assert_eq!(
                (&result["ruleIndex"], &result["level"]),
                (&value!(index), &rule["defaultConfiguration"]["level"])
            );
        }
    }
}

#[test]
fn a_place_in_the_previous_version_names_its_file() {
    let sandbox = Sandbox::with_documents();
    sandbox.write("new.md", INITIAL.replacen("created_at: \"2026", "created_at: \"2025", 1));
    let args = "new.md --previous good.handoff.md --output-format";
    let log = json(&report(&sandbox, &format!("{args} sarif")));
    let created = results(&log).iter().find(|result| result["ruleId"] == "succession/created-at").unwrap();
    let places: Vec<&str> = created["relatedLocations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|place| place["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap())
        .collect();
    assert_eq!((uri(created), &places[..]), ("new.md", &["good.handoff.md"][..]));
    for format in ["github", "gitlab", "junit"] {
        let text = report(&sandbox, &format!("{args} {format}"));
        assert!(text.contains("see good.handoff.md:"), "{text}");
    }
}

#[test]
fn a_path_is_relative_to_the_directory_of_the_run_where_it_lies_below() {
    let (sandbox, other) = (Sandbox::with_documents(), Sandbox::with_documents());
    let check = |sandbox: &Sandbox, path: &Path, format: &str| {
        let command = sandbox.guard("check --output-format").arg(format).arg(path).assert().code(1);
        String::from_utf8(command.get_output().stdout.clone()).unwrap()
    };
    let inside = std::fs::canonicalize(sandbox.path("bad.handoff.md")).unwrap();
    if cfg!(unix) {
        assert!(check(&sandbox, &inside, "github").starts_with("::error file=bad.handoff.md,"));
        assert_eq!(json(&check(&sandbox, &inside, "gitlab"))[0]["location"]["path"], "bad.handoff.md");
        assert_eq!(uri(&results(&json(&check(&sandbox, &inside, "sarif")))[0]), "bad.handoff.md");
    }
    let outside = json(&check(&sandbox, &other.path("bad.handoff.md"), "sarif"));
    let place = &results(&outside)[0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert!(place["uri"].as_str().unwrap().starts_with("file:///") && place.get("uriBaseId").is_none(), "{place}");
}

#[test]
fn a_fingerprint_stays_when_lines_come_or_other_findings_go() {
    let sandbox = Sandbox::new();
    let broken = INITIAL
        .replacen("- Status: COLLECTING", "- Status: READY", 1)
        .replacen("base_commit: \"", "base_commit: \"x", 1)
        .replacen("# Handoff Details", "<div>\n\n# Handoff Details", 1);
    let fingerprints = |text: &str| -> BTreeSet<String> {
        sandbox.write("h.md", text);
        let log = json(&report(&sandbox, "h.md --output-format sarif"));
        let found: Vec<String> = results(&log).iter().map(|result| fingerprint(result).to_owned()).collect();
        let issues = json(&report(&sandbox, "h.md --output-format gitlab --advice"));
        let issues: Vec<&str> =
            issues.as_array().unwrap().iter().map(|issue| issue["fingerprint"].as_str().unwrap()).collect();
        assert_eq!(issues, found);
        let set: BTreeSet<String> = found.iter().cloned().collect();
        assert_eq!(set.len(), found.len(), "{found:?}");
        set
    };
    let before = fingerprints(&broken);
    assert!(before.len() >= 2, "{before:?}");
    let lower = broken.replacen("## Current State", "\n\n## Current State", 1);
    assert_eq!(fingerprints(&lower), before);
    let repaired = lower.replacen("base_commit: \"x", "base_commit: \"", 1);
    let after = fingerprints(&repaired);
    assert!(after.is_subset(&before) && after.len() < before.len(), "{after:?} {before:?}");
}

#[test]
fn an_annotation_of_whole_lines_ends_with_the_last_of_them() {
    let sandbox = Sandbox::new();
    sandbox.write("a.md", INITIAL.replacen("\"8f3ab12c\"", "|\n  8f3ab12c", 1));
    let said = report(&sandbox, "a.md --output-format github");
    assert!(said.starts_with("::error file=a.md,line=7,endLine=7,title=schema/base-commit::"), "{said}");
}
