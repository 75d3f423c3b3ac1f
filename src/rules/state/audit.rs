//! What the state, the round and the last audit say about each other (PROTOCOL §9).

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::rounds::Record;
use crate::protocol::audit::{Audit, MOST_ROUNDS};
use crate::protocol::sections::{FINAL_REVIEW, round_title};
use crate::protocol::status::Status;

pub(in crate::rules) static LAST_AUDIT: Rule = Rule {
    id: "state/last-audit",
    severity: Severity::Error,
    clause: "§9",
    scope: Scope::Full,
    summary: "`last_audit_status` is null exactly at round 0; before the end it equals the Status of the current round, in a terminal state that of the final review",
    rationale: "Machines read the verdict from the front matter; the record is what it is derived from.",
    example: Example::of(
        Base::Collecting,
        &[Edit::Replace("last_audit_status: NEEDS_ANSWERS", "last_audit_status: READY")],
    ),
};

pub(in crate::rules) static NEEDS_ROUND: Rule = Rule {
    id: "state/needs-round",
    severity: Severity::Error,
    clause: "§9",
    scope: Scope::Full,
    summary: "every state but COLLECTING has at least one round",
    rationale: "A package that no successor audited cannot be reviewed or sealed.",
    example: Example::of(
        Base::Initial,
        &[
            Edit::Replace("handoff_status: COLLECTING", "handoff_status: REVIEW_PENDING"),
            Edit::Replace("- Status: COLLECTING", "- Status: REVIEW_PENDING"),
        ],
    ),
};

pub(in crate::rules) static NOT_ASKING: Rule = Rule {
    id: "state/not-asking",
    severity: Severity::Error,
    clause: "§9",
    scope: Scope::Full,
    summary: "in NEEDS_ANSWERS the current round's Status is NEEDS_ANSWERS",
    rationale: "The state waits for answers that somebody must have asked for.",
    example: Example::of(
        Base::ReviewPending,
        &[
            Edit::Replace("handoff_status: REVIEW_PENDING", "handoff_status: NEEDS_ANSWERS"),
            Edit::Replace("- Status: REVIEW_PENDING", "- Status: NEEDS_ANSWERS"),
        ],
    ),
};

pub(in crate::rules) static STOP_REACHED: Rule = Rule {
    id: "state/stop-reached",
    severity: Severity::Error,
    clause: "§9",
    scope: Scope::Full,
    summary: "after a round of READY or READY_WITH_RISKS the state is not COLLECTING",
    rationale: "The stop condition is met: the write that records the round says REVIEW_PENDING at once.",
    example: Example::of(
        Base::ReviewPending,
        &[
            Edit::Replace("handoff_status: REVIEW_PENDING", "handoff_status: COLLECTING"),
            Edit::Replace("- Status: REVIEW_PENDING", "- Status: COLLECTING"),
        ],
    ),
};

pub(in crate::rules) static ROUNDS_EXHAUSTED: Rule = Rule {
    id: "state/rounds-exhausted",
    severity: Severity::Error,
    clause: "§9",
    scope: Scope::Full,
    summary: "at round 3 the state is not COLLECTING",
    rationale: "No further round can start, so the answers to the third round go straight to REVIEW_PENDING.",
    example: Example::of(
        Base::Collecting,
        &[
            Edit::Replace("interrogation_round: 1", "interrogation_round: 3"),
            Edit::Replace("## Evidence\n- src/import/stream.rs:42\n\n", THIRD_ROUND),
        ],
    ),
};

const THIRD_ROUND: &str = "### Round 2\n#### Status\nNEEDS_ANSWERS\n\n#### Questions\n- Who owns the job?\n\n#### Conflicts\nnone\n\n#### Risks\nnone\n\n#### Unknowns\nnone\n\n#### Evidence\nnone\n\n#### Current Agent Answers\n- The data team.\n\n### Round 3\n#### Status\nNEEDS_ANSWERS\n\n#### Questions\n- When does it run?\n\n#### Conflicts\nnone\n\n#### Risks\nnone\n\n#### Unknowns\nnone\n\n#### Evidence\nnone\n\n#### Current Agent Answers\n- At two.\n\n## Evidence\n- src/import/stream.rs:42\n\n";

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    last_audit(document, sink);
    let (Some(status), Some(round)) = (document.status(), document.round()) else { return };
    if status.value != Status::Collecting && round.value == 0 {
        let found = NEEDS_ROUND.at(status.span, format!("the state is {} at round 0", status.value));
        sink.push(
            found.related(round.span, "no audit is recorded").help(
                "write COLLECTING in `handoff_status` and in the `Status:` line until the first audit is recorded",
            ),
        );
    }
    if status.value == Status::Collecting && round.value == MOST_ROUNDS {
        let found = ROUNDS_EXHAUSTED.at(status.span, format!("the state is {} after the third round", status.value));
        sink.push(
            found
                .related(round.span, "no further round can start")
                .help("write REVIEW_PENDING in `handoff_status` and in the `Status:` line"),
        );
    }
    let Some(audit) = document.current_audit() else { return };
    if status.value == Status::NeedsAnswers && audit.value != Audit::NeedsAnswers {
        let found = NOT_ASKING
            .at(status.span, format!("the state is {}, round {} says {}", status.value, round.value, audit.value));
        sink.push(
            found
                .related(audit.span, "the current round")
                .help("after this verdict the state is REVIEW_PENDING, in `handoff_status` and in the `Status:` line"),
        );
    }
    if status.value == Status::Collecting && audit.value != Audit::NeedsAnswers {
        let found = STOP_REACHED
            .at(status.span, format!("the state is {}, but round {} says {}", status.value, round.value, audit.value));
        sink.push(
            found
                .related(audit.span, "the stop condition is met")
                .help("write REVIEW_PENDING in `handoff_status` and in the `Status:` line"),
        );
    }
}

fn last_audit(document: &Document<'_>, sink: &mut Sink) {
    let Some(last) = document.front_matter().and_then(crate::document::front_matter::FrontMatter::last_audit) else {
        return;
    };
    let Some(round) = document.round() else { return };
    let place = if last.span.is_empty() { round.span } else { last.span };
    match (last.value, round.value) {
        (None, 0) => return,
        (None, _) => {
            let found = LAST_AUDIT.at(place, format!("`last_audit_status` is null at round {}", round.value));
            return sink.push(found.related(round.span, "a round is recorded").help(match document.current_audit() {
                Some(audit) => format!("write `last_audit_status: {}`", audit.value),
                None => "write the Status of the current round".to_owned(),
            }));
        }
        (Some(audit), 0) => {
            let found = LAST_AUDIT.at(place, format!("`last_audit_status` is {audit} at round 0"));
            return sink.push(found.related(round.span, "no round is recorded").help("write `null`"));
        }
        (Some(_), _) => {}
    }
    let (record, name) = if document.is_sealed() {
        (
            document.interrogation.as_ref().and_then(|interrogation| interrogation.final_review()),
            FINAL_REVIEW.to_owned(),
        )
    } else {
        (document.current_round(), round_title(round.value))
    };
    let Some(recorded) = record.and_then(Record::status).filter(|recorded| last.value != Some(recorded.value)) else {
        return;
    };
    let said = last.value.map(Audit::as_str).unwrap_or_default();
    let found = LAST_AUDIT.at(place, format!("`last_audit_status` is {said}, `### {name}` says {}", recorded.value));
    sink.push(
        found.related(recorded.span, "the record").help(format!("write `last_audit_status: {}`", recorded.value)),
    );
}
