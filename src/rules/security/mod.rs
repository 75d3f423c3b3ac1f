//! Credentials (PROTOCOL §11).

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::protocol::credential::Redacted;

/// The family of rules that a kept version need not obey (PROTOCOL §12).
pub(crate) const FAMILY: &str = "security";

pub(super) static SECRET: Rule = Rule {
    id: "security/secret",
    severity: Severity::Error,
    clause: "§11",
    scope: Scope::Every,
    summary: "no high-confidence credential stands anywhere in the file",
    rationale: "A handoff is copied into prompts, logs and other contexts. Whoever reads it gets the credential.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace("the API must not change", "the key AKIAIOSFODNN7EXAMPLE is bound to the API")],
    ),
};

pub(super) fn check(document: &Document<'_>, sink: &mut Sink) {
    report(&document.redacted, sink);
}

/// Reports each credential without showing it.
pub(super) fn report(redacted: &Redacted<'_>, sink: &mut Sink) {
    for credential in redacted.credentials() {
        let found = SECRET.at(credential.span, format!("the file contains a credential: {}", credential.kind));
        sink.push(found.help("remove it, and revoke it: it has been on disk; name where it is kept instead"));
    }
}
