//! Structured evidence (PROTOCOL §4).

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::front_matter;
use crate::document::yaml::{Mapping, Node, Resolved};
use crate::protocol::evidence::{Kind, Verification};
use crate::protocol::keys::EvidenceKey;
use crate::source::Spanned;

pub(in crate::rules) static SOLE_UNVERIFIED: Rule = Rule {
    id: "evidence/sole-unverified",
    severity: Severity::Error,
    clause: "§4",
    scope: Scope::Every,
    summary: "without real evidence `status_evidence` has exactly one element",
    rationale: "Several elements that prove nothing look like proof.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace(
            "status_evidence:\n",
            "status_evidence:\n  - kind: unverified\n    ref: null\n    claim: \"nobody looked\"\n    verification: UNVERIFIED\n",
        )],
    ),
};

pub(in crate::rules) static UNVERIFIED_KIND: Rule = Rule {
    id: "evidence/unverified-kind",
    severity: Severity::Error,
    clause: "§4",
    scope: Scope::Every,
    summary: "an element of kind `unverified` has ref null and verification `UNVERIFIED`",
    rationale: "It says that there is no evidence, so it cannot point to one or be verified.",
    example: Example::of(Base::Initial, &[Edit::Replace("verification: UNVERIFIED", "verification: VERIFIED")]),
};

pub(in crate::rules) static MISSING_REF: Rule = Rule {
    id: "evidence/missing-ref",
    severity: Severity::Error,
    clause: "§4",
    scope: Scope::Every,
    summary: "an element of any other kind has a ref",
    rationale: "Evidence that cannot be located cannot be checked.",
    example: Example::of(Base::Collecting, &[Edit::Replace("ref: \"src/import/stream.rs:42\"", "ref: null")]),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    let Some(evidence) = document.front_matter().and_then(front_matter::FrontMatter::evidence) else { return };
    let items =
        || evidence.items.iter().filter_map(|item| if let Node::Mapping(item) = item { Some(item) } else { None });
    let unverified: Vec<_> =
        items().filter(|item| kind(item).is_some_and(|kind| kind.value == Kind::Unverified)).collect();
    if let (true, [first, second, ..]) = (unverified.len() == evidence.items.len(), unverified.as_slice()) {
        let found = SOLE_UNVERIFIED.at(second.span, "a second element of kind `unverified` and no evidence");
        sink.push(
            found.related(first.span, "the first").help("keep one element and join the claims, or add real evidence"),
        );
    }
    items().for_each(|item| element(item, sink));
}

fn kind(item: &Mapping) -> Option<Spanned<Kind>> {
    let word = front_matter::string(front_matter::evidence_value(item, EvidenceKey::Kind)?)?;
    Some(Spanned::new(Kind::parse(word.value)?, word.span))
}

fn element(item: &Mapping, sink: &mut Sink) {
    let Some(kind) = kind(item) else { return };
    let reference = front_matter::evidence_value(item, EvidenceKey::Ref);
    let null = matches!(reference, Some(Node::Scalar(scalar)) if scalar.resolve() == Resolved::Null && !scalar.tagged);
    if kind.value != Kind::Unverified {
        if let (true, Some(reference)) = (null, reference) {
            let place = if reference.span().is_empty() { kind.span } else { reference.span() };
            let found = MISSING_REF.at(place, format!("evidence of kind `{}` has no `ref`", kind.value));
            sink.push(
                found.help("name the place: a file and line, a commit, a test, a command; or use kind `unverified`"),
            );
        }
        return;
    }
    if let Some(reference) = reference.and_then(front_matter::string) {
        let found = UNVERIFIED_KIND.at(reference.span, "an element of kind `unverified` has a `ref`");
        sink.push(
            found.related(kind.span, "the kind").help("write `ref: null`, or the kind that the reference proves"),
        );
    }
    let verification = front_matter::evidence_value(item, EvidenceKey::Verification).and_then(front_matter::string);
    if let Some(verification) = verification.filter(|word| word.value == Verification::Verified.as_str()) {
        let found = UNVERIFIED_KIND.at(verification.span, "an element of kind `unverified` is `VERIFIED`");
        sink.push(
            found
                .related(kind.span, "the kind")
                .help("write `UNVERIFIED`, or the kind of the evidence that verifies it"),
        );
    }
}
