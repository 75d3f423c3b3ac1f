//! Credentials (PROTOCOL §11).

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::protocol::credential::{Redacted, Standing};

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
        &[Edit::Replace("the API must not change", "the key AKIAQ7X2HANDOFFGUARD is bound to the API")],
    ),
};

pub(super) static EXAMPLE_CREDENTIAL: Rule = Rule {
    id: "security/example-credential",
    severity: Severity::Advice,
    clause: "§11",
    scope: Scope::Every,
    summary: "no credential that its issuer publishes as an example stands in the file",
    rationale: "It opens nothing, but scanners of other tools may take it for a leak, and a reader may take it for a value to use.",
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
        let kind = credential.kind;
        sink.push(match credential.standing {
            Standing::Secret => SECRET
                .at(credential.span, format!("the file contains a credential: {kind}"))
                .help("remove it, and revoke it: it has been on disk; name where it is kept instead"),
            Standing::Example => EXAMPLE_CREDENTIAL
                .at(credential.span, format!("the file contains a published example of a credential: {kind}"))
                .help("write what it stands for instead, as in `<access key id>`"),
        });
    }
}
