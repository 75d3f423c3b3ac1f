//! States and rounds of two versions (PROTOCOL §9, §10).

use super::{Step, records_rounds};
use crate::diagnostic::{Against, Base, Diagnostic, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::front_matter::{self, FrontMatter};
use crate::document::yaml::Node;
use crate::protocol::audit::Audit;
use crate::protocol::keys::{EvidenceKey, Key};
use crate::protocol::status::Status;
use crate::rules::schema::keys::listed;
use crate::source::Spanned;

pub(in crate::rules) static TRANSITION: Rule = Rule {
    id: "succession/transition",
    severity: Severity::Error,
    clause: "§10",
    scope: Scope::Every,
    summary: "the state stays, or moves along one of the seven edges of the state machine",
    rationale: "A skipped state is a skipped check.",
    example: Example::of(Base::Ready, &[]).against(Against::Previous(Base::Collecting)).also(&["succession/round"]),
};

pub(in crate::rules) static ROUND: Rule = Rule {
    id: "succession/round",
    severity: Severity::Error,
    clause: "§10",
    scope: Scope::Every,
    summary: "the round never falls, and rises by one exactly when a round is recorded: always on COLLECTING → NEEDS_ANSWERS, and on COLLECTING → REVIEW_PENDING, which otherwise needs a recorded round",
    rationale: "Rounds are counted, at most three; one that is lost or skipped is an audit that nobody can check.",
    example: Example::of(Base::NeedsAnswers, &[Edit::Replace("interrogation_round: 1", "interrogation_round: 2")])
        .against(Against::Previous(Base::Initial))
        .also(&["rounds/answers-missing", "rounds/count"]),
};

pub(in crate::rules) static STATUS_UPDATE: Rule = Rule {
    id: "succession/status-update",
    severity: Severity::Error,
    clause: "§10",
    scope: Scope::Every,
    summary: "a status change also changes `status_reason` and `status_evidence`",
    rationale: "The reason of the old state is not the reason of the new one.",
    example: Example::of(
        Base::NeedsAnswers,
        &[Edit::Replace(
            "status_reason: \"round 1 asks two questions about the abort policy\"",
            "status_reason: \"first version, nothing audited yet\"",
        )],
    )
    .against(Against::Previous(Base::Initial)),
};

pub(in crate::rules) static TWO_BATCHES: Rule = Rule {
    id: "succession/two-batches",
    severity: Severity::Error,
    clause: "§10",
    scope: Scope::Full,
    summary: "a round first recorded by COLLECTING → REVIEW_PENDING says READY or READY_WITH_RISKS",
    rationale: "Questions and their answers are two writes, so that a crash between them loses neither.",
    example: Example::of(
        Base::Collecting,
        &[
            Edit::Replace("handoff_status: COLLECTING", "handoff_status: REVIEW_PENDING"),
            Edit::Replace("- Status: COLLECTING", "- Status: REVIEW_PENDING"),
        ],
    )
    .against(Against::Previous(Base::Initial)),
};

pub(in crate::rules) static SAME_STATE: Rule = Rule {
    id: "succession/same-state",
    severity: Severity::Error,
    clause: "§10",
    scope: Scope::Every,
    summary: "a write that keeps the state keeps the round, `last_audit_status` and the recorded rounds",
    rationale: "Sections, TL;DR, evidence and reason may be improved at any time; an audit happens only with a change of state.",
    example: Example::of(Base::Collecting, &[]).against(Against::Previous(Base::Initial)).also(&["succession/round"]),
};

/// `rewritten` is what changed in the recorded rounds, if anything did.
pub(super) fn check(
    document: &Document<'_>,
    previous: &Document<'_>,
    step: Step,
    rewritten: Option<&Diagnostic>,
    sink: &mut Sink,
) {
    let (Some(now), Some(before)) = (document.front_matter(), previous.front_matter()) else { return };
    let (Some(status), Some(was)) = (now.status(), before.status()) else { return };
    let follows = match step {
        Step::Write => was.value.can_become(status.value),
        Step::Commit => was.value.can_reach(status.value),
    };
    if status.value != was.value && !follows {
        let legal = listed(was.value.successors().iter().map(|next| next.as_str()));
        let found = TRANSITION.at(status.span, format!("{} cannot follow {}", status.value, was.value));
        sink.push(
            found.previously(was.span, "the state before").help(format!("stay in {}, or move to {legal}", was.value)),
        );
    }
    if status.value != was.value && step == Step::Write {
        status_update(now, before, sink);
    }
    round(document, previous, step, status, was, sink);
    match step {
        Step::Write => sink.extend(two_batches(document, previous, status, was)),
        Step::Commit => sink.extend(ended(document, previous)),
    }
    let left = step == Step::Commit && was.value.can_reach(was.value) && records_rounds(document, previous);
    if status.value == was.value && !left {
        same_state(now, before, rewritten, sink);
    }
}

fn status_update(now: FrontMatter<'_>, before: FrontMatter<'_>, sink: &mut Sink) {
    const HELP: &str = "say why the new state holds; updated means different";
    if let (Some(reason), Some(was)) = (now.string(Key::StatusReason), before.string(Key::StatusReason))
        && reason.value == was.value
    {
        let found = STATUS_UPDATE.at(reason.span, "the state changed, `status_reason` did not");
        sink.push(found.previously(was.span, "the same before").help(HELP));
    }
    if let (Some(evidence), Some(was)) = (now.evidence(), before.evidence())
        && evidence.items.iter().map(evidence_item).eq(was.items.iter().map(evidence_item))
    {
        let found = STATUS_UPDATE.at(evidence.span, "the state changed, `status_evidence` did not");
        sink.push(found.previously(was.span, "the same before").help(HELP));
    }
}

/// The four values of an evidence item; null and absent are the same.
fn evidence_item(item: &Node) -> Vec<Option<&str>> {
    let Node::Mapping(item) = item else { return Vec::new() };
    let value = |key: &EvidenceKey| match front_matter::evidence_value(item, *key) {
        Some(Node::Scalar(scalar)) if !front_matter::is_null(scalar) => Some(scalar.text.as_str()),
        _ => None,
    };
    EvidenceKey::ALL.iter().map(value).collect()
}

fn round(
    document: &Document<'_>,
    previous: &Document<'_>,
    step: Step,
    status: Spanned<Status>,
    was: Spanned<Status>,
    sink: &mut Sink,
) {
    let (Some(round), Some(old)) = (document.round(), previous.round()) else { return };
    let edge = (was.value, status.value);
    let asks = edge == (Status::Collecting, Status::NeedsAnswers);
    let stops = edge == (Status::Collecting, Status::ReviewPending);
    let may_rise = match step {
        Step::Write => asks || stops,
        Step::Commit => was.value.can_reach(Status::NeedsAnswers),
    };
    let problem = if round.value < old.value {
        Some((
            format!("the round falls from {} to {}", old.value, round.value),
            "recorded rounds stay; restore the number and the round".to_owned(),
        ))
    } else if round.value > old.value + 1 && step == Step::Write {
        Some((format!("the round rises from {} to {}", old.value, round.value), "record one round a write".to_owned()))
    } else if round.value > old.value && !may_rise {
        Some((
            format!("the round rises from {} to {} on {} → {}", old.value, round.value, was.value, status.value),
            "a round is recorded on COLLECTING → NEEDS_ANSWERS or COLLECTING → REVIEW_PENDING".to_owned(),
        ))
    } else if round.value == old.value && asks {
        Some((
            format!("the questions of {} → {} belong to a new round", was.value, status.value),
            format!("write `interrogation_round: {}` and record the round", old.value + 1),
        ))
    } else if round.value == old.value && stops && round.value == 0 {
        Some((
            "auditing stops before the first round".to_owned(),
            "record the audit that found nothing to ask".to_owned(),
        ))
    } else {
        None
    };
    if let Some((message, help)) = problem {
        sink.push(ROUND.at(round.span, message).previously(old.span, "the round before").help(help));
    }
}

fn two_batches(
    document: &Document<'_>,
    previous: &Document<'_>,
    status: Spanned<Status>,
    was: Spanned<Status>,
) -> Option<Diagnostic> {
    let recorded = document.round()?.value == previous.round()?.value + 1;
    if (was.value, status.value) != (Status::Collecting, Status::ReviewPending) || !recorded {
        return None;
    }
    let audit = document.current_audit().filter(|audit| audit.value == Audit::NeedsAnswers)?;
    let found = TWO_BATCHES.at(audit.span, "questions and answers of one round in one write");
    Some(found.help("write the questions first, in the state NEEDS_ANSWERS, and the answers in the next version"))
}

/// A new round that ended the auditing, and yet another one follows.
fn ended(document: &Document<'_>, previous: &Document<'_>) -> Option<Diagnostic> {
    let (old, last) = (previous.round()?.value, document.round()?.value);
    let interrogation = document.interrogation.as_ref()?;
    let new = (old + 1..last).filter_map(|number| interrogation.round(number));
    let mut audits = new.filter_map(|record| Some((record.title, record.status()?)));
    let (title, audit) = audits.find(|(_, audit)| audit.value != Audit::NeedsAnswers)?;
    let found = ROUND.at(audit.span, format!("`### {title}` says {}, which ends the auditing", audit.value));
    Some(found.help("after such a round comes REVIEW_PENDING, and no round; restore the record as it was written"))
}

fn same_state(now: FrontMatter<'_>, before: FrontMatter<'_>, rewritten: Option<&Diagnostic>, sink: &mut Sink) {
    if let Some(change) = rewritten {
        let found = SAME_STATE.at(change.span, "the state stays, a recorded round changes");
        sink.push(found.help("copy the recorded rounds unchanged from the version before"));
    }
    if let (Some(round), Some(was)) = (now.round(), before.round())
        && round.value != was.value
    {
        let found = SAME_STATE.at(round.span, "the state stays, the round changes");
        sink.push(found.previously(was.span, "before").help("a round is recorded by a change of state"));
    }
    if let (Some(audit), Some(was)) = (now.last_audit(), before.last_audit())
        && audit.value != was.value
    {
        let found = SAME_STATE.at(audit.span, "the state stays, `last_audit_status` changes");
        sink.push(found.previously(was.span, "before").help("an audit is recorded by a change of state"));
    }
}
