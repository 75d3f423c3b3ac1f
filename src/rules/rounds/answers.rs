//! The answers to a round's questions (PROTOCOL §8).

use crate::diagnostic::{Base, Diagnostic, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::content::{Content, EntryKind};
use crate::document::rounds::{Record, RecordTitle};
use crate::protocol::audit::Audit;
use crate::protocol::sections::Field;
use crate::protocol::status::Status;
use crate::protocol::words::{self, Answer, NONE};

pub(crate) static ANSWERS_MISSING: Rule = Rule {
    id: "rounds/answers-missing",
    severity: Severity::Error,
    clause: "§8",
    scope: Scope::Full,
    summary: "once NEEDS_ANSWERS is left, a round that asked has exactly one answer for each question",
    rationale: "The whole batch is answered at once; `unknown` with a way to find out is an answer, silence is none.",
    example: Example::of(
        Base::Collecting,
        &[Edit::Replace("- unknown: ask the owner of the nightly job before dropping it.\n", "")],
    ),
};

pub(crate) static UNKNOWN_WITHOUT_CHECK: Rule = Rule {
    id: "rounds/unknown-without-check",
    severity: Severity::Error,
    clause: "§8",
    scope: Scope::Full,
    summary: "an unknown answer says how to find out",
    rationale: "The successor inherits the question; without a way to check it, it inherits nothing.",
    example: Example::of(
        Base::Collecting,
        &[Edit::Replace("- unknown: ask the owner of the nightly job before dropping it.", "- unknown")],
    ),
};

pub(in crate::rules) static ANSWERS_EARLY: Rule = Rule {
    id: "rounds/answers-early",
    severity: Severity::Error,
    clause: "§8",
    scope: Scope::Full,
    summary: "while the state is NEEDS_ANSWERS, the current round has no answers",
    rationale: "The write that records the answers is the one that leaves the state; a half-answered round is never on disk.",
    example: Example::of(
        Base::NeedsAnswers,
        &[Edit::Replace(
            "#### Current Agent Answers\nnone",
            "#### Current Agent Answers\n- A checksum mismatch.\n- No.",
        )],
    ),
};

pub(in crate::rules) static ANSWERS_UNEXPECTED: Rule = Rule {
    id: "rounds/answers-unexpected",
    severity: Severity::Error,
    clause: "§8",
    scope: Scope::Full,
    summary: "a round without questions has no answers",
    rationale: "Answers to nothing are facts in the wrong place.",
    example: Example::of(
        Base::ReviewPending,
        &[Edit::Replace("#### Current Agent Answers\nnone", "#### Current Agent Answers\n- The rows are locked.")],
    ),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    for record in document.records() {
        let RecordTitle::Round(number) = record.title else { continue };
        let asking = document.status().is_some_and(|status| status.value == Status::NeedsAnswers)
            && document.round().is_some_and(|last| last.value == number);
        let asked = record.content(Field::Questions).is_some_and(|questions| !questions.is_silent());
        let answers = record.content(Field::Answers).filter(|answers| !answers.is_silent());
        if let Some(answers) = answers {
            if asking {
                let found = ANSWERS_EARLY.at(
                    answers.place(),
                    format!("`### {}` is answered, but the state is still {}", record.title, Status::NeedsAnswers),
                );
                sink.push(found.help(
                    "write `none` here, and keep the answers for the next version, the one that leaves this state",
                ));
            }
            if !asked && record.content(Field::Questions).is_some_and(Content::is_none) {
                let found = ANSWERS_UNEXPECTED
                    .at(answers.place(), format!("`### {}` has answers and no questions", record.title));
                sink.push(found.help("write `none`; new facts belong into the sections"));
            }
            unknown_answers(answers, sink);
        }
        let needs_answers = record.status().is_some_and(|status| status.value == Audit::NeedsAnswers);
        if needs_answers && asked && !asking && document.status().is_some() && !document.is_cut_off() {
            sink.extend(missing(record));
        }
    }
}

fn unknown_answers(answers: &Content<'_>, sink: &mut Sink) {
    for answer in answers.entries.iter().filter(|entry| words::answer(&entry.text) == Answer::UnknownWithoutCheck) {
        let found = UNKNOWN_WITHOUT_CHECK.at(answer.span, "this answer says unknown and nothing more");
        sink.push(
            found.help("say how to find out and what depends on it, as in `unknown: run the import on a copy first`"),
        );
    }
}

/// The defect of a round whose answers do not match its questions one to one.
fn missing(record: &Record<'_>) -> Option<Diagnostic> {
    let questions = record.content(Field::Questions)?;
    let count = questions.entries.len();
    let help = format!(
        "write one list with {count} answers, the k-th for the k-th question; `unknown: <how to find out>` is an answer"
    );
    let Some(answers) = record.content(Field::Answers).filter(|answers| !answers.is_silent()) else {
        let place = record.field(Field::Answers).map_or(record.heading, |field| field.heading);
        let found = ANSWERS_MISSING.at(place, format!("`### {}` has {count} questions and no answers", record.title));
        return Some(found.related(questions.place(), "the questions").help(help));
    };
    let one_paragraph =
        count == 1 && matches!(answers.entries.as_slice(), [answer] if answer.kind == EntryKind::Paragraph);
    let message = if !answers.is_one_list() && !one_paragraph {
        format!("the answers of `### {}` are not one list", record.title)
    } else if let Some(nothing) = answers.entries.iter().find(|entry| entry.is(NONE)) {
        let found = ANSWERS_MISSING.at(nothing.span, format!("`{NONE}` is no answer"));
        return Some(found.related(questions.place(), "the questions").help(help));
    } else if answers.entries.len() != count {
        format!("`### {}` has {count} questions and {} answers", record.title, answers.entries.len())
    } else {
        return None;
    };
    Some(ANSWERS_MISSING.at(answers.place(), message).related(questions.place(), "the questions").help(help))
}
