//! The types of the fields, and the two integers (PROTOCOL §4).

use crate::diagnostic::{Base, Diagnostic, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::front_matter::{self, FrontMatter, Integer};
use crate::document::yaml::{Node, Resolved};
use crate::protocol::keys::{EvidenceKey, Key};
use crate::rules::yaml::integer::INTEGER_KEYS;
use crate::source::Span;

pub(in crate::rules) static TYPE: Rule = Rule {
    id: "schema/type",
    severity: Severity::Error,
    clause: "§4",
    scope: Scope::Every,
    summary: "every field has its type: integer, string, string or null, or a list of evidence items",
    rationale: "An unquoted commit such as `1234567` or `6063e25` is a number, and a reader that coerces it loses digits. Nothing is coerced.",
    example: Example::of(Base::Initial, &[Edit::Replace("base_commit: \"8f3ab12c\"", "base_commit: 6063e25")]),
};

pub(in crate::rules) static VERSION: Rule = Rule {
    id: "schema/version",
    severity: Severity::Error,
    clause: "§4",
    scope: Scope::Every,
    summary: "`schema_version` is 2",
    rationale: "Another version has other rules; judging it by these would be a guess.",
    example: Example::of(Base::Initial, &[Edit::Replace("schema_version: 2", "schema_version: 3")]),
};

pub(in crate::rules) static ROUND_RANGE: Rule = Rule {
    id: "schema/round-range",
    severity: Severity::Error,
    clause: "§4",
    scope: Scope::Every,
    summary: "`interrogation_round` is 0, 1, 2 or 3",
    rationale: "A session has at most three audit rounds.",
    example: Example::of(Base::Initial, &[Edit::Replace("interrogation_round: 0", "interrogation_round: 4")]),
};

/// What a field may hold.
#[derive(Clone, Copy)]
enum Type {
    String,
    StringOrNull,
}

impl Type {
    const fn name(self) -> &'static str {
        match self {
            Self::String => "a string",
            Self::StringOrNull => "a string or null",
        }
    }
}

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    if let Some(root) = document.yaml.root.as_ref().filter(|root| !matches!(root, Node::Mapping(_) | Node::Alias(_))) {
        let found = TYPE.at(root.span(), format!("the front matter is {}, not a mapping", root.describe()));
        sink.push(found.help("write one `key: value` a line").root_cause());
    }
    let Some(front_matter) = document.front_matter() else { return };
    integers(document, front_matter, sink);
    for &key in Key::ALL.iter().filter(|key| !INTEGER_KEYS.contains(key) && **key != Key::StatusEvidence) {
        let nullable = matches!(key, Key::Branch | Key::BaseCommit | Key::LastAuditStatus);
        let wanted = if nullable { Type::StringOrNull } else { Type::String };
        let value = front_matter.entry(key).map(|entry| &entry.value);
        sink.extend(value.and_then(|value| string(document, key.as_str(), value, wanted)));
    }
    evidence(document, front_matter, sink);
}

fn integers(document: &Document<'_>, front_matter: FrontMatter<'_>, sink: &mut Sink) {
    for key in INTEGER_KEYS {
        let Some(entry) = front_matter.entry(key) else { continue };
        let integer = match &entry.value {
            value if value.is_opaque() => continue,
            Node::Scalar(scalar) => front_matter::integer(scalar),
            _ => Integer::NotInteger,
        };
        let span = entry.value.span();
        match (key, integer) {
            (_, Integer::OtherNotation)
            | (Key::SchemaVersion, Integer::Canonical(2))
            | (Key::InterrogationRound, Integer::Canonical(0..=3)) => {}
            (Key::SchemaVersion, Integer::Canonical(version)) => {
                let help = if version > 2 {
                    "written by a newer version; read it, do not rewrite it"
                } else {
                    "write `schema_version: 2`"
                };
                sink.push(VERSION.at(span, format!("`schema_version` is {version}, not 2")).help(help));
            }
            (_, Integer::Canonical(round)) => {
                let found = ROUND_RANGE.at(span, format!("`interrogation_round` is {round}"));
                sink.push(found.help("a session has 0 to 3 rounds; the final review is not counted"));
            }
            (_, Integer::NotInteger) => {
                let message = format!("`{key}` is {}, not an integer", entry.value.describe());
                sink.push(
                    TYPE.at(span, message)
                        .label(document.quote(span))
                        .help("write plain decimal digits without quotes"),
                );
            }
        }
    }
}

fn evidence(document: &Document<'_>, front_matter: FrontMatter<'_>, sink: &mut Sink) {
    let Some(entry) = front_matter.entry(Key::StatusEvidence) else { return };
    let Node::Sequence(evidence) = &entry.value else {
        if !entry.value.is_opaque() {
            let message =
                format!("`{}` is {}, not a list of evidence items", Key::StatusEvidence, entry.value.describe());
            sink.push(
                TYPE.at(place(document, &entry.key, &entry.value), message)
                    .help("write `- kind: …`, `ref: …`, `claim: …`, `verification: …` for each item"),
            );
        }
        return;
    };
    for item in &evidence.items {
        let Node::Mapping(item) = item else {
            if !item.is_opaque() {
                let found = TYPE.at(item.span(), format!("the evidence item is {}, not a mapping", item.describe()));
                sink.push(found.help("an item has the keys `kind`, `ref`, `claim` and `verification`"));
            }
            continue;
        };
        for &key in EvidenceKey::ALL {
            let wanted = if key == EvidenceKey::Ref { Type::StringOrNull } else { Type::String };
            let value = front_matter::evidence_value(item, key);
            sink.extend(value.and_then(|value| string(document, key.as_str(), value, wanted)));
        }
    }
}

/// The defect of a value that should be a string.
fn string(document: &Document<'_>, key: &str, value: &Node, wanted: Type) -> Option<Diagnostic> {
    let help = match value {
        value if value.is_opaque() => return None,
        Node::Scalar(scalar) => match (scalar.resolve(), wanted) {
            (Resolved::String, _) | (Resolved::Null, Type::StringOrNull) => return None,
            (Resolved::Null, Type::String) => "write a text; null is not allowed here".to_owned(),
            (Resolved::Bool(_) | Resolved::Integer | Resolved::Float, _) => {
                format!("quote the value: `{key}: \"{}\"`", document.quote(scalar.span))
            }
        },
        Node::Sequence(_) | Node::Mapping(_) => "write one text in quotes".to_owned(),
        Node::Alias(_) => return None,
    };
    let message = format!("`{key}` is {}, not {}", value.describe(), wanted.name());
    Some(TYPE.at(value.span(), message).help(help))
}

/// The value, or its key where the value is empty.
fn place(document: &Document<'_>, key: &Node, value: &Node) -> Span {
    if document.at(value.span()).is_empty() { key.span() } else { value.span() }
}
