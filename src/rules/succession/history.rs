//! Recorded rounds of two versions (PROTOCOL §10).

use super::{Step, records_rounds};
use crate::diagnostic::{Against, Base, Diagnostic, Edit, Example, Rule, Scope, Severity};
use crate::document::Document;
use crate::document::rounds::{FieldOf, Record};
use crate::protocol::audit::Audit;
use crate::protocol::sections::{DetailsSection, Field, round_title};
use crate::protocol::status::Status;
use crate::source::Span;

pub(in crate::rules) static HISTORY: Rule = Rule {
    id: "succession/history",
    severity: Severity::Error,
    clause: "§10",
    scope: Scope::Full,
    summary: "the six fields of recorded rounds never change; answers are added once, on leaving NEEDS_ANSWERS, and never change afterwards",
    rationale: "The record of an audit is evidence of what was asked and known at that time.",
    example: Example::of(
        Base::Collecting,
        &[Edit::Replace("- May the staging table be dropped?", "- May the old staging table be dropped?")],
    )
    .against(Against::Previous(Base::NeedsAnswers)),
};

/// Everything that changed in the recorded rounds.
pub(super) fn changes(document: &Document<'_>, previous: &Document<'_>, step: Step) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let Some(old_round) = previous.round().filter(|_| !document.is_cut_off()) else { return found };
    for number in 1..=old_round.value {
        let Some(before) = previous.interrogation.as_ref().and_then(|interrogation| interrogation.round(number)) else {
            continue;
        };
        let Some(now) = document.interrogation.as_ref().and_then(|interrogation| interrogation.round(number)) else {
            let section = document.details.as_ref().and_then(|details| details.section(DetailsSection::Interrogation));
            let place = section.map_or(Span::at(document.text.len()), |section| section.heading_span);
            let gone = HISTORY.at(place, format!("the recorded `### {}` is gone", round_title(number)));
            let gone = gone.previously(before.heading, "recorded here");
            found.push(gone.help("copy the round unchanged from the version before"));
            continue;
        };
        found.extend(Field::AUDIT.iter().filter_map(|&field| audit_field(document, now, previous, before, field)));
        let leaves = number == old_round.value && leaves_needs_answers(document, previous, before, step);
        found.extend(answers(document, now, previous, before, leaves));
    }
    found
}

fn leaves_needs_answers(document: &Document<'_>, previous: &Document<'_>, before: &Record<'_>, step: Step) -> bool {
    let state = |document: &Document<'_>| document.status().map(|status| status.value);
    let came_back = step == Step::Commit && records_rounds(document, previous);
    state(previous) == Some(Status::NeedsAnswers)
        && (state(document) != Some(Status::NeedsAnswers) || came_back)
        && before.status().is_some_and(|status| status.value == Audit::NeedsAnswers)
}

/// The content of a field as it is compared: its lines without blanks at their ends, and no blank lines around them.
fn raw<'d>(document: &'d Document<'_>, field: &FieldOf<'_>) -> Vec<&'d str> {
    let lines = document.at(field.content.span).lines().map(str::trim_end);
    let mut lines: Vec<_> = lines.skip_while(|line| line.is_empty()).collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines
}

fn audit_field(
    document: &Document<'_>,
    now: &Record<'_>,
    previous: &Document<'_>,
    before: &Record<'_>,
    field: Field,
) -> Option<Diagnostic> {
    let was = before.field(field)?;
    let Some(is) = now.field(field) else {
        let found = HISTORY.at(now.heading, format!("the recorded field `{field}` of `### {}` is gone", now.title));
        return Some(
            found.previously(was.heading, "recorded here").help("copy the field unchanged from the version before"),
        );
    };
    if raw(document, is) == raw(previous, was) {
        return None;
    }
    let found = HISTORY
        .at(is.heading.to(is.content.place()), format!("the recorded field `{field}` of `### {}` changed", now.title));
    Some(
        found
            .previously(was.heading.to(was.content.place()), "recorded here")
            .help("copy it unchanged from the version before; new facts belong into the sections or the next round"),
    )
}

fn answers(
    document: &Document<'_>,
    now: &Record<'_>,
    previous: &Document<'_>,
    before: &Record<'_>,
    may_add: bool,
) -> Option<Diagnostic> {
    let was = before.field(Field::Answers).filter(|answers| !answers.content.is_silent());
    let is = now.field(Field::Answers).filter(|answers| !answers.content.is_silent());
    let title = now.title;
    match (was, is) {
        (None, None) => None,
        (None, Some(_)) if may_add => None,
        (None, Some(is)) => {
            let found = HISTORY.at(is.content.place(), format!("answers were added to `### {title}`"));
            Some(found.help("answers are recorded in the write that leaves NEEDS_ANSWERS, and only for its round"))
        }
        (Some(was), None) => {
            let place = now.field(Field::Answers).map_or(now.heading, |answers| answers.heading);
            let found = HISTORY.at(place, format!("the recorded answers of `### {title}` are gone"));
            Some(
                found
                    .previously(was.content.place(), "recorded here")
                    .help("copy them unchanged from the version before"),
            )
        }
        (Some(was), Some(is)) if raw(document, is) == raw(previous, was) => None,
        (Some(was), Some(is)) => {
            let found = HISTORY.at(is.content.place(), format!("the recorded answers of `### {title}` changed"));
            Some(
                found
                    .previously(was.content.place(), "recorded here")
                    .help("copy them unchanged; what changed since belongs into the sections"),
            )
        }
    }
}
