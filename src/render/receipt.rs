//! The receipt of a transaction: the object of `schema/receipt.v1.schema.json`, and the same for people.

use std::fmt::Write as _;

use serde::Serialize;

use super::discard;
use super::json::{self, Finding};
pub use super::recovery::Asked;
use super::recovery::{self, Recovered};
use super::{Named, lossy};
use crate::diagnostic::Diagnostics;
use crate::lifecycle::step::Step;
use crate::protocol::character::visible;
use crate::protocol::credential::without_credentials;
use crate::protocol::digest::Digest;
use crate::protocol::profile::Profile;
use crate::rules::RULES;
use crate::source::Source;
use crate::store::Names;
use crate::store::discard::Discarded;
use crate::store::error::Error;
use crate::store::recover::{Recovery, Version};
use crate::store::replace::{self, Extent, Progress, Success};

/// The version of this format; it grows when a field is removed, renamed or given another meaning.
const VERSION: u32 = 1;

/// The commands that end in a receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// `write`
    Write,
    /// `recover`
    Recover,
    /// `init`
    Init,
    /// `audit`
    Audit,
    /// `answer`
    Answer,
    /// `stop`
    Stop,
    /// `seal`
    Seal,
    /// `set`
    Set,
    /// `export`
    Export,
    /// `discard`
    Discard,
}

/// What one transaction did, or why it did nothing.
#[derive(Debug, Serialize)]
pub struct Receipt {
    version: u32,
    command: &'static str,
    outcome: &'static str,
    path: String,
    session_id: Option<String>,
    profile: &'static str,
    rules: usize,
    before: Option<State>,
    after: Option<State>,
    backup: Option<String>,
    diagnostics: Vec<Finding>,
    inputs: Vec<Input>,
    error: Option<Failure>,
    recovery: Option<Recovered>,
    discarded: Option<Vec<discard::File>>,
}

/// What is wrong with an input of a step.
#[derive(Debug, Serialize)]
struct Input {
    path: String,
    diagnostics: Vec<Finding>,
}

/// One version of the official file.
#[derive(Clone, Debug, Serialize)]
struct State {
    digest: String,
    status: Option<&'static str>,
    round: Option<u32>,
}

/// Why a transaction did not end well.
#[derive(Debug, Serialize)]
pub struct Failure {
    message: String,
    standing: Option<&'static str>,
    help: String,
    step: Option<String>,
    kept: Option<String>,
    left: Vec<String>,
    defects: Vec<Defect>,
}

/// A failure that is all words.
#[derive(Debug)]
pub struct Refusal {
    message: String,
    help: String,
}

/// A defect of a file that is on disk.
#[derive(Debug, Serialize)]
pub(super) struct Defect {
    pub(super) rule: &'static str,
    pub(super) message: String,
}

impl Command {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Write => "write",
            Self::Recover => "recover",
            Self::Init => "init",
            Self::Audit => Step::Audit.as_str(),
            Self::Answer => Step::Answer.as_str(),
            Self::Stop => Step::Stop.as_str(),
            Self::Seal => Step::Seal.as_str(),
            Self::Set => Step::Set.as_str(),
            Self::Export => "export",
            Self::Discard => "discard",
        }
    }
}

impl Failure {
    /// For people: what failed, what is on disk now, and what to do next; every line is escaped already.
    pub fn text(&self) -> String {
        let mut text = visible(&self.message);
        let defects = self.defects.iter().map(|defect| format!("error[{}] {}", defect.rule, defect.message));
        for line in defects {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n  {}", visible(&line));
        }
        for (label, said) in [("now", self.standing.unwrap_or_default()), ("next", &self.help)] {
            if !said.is_empty() {
                let _ = write!(text, "\n{label}: {}", visible(said));
            }
        }
        text
    }
}

impl Refusal {
    /// What is wrong, and what to do about it; an argument that is quoted in it may be a credential.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: without_credentials(&message.into()), help: help.into() }
    }

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl From<Refusal> for Failure {
    fn from(Refusal { message, help }: Refusal) -> Self {
        Self { message, standing: None, help, step: None, kept: None, left: Vec::new(), defects: Vec::new() }
    }
}

impl From<&Error> for Failure {
    fn from(error: &Error) -> Self {
        let words = Refusal::new(error.to_string(), error.help());
        let failure = Self { standing: Some(error.standing()), ..words.into() };
        match error {
            Error::Failed { step, left, .. } => {
                Self { step: Some(step.to_string()), left: left.iter().map(|name| lossy(name)).collect(), ..failure }
            }
            Error::Indeterminate { step, .. } => Self { step: Some(step.to_string()), ..failure },
            Error::Rejected { kept, .. }
            | Error::Exists { kept, .. }
            | Error::Stale { kept, .. }
            | Error::Changed { kept, .. } => Self { kept: kept.as_deref().map(lossy), ..failure },
            Error::NotVerifiable { diagnostics, .. } => Self { defects: defects(diagnostics), ..failure },
            Error::Locked { .. } | Error::Missing { .. } | Error::BackupLeft { .. } | Error::Unsuitable { .. } => {
                failure
            }
        }
    }
}

fn defects(diagnostics: &Diagnostics) -> Vec<Defect> {
    let defect = |found: &crate::diagnostic::Diagnostic| Defect { rule: found.rule.id, message: found.message.clone() };
    diagnostics.errors().map(defect).collect()
}

impl Receipt {
    fn new(command: Command, path: &str, outcome: &'static str) -> Self {
        Self {
            version: VERSION,
            command: command.as_str(),
            outcome,
            path: path.to_owned(),
            session_id: None,
            profile: Profile::Full.as_str(),
            rules: RULES.len(),
            before: None,
            after: None,
            backup: None,
            diagnostics: Vec::new(),
            inputs: Vec::new(),
            error: None,
            recovery: None,
            discarded: None,
        }
    }

    /// A write of `candidate` that ended well.
    pub fn written(
        command: Command,
        path: &str,
        session_id: Option<&str>,
        candidate: &Source,
        receipt: &replace::Receipt,
    ) -> Self {
        let outcome = match receipt.outcome {
            Success::Committed => "committed",
            Success::Unchanged => "unchanged",
            Success::WouldCommit => "would-commit",
            Success::WouldNotChange => "would-not-change",
        };
        Self {
            session_id: session_id.map(without_credentials),
            before: receipt.before.map(|digest| State::new(digest, receipt.from)),
            after: Some(State::new(receipt.after, receipt.to)),
            backup: receipt.backup.as_deref().map(lossy),
            diagnostics: json::findings(&receipt.advice, candidate, None),
            ..Self::new(command, path, outcome)
        }
    }

    /// A recovery that came to a decision.
    pub fn recovered(path: &str, names: &Names, recovery: &Recovery, asked: Asked) -> Self {
        let standing = recovery::standing(recovery);
        Self {
            session_id: recovery.session.as_ref().map(|session| without_credentials(&session.id)),
            before: recovery::version(&recovery.official).map(State::of),
            after: standing.map(State::of),
            recovery: Some(Recovered::new(names, recovery, asked)),
            ..Self::new(Command::Recover, path, recovery::outcome(recovery.outcome))
        }
    }

    /// A session that is gone, or would be.
    pub fn discarded(path: &str, discarded: &Discarded, extent: Extent) -> Self {
        let outcome = match extent {
            Extent::Commit => "discarded",
            Extent::DryRun => "would-discard",
        };
        let version = discarded.version.as_ref();
        Self {
            session_id: version.map(|version| without_credentials(&version.session_id)),
            before: version.map(State::of),
            discarded: Some(discard::files(discarded, extent)),
            ..Self::new(Command::Discard, path, outcome)
        }
    }

    /// A transaction that did not end well.
    pub fn failed(command: Command, path: &str, outcome: &'static str, failure: Failure) -> Self {
        Self { error: Some(failure), ..Self::new(command, path, outcome) }
    }

    /// Adds the session.
    #[must_use]
    pub fn of_session(self, session_id: Option<&str>) -> Self {
        Self { session_id: session_id.map(without_credentials), ..self }
    }

    /// Adds what is wrong with the candidate.
    #[must_use]
    pub fn rejecting(self, diagnostics: &Diagnostics, candidate: &Source, previous: Option<&Source>) -> Self {
        Self { diagnostics: json::findings(diagnostics, candidate, previous), ..self }
    }

    /// Adds what is wrong with an input.
    pub fn reject_input(&mut self, input: Named<'_>, diagnostics: &Diagnostics) {
        let diagnostics = json::findings(diagnostics, input.source, None);
        self.inputs.push(Input { path: input.path.to_owned(), diagnostics });
    }

    /// Adds why it did not end well.
    #[must_use]
    pub fn failing(self, failure: Failure) -> Self {
        Self { error: Some(failure), ..self }
    }

    /// Why it did not end well.
    pub fn failure(&self) -> Option<&Failure> {
        self.error.as_ref()
    }

    /// The object, ended by a line feed.
    ///
    /// # Errors
    /// None that the data can cause.
    pub fn json(&self) -> serde_json::Result<String> {
        json::line(self)
    }

    /// For people; of a transaction without a result it is empty, because its failure says everything.
    pub fn text(&self) -> String {
        if self.after.is_none() && self.recovery.is_none() && self.discarded.is_none() {
            return String::new();
        }
        let mut lines = vec![format!("{}: {}", self.path, self.outcome.replace('-', " "))];
        match &self.recovery {
            Some(recovered) => lines.extend(recovered.lines(self.session_id.as_deref())),
            None => lines.extend(self.session_id.iter().map(|id| format!("session: {id}"))),
        }
        if self.recovery.is_none() {
            lines.extend(self.before.iter().map(|before| format!("before: {}", before.text())));
        }
        lines.extend(self.after.iter().map(|after| format!("now: {}", after.text())));
        lines.extend(self.backup.iter().map(|backup| format!("backup: {backup}")));
        lines.extend(self.discarded.iter().flat_map(|files| discard::lines(files)));
        if self.discarded.is_none() {
            lines.push(format!("checked: profile {}, {} rules", self.profile, self.rules));
        }
        if !self.diagnostics.is_empty() {
            let pieces = super::pieces_of_advice(self.diagnostics.len(), super::Advice::Shown);
            lines.push(format!("advice: {pieces}; see `handoff-guard check --advice`"));
        }
        lines.iter().map(|line| visible(line) + "\n").collect()
    }
}

impl State {
    fn new(digest: Digest, progress: Option<Progress>) -> Self {
        Self {
            digest: digest.to_string(),
            status: progress.map(|progress| progress.status.as_str()),
            round: progress.map(|progress| progress.round),
        }
    }

    fn of(version: &Version) -> Self {
        Self::new(version.digest, version.progress)
    }

    fn text(&self) -> String {
        let progress = self.status.zip(self.round).map(|(status, round)| format!(", {status}, round {round}"));
        format!("sha256 {}{}", self.digest, progress.unwrap_or_default())
    }
}
