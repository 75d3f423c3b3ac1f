//! What the steps of a session have in common: when each is legal, what it may take along, and how the version that it
//! composes is judged.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::draft::{Changed, Draft};
use super::fragment::Role;
use super::front_matter::{Evidence, Head};
use super::input::{Defects, Input, Unreadable, disjoint, hidden};
use super::malformed::Malformed;
use super::merge;
use super::report::{Report, Seventh};
use super::said::outline;
use super::updates::{self, Mode, Update, is_left_open};
use crate::check::{Baseline, Verifiable, check};
use crate::diagnostic::{Diagnostic, Diagnostics, Label, Place, Scope, Sink};
use crate::document::Document;
use crate::document::outline::BlockKind;
use crate::protocol::audit::{Audit, MOST_ROUNDS};
use crate::protocol::evidence::{Kind, Verification};
use crate::protocol::profile::Profile;
use crate::protocol::sections::{DetailsSection, Field, Section};
use crate::protocol::status::Status;
use crate::protocol::timestamp::{self, Timestamp};
use crate::protocol::vocabulary;
use crate::rules::form::EMPTY_TLDR_SECTION;
use crate::rules::security;
use crate::source::{Source, Span};

vocabulary! {
    /// A step of a session: the command that writes the next version.
    Step {
        /// Records a round.
        Audit = "audit",
        /// Answers the questions of the current round.
        Answer = "answer",
        /// Stops auditing without another round.
        Stop = "stop",
        /// Records the final review.
        Seal = "seal",
        /// Changes a section.
        Set = "set",
    }
}

impl Step {
    /// True when a session in this state and round can take the step (PROTOCOL §9, §10).
    pub fn is_legal(self, status: Status, round: u32) -> bool {
        match self {
            Self::Audit => status == Status::Collecting,
            Self::Stop => status == Status::Collecting && round > 0,
            Self::Answer => status == Status::NeedsAnswers,
            Self::Seal => status == Status::ReviewPending,
            Self::Set => !status.is_terminal(),
        }
    }
}

/// What `audit`, `answer` and `seal` take along in the same write, because the protocol allows no second one.
#[derive(Clone, Copy, Debug, Default)]
pub struct More<'m, 'i> {
    /// `status_reason`; without it the step says what it did.
    pub reason: Option<&'m str>,
    /// `status_evidence`; without any it is the record that the step makes.
    pub evidence: &'m [Evidence],
    /// New contents of sections: Markdown with the headings of a handoff. `## Title` replaces, `## Title +` appends.
    pub updates: Option<&'i Source>,
}

/// Why a step composes nothing.
#[derive(Debug)]
pub enum Refusal {
    /// The state of the session does not allow it.
    WrongStep(WrongStep),
    /// An input cannot be read.
    Unreadable(Unreadable),
    /// There is no later time to write (PROTOCOL §10).
    NoLaterTime,
}

/// A step at the wrong moment.
#[derive(Clone, Copy, Debug)]
pub struct WrongStep {
    /// The step.
    pub step: Step,
    /// The state of the session.
    pub status: Status,
    /// Its round.
    pub round: u32,
}

impl WrongStep {
    /// What can be done instead.
    pub fn help(&self) -> String {
        if self.status.is_terminal() {
            return "nothing follows a sealed version: hand it over with `prompt` or `export`, or begin a new session with `init`"
                .to_owned();
        }
        let next = self.status.successors().iter().map(|next| next.as_str()).collect::<Vec<_>>().join(" or ");
        let steps = Step::ALL.iter().filter(|step| step.is_legal(self.status, self.round));
        let steps: Vec<String> = steps.map(|step| format!("`{step}`")).collect();
        format!("legal now: {} (the next state is {next}); `next` says what each needs", steps.join(", "))
    }
}

impl fmt::Display for WrongStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, status, round } = self;
        write!(f, "`{step}` is no legal step of a session in {status}, round {round} of {MOST_ROUNDS}")
    }
}

/// A composed version that is not yet judged.
#[derive(Debug)]
pub struct Composed<'i> {
    changed: Changed,
    inputs: BTreeMap<Role, &'i Source>,
    defects: Defects,
    completeness: Completeness,
}

/// Whether the inputs had everything that the version is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Completeness {
    Complete,
    /// What is wrong outside of the inputs may come from what they lack.
    Lacking,
}

/// A composed version that breaks rules.
#[derive(Debug)]
pub struct Rejection {
    /// The composed version.
    pub text: Source,
    /// What is wrong with it, beside what came from the inputs.
    pub document: Diagnostics,
    /// What is wrong with each input, at its place there.
    pub inputs: BTreeMap<Role, Diagnostics>,
}

impl Composed<'_> {
    /// The bytes, when they can follow `previous`.
    ///
    /// # Errors
    /// Everything that is wrong with the inputs and with what was made of them.
    pub fn judge(self, previous: &Verifiable<'_>) -> Result<Source, Box<Rejection>> {
        let source = Source::new(self.changed.text.clone());
        let verdict = check(&source, Profile::Full, Baseline::Update { previous });
        let errors: Vec<Diagnostic> = verdict.diagnostics().errors().cloned().collect();
        if errors.is_empty() && self.defects.0.is_empty() {
            return Ok(source);
        }
        let mut sinks: BTreeMap<Role, (Sink, Vec<Span>)> = BTreeMap::new();
        // What an input says can stand in the record and in a section.
        let mut told = BTreeSet::new();
        let mut into = |role: Role, found: Diagnostic| {
            if !told.insert((role, found.rule.id, found.span)) {
                return;
            }
            let (sink, hidden) = sinks.entry(role).or_insert_with(|| (Sink::new(Scope::Full), Vec::new()));
            if found.rule.family() == security::FAMILY {
                hidden.push(found.span);
            }
            sink.push(found);
        };
        let mut outside = Sink::new(Scope::Full);
        let named: Vec<_> = self.defects.0.iter().map(|(role, found)| (*role, found.rule.id)).collect();
        for found in errors {
            match self.changed.origin(found.span) {
                Some(origin) if named.contains(&(origin.role, found.rule.id)) => {}
                Some(origin) => into(origin.role, self.moved(found, origin.span, origin.role)),
                None if self.completeness == Completeness::Lacking || !self.defects.0.is_empty() => {}
                None => outside.push(found),
            }
        }
        for (role, found) in self.defects.0 {
            into(role, found);
        }
        let masks = |role: &Role, found: Vec<Span>| {
            let text = self.inputs.get(role).map(|source| source.printable()).unwrap_or_default();
            disjoint([found, hidden(&text)].concat())
        };
        let inputs = sinks.into_iter().map(|(role, (sink, found))| (role, sink.finish(masks(&role, found)))).collect();
        let document = outside.finish(verdict.diagnostics().hidden().to_vec());
        drop(verdict);
        Err(Box::new(Rejection { document, inputs, text: source }))
    }

    /// A finding about the composed version as one about an input.
    fn moved(&self, found: Diagnostic, span: Span, role: Role) -> Diagnostic {
        let label = |label: Label| match label.place {
            Place::Previous => Some(label),
            Place::Document => {
                let origin = self.changed.origin(label.span).filter(|origin| origin.role == role)?;
                Some(Label { span: origin.span, ..label })
            }
        };
        Diagnostic { span, related: found.related.into_iter().filter_map(label).collect(), ..found }
    }
}

/// A step on its way: the draft, and everything it was given.
pub(super) struct Work<'w, 'i> {
    pub(super) draft: Draft<'w>,
    pub(super) head: Head,
    pub(super) defects: Defects,
    completeness: Completeness,
    inputs: BTreeMap<Role, &'i Source>,
}

impl<'w, 'i> Work<'w, 'i> {
    /// Begins a step on `previous` at `now`, when it is legal.
    pub(super) fn begin(step: Step, previous: &'w Verifiable<'_>, now: &str) -> Result<Self, Refusal> {
        let document: &Document<'_> = previous.document();
        let Some(mut head) = Head::of(document) else { return Err(Refusal::NoLaterTime) };
        let (status, round) = (head.status, head.round);
        if !step.is_legal(status, round) {
            return Err(Refusal::WrongStep(WrongStep { step, status, round }));
        }
        let before = Timestamp::parse(&head.updated_at).ok();
        head.updated_at = before.and_then(|before| timestamp::after(now, &before)).ok_or(Refusal::NoLaterTime)?;
        Ok(Self {
            draft: Draft::new(document),
            head,
            defects: Defects::default(),
            completeness: Completeness::Complete,
            inputs: BTreeMap::new(),
        })
    }

    /// Decodes an input.
    pub(super) fn open(&mut self, role: Role, source: &'i Source) -> Result<Input<'i>, Refusal> {
        self.inputs.insert(role, source);
        Input::open(role, source, &mut self.defects).map_err(Refusal::Unreadable)
    }

    /// Reads a report and its verdict, one of `verdicts` when it has one.
    pub(super) fn report(
        &mut self,
        source: &'i Source,
        seventh: Seventh,
        verdicts: &[Audit],
    ) -> Result<(Report, Option<Audit>), Refusal> {
        let input = self.open(Role::Report, source)?;
        let report = Report::read(input, seventh, &mut self.defects).map_err(Refusal::Unreadable)?;
        let verdict = report.verdict(verdicts);
        if verdict.is_none() {
            self.completeness = Completeness::Lacking;
        }
        Ok((report, verdict))
    }

    /// Takes over the new contents of sections.
    pub(super) fn update(&mut self, source: Option<&'i Source>) -> Result<(), Refusal> {
        let Some(source) = source else { return Ok(()) };
        let input = self.open(Role::Updates, source)?;
        updates::read(input, &mut self.defects).iter().try_for_each(|update| self.apply(input, update))
    }

    /// Takes over the new content of one section, a part of `input`.
    pub(super) fn apply(&mut self, input: Input<'_>, update: &Update) -> Result<(), Refusal> {
        let section = self.draft.section(update.section);
        let span = update.content.parts.first().map(|part| part.origin.span).unwrap_or_default();
        let misfit = match update.mode {
            _ if is_left_open(&update.content.text) => Some("it leaves a code block, a comment or other HTML open"),
            Mode::Append => merge::misfit(section, &update.content),
            Mode::Replace => None,
        };
        if let Some(why) = misfit {
            let message = format!("this is no content of `## {}`: {why}", update.section);
            return Err(Refusal::Unreadable(input.malformed(Malformed { message, span })));
        }
        match update.mode {
            Mode::Replace => *section = update.content.clone(),
            Mode::Append => merge::append(section, &update.content),
        }
        if matches!(update.section, Section::Tldr(_)) && !has_item(&section.text) {
            let message = format!("`## {}` needs a list item", update.section);
            let found = EMPTY_TLDR_SECTION.at(span, message);
            self.defects.push(input.role, found.help("write each entry as `- …`"));
        }
        Ok(())
    }

    /// Moves to a state, and says why.
    pub(super) fn move_to(&mut self, status: Status, more: &More<'_, '_>, reason: String, evidence: Vec<Evidence>) {
        self.head.status = status;
        // Updated means different.
        let default = if reason == self.head.reason { format!("{reason} ({})", self.head.updated_at) } else { reason };
        self.head.reason = more.reason.map_or(default, str::to_owned);
        self.head.evidence = if more.evidence.is_empty() { evidence } else { more.evidence.to_vec() };
        self.draft.set_status(status);
    }

    /// The version, by [`Draft::finish`] or [`Draft::finish_at`].
    pub(super) fn finish(self, how: fn(Draft<'w>, &Head) -> Changed) -> Composed<'i> {
        let Self { draft, head, defects, completeness, inputs } = self;
        Composed { changed: how(draft, &head), inputs, defects, completeness }
    }
}

fn has_item(text: &str) -> bool {
    outline(text).blocks.iter().any(|block| matches!(block.kind, BlockKind::List(_)))
}

/// Evidence that a field of a record is there and says what `claim` says.
pub(super) fn recorded(title: &str, field: Field, claim: String) -> Evidence {
    Evidence {
        kind: Kind::Document,
        reference: Some(format!("## {}, ### {title}, #### {field}", DetailsSection::Interrogation)),
        claim,
        verification: Verification::Verified,
    }
}

/// `1 question`, `2 questions`.
pub(super) fn questions(count: usize) -> String {
    if count == 1 { "1 question".to_owned() } else { format!("{count} questions") }
}
