//! The Status of a round and what it must be able to show (PROTOCOL §8).

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::rounds::Record;
use crate::protocol::audit::Audit;
use crate::protocol::nearest::nearest;
use crate::protocol::sections::Field;
use crate::rules::schema::keys::listed;

pub(in crate::rules) static STATUS: Rule = Rule {
    id: "rounds/status",
    severity: Severity::Error,
    clause: "§8",
    scope: Scope::Full,
    summary: "a round's Status is READY, READY_WITH_RISKS or NEEDS_ANSWERS, the final review's READY, READY_WITH_RISKS or BLOCKED; one word, nothing else",
    rationale: "The verdict decides the next state, so it must be exact.",
    example: Example::of(
        Base::Collecting,
        &[Edit::Replace("#### Status\nNEEDS_ANSWERS", "#### Status\nNEEDS_ANSWERS for two questions")],
    ),
};

pub(in crate::rules) static RISKS_MISSING: Rule = Rule {
    id: "rounds/risks-missing",
    severity: Severity::Error,
    clause: "§8",
    scope: Scope::Full,
    summary: "READY_WITH_RISKS names a risk or an unknown; BLOCKED names a conflict, a risk or an unknown",
    rationale: "A verdict with risks that names none cannot be acted on.",
    example: Example::of(
        Base::ReviewPending,
        &[Edit::Replace("#### Risks\n- The nightly job may read half-imported rows.", "#### Risks\nnone")],
    ),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    for record in document.records() {
        match record.status() {
            None => status(document, record, sink),
            Some(status) => {
                let fields: &[Field] = match status.value {
                    Audit::ReadyWithRisks => &[Field::Risks, Field::Unknowns],
                    Audit::Blocked => &[Field::Conflicts, Field::Risks, Field::Unknowns],
                    Audit::Ready | Audit::NeedsAnswers => continue,
                };
                if fields
                    .iter()
                    .all(|&field| record.content(field).is_some_and(crate::document::content::Content::is_none))
                {
                    let names: Vec<_> = fields.iter().map(|field| field.as_str()).collect();
                    let message = format!(
                        "`### {}` says {} and names nothing in {}",
                        record.title,
                        status.value,
                        names.join(", ")
                    );
                    sink.push(
                        RISKS_MISSING
                            .at(status.span, message)
                            .help("name what is at risk or missing; if there is nothing, the verdict is READY"),
                    );
                }
            }
        }
    }
}

fn status(document: &Document<'_>, record: &Record<'_>, sink: &mut Sink) {
    let Some(content) = record.content(Field::Status).filter(|content| !content.is_empty()) else { return };
    let legal = record.verdicts().iter().map(|verdict| verdict.as_str());
    if let [first, more, ..] = content.entries.as_slice()
        && legal.clone().any(|word| first.is(word))
    {
        let found = STATUS.at(more.span, format!("something stands behind the Status of `### {}`", record.title));
        return sink.push(found.related(first.span, "the Status").help("write one word and nothing else"));
    }
    let place = content.place();
    let message = format!("the Status of `### {}` is `{}`", record.title, document.quote(place));
    let text = content.entries.first().map(|entry| entry.text.as_ref()).unwrap_or_default();
    let near = nearest(text, legal.clone())
        .filter(|near| *near != text)
        .map(|near| format!("did you mean `{near}`? "))
        .unwrap_or_default();
    sink.push(STATUS.at(place, message).help(format!("{near}write one word of {} and nothing else", listed(legal))));
}
