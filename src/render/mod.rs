//! What a verdict looks like: for people ([`full`], [`concise`]), for programs ([`json`]), for tools that show it in their
//! own way ([`github`], [`gitlab`], [`junit`], [`sarif`]), what a write or a recovery did ([`receipt`]), and the pages
//! about the rules ([`explain`]). Nothing here reads or writes a file; every text of a document or a path is escaped.

pub mod concise;
mod discard;
pub mod estimate;
mod excerpt;
pub mod explain;
mod fingerprint;
pub mod full;
pub mod github;
pub mod gitlab;
pub mod json;
pub mod junit;
pub mod location;
pub mod next;
pub mod receipt;
mod recovery;
pub mod sarif;
#[cfg(test)]
mod tests;

use std::ffi::{OsStr, OsString};
use std::fmt;

use crate::check::Verdict;
use crate::diagnostic::{Diagnostic, Severity};
use crate::protocol::profile::Profile;
use crate::source::Source;

/// A document and the name it goes by: a path, as it was given. The name may hold any character.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// The name, not escaped.
    pub path: &'a str,
    /// Where in a repository it stands; `None` for a file as it is.
    pub revision: Option<Revision<'a>>,
    /// The bytes.
    pub source: &'a Source,
}

/// A version that a repository keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Revision<'a> {
    /// The one of a commit, by the commit's full id.
    Commit(&'a str),
    /// The one that the next commit would record.
    Index,
}

impl<'a> Named<'a> {
    /// A file as it is.
    pub fn new(path: &'a str, source: &'a Source) -> Self {
        Self { path, revision: None, source }
    }

    /// `text` for a tool that knows the path only: the version is said before it.
    fn told(&self, text: &str) -> String {
        told(self.revision.map(|revision| revision.to_string()).as_deref(), text)
    }

    /// The name for people, not escaped.
    pub fn label(&self) -> String {
        label(self.path, self.revision)
    }
}

/// A version of a path for people: `path`, `path@8f3ab12c04` or `path (index)`.
pub fn label(path: &str, revision: Option<Revision<'_>>) -> String {
    match revision {
        None => path.to_owned(),
        Some(Revision::Commit(id)) => format!("{path}@{}", short(id)),
        Some(Revision::Index) => format!("{path} (index)"),
    }
}

/// `text` about a version that is known by its word of machine formats.
fn told(revision: Option<&str>, text: &str) -> String {
    match revision {
        None => text.to_owned(),
        Some(revision) => format!("at {}: {text}", short(revision)),
    }
}

/// The word of machine formats: the full id of the commit, or `index`.
impl fmt::Display for Revision<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Commit(id) => id,
            Self::Index => "index",
        })
    }
}

/// The first digits of a commit's id: enough to find it.
pub fn short(id: &str) -> &str {
    id.get(..10).unwrap_or(id)
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

/// What a run judges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counted {
    /// Files as they are.
    #[default]
    Files,
    /// Versions of files that a repository keeps.
    Versions,
}

/// What was found in all documents of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// What is counted.
    pub counted: Counted,
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

/// A name as far as it is text.
fn lossy(name: &OsStr) -> String {
    name.to_string_lossy().into_owned()
}

/// The same of several.
fn all_lossy(names: &[OsString]) -> Vec<String> {
    names.iter().map(|name| lossy(name)).collect()
}
