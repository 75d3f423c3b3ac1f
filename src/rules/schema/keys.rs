//! Which keys there are (PROTOCOL §4): the 13 of the front matter and the 4 of an evidence item, exactly.

use std::collections::BTreeSet;

use crate::diagnostic::{Base, Diagnostic, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::yaml::{Mapping, Node};
use crate::protocol::character;
use crate::protocol::keys::{EvidenceKey, Key};
use crate::protocol::nearest::nearest;
use crate::source::Span;

pub(in crate::rules) static MISSING_KEY: Rule = Rule {
    id: "schema/missing-key",
    severity: Severity::Error,
    clause: "§4",
    scope: Scope::Every,
    summary: "the front matter has all 13 keys, an evidence item all 4",
    rationale: "Every key is required, also where its value is null: an absent key says nothing about what its writer knew.",
    example: Example::of(Base::Initial, &[Edit::Replace("base_commit: \"8f3ab12c\"\n", "")]),
};

pub(in crate::rules) static UNKNOWN_KEY: Rule = Rule {
    id: "schema/unknown-key",
    severity: Severity::Error,
    clause: "§4",
    scope: Scope::Every,
    summary: "the front matter and its evidence items have no other keys",
    rationale: "A key that no reader knows is state that gets lost, or a known key misspelt.",
    example: Example::of(Base::Initial, &[Edit::Replace("branch:", "content_hash: \"none\"\nbranch:")]),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    let Some(front_matter) = document.front_matter() else { return };
    let fence = document.fence.opening;
    keys(document, front_matter.root, fence, "the front matter", &Key::words().collect::<Vec<_>>(), sink);
    let item_keys: Vec<_> = EvidenceKey::words().collect();
    for item in front_matter.evidence().iter().flat_map(|evidence| &evidence.items) {
        if let Node::Mapping(item) = item {
            keys(document, item, item.span, "the evidence item", &item_keys, sink);
        }
    }
}

fn keys(document: &Document<'_>, mapping: &Mapping, place: Span, owner: &str, known: &[&'static str], sink: &mut Sink) {
    for key in known.iter().filter(|key| !mapping.has_key(key)) {
        let found = MISSING_KEY.at(place, format!("{owner} has no key `{key}`"));
        sink.push(found.help(format!("add `{key}`; all of {} are required", listed(known.iter().copied()))));
    }
    let mut seen = BTreeSet::new();
    for entry in mapping.entries.iter().filter(|entry| !entry.key.is_merge_key()) {
        let unknown_key = entry.key.as_key().filter(|key| !known.contains(key) && seen.insert(*key));
        sink.extend(unknown_key.map(|key| unknown(document, entry.key.span(), key, owner, known)));
    }
}

fn unknown(document: &Document<'_>, span: Span, key: &str, owner: &str, known: &[&'static str]) -> Diagnostic {
    let points = character::code_points(key);
    let shown = document.quote(span);
    let message = match points.as_str() {
        "" => format!("{owner} has an unknown key `{shown}`"),
        points => format!("{owner} has an unknown key `{shown}` with {points}"),
    };
    let help = match nearest(key, known.iter().copied()) {
        Some(near) if !points.is_empty() => format!("write `{near}` in ASCII letters"),
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("remove it; the keys are {}", listed(known.iter().copied())),
    };
    UNKNOWN_KEY.at(span, message).help(help)
}

/// Words as `a`, `b`, `c`.
pub(in crate::rules) fn listed<'w>(words: impl Iterator<Item = &'w str>) -> String {
    words.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}
