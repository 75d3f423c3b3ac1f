//! Defects of the state and of first versions (PROTOCOL §9, §10).

use handoff_guard::check::Baseline;
use handoff_guard::document::rounds::{Record, RecordTitle};
use handoff_guard::protocol::audit::{Audit, MOST_ROUNDS};
use handoff_guard::protocol::keys::Key;
use handoff_guard::protocol::sections::{DetailsSection, Field};
use handoff_guard::protocol::status::Status;
use handoff_guard::source::Span;

use super::page::{Page, Region};
use super::rounds::quiet_round;
use super::{Mutants, Operator};

pub(super) const OPERATORS: &[Operator] =
    &[last_audit, rounds, verdicts, not_archived, unknown_answers, sealed, verdict_change, first_version];

/// The current round.
fn current(page: &Page) -> Option<(&Record<'static>, Region)> {
    page.records().into_iter().find(|(record, _)| record.title == RecordTitle::Round(page.round()))
}

fn audit(page: &Page) -> Option<Audit> {
    Some(current(page)?.0.status()?.value)
}

/// The edit of `handoff_status`.
fn state(page: &Page, status: Status) -> (Span, String) {
    page.value_edit(page.entry(Key::HandoffStatus), status.as_str())
}

/// The edit of the current round's Status.
fn verdict(page: &Page, audit: Audit) -> (Span, String) {
    let (record, place) = current(page).unwrap();
    Page::field(record, place, Field::Status).unwrap().edit(audit.as_str())
}

/// The edits that leave nothing to verify on record.
fn nothing_archived(page: &Page) -> [(Span, String); 2] {
    let spellings =
        [["none", "none"], ["- none", "unverified"], ["unverified", ""], ["", "- unverified"], ["1. none", "* none"]];
    let spelling = spellings[if page.status().is_terminal() { 0 } else { page.number % spellings.len() }];
    let sections = [DetailsSection::KnownRisks, DetailsSection::UnverifiedAssumptions];
    [0, 1].map(|index| page.section(sections[index]).edit(spelling[index]))
}

fn last_audit(page: &'static Page, mutants: &mut Mutants) {
    let entry = page.entry(Key::LastAuditStatus);
    let said = page.front_matter().last_audit().unwrap().value;
    for other in Audit::ALL.iter().filter(|audit| Some(**audit) != said) {
        mutants.push("state/last-audit", page.set(entry, other.as_str()));
        mutants.push("state/last-audit", page.set(entry, &format!("\"{other}\"")));
    }
    for null in page.some(&["null", "~", "NULL", ""]).filter(|_| page.round() > 0) {
        mutants.push("state/last-audit", page.set(entry, null));
    }
}

fn rounds(page: &'static Page, mutants: &mut Mutants) {
    let round = |number: u32| page.value_edit(page.entry(Key::InterrogationRound), &number.to_string());
    if page.status() == Status::Collecting {
        let end = page.section(DetailsSection::Interrogation).body.end();
        let more: String = (page.round() + 1..=MOST_ROUNDS).map(quiet_round).collect();
        let more = (Span::at(end), format!("\n\n{more}"));
        mutants.push("state/rounds-exhausted", page.with(&[round(MOST_ROUNDS), more]));
        mutants.push("state/rounds-exhausted", page.with(&[round(MOST_ROUNDS)]));
    } else {
        let none = page.section(DetailsSection::Interrogation).edit("none");
        let null = page.value_edit(page.entry(Key::LastAuditStatus), "null");
        mutants.push("state/needs-round", page.with(&[round(0), null, none]));
        mutants.push("state/needs-round", page.with(&[round(0)]));
    }
    if page.round() == MOST_ROUNDS {
        mutants.push("state/rounds-exhausted", page.with(&[state(page, Status::Collecting)]));
    }
    for status in Status::ALL.iter().filter(|status| page.round() == 0 && **status != Status::Collecting) {
        mutants.push("state/needs-round", page.with(&[state(page, *status)]));
    }
}

fn verdicts(page: &'static Page, mutants: &mut Mutants) {
    let Some(audit) = audit(page) else { return };
    let rules = [(Status::NeedsAnswers, "state/not-asking"), (Status::Collecting, "state/stop-reached")];
    for (status, rule) in rules {
        if audit != Audit::NeedsAnswers {
            mutants.push(rule, page.with(&[state(page, status)]));
        }
        for done in [Audit::Ready, Audit::ReadyWithRisks] {
            if page.status() == status {
                mutants.push(rule, page.with(&[verdict(page, done)]));
            }
            if audit != done {
                mutants.push(rule, page.with(&[state(page, status), verdict(page, done)]));
            }
        }
    }
}

fn not_archived(page: &'static Page, mutants: &mut Mutants) {
    let Some(audit) = audit(page) else { return };
    let [risks, assumptions] = nothing_archived(page);
    for status in [Status::ReviewPending, Status::ReadyWithRisks, Status::Blocked] {
        let edits = [state(page, status), verdict(page, Audit::ReadyWithRisks), risks.clone(), assumptions.clone()];
        mutants.push("state/risks-not-archived", page.with(&edits));
        if page.status() == status && audit == Audit::ReadyWithRisks {
            mutants.push("state/risks-not-archived", page.with(&edits[2..]));
        }
    }
    if page.round() < MOST_ROUNDS {
        let edits = [state(page, Status::ReviewPending), verdict(page, Audit::NeedsAnswers), risks, assumptions];
        mutants.push("state/stop-unjustified", page.with(&edits));
    }
}

fn unknown_answers(page: &'static Page, mutants: &mut Mutants) {
    const UNKNOWN: &[&str] = &[
        "unknown: ask the owner",
        "Unknown, see the logs",
        "UNKNOWN - ask",
        "**unknown**: ask the owner",
        "未知：问负责人",
        "未知，查日志",
        "unknown",
        "(unknown) ask the owner",
        "`unknown`, ask",
        "unknown yet; read the code",
    ];
    let asked = audit(page) == Some(Audit::NeedsAnswers) && page.status() != Status::NeedsAnswers;
    let Some((record, place)) = current(page).filter(|_| asked) else { return };
    let questions = record.content(Field::Questions).unwrap().items().count();
    let [risks, assumptions] = nothing_archived(page);
    for unknown in page.some(UNKNOWN) {
        let known = "- An answer.\n".repeat(questions - 1);
        for answers in [format!("{known}- {unknown}"), format!("- {unknown}\n{known}")] {
            let answers = Page::field(record, place, Field::Answers).unwrap().edit(&answers);
            mutants.push("state/unknown-not-archived", page.with(&[answers, risks.clone(), assumptions.clone()]));
        }
    }
}

fn sealed(page: &'static Page, mutants: &mut Mutants) {
    if !page.status().is_terminal() {
        return;
    }
    let others = [Status::Ready, Status::ReadyWithRisks, Status::Blocked];
    for other in others.into_iter().filter(|other| *other != page.status()) {
        mutants.push("state/terminal-mismatch", page.with(&[state(page, other)]));
    }
    let summary = page.section(DetailsSection::FinalSuccessorSummary);
    for nothing in page.some(&[
        "none",
        "- none",
        "unverified",
        "",
        "- \n",
        "- unverified",
        "1. none",
        "- A point.\n- none",
        "none\n\nA point.",
        "***",
    ]) {
        mutants.push("state/summary-missing", page.put(summary, nothing));
    }
}

fn verdict_change(page: &'static Page, mutants: &mut Mutants) {
    let records = page.records();
    let Some((review, place)) = records.last().filter(|_| page.status().is_terminal()) else { return };
    let Some(audit) = audit(page).filter(|audit| *audit != Audit::NeedsAnswers) else { return };
    let field = |field: Field| Page::field(review, *place, field).unwrap();
    let known = current(page).unwrap().0.content(Field::Evidence).unwrap().anchored_entry();
    let known = known.map_or("reason: nothing new".to_owned(), |entry| entry.text.to_string());
    let grounds = [
        "- reason: it feels better".to_owned(),
        format!("- {known}"),
        format!("1. {known}\n2. reason: it was read again"),
        "- unverified: somebody said so".to_owned(),
        "- Criterion: the second".to_owned(),
        format!("- reason: criterion: none\n- {known}"),
    ];
    for verdict in Audit::OF_REVIEW.iter().filter(|verdict| **verdict != audit) {
        for ground in page.some(&grounds) {
            for nothing in page.some(&["none", "- none", "unverified"]) {
                let edits = [
                    state(page, verdict.terminal_status().unwrap()),
                    field(Field::Status).edit(verdict.as_str()),
                    field(Field::Conflicts).edit(nothing),
                    field(Field::Evidence).edit(ground),
                ];
                mutants.push("state/verdict-change", page.with(&edits));
            }
        }
    }
}

fn first_version(page: &'static Page, mutants: &mut Mutants) {
    let rule = "succession/initial-state";
    if page.round() > 0 {
        mutants.push_against(rule, page.text, Baseline::Initial);
        let session_id = page.front_matter().string(Key::SessionId).unwrap().value;
        mutants.push_against(rule, page.text, Baseline::Init { session_id });
    }
    for status in Status::ALL.iter().filter(|status| **status != Status::Collecting) {
        mutants.push_against(rule, page.with(&[state(page, *status)]), Baseline::Initial);
    }
    mutants.push_against("succession/session-id", page.text, Baseline::Init { session_id: "another" });
    mutants.push_against("succession/session-id", page.text, Baseline::Session { session_id: "" });
}
