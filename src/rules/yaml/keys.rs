//! Keys of mappings at any level (PROTOCOL §3): each once, a string, and no merge key.

use std::collections::BTreeMap;

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::yaml::{Mapping, Node};

pub(in crate::rules) static DUPLICATE_KEY: Rule = Rule {
    id: "yaml/duplicate-key",
    severity: Severity::Error,
    clause: "§3",
    scope: Scope::Every,
    summary: "no mapping has a key twice, compared after resolving quotes and escapes",
    rationale: "Some readers take the first value and some the last: a person reviews one state and a machine acts on another.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace("interrogation_round: 0", "\"handoff_status\": BLOCKED\ninterrogation_round: 0")],
    ),
};

pub(in crate::rules) static MERGE_KEY: Rule = Rule {
    id: "yaml/merge-key",
    severity: Severity::Error,
    clause: "§3",
    scope: Scope::Every,
    summary: "no mapping has the merge key `<<`",
    rationale: "YAML 1.2 has no merge key: old loaders pull in other keys, new ones see a key named `<<`.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace("branch: \"feature/stream-import\"", "<<: {branch: \"feature/stream-import\"}")],
    )
    .also(&["portability/flow-collection", "schema/missing-key"]),
};

pub(in crate::rules) static NON_STRING_KEY: Rule = Rule {
    id: "yaml/non-string-key",
    severity: Severity::Error,
    clause: "§3",
    scope: Scope::Every,
    summary: "every key is a string",
    rationale: "Loaders turn other keys into numbers, nulls or objects, and disagree which.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace("branch: \"feature/stream-import\"", "branch: \"feature/stream-import\"\n2026: null")],
    ),
};

/// Walks the tree, which is at most as deep as the limit allows.
pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    let mut open: Vec<&Node> = document.yaml.root.iter().collect();
    while let Some(node) = open.pop() {
        match node {
            Node::Scalar(_) | Node::Alias(_) => {}
            Node::Sequence(sequence) => open.extend(&sequence.items),
            Node::Mapping(mapping) => {
                keys(document, mapping, sink);
                open.extend(mapping.entries.iter().flat_map(|entry| [&entry.key, &entry.value]));
            }
        }
    }
}

fn keys(document: &Document<'_>, mapping: &Mapping, sink: &mut Sink) {
    let mut first = BTreeMap::new();
    for entry in &mapping.entries {
        let span = entry.key.span();
        let shown = || document.quote(span);
        if entry.key.is_merge_key() {
            let found = MERGE_KEY.at(span, "merge key `<<`");
            sink.push(found.help("write the keys themselves").root_cause());
        } else if let Some(key) = entry.key.as_key() {
            if let Some(&earlier) = first.get(key) {
                let found = DUPLICATE_KEY.at(span, format!("key `{}` stands twice", shown()));
                sink.push(
                    found.label("again here").related(earlier, "first here").help("keep one of them").root_cause(),
                );
            } else {
                first.insert(key, span);
            }
        } else {
            let message = format!("key `{}` is {}, not a string", shown(), entry.key.describe());
            let found = NON_STRING_KEY.at(span, message);
            sink.push(found.help("use one of the keys of the schema").root_cause());
        }
    }
}
