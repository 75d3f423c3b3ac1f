//! What is legal but misread by older tools (PROTOCOL §11).

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::fence::{FENCE, lines};
use crate::document::front_matter;
use crate::document::yaml::{Node, Scalar, ScalarStyle};
use crate::protocol::evidence::Kind;
use crate::protocol::keys::EvidenceKey;
use crate::protocol::timestamp::Timestamp;
use crate::source::Span;

/// A rule of this file; they differ in their words only.
const fn advice(id: &'static str, summary: &'static str, rationale: &'static str, bad: &'static [Edit]) -> Rule {
    Rule {
        id,
        severity: Severity::Advice,
        clause: "§11",
        scope: Scope::Full,
        summary,
        rationale,
        example: Example::of(Base::Initial, bad),
    }
}

const SCRIPTS: &str = "The reference scripts reject or misread it.";

pub(super) static BODY_MARKER: Rule = advice(
    "portability/body-marker",
    "a whole line `---` or `...` in the body is better avoided",
    SCRIPTS,
    &[Edit::Replace("## Known Risks\n", "---\n\n## Known Risks\n")],
);

pub(super) static BLOCK_SCALAR: Rule = advice(
    "portability/block-scalar",
    "a block scalar in the front matter is better written on one line",
    SCRIPTS,
    &[Edit::Replace(
        "status_reason: \"first version, nothing audited yet\"",
        "status_reason: >-\n  first version,\n  nothing audited yet",
    )],
);

pub(super) static FLOW_COLLECTION: Rule = advice(
    "portability/flow-collection",
    "a flow collection in the front matter is better written in block style",
    SCRIPTS,
    &[Edit::Replace(
        "status_evidence:\n  - kind: unverified\n    ref: null\n    claim: \"nothing has been audited yet\"\n    verification: UNVERIFIED",
        "status_evidence: [{kind: unverified, ref: null, claim: \"nothing has been audited yet\", verification: UNVERIFIED}]",
    )],
);

pub(super) static SINGLE_QUOTES: Rule = advice(
    "portability/single-quotes",
    "a value in single quotes is better written in double quotes",
    SCRIPTS,
    &[Edit::Replace("session_id: \"importer-4c81\"", "session_id: 'importer-4c81'")],
);

pub(super) static TRAILING_COMMENT: Rule = advice(
    "portability/trailing-comment",
    "a comment behind a value is better avoided",
    SCRIPTS,
    &[Edit::Replace("working_tree: DIRTY", "working_tree: DIRTY # two files")],
);

pub(super) static YAML11_VALUE: Rule = advice(
    "portability/yaml11-value",
    "an unquoted timestamp or `yes`, `no`, `on`, `off` is better quoted",
    "Older YAML parsers turn it into a date or a boolean.",
    &[Edit::Replace("created_at: \"2026-03-02T09:00:00+08:00\"", "created_at: 2026-03-02T09:00:00+08:00")],
);

pub(super) static SOLE_EVIDENCE: Rule = advice(
    "portability/sole-evidence",
    "one real evidence element alone is legal, but the reference scripts reject it",
    "They allow a single element only of kind `unverified`.",
    &[Edit::Replace(
        "- kind: unverified\n    ref: null\n    claim: \"nothing has been audited yet\"\n    verification: UNVERIFIED",
        "- kind: test\n    ref: \"import::tests::reads_records\"\n    claim: \"the reader is tested\"\n    verification: VERIFIED",
    )],
);

pub(super) fn check(document: &Document<'_>, sink: &mut Sink) {
    for (line, _) in lines(document.text, document.fence.body.start()) {
        let text = document.at(line);
        if text == FENCE || text == "..." {
            let found = BODY_MARKER.at(line, format!("a line `{text}` in the body"));
            sink.push(found.help("use a heading, or `***` for a thematic break"));
        }
    }
    nodes(document, sink);
    trailing_comments(document, sink);
    sole_evidence(document, sink);
}

fn nodes(document: &Document<'_>, sink: &mut Sink) {
    let mut open: Vec<&Node> = document.yaml.root.iter().collect();
    while let Some(node) = open.pop() {
        let (flow, span) = match node {
            Node::Alias(_) => continue,
            Node::Scalar(scalar) => {
                self::scalar(scalar, sink);
                continue;
            }
            Node::Sequence(sequence) => {
                open.extend(&sequence.items);
                (sequence.flow, sequence.span)
            }
            Node::Mapping(mapping) => {
                open.extend(mapping.entries.iter().flat_map(|entry| [&entry.key, &entry.value]));
                (mapping.flow, mapping.span)
            }
        };
        if flow {
            sink.push(FLOW_COLLECTION.at(span, "a flow collection").help("write one item or key a line"));
        }
    }
}

fn scalar(scalar: &Scalar, sink: &mut Sink) {
    match scalar.style {
        ScalarStyle::DoubleQuoted => {}
        ScalarStyle::SingleQuoted => {
            sink.push(SINGLE_QUOTES.at(scalar.span, "a value in single quotes").help("use double quotes"));
        }
        ScalarStyle::Literal | ScalarStyle::Folded => {
            sink.push(
                BLOCK_SCALAR.at(scalar.span, "a block scalar").help("write the value in double quotes on one line"),
            );
        }
        ScalarStyle::Plain => {
            let word = ["yes", "no", "on", "off"].iter().any(|word| scalar.text.eq_ignore_ascii_case(word));
            if word || Timestamp::parse(&scalar.text).is_ok() {
                sink.push(
                    YAML11_VALUE.at(scalar.span, "an unquoted value that older parsers change").help("quote the value"),
                );
            }
        }
    }
}

/// A comment behind a value: the rest of a line of the front matter, outside of every scalar, that begins with `#`.
fn trailing_comments(document: &Document<'_>, sink: &mut Sink) {
    let Some(root) = &document.yaml.root else { return };
    let mut scalars = Vec::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        match node {
            Node::Scalar(scalar) => scalars.push(scalar.span),
            Node::Alias(_) => {}
            Node::Sequence(sequence) => open.extend(&sequence.items),
            Node::Mapping(mapping) => open.extend(mapping.entries.iter().flat_map(|entry| [&entry.key, &entry.value])),
        }
    }
    scalars.sort_unstable();
    let inside = |at: usize| {
        let before = scalars.partition_point(|span| span.start() <= at);
        before.checked_sub(1).and_then(|index| scalars.get(index)).is_some_and(|span| span.contains(at))
    };
    let front_matter = document.fence.front_matter;
    for (line, _) in
        lines(document.text, front_matter.start()).take_while(|(line, _)| line.start() < front_matter.end())
    {
        let text = document.at(line);
        let comment = text
            .match_indices([' ', '\t'])
            .map(|(blank, _)| blank + 1)
            .find(|&at| text.get(at..).is_some_and(|rest| rest.starts_with('#')) && !inside(line.start() + at));
        if let Some(at) = comment.filter(|&at| !text.get(..at).unwrap_or_default().trim().is_empty()) {
            let span = Span::new(line.start() + at, line.end());
            sink.push(
                TRAILING_COMMENT.at(span, "a comment behind a value").help("put the comment on a line of its own"),
            );
        }
    }
}

fn sole_evidence(document: &Document<'_>, sink: &mut Sink) {
    let Some(evidence) = document.front_matter().and_then(front_matter::FrontMatter::evidence) else { return };
    let [Node::Mapping(only)] = evidence.items.as_slice() else { return };
    let kind = front_matter::evidence_value(only, EvidenceKey::Kind).and_then(front_matter::string);
    if kind.is_some_and(|kind| Kind::parse(kind.value).is_some_and(|kind| kind != Kind::Unverified)) {
        let found = SOLE_EVIDENCE.at(only.span, "one real evidence element alone");
        sink.push(found.help("keep it: this tool accepts it; add another only if there is one"));
    }
}
