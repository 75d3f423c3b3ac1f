//! Integer fields (PROTOCOL §3): plain decimal digits.

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::front_matter::{self, Integer};
use crate::document::yaml::Node;
use crate::protocol::keys::Key;

pub(in crate::rules) static NON_CANONICAL_INTEGER: Rule = Rule {
    id: "yaml/non-canonical-integer",
    severity: Severity::Error,
    clause: "§3",
    scope: Scope::Every,
    summary: "an integer is written in plain decimal digits: no quotes, sign, leading zero, base, fraction or exponent",
    rationale: "`02`, `0x2`, `2.0` and `\"2\"` are a number for one reader and text or another number for the next.",
    example: Example::of(Base::Initial, &[Edit::Replace("schema_version: 2", "schema_version: \"2\"")]),
};

/// The fields that hold an integer.
pub(in crate::rules) const INTEGER_KEYS: [Key; 2] = [Key::SchemaVersion, Key::InterrogationRound];

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    let Some(front_matter) = document.front_matter() else { return };
    for key in INTEGER_KEYS {
        let Some(Node::Scalar(scalar)) = front_matter.entry(key).map(|entry| &entry.value) else { continue };
        if !scalar.tagged && front_matter::integer(scalar) == Integer::OtherNotation {
            let message = format!("`{key}` is written as `{}`", document.quote(scalar.span));
            let found = NON_CANONICAL_INTEGER.at(scalar.span, message);
            sink.push(found.help("write plain decimal digits without quotes, such as `2`").root_cause());
        }
    }
}
