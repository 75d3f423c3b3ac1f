//! The `Status:` line and the machine state (PROTOCOL §6).

use crate::diagnostic::{Base, Diagnostic, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::content::Entry;
use crate::protocol::nearest::nearest;
use crate::protocol::sections::{StateLine, TldrSection};
use crate::protocol::status::Status;
use crate::rules::schema::keys::listed;
use crate::rules::tldr::state_lines;
use crate::source::{Span, Spanned};

pub(in crate::rules) static STATUS_LINE: Rule = Rule {
    id: "tldr/status-line",
    severity: Severity::Error,
    clause: "§6",
    scope: Scope::Every,
    summary: "Current State has exactly one item `Status: <state>`, with nothing behind the state",
    rationale: "It is the one line that people and simple scripts read the state from.",
    example: Example::of(Base::Initial, &[Edit::Replace("- Status: COLLECTING", "- **Status:** COLLECTING")]),
};

pub(in crate::rules) static STATUS_MISMATCH: Rule = Rule {
    id: "tldr/status-mismatch",
    severity: Severity::Error,
    clause: "§6",
    scope: Scope::Every,
    summary: "the state in the `Status:` line equals `handoff_status`",
    rationale: "The front matter is the only source of machine state; a projection that says something else misleads people.",
    example: Example::of(Base::Initial, &[Edit::Replace("- Status: COLLECTING", "- Status: READY")]),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    let Some(section) = document.tldr.section(TldrSection::CurrentState) else { return };
    let line = state_lines::the_line(document, section, StateLine::Status, &STATUS_LINE, sink);
    let Some(first) = line else { return };
    match status(first) {
        Ok(status) => sink.extend(mismatch(document, status)),
        Err(value) => sink.push(illegal(document, first, value)),
    }
}

/// The state of a `Status:` item, or the place of what stands there instead.
fn status(line: &Entry<'_>) -> Result<Spanned<Status>, Span> {
    let value = state_lines::value(line, StateLine::Status);
    Status::parse(value.value).map(|status| Spanned::new(status, value.span)).ok_or(value.span)
}

fn illegal(document: &Document<'_>, line: &Entry<'_>, place: Span) -> Diagnostic {
    let value = state_lines::value(line, StateLine::Status).value;
    let legal = listed(Status::words());
    let first_word = value.split(|c: char| !crate::protocol::character::is_word(c)).next().unwrap_or_default();
    let (message, help) = if value.is_empty() {
        ("the `Status:` line has no state".to_owned(), format!("write one of {legal}"))
    } else if Status::parse(first_word).is_some() {
        (
            format!("something stands behind the state `{first_word}`"),
            format!("write `Status: {first_word}` and nothing more"),
        )
    } else {
        let near = nearest(value, Status::words()).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
        (format!("`{}` is no state", document.quote(place)), format!("{near}the states are {legal}"))
    };
    STATUS_LINE.at(place, message).help(help)
}

fn mismatch(document: &Document<'_>, line: Spanned<Status>) -> Option<Diagnostic> {
    let machine = document.status().filter(|machine| machine.value != line.value)?;
    let message = format!("the TL;DR says `{}`, the front matter says `{}`", line.value, machine.value);
    let found = STATUS_MISMATCH.at(line.span, message).related(machine.span, "the front matter is the source of truth");
    Some(found.help(format!("write `Status: {}`", machine.value)))
}
