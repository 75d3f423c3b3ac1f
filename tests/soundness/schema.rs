//! The published JSON Schema, and the library's view of the same front matter (PROTOCOL §4).

use std::sync::LazyLock;

use handoff_guard::diagnostic::Diagnostics;
use handoff_guard::document::fence;
use handoff_guard::document::yaml::{self, Entry, Node, Resolved};
use handoff_guard::protocol::keys::Key;
use handoff_guard::protocol::timestamp::{Timestamp, TimestampError};
use handoff_guard::source::Source;
use jsonschema::{PatternOptions, Validator};
use serde_json::{Number, Value, json};

/// The YAML rule that leaves a front matter readable: a number was written in another way.
pub(crate) const NON_CANONICAL: &str = "yaml/non-canonical-integer";

pub(crate) static SCHEMA: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../schema/task-handoff.v2.schema.json")).unwrap());

pub(crate) static FRONT_MATTER: LazyLock<Validator> = LazyLock::new(|| validator(&SCHEMA));

/// Compiles a schema; its patterns run in linear time.
pub(crate) fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::options().with_pattern_options(PatternOptions::regex()).build(schema).unwrap()
}

/// Asserts that the schema accepts the front matter of `source` exactly when the library does, as far as it can be read;
/// `diagnostics` are all that the library says. What they say, when they can be compared.
pub(crate) fn assert_agrees(source: &Source, diagnostics: &Diagnostics) -> Option<bool> {
    let errors = errors(diagnostics);
    if errors.iter().any(|id| is_unreadable(id)) {
        return None;
    }
    let front_matter = front_matter(source).unwrap();
    let is_refused = is_refused(&errors, &front_matter);
    assert_eq!(FRONT_MATTER.is_valid(&front_matter), !is_refused, "{errors:?} about {front_matter:#}");
    Some(!is_refused)
}

/// The ids of the errors.
pub(crate) fn errors(diagnostics: &Diagnostics) -> Vec<&'static str> {
    diagnostics.errors().map(|found| found.rule.id).collect()
}

/// The front matter of `source` as JSON; none is the empty object, as it has no key.
fn front_matter(source: &Source) -> Option<Value> {
    let text = source.text().ok()?;
    let fence = fence::split(text).ok()?;
    let root = yaml::parse(text, fence.front_matter).root;
    Some(root.as_ref().map_or_else(|| json!({}), to_json))
}

fn to_json(node: &Node) -> Value {
    match node {
        Node::Scalar(scalar) => match scalar.resolve() {
            Resolved::Null => Value::Null,
            Resolved::Bool(value) => json!(value),
            Resolved::Integer | Resolved::Float => number(&scalar.text),
            Resolved::String => json!(scalar.text),
        },
        Node::Sequence(sequence) => sequence.items.iter().map(to_json).collect(),
        Node::Mapping(mapping) => {
            let member = |entry: &Entry| (entry.key.as_key().unwrap().to_owned(), to_json(&entry.value));
            mapping.entries.iter().map(member).collect()
        }
        Node::Alias(_) => panic!("the YAML rules let an alias through"),
    }
}

/// A number that JSON cannot write (`.inf`, `0x2`) becomes one that no field allows.
fn number(text: &str) -> Value {
    let integer = text.parse::<i64>().ok().map(Number::from);
    let float = || text.parse().ok().and_then(Number::from_f64);
    integer.or_else(float).map_or(json!(f64::MAX), Value::Number)
}

/// True for a defect that keeps the front matter from being read.
pub(crate) fn is_unreadable(id: &str) -> bool {
    ["encoding/", "fence/", "yaml/"].iter().any(|family| id.starts_with(family))
}

/// True when `errors` name a defect of `front_matter` that a schema can see: neither the order of the timestamps nor
/// the place of a leap second.
pub(crate) fn is_refused(errors: &[&str], front_matter: &Value) -> bool {
    let is_misplaced = |key: &Key| {
        let text = front_matter[key.as_str()].as_str();
        text.map(Timestamp::parse) == Some(Err(TimestampError::NoLeapSecond))
    };
    let misplaced = [Key::CreatedAt, Key::UpdatedAt].into_iter().filter(is_misplaced).count();
    let timestamps = errors.iter().filter(|id| **id == "schema/timestamp").count();
    timestamps > misplaced
        || errors.iter().any(|&id| match id {
            "schema/timestamp" | "schema/timestamp-order" => false,
            NON_CANONICAL => true,
            _ => id.starts_with("schema/") || id.starts_with("evidence/"),
        })
}
