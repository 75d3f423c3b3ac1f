//! Which session a version belongs to (PROTOCOL §10).

use super::Expectation;
use crate::diagnostic::{Against, Base, Diagnostic, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::protocol::keys::Key;
use crate::protocol::status::Status;
use crate::protocol::{character, credential};
use crate::source::Spanned;

pub(in crate::rules) static SESSION_ID: Rule = Rule {
    id: "succession/session-id",
    severity: Severity::Error,
    clause: "§10",
    scope: Scope::Every,
    summary: "`session_id` equals the expected id, byte for byte",
    rationale: "A version of another session would overwrite this one.",
    example: Example::of(Base::NeedsAnswers, &[Edit::Replace("importer-4c81", "importer-4с81")])
        .against(Against::Previous(Base::Initial)),
};

pub(in crate::rules) static INITIAL_STATE: Rule = Rule {
    id: "succession/initial-state",
    severity: Severity::Error,
    clause: "§10",
    scope: Scope::Every,
    summary: "a first version is COLLECTING at round 0",
    rationale: "Audits are recorded one write at a time; a first version that has some already skipped their checks.",
    example: Example::of(Base::NeedsAnswers, &[]).against(Against::FirstVersion),
};

pub(in crate::rules) static CREATED_AT: Rule = Rule {
    id: "succession/created-at",
    severity: Severity::Error,
    clause: "§10",
    scope: Scope::Every,
    summary: "`created_at` is the same string as before",
    rationale: "It tells when the session began, which no later version can change.",
    example: Example::of(
        Base::NeedsAnswers,
        &[Edit::Replace("created_at: \"2026-03-02T09:00:00+08:00\"", "created_at: \"2026-03-02T01:00:00Z\"")],
    )
    .against(Against::Previous(Base::Initial)),
};

pub(in crate::rules) static REPOSITORY: Rule = Rule {
    id: "succession/repository",
    severity: Severity::Advice,
    clause: "§10",
    scope: Scope::Full,
    summary: "`repository` should not change",
    rationale: "A repository may move, but more often this is a mistake.",
    example: Example::of(
        Base::NeedsAnswers,
        &[Edit::Replace("repository: \"/srv/work/ledger\"", "repository: \"/srv/work/ledger2\"")],
    )
    .against(Against::Previous(Base::Initial)),
};

/// What the caller expects without a previous version.
pub(super) fn check(document: &Document<'_>, expectation: Expectation<'_>, sink: &mut Sink) {
    let id = document.front_matter().and_then(|front_matter| front_matter.string(Key::SessionId));
    if let (Some(expected), Some(id)) = (expectation.session_id, id) {
        sink.extend(other_session(document, id, expected));
    }
    if !expectation.first_version {
        return;
    }
    if let Some(status) = document.status().filter(|status| status.value != Status::Collecting) {
        let found = INITIAL_STATE.at(status.span, format!("a first version in the state {}", status.value));
        sink.push(found.help("a session begins in COLLECTING at round 0"));
    }
    if let Some(round) = document.round().filter(|round| round.value != 0) {
        let found = INITIAL_STATE.at(round.span, format!("a first version at round {}", round.value));
        sink.push(found.help("a session begins in COLLECTING at round 0"));
    }
}

/// What the previous version says about the session.
pub(super) fn continued(document: &Document<'_>, previous: &Document<'_>, sink: &mut Sink) {
    let (Some(now), Some(before)) = (document.front_matter(), previous.front_matter()) else { return };
    if let (Some(id), Some(expected)) = (now.string(Key::SessionId), before.string(Key::SessionId)) {
        let found = other_session(document, id, expected.value);
        sink.extend(found.map(|found| found.previously(expected.span, "the session of the version before")));
    }
    if let (Some(created), Some(was)) = (now.string(Key::CreatedAt), before.string(Key::CreatedAt))
        && created.value != was.value
    {
        let found = CREATED_AT.at(created.span, "`created_at` is not the same string as before");
        sink.push(
            found
                .previously(was.span, "before")
                .help(format!("write `created_at: \"{}\"`", previous.quote(was.span).trim_matches(['"', '\'']))),
        );
    }
    if let (Some(repository), Some(was)) = (now.string(Key::Repository), before.string(Key::Repository))
        && repository.value != was.value
    {
        let found = REPOSITORY.at(repository.span, "`repository` changed");
        sink.push(found.previously(was.span, "before").help("check that the session did not move by mistake"));
    }
}

fn other_session(document: &Document<'_>, id: Spanned<&str>, expected: &str) -> Option<Diagnostic> {
    if id.value == expected {
        return None;
    }
    let shown = credential::quoted(expected);
    let found = SESSION_ID.at(id.span, format!("`session_id` is {}, not `{shown}`", document.quote(id.span)));
    let points = |text: &str| match character::code_points(text) {
        points if points.is_empty() => "only ASCII".to_owned(),
        points => points,
    };
    let help = "a handoff belongs to one session; write to that session's file, or start a new one";
    if character::code_points(id.value) == character::code_points(expected) {
        return Some(found.help(help));
    }
    let different = format!(
        "the two differ in code points: this one has {}, the expected one {}",
        points(id.value),
        points(expected)
    );
    Some(found.label(different).help(help))
}
