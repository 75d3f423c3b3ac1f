//! SARIF 2.1.0, for code scanning: every finding, advice included, with the rules that this program knows.

use serde::Serialize;
use serde_json::{Value, json};

use super::Judged;
use super::explain;
use super::fingerprint::fingerprints;
use super::json::{self, At, Failure, Finding};
use super::location::{Base, Uri};
use crate::diagnostic::{Place, Rule, Severity};
use crate::protocol::character::visible;
use crate::rules::RULES;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// What the URIs of documents are relative to: the root of the sources, for everybody who reads such files.
const ROOT: &str = "%SRCROOT%";

/// The results about one document.
#[derive(Debug, Serialize)]
pub struct Results(Vec<Value>);

/// Every finding about a document.
pub fn results(judged: &Judged<'_>, base: &Base) -> Results {
    let findings = json::found(judged);
    let fingerprints = fingerprints(judged, &base.path(judged.document.path), &findings);
    let identified = findings.iter().zip(fingerprints);
    Results(identified.map(|(finding, fingerprint)| result(judged, finding, &fingerprint, base)).collect())
}

/// The whole log of a run that ends with `exit_code`, ended by a line feed.
///
/// # Errors
/// None that the data can cause.
pub fn report(results: Vec<Results>, failures: &[Failure], exit_code: u8, base: &Base) -> serde_json::Result<String> {
    let results: Vec<Value> = results.into_iter().flat_map(|Results(results)| results).collect();
    let notifications: Vec<Value> = failures.iter().map(|failure| notification(failure, base)).collect();
    let rules: Vec<Value> = RULES.iter().copied().map(descriptor).collect();
    let driver = json!({
        "name": env!("CARGO_PKG_NAME"),
        "fullName": concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")),
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "shortDescription": { "text": env!("CARGO_PKG_DESCRIPTION") },
        "rules": rules,
    });
    json::line(&json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { ROOT: { "description": { "text": "the directory that the run was started in" } } },
            "invocations": [{
                "executionSuccessful": failures.is_empty(),
                "exitCode": exit_code,
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
        }],
    }))
}

fn descriptor(rule: &Rule) -> Value {
    let severity = match rule.severity {
        Severity::Error => "error",
        Severity::Advice => "recommendation",
    };
    json!({
        "id": rule.id,
        "shortDescription": { "text": rule.summary },
        "fullDescription": { "text": format!("{}. {}", rule.summary, rule.rationale) },
        "help": { "text": explain::page(rule), "markdown": explain::section(rule) },
        "defaultConfiguration": { "level": level(rule.severity) },
        "properties": { "tags": [rule.family()], "precision": "very-high", "problem.severity": severity },
    })
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Advice => "note",
    }
}

fn result(judged: &Judged<'_>, finding: &Finding, fingerprint: &str, base: &Base) -> Value {
    let path = judged.document.path;
    let help = finding.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
    let related = finding.related.iter().enumerate().map(|(id, label)| {
        let path = match label.document {
            Place::Document => path,
            Place::Previous => judged.previous.map_or(path, |previous| previous.path),
        };
        let place = physical(path, &label.place, base);
        json!({ "id": id, "physicalLocation": place, "message": message(&label.message) })
    });
    json!({
        "ruleId": finding.rule,
        "ruleIndex": RULES.iter().position(|rule| rule.id == finding.rule),
        "level": level(finding.severity),
        "message": message(&format!("{}{help}", judged.document.told(&finding.message))),
        "locations": [{ "physicalLocation": physical(path, &finding.place, base) }],
        "relatedLocations": related.collect::<Vec<Value>>(),
        "partialFingerprints": { "handoffGuard/v1": fingerprint },
    })
}

fn notification(failure: &Failure, base: &Base) -> Value {
    let place = json!({ "physicalLocation": { "artifactLocation": artifact(&failure.path, base) } });
    json!({ "level": "error", "message": message(&failure.text()), "locations": [place] })
}

fn artifact(path: &str, base: &Base) -> Value {
    match base.uri(path) {
        Uri::Relative(uri) => json!({ "uri": uri, "uriBaseId": ROOT }),
        Uri::Absolute(uri) => json!({ "uri": uri }),
    }
}

fn physical(path: &str, At { span, start, end }: &At, base: &Base) -> Value {
    json!({
        "artifactLocation": artifact(path, base),
        "region": {
            "startLine": start.line,
            "startColumn": start.column,
            "endLine": end.line,
            "endColumn": end.column,
            "byteOffset": span.start,
            "byteLength": span.end - span.start,
        },
    })
}

/// A plain text: each line escaped, braces doubled, because they would be placeholders (SARIF §3.11.5), and brackets
/// escaped where a reader would make a link of them (§3.11.6).
fn message(text: &str) -> Value {
    let lines: Vec<String> = text.lines().map(visible).collect();
    let text = lines.join("\n").replace('{', "{{").replace('}', "}}");
    let text = if text.contains("](") { text.replace('[', "\\[").replace(']', "\\]") } else { text };
    json!({ "text": text })
}
