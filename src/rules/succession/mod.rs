//! What a new version may do to the one before (PROTOCOL §10).

pub(super) mod history;
pub(super) mod session;
pub(super) mod time;
pub(super) mod transition;

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;

/// What the caller expects of a document.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Expectation<'b> {
    /// The session that it must belong to.
    pub(crate) session_id: Option<&'b str>,
    /// It must be a first version.
    pub(crate) first_version: bool,
    /// The version that it must be able to follow, and how far away it is.
    pub(crate) previous: Option<(&'b Document<'b>, Step)>,
}

/// What lies between two versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// One write.
    Write,
    /// Any number of writes, of which nobody kept the versions in between. What is legal follows from one sentence: a
    /// sequence of legal writes leads from one to the other. States move along a path of edges, each round that is new
    /// but the last one asked and was answered, and reason and evidence may by chance be the same again.
    Commit,
}

pub(super) static SEALED: Rule = Rule {
    id: "succession/sealed",
    severity: Severity::Error,
    clause: "§10",
    scope: Scope::Every,
    summary: "nothing follows a terminal state but the identical bytes",
    rationale: "A sealed package is evidence. New facts need a new session.",
    example: Example::of(Base::Ready, &[Edit::Replace("under 200 MiB", "under 300 MiB")])
        .against(crate::diagnostic::Against::Previous(Base::Ready)),
};

/// Holds a document against what the caller expects.
pub(super) fn check(document: &Document<'_>, expectation: Expectation<'_>, sink: &mut Sink) {
    session::check(document, expectation, sink);
    let Some((previous, step)) = expectation.previous.filter(|(previous, _)| previous.text != document.text) else {
        return;
    };
    if let Some(status) = previous.status().filter(|status| status.value.is_terminal()) {
        let place = document.status().map_or(document.fence.opening, |status| status.span);
        let found = SEALED.at(place, format!("the version before is sealed: {}", status.value));
        return sink.push(
            found
                .previously(status.span, "sealed here")
                .help("start a new session with a new `session_id`; a sealed file may only be written again unchanged"),
        );
    }
    session::continued(document, previous, sink);
    time::check(document, previous, step, sink);
    let changes = history::changes(document, previous, step);
    transition::check(document, previous, step, changes.first(), sink);
    sink.extend(changes);
}

/// True when rounds were recorded between two versions, so that the state changed more than once, or may have.
fn records_rounds(document: &Document<'_>, previous: &Document<'_>) -> bool {
    document.round().zip(previous.round()).is_some_and(|(now, before)| now.value > before.value)
}
