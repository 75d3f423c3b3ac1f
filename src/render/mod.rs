//! What a verdict looks like: for people ([`full`], [`concise`]), for programs ([`json`]), what a write or a recovery did
//! ([`receipt`]), and the pages about the rules ([`explain`]). Nothing here reads or writes a file; every text of a document or a path is escaped for a terminal.

pub mod concise;
mod discard;
pub mod estimate;
mod excerpt;
pub mod explain;
pub mod full;
pub mod json;
pub mod next;
pub mod receipt;
mod recovery;
#[cfg(test)]
mod tests;

use crate::check::Verdict;
use crate::diagnostic::{Diagnostic, Severity};
use crate::protocol::profile::Profile;
use crate::source::Source;

/// A document and the name it goes by: a path, as it was given. The name may hold any character.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// The name, not escaped.
    pub path: &'a str,
    /// The bytes.
    pub source: &'a Source,
}

/// A document, what it was held against, and the verdict.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    /// The checked document.
    pub document: Named<'a>,
    /// The version before it, when it was held against one.
    pub previous: Option<Named<'a>>,
    /// The rules that it was held to.
    pub profile: Profile,
    /// The verdict.
    pub verdict: &'a Verdict<'a>,
}

impl<'a> Judged<'a> {
    fn shown(&self, advice: Advice) -> impl Iterator<Item = &'a Diagnostic> {
        self.verdict.diagnostics().iter().filter(move |diagnostic| advice.shows(diagnostic.rule.severity))
    }
}

/// What people see of the findings that never reject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// How many there are.
    Counted,
    /// All of them.
    Shown,
}

impl Advice {
    fn shows(self, severity: Severity) -> bool {
        self == Self::Shown || severity == Severity::Error
    }
}

/// What was found in all documents of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Documents that obey every rule.
    pub valid: usize,
    /// Documents that at least one rule rejects.
    pub invalid: usize,
    /// Paths that could not be read.
    pub unreadable: usize,
    /// Findings that reject.
    pub errors: usize,
    /// Findings that do not reject.
    pub advice: usize,
}

impl Tally {
    /// Counts one verdict.
    pub fn count(&mut self, verdict: &Verdict<'_>) {
        *if verdict.is_valid() { &mut self.valid } else { &mut self.invalid } += 1;
        self.errors += verdict.diagnostics().errors().count();
        self.advice += verdict.diagnostics().advice().count();
    }

    /// Counts everything that `other` counted.
    pub fn add(&mut self, other: &Self) {
        self.valid += other.valid;
        self.invalid += other.invalid;
        self.unreadable += other.unreadable;
        self.errors += other.errors;
        self.advice += other.advice;
    }

    /// Documents that were judged.
    pub fn checked(&self) -> usize {
        self.valid + self.invalid
    }
}

/// `1 error`, `2 errors`.
fn errors(count: usize) -> String {
    if count == 1 { "1 error".to_owned() } else { format!("{count} errors") }
}

/// `1 piece of advice`, and how to see it when it is not shown.
fn pieces_of_advice(count: usize, advice: Advice) -> String {
    let pieces = if count == 1 { "1 piece".to_owned() } else { format!("{count} pieces") };
    let hint = if advice == Advice::Counted { " (shown with --advice)" } else { "" };
    format!("{pieces} of advice{hint}")
}
