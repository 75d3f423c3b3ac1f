//! `updated_at` of two versions (PROTOCOL §10).

use super::{Step, records_rounds};
use crate::diagnostic::{Against, Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::protocol::keys::Key;

pub(in crate::rules) static UPDATED_AT: Rule = Rule {
    id: "succession/updated-at",
    severity: Severity::Error,
    clause: "§10",
    scope: Scope::Every,
    summary: "`updated_at` is not earlier than before, and later after a status change",
    rationale: "Recovery takes the newest of two verifiable versions.",
    example: Example::of(
        Base::NeedsAnswers,
        &[Edit::Replace("updated_at: \"2026-03-02T09:20:00+08:00\"", "updated_at: \"2026-03-02T09:00:00+08:00\"")],
    )
    .against(Against::Previous(Base::Initial)),
};

pub(super) fn check(document: &Document<'_>, previous: &Document<'_>, step: Step, sink: &mut Sink) {
    let (Some(now), Some(before)) = (document.front_matter(), previous.front_matter()) else { return };
    let (Some(updated), Some(was)) = (now.timestamp(Key::UpdatedAt), before.timestamp(Key::UpdatedAt)) else { return };
    let differs = now.status().zip(before.status()).is_some_and(|(now, before)| now.value != before.value);
    let changed = differs || (step == Step::Commit && records_rounds(document, previous));
    let message = if updated.value < was.value {
        "`updated_at` is earlier than before"
    } else if changed && updated.value == was.value {
        "the state changed, but `updated_at` is the same instant as before"
    } else {
        return;
    };
    let found = UPDATED_AT.at(updated.span, message).previously(was.span, "before");
    sink.push(
        found.help("write the time of this version; if the clock went back, one second after the version before"),
    );
}
