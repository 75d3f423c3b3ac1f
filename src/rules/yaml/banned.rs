//! What YAML allows and the protocol bans (PROTOCOL §3): anchors, aliases, tags, directives, markers, hidden escapes, and
//! everything beyond the limits.

use crate::diagnostic::{Base, Diagnostic, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::yaml::{Fault, FaultKind, MAX_BYTES, MAX_DEPTH, MAX_NODES};
use crate::protocol::character;

/// A rule of this file; they differ in their words only.
const fn banned(id: &'static str, summary: &'static str, rationale: &'static str, bad: &'static [Edit]) -> Rule {
    Rule {
        id,
        severity: Severity::Error,
        clause: "§3",
        scope: Scope::Every,
        summary,
        rationale,
        example: Example::of(Base::Initial, bad),
    }
}

const EXPANSION: &str = "References let a short text stand for a long one, and the same value stand in two places; a state file needs neither, and an expansion can exhaust the reader.";

pub(in crate::rules) static ANCHOR: Rule = banned(
    "yaml/anchor",
    "the front matter has no anchor `&name`",
    EXPANSION,
    &[Edit::Replace("session_id: \"importer-4c81\"", "session_id: &id \"importer-4c81\"")],
);

pub(in crate::rules) static ALIAS: Rule = banned(
    "yaml/alias",
    "the front matter has no alias `*name`",
    EXPANSION,
    &[Edit::Replace("status_reason: \"first version, nothing audited yet\"", "status_reason: *first version")],
);

pub(in crate::rules) static TAG: Rule = banned(
    "yaml/tag",
    "the front matter has no tag, neither `!name` nor `!!str`",
    "Tags make some loaders build objects or run code, and change the type that others see.",
    &[Edit::Replace("session_id: \"importer-4c81\"", "session_id: !!str importer-4c81")],
);

pub(in crate::rules) static DIRECTIVE: Rule = banned(
    "yaml/directive",
    "the front matter has no line that begins with `%`",
    "Directives change how the rest is read.",
    &[Edit::Replace("schema_version: 2", "%YAML 1.2\nschema_version: 2")],
);

pub(in crate::rules) static DOCUMENT_MARKER: Rule = banned(
    "yaml/document-marker",
    "the front matter is one document: no line `...` and no second `---`",
    "With several documents in one front matter, readers disagree which one counts.",
    &[Edit::Replace("updated_at: \"2026-03-02T09:00:00+08:00\"\n", "updated_at: \"2026-03-02T09:00:00+08:00\"\n...\n")],
);

pub(in crate::rules) static LIMITS: Rule = banned(
    "yaml/limits",
    "the front matter has at most 64 KiB, 4096 nodes and 4 levels",
    "The schema needs three levels and about forty nodes. What goes far beyond is no handoff, and could exhaust the reader.",
    &[Edit::Replace("branch: \"feature/stream-import\"", "branch: [[[[\"feature/stream-import\"]]]]")],
);

pub(in crate::rules) static HIDDEN_ESCAPE: Rule = banned(
    "yaml/hidden-escape",
    "no escape stands for a character that may not stand in the file",
    "An escape would bring in what `encoding/*` keeps out: the value reaches terminals and successors decoded.",
    &[Edit::Replace("nothing audited yet\"", "nothing \\u202eaudited yet\"")],
);

/// Reports what was noted while reading the events; of anchors, aliases and tags only the first of each, with the number.
pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    let faults = &document.yaml.faults;
    for kind in [FaultKind::Anchor, FaultKind::Alias, FaultKind::Tag] {
        let mut same = faults.iter().filter(|fault| fault.kind == kind);
        if let Some(first) = same.next() {
            sink.push(reference(document, first, same.count()).root_cause());
        }
    }
    for fault in faults {
        sink.extend(other(document, fault).map(Diagnostic::root_cause));
    }
}

fn reference(document: &Document<'_>, fault: &Fault, more: usize) -> Diagnostic {
    let (rule, name) = match fault.kind {
        FaultKind::Anchor => (&ANCHOR, "anchor"),
        FaultKind::Alias => (&ALIAS, "alias"),
        _ => (&TAG, "tag"),
    };
    let shown = document.quote(fault.span);
    let message = match more {
        0 => format!("{name} `{shown}`"),
        more => format!("{name} `{shown}` and {more} more"),
    };
    rule.at(fault.span, message).help("write the value itself; quote it if it is meant as text")
}

fn other(document: &Document<'_>, fault: &Fault) -> Option<Diagnostic> {
    let found = match fault.kind {
        FaultKind::Syntax
        | FaultKind::TabBehindColon
        | FaultKind::TabAsIndentation
        | FaultKind::Anchor
        | FaultKind::Alias
        | FaultKind::Tag => return None,
        FaultKind::Directive => DIRECTIVE
            .at(fault.span, format!("directive `{}`", document.quote(fault.span)))
            .help("remove the line; no value begins with `%` unless it is quoted"),
        FaultKind::DocumentMarker => DOCUMENT_MARKER
            .at(fault.span, format!("document marker `{}` inside the front matter", document.quote(fault.span)))
            .help("remove the line; only a line that is exactly `---` ends the front matter"),
        FaultKind::HiddenEscape(c) => HIDDEN_ESCAPE
            .at(fault.span, format!("escape `{}` stands for {}", document.quote(fault.span), character::code_point(c)))
            .help("remove the escape"),
        FaultKind::Depth => LIMITS
            .at(fault.span, format!("collections are nested deeper than {MAX_DEPTH} levels"))
            .help("the deepest legal value is a field of an item of `status_evidence`"),
        FaultKind::Nodes => {
            LIMITS.at(fault.span, format!("more than {MAX_NODES} nodes")).help("shorten `status_evidence`")
        }
        FaultKind::Bytes(bytes) => LIMITS
            .at(fault.span, format!("the front matter has {bytes} bytes, more than {MAX_BYTES}"))
            .help("keep machine state short; prose belongs below `# Handoff Details`"),
    };
    Some(found)
}
