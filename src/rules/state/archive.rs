//! What must be archived before auditing stops (PROTOCOL §9).

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::protocol::audit::{Audit, MOST_ROUNDS};
use crate::protocol::sections::{DetailsSection, Field};
use crate::protocol::status::Status;
use crate::protocol::words::{self, Answer};
use crate::rules::rounds::evidence::archived;

const NO_RISKS: [Edit; 2] = [
    Edit::Replace(
        "## Known Risks\n- Dropping the staging table loses unposted invoices.\n- The nightly job may read half-imported rows.",
        "## Known Risks\nnone",
    ),
    Edit::Replace(
        "## Unverified Assumptions\n- The nightly job may read the staging table; ask its owner before dropping it.",
        "## Unverified Assumptions\nnone",
    ),
];

pub(in crate::rules) static RISKS_NOT_ARCHIVED: Rule = Rule {
    id: "state/risks-not-archived",
    severity: Severity::Error,
    clause: "§9",
    scope: Scope::Full,
    summary: "after a round of READY_WITH_RISKS, Known Risks or Unverified Assumptions holds what is left",
    rationale: "The stop condition needs the risks and their impact on record.",
    example: Example::of(Base::ReviewPending, &NO_RISKS).also(&["rounds/not-merged"]),
};

pub(in crate::rules) static UNKNOWN_NOT_ARCHIVED: Rule = Rule {
    id: "state/unknown-not-archived",
    severity: Severity::Error,
    clause: "§9",
    scope: Scope::Full,
    summary: "an unknown answer of the current round is archived in Known Risks or Unverified Assumptions",
    rationale: "The question stays open for the successor, who reads the sections.",
    example: Example::of(
        Base::Collecting,
        &[
            Edit::Replace("## Known Risks\n- Dropping the staging table loses unposted invoices.", "## Known Risks\nnone"),
            Edit::Replace("## Unverified Assumptions\n- The nightly job may read the staging table; ask its owner before dropping it.", "## Unverified Assumptions\nnone"),
        ],
    )
    .also(&["rounds/not-merged"]),
};

pub(in crate::rules) static STOP_UNJUSTIFIED: Rule = Rule {
    id: "state/stop-unjustified",
    severity: Severity::Error,
    clause: "§9",
    scope: Scope::Full,
    summary: "auditing stops before the third round, after questions, only with something left for the successor in Known Risks or Unverified Assumptions",
    rationale: "Stopping early is allowed when the rest can only be verified by the new task; then the rest must be written down.",
    example: Example::of(
        Base::Collecting,
        &[
            Edit::Replace("handoff_status: COLLECTING", "handoff_status: REVIEW_PENDING"),
            Edit::Replace("- Status: COLLECTING", "- Status: REVIEW_PENDING"),
            Edit::Replace("## Known Risks\n- Dropping the staging table loses unposted invoices.", "## Known Risks\nnone"),
            Edit::Replace("## Unverified Assumptions\n- The nightly job may read the staging table; ask its owner before dropping it.", "## Unverified Assumptions\nnone"),
        ],
    )
    .also(&["rounds/not-merged", "state/unknown-not-archived"]),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    let (Some(status), Some(round), Some(audit)) = (document.status(), document.round(), document.current_audit())
    else {
        return;
    };
    if archived(document) {
        return;
    }
    let risks = DetailsSection::KnownRisks;
    let help = format!("add it, with its impact, to `## {risks}` or `## {}`", DetailsSection::UnverifiedAssumptions);
    let stopped = matches!(status.value, Status::ReviewPending | Status::ReadyWithRisks | Status::Blocked);
    if audit.value == Audit::ReadyWithRisks && stopped {
        let found = RISKS_NOT_ARCHIVED
            .at(audit.span, format!("round {} says {}, and no risk is on record", round.value, audit.value));
        sink.push(found.related(status.span, "the state").help(help.clone()));
    }
    if audit.value == Audit::NeedsAnswers && status.value != Status::NeedsAnswers {
        let answers = document.current_round().and_then(|record| record.content(Field::Answers));
        let unknown = answers
            .and_then(|answers| answers.entries.iter().find(|entry| words::answer(&entry.text) != Answer::Known));
        if let Some(unknown) = unknown {
            let found = UNKNOWN_NOT_ARCHIVED.at(unknown.span, "this unknown answer is not on record");
            sink.push(found.related(status.span, "the state").help(help.clone()));
        }
    }
    if status.value == Status::ReviewPending && round.value < MOST_ROUNDS && audit.value == Audit::NeedsAnswers {
        let found = STOP_UNJUSTIFIED
            .at(status.span, format!("auditing stops after round {} with nothing left to verify", round.value));
        sink.push(found.related(audit.span, "the current round").help(format!("go on COLLECTING, or {help}")));
    }
}
