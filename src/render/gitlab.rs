//! GitLab's Code Quality report: a JSON list of issues.

use std::collections::HashSet;

use serde::Serialize;

use super::fingerprint::{fingerprints, unique};
use super::json::{self, Failure};
use super::location::Base;
use super::{Advice, Judged};
use crate::diagnostic::Severity;
use crate::protocol::character::visible;

/// One entry of the list.
#[derive(Debug, Serialize)]
pub struct Issue {
    description: String,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Debug, Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Debug, Serialize)]
struct Lines {
    begin: usize,
    end: usize,
}

/// The findings of one document.
pub fn issues(judged: &Judged<'_>, advice: Advice, base: &Base) -> Vec<Issue> {
    let path = base.path(judged.document.path);
    let findings = json::found(judged);
    let identified = findings.iter().zip(fingerprints(judged, &path, &findings));
    identified
        .filter(|(finding, _)| advice.shows(finding.severity))
        .map(|(finding, fingerprint)| Issue {
            // GitLab does not show the name of the check.
            description: format!("{}: {}", finding.rule, finding.text(judged, base)),
            check_name: finding.rule,
            fingerprint,
            severity: match finding.severity {
                Severity::Error => "major",
                Severity::Advice => "info",
            },
            location: Location::new(&path, finding.place.start.line, finding.place.end.line),
        })
        .collect()
}

/// The list, ended by a line feed. GitLab drops issues with a fingerprint that was there before, so each gets its own.
///
/// # Errors
/// None that the data can cause.
pub fn report(issues: Vec<Issue>, failures: &[Failure], base: &Base) -> serde_json::Result<String> {
    let mut seen = HashSet::new();
    let unread = failures.iter().map(|failure| Issue::unread(failure, base));
    let mut all: Vec<Issue> = issues.into_iter().chain(unread).collect();
    for issue in &mut all {
        if !seen.insert(issue.fingerprint.clone()) {
            issue.fingerprint = unique(&mut seen, &issue.fingerprint);
        }
    }
    json::line(&all)
}

impl Issue {
    fn unread(failure: &Failure, base: &Base) -> Self {
        let path = base.path(&failure.path);
        Self {
            description: format!("not checked: {}", visible(&failure.text())),
            check_name: "not-checked",
            fingerprint: unique(&mut HashSet::new(), &format!("{path}\0not-checked")),
            severity: "blocker",
            location: Location::new(&path, 1, 1),
        }
    }
}

impl Location {
    fn new(path: &str, begin: usize, end: usize) -> Self {
        Self { path: path.to_owned(), lines: Lines { begin, end } }
    }
}
