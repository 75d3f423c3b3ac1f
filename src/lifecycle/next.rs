//! What a session can do next, and what each next state still needs (PROTOCOL §9, §10).
//!
//! What a step's own input must say is listed here, with the rules that want it. What the document itself still lacks is
//! not listed but tried: the step is composed with an input that is just enough, and judged; what the rules then find is
//! what has to be repaired in the same write.

use super::answer::{Then, answer};
use super::audit::{audit, stop};
use super::checklist::{Point, checklist};
use super::seal::seal;
use super::step::{Composed, More, Refusal, Step};
use crate::check::Verifiable;
use crate::diagnostic::Diagnostic;
use crate::protocol::audit::{Audit, MOST_QUESTIONS, MOST_ROUNDS};
use crate::protocol::keys::Key;
use crate::protocol::sections::{DetailsSection, FINAL_REVIEW, Field, Section, StateLine, TldrSection, round_title};
use crate::protocol::status::Status;
use crate::protocol::words::{CRITERION, NONE};
use crate::source::Source;

/// A session and what lies before it.
#[derive(Clone, Debug)]
pub struct Outlook {
    /// `session_id`.
    pub session_id: String,
    /// `handoff_status`.
    pub status: Status,
    /// `interrogation_round`.
    pub round: u32,
    /// The legal next states; of a sealed session none.
    pub ways: Vec<Way>,
    /// The check list before the hand-over; of a session that is not sealed empty.
    pub checklist: Vec<Point>,
}

/// A way to a next state.
#[derive(Clone, Debug)]
pub struct Way {
    /// The next state.
    pub to: Status,
    /// The step that takes it.
    pub step: Step,
    /// The command, as it is typed before the file.
    pub command: String,
    /// Everything that the next version must have.
    pub needs: Vec<Need>,
}

/// Something that the next version must have.
#[derive(Clone, Debug)]
pub struct Need {
    /// Where.
    pub place: Place,
    /// What must stand there.
    pub says: String,
    /// The rules that want it, by id.
    pub rules: Vec<&'static str>,
}

/// A place in the next version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A key of the front matter; commands write it.
    Key(Key),
    /// A section.
    Section(Section),
    /// A field of a record of the Interrogation, named by its title.
    Field(String, Field),
    /// What the document lacks, whatever the input says.
    Repair,
}

/// What `previous` can become.
pub fn next(previous: &Verifiable<'_>) -> Option<Outlook> {
    let document = previous.document();
    let (status, round) = (document.status()?.value, document.round()?.value);
    let session_id = document.front_matter()?.string(Key::SessionId)?.value.to_owned();
    let mut ways: Vec<Way> = status.successors().iter().filter_map(|&to| way(previous, status, round, to)).collect();
    if Step::Stop.is_legal(status, round) {
        let (step, to) = (Step::Stop, Status::ReviewPending);
        let needs = [state_needs(previous, status, to), repairs(previous, step, to)].concat();
        ways.push(Way { to, step, command: step.to_string(), needs });
    }
    let checklist = if status.is_terminal() { checklist(document) } else { Vec::new() };
    Some(Outlook { session_id, status, round, ways, checklist })
}

fn way(previous: &Verifiable<'_>, from: Status, round: u32, to: Status) -> Option<Way> {
    let (step, inputs) = match from {
        Status::Collecting => (Step::Audit, round_needs(round + 1, to)),
        // After the last round there is no other to collect for.
        Status::NeedsAnswers if to == Status::Collecting && round == MOST_ROUNDS => return None,
        Status::NeedsAnswers => (Step::Answer, answer_needs(previous, round)),
        Status::ReviewPending => (Step::Seal, review_needs(previous, to)),
        Status::Ready | Status::ReadyWithRisks | Status::Blocked => return None,
    };
    let mut needs = state_needs(previous, from, to);
    needs.extend(inputs);
    needs.extend(repairs(previous, step, to));
    let stops = step == Step::Answer && to == Status::ReviewPending && round < MOST_ROUNDS;
    let command = if stops { format!("{step} --stop") } else { step.to_string() };
    Some(Way { to, step, command, needs })
}

fn need(place: Place, says: impl Into<String>, rules: &[&'static str]) -> Need {
    Need { place, says: says.into(), rules: rules.to_vec() }
}

/// What every change of state needs.
fn state_needs(previous: &Verifiable<'_>, from: Status, to: Status) -> Vec<Need> {
    let before = previous.document().front_matter().and_then(|front_matter| front_matter.string(Key::UpdatedAt));
    let before = before.map_or("before", |before| before.value);
    let state = Place::Section(Section::Tldr(TldrSection::CurrentState));
    let why = format!("why {to} holds, other than before");
    let mut needs = vec![
        need(Place::Key(Key::HandoffStatus), to.as_str(), &["succession/transition"]),
        need(state, format!("{} {to}", StateLine::Status), &["tldr/status-mismatch"]),
        need(Place::Key(Key::StatusReason), why.clone(), &["succession/status-update"]),
        need(Place::Key(Key::StatusEvidence), format!("what shows {why}"), &["succession/status-update"]),
        need(Place::Key(Key::UpdatedAt), format!("later than {before}"), &["succession/updated-at"]),
    ];
    if from == Status::ReviewPending {
        needs.push(need(Place::Key(Key::LastAuditStatus), to.as_str(), &["state/last-audit"]));
    }
    needs
}

/// A round that leads to `to`.
fn round_needs(number: u32, to: Status) -> Vec<Need> {
    let title = round_title(number);
    let field = |field| Place::Field(title.clone(), field);
    let asks = to == Status::NeedsAnswers;
    let verdict =
        if asks { Audit::NeedsAnswers.to_string() } else { format!("{} or {}", Audit::Ready, Audit::ReadyWithRisks) };
    let status = if asks { ["rounds/status", "state/not-asking"] } else { ["rounds/status", "succession/two-batches"] };
    let mut needs = vec![
        need(Place::Key(Key::InterrogationRound), number.to_string(), &["succession/round", "rounds/count"]),
        need(Place::Key(Key::LastAuditStatus), verdict.clone(), &["state/last-audit"]),
        need(field(Field::Status), verdict, &status),
    ];
    needs.push(if asks {
        let rules = ["rounds/questions-missing", "rounds/too-many-questions", "rounds/questions-list"];
        need(field(Field::Questions), format!("1 to {MOST_QUESTIONS} questions in one list"), &rules)
    } else {
        need(field(Field::Questions), NONE, &["rounds/questions-unexpected"])
    });
    needs.extend(findings(&title));
    if !asks {
        let says = format!("something here or in Unknowns, when Status is {}", Audit::ReadyWithRisks);
        needs.push(need(field(Field::Risks), says, &["rounds/risks-missing", "state/risks-not-archived"]));
    }
    needs
}

/// The fields that every record needs behind Questions.
fn findings(title: &str) -> Vec<Need> {
    let field = |field| Place::Field(title.to_owned(), field);
    let said = |found| {
        need(field(found), format!("what was found, or `{NONE}`"), &["rounds/field-missing", "rounds/field-empty"])
    };
    let mut needs: Vec<Need> = [Field::Conflicts, Field::Risks, Field::Unknowns].map(said).into();
    let places = format!("entries with a place, or that start with `unverified`, or `{NONE}`");
    needs.push(need(field(Field::Evidence), places, &["rounds/field-missing", "rounds/evidence"]));
    let merged = |section, says: &str| need(Place::Section(Section::Details(section)), says, &["rounds/not-merged"]);
    needs.push(merged(
        DetailsSection::KnownRisks,
        "what Risks and Unknowns say, here or in Unverified Assumptions; the command merges it",
    ));
    needs.push(merged(DetailsSection::Evidence, "what Evidence names; the command merges it"));
    needs
}

fn answer_needs(previous: &Verifiable<'_>, round: u32) -> Vec<Need> {
    let record = previous.document().current_round();
    let count = record.and_then(|record| record.content(Field::Questions)).map_or(0, |asked| asked.entries.len());
    let answers = Place::Field(round_title(round), Field::Answers);
    let says = format!("{count} × one answer, in one list, the k-th for the k-th question");
    let unknown = "an unknown answer says how to find out and what depends on it, and is archived here";
    let archive = Place::Section(Section::Details(DetailsSection::UnverifiedAssumptions));
    vec![
        need(answers, says, &["rounds/answers-missing"]),
        need(archive, unknown, &["rounds/unknown-without-check", "state/unknown-not-archived"]),
    ]
}

fn review_needs(previous: &Verifiable<'_>, to: Status) -> Vec<Need> {
    let field = |field| Place::Field(FINAL_REVIEW.to_owned(), field);
    let mut needs = vec![
        need(field(Field::Status), to.as_str(), &["rounds/status", "state/terminal-mismatch"]),
        need(field(Field::Questions), NONE, &["rounds/questions-unexpected"]),
    ];
    needs.extend(findings(FINAL_REVIEW));
    let grounds = format!("at least one entry, not `{NONE}`");
    needs.push(need(field(Field::Evidence), grounds, &["rounds/review-evidence"]));
    let before = previous.document().current_audit().map(|audit| audit.value);
    if let Some(before) = before.filter(|before| before.terminal_status().is_some_and(|before| before != to)) {
        let says = format!(
            "why it is no longer {before}: a conflict, a place that no round names, or an entry `{CRITERION} …`"
        );
        needs.push(need(field(Field::Evidence), says, &["state/verdict-change"]));
    }
    if to != Status::Ready {
        let fields = if to == Status::Blocked { "here, in Unknowns or in Conflicts" } else { "here or in Unknowns" };
        needs.push(need(field(Field::Risks), format!("something {fields}"), &["rounds/risks-missing"]));
        let risks = Place::Section(Section::Tldr(TldrSection::BlockersAndRisks));
        needs.push(need(risks, format!("something, not `{NONE}`"), &["tldr/risks-required"]));
    }
    let summary = Place::Section(Section::Details(DetailsSection::FinalSuccessorSummary));
    needs.push(need(summary, "1 to 10 points for the successor", &["state/summary-missing", "details/summary-length"]));
    needs
}

/// What the rules find in the version that the step makes of an input that is just enough.
fn repairs(previous: &Verifiable<'_>, step: Step, to: Status) -> Vec<Need> {
    let audited = |verdict: Audit| report(verdict, NONE);
    let (report, other) = match step {
        Step::Audit if to == Status::NeedsAnswers => (audited(Audit::NeedsAnswers), String::new()),
        Step::Audit => (audited(Audit::Ready), String::new()),
        Step::Answer => (answers(previous), String::new()),
        Step::Stop | Step::Set => (String::new(), String::new()),
        Step::Seal => (
            report(Audit::parse(to.as_str()).unwrap_or(Audit::Ready), &format!("- {CRITERION} {FILLER}")),
            format!("- {FILLER}"),
        ),
    };
    let (report, summary) = (Source::new(report), Source::new(other));
    // Any time will do: it is never later than the version before, so that the next second is taken.
    let (more, now) = (More::default(), "0000-01-01T00:00:00Z");
    let composed: Result<Composed<'_>, Refusal> = match step {
        Step::Audit => audit(previous, &report, &more, now),
        Step::Answer => {
            answer(previous, &report, if to == Status::Collecting { Then::Collect } else { Then::Stop }, &more, now)
        }
        Step::Stop => stop(previous, &more, now),
        Step::Seal => seal(previous, &report, Some(&summary), &more, now),
        Step::Set => return Vec::new(),
    };
    match composed.map(|composed| composed.judge(previous)) {
        Ok(Ok(_)) => Vec::new(),
        Ok(Err(rejection)) => rejection.document.errors().map(repair).collect(),
        // The step is legal and its input is text.
        Err(_) => {
            vec![need(Place::Repair, "a time later than `updated_at`, and there is none", &["succession/updated-at"])]
        }
    }
}

fn repair(found: &Diagnostic) -> Need {
    let help = found.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
    need(Place::Repair, format!("{}{help}", found.message), &[found.rule.id])
}

/// What an input says where it only has to say something.
const FILLER: &str = "to be said";

/// A report that says no more than its verdict needs.
fn report(verdict: Audit, evidence: &str) -> String {
    let said = |field: Field| match field {
        Field::Status => verdict.to_string(),
        Field::Questions if verdict == Audit::NeedsAnswers => format!("- {FILLER}"),
        Field::Risks if matches!(verdict, Audit::ReadyWithRisks | Audit::Blocked) => format!("- {FILLER}"),
        Field::Evidence => evidence.to_owned(),
        _ => NONE.to_owned(),
    };
    let fields: Vec<String> = Field::AUDIT.iter().map(|&field| format!("# {field}\n{}\n", said(field))).collect();
    fields.join("\n")
}

fn answers(previous: &Verifiable<'_>) -> String {
    let record = previous.document().current_round();
    let count = record.and_then(|record| record.content(Field::Questions)).map_or(0, |asked| asked.entries.len());
    format!("- {FILLER}\n").repeat(count)
}
