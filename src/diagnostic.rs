//! What a rule is and what it says: [`Rule`] is data, [`Diagnostic`] is one finding, [`Diagnostics`] is a report.

use std::collections::BTreeMap;

use crate::source::Span;

/// Whether a finding rejects the document. Fixed by the protocol; nothing can change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Rejects the document.
    Error,
    /// Never rejects: people see it on request, machine formats always carry it.
    Advice,
}

impl Severity {
    /// The word used in every output format.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Advice => "advice",
        }
    }
}

/// Which profiles hold a document to a rule (PROTOCOL §14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Every profile.
    Every,
    /// The `full` profile only.
    Full,
}

/// One rule of the protocol, as data: `explain`, `RULES.md` and the meta-tests read it, the checks cite it.
#[derive(Debug)]
pub struct Rule {
    /// `family/defect`, never reused and never renamed.
    pub id: &'static str,
    /// Whether it rejects.
    pub severity: Severity,
    /// The section of the protocol, as `§6`.
    pub clause: &'static str,
    /// Which profiles apply it.
    pub scope: Scope,
    /// The rule in one sentence.
    pub summary: &'static str,
    /// Why the protocol wants it.
    pub rationale: &'static str,
    /// A defect and its repair.
    pub example: Example,
}

/// A defect as a minimal edit of a shared valid document; undoing the edit, or making `fix` instead, repairs it.
#[derive(Debug)]
pub struct Example {
    /// The document that is edited.
    pub base: Base,
    /// What the document is held against.
    pub against: Against,
    /// The edits that break it.
    pub bad: &'static [Edit],
    /// Edits that make a valid document of the same base; empty: the base itself is the good example.
    pub good: &'static [Edit],
    /// Other rules that the same edit necessarily breaks.
    pub also: &'static [&'static str],
}

/// The valid documents of one session that every example starts from (`fixtures/valid/`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// COLLECTING, no round yet.
    Initial,
    /// `NEEDS_ANSWERS`, round 1 just recorded.
    NeedsAnswers,
    /// COLLECTING, round 1 answered.
    Collecting,
    /// `REVIEW_PENDING`, round 2 found `READY_WITH_RISKS`.
    ReviewPending,
    /// READY.
    Ready,
    /// `READY_WITH_RISKS`.
    ReadyWithRisks,
    /// BLOCKED.
    Blocked,
}

impl Base {
    /// The document in a few words.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Initial => "COLLECTING, round 0",
            Self::NeedsAnswers => "NEEDS_ANSWERS, round 1",
            Self::Collecting => "COLLECTING, round 1",
            Self::ReviewPending => "REVIEW_PENDING, round 2",
            Self::Ready => "READY, round 2",
            Self::ReadyWithRisks => "READY_WITH_RISKS, round 2",
            Self::Blocked => "BLOCKED, round 2",
        }
    }
}

impl Example {
    /// The edits that break `base`; the base itself is the good example.
    pub const fn of(base: Base, bad: &'static [Edit]) -> Self {
        Self { base, against: Against::Nothing, bad, good: &[], also: &[] }
    }

    /// Checks the example against something.
    #[must_use]
    pub const fn against(self, against: Against) -> Self {
        Self { against, ..self }
    }

    /// The same base repaired in another way than by undoing the edits.
    #[must_use]
    pub const fn good(self, good: &'static [Edit]) -> Self {
        Self { good, ..self }
    }

    /// Other rules that the edits necessarily break.
    #[must_use]
    pub const fn also(self, also: &'static [&'static str]) -> Self {
        Self { also, ..self }
    }
}

/// What an example is checked against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// Nothing.
    Nothing,
    /// It must be the first version of the session `importer-4c81`.
    FirstVersion,
    /// It must be able to follow this version.
    Previous(Base),
}

/// One change of a base document.
#[derive(Clone, Copy, Debug)]
pub enum Edit {
    /// The first occurrence of one text becomes another.
    Replace(&'static str, &'static str),
    /// The first occurrence of a text becomes bytes that need not be UTF-8.
    Bytes(&'static str, &'static [u8]),
    /// The first occurrence of a text becomes another, repeated.
    Repeat(&'static str, &'static str, usize),
}

impl Rule {
    /// Starts a finding of this rule at `span`. `message` is a lower-case phrase that names the offending thing.
    pub fn at(&'static self, span: Span, message: impl Into<String>) -> Diagnostic {
        let related = Vec::new();
        Diagnostic { rule: self, message: message.into(), span, label: None, related, help: None, root_cause: false }
    }

    /// The first part of the id.
    pub fn family(&self) -> &'static str {
        self.id.split('/').next().unwrap_or_default()
    }
}

/// One finding: which rule, where, what is wrong, and how to repair it.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The rule that is broken.
    pub rule: &'static Rule,
    /// A lower-case phrase that names the offending thing.
    pub message: String,
    /// The offending bytes.
    pub span: Span,
    /// What stands at `span`, when the message does not say it.
    pub label: Option<String>,
    /// Other places that matter.
    pub related: Vec<Label>,
    /// How to repair it.
    pub help: Option<String>,
    /// It may hide or cause the findings that are not, so it is reported before them.
    pub root_cause: bool,
}

/// A second place of a finding.
#[derive(Clone, Debug)]
pub struct Label {
    /// Which document `span` belongs to.
    pub place: Place,
    /// The bytes.
    pub span: Span,
    /// What stands there.
    pub text: String,
}

/// The document that a [`Label`] points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The checked document.
    Document,
    /// The version before it.
    Previous,
}

impl Diagnostic {
    /// Says what stands at the caret.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = Some(text.into());
        self
    }

    /// Says how to repair it.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Says that it may hide or cause other findings.
    #[must_use]
    pub fn root_cause(mut self) -> Self {
        self.root_cause = true;
        self
    }

    /// Adds a second place in the same document.
    #[must_use]
    pub fn related(self, span: Span, text: impl Into<String>) -> Self {
        self.with(Place::Document, span, text.into())
    }

    /// Adds a second place in the previous version.
    #[must_use]
    pub fn previously(self, span: Span, text: impl Into<String>) -> Self {
        self.with(Place::Previous, span, text.into())
    }

    fn with(mut self, place: Place, span: Span, text: String) -> Self {
        self.related.push(Label { place, span, text });
        self
    }
}

/// How many findings of one rule a report lists; the rest are counted.
pub const LISTED_PER_RULE: usize = 50;

/// Collects findings while the rules run.
#[derive(Debug)]
pub struct Sink {
    widest: Scope,
    listed: Vec<Diagnostic>,
    found: BTreeMap<&'static str, usize>,
}

impl Sink {
    /// Keeps the findings of the rules whose scope is not wider than `widest`.
    pub fn new(widest: Scope) -> Self {
        Self { widest, listed: Vec::new(), found: BTreeMap::new() }
    }

    /// Adds a finding. Beyond [`LISTED_PER_RULE`] of one rule it is only counted, so that no input can fill the memory.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if self.widest == Scope::Every && diagnostic.rule.scope == Scope::Full {
            return;
        }
        let count = self.found.entry(diagnostic.rule.id).or_default();
        *count += 1;
        if *count <= LISTED_PER_RULE {
            self.listed.push(diagnostic);
        }
    }

    /// Adds every finding of `found`.
    pub fn extend(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        found.into_iter().for_each(|diagnostic| self.push(diagnostic));
    }

    /// Orders the findings: root causes first, then by place, then by rule id. `hidden` are the bytes that no output
    /// may show.
    pub fn finish(mut self, hidden: Vec<Span>) -> Diagnostics {
        self.listed.sort_by_key(|found| (!found.root_cause, found.span, found.rule.id));
        for (&id, &count) in self.found.iter().filter(|&(_, &count)| count > LISTED_PER_RULE) {
            if let Some(last) = self.listed.iter_mut().rev().find(|diagnostic| diagnostic.rule.id == id) {
                last.message = format!("{} (and {} more of this kind)", last.message, count - LISTED_PER_RULE);
            }
        }
        Diagnostics { listed: self.listed, hidden }
    }
}

/// The findings of one document, in reading order, root causes first.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    listed: Vec<Diagnostic>,
    hidden: Vec<Span>,
}

impl Diagnostics {
    /// Every listed finding.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.listed.iter()
    }

    /// The bytes of the document that no output may show: they hold a credential. In order, none overlapping.
    pub fn hidden(&self) -> &[Span] {
        &self.hidden
    }

    /// True when nothing was found.
    pub fn is_empty(&self) -> bool {
        self.listed.is_empty()
    }

    /// The findings that reject.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.iter().filter(|diagnostic| diagnostic.rule.severity == Severity::Error)
    }

    /// The findings that do not reject.
    pub fn advice(&self) -> impl Iterator<Item = &Diagnostic> {
        self.iter().filter(|diagnostic| diagnostic.rule.severity == Severity::Advice)
    }
}

impl<'d> IntoIterator for &'d Diagnostics {
    type Item = &'d Diagnostic;
    type IntoIter = std::slice::Iter<'d, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
