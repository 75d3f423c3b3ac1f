//! The `Modified:` and `Verified:` lines of Current State (PROTOCOL §6), and how all three lines are found.

use crate::diagnostic::{Base, Diagnostic, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::content::{Content, Entry, trimmed};
use crate::document::sections::Section;
use crate::protocol::anchor::ANCHORS;
use crate::protocol::sections::{StateLine, TldrSection};
use crate::protocol::{character, words};
use crate::source::{Span, Spanned};

pub(in crate::rules) static MODIFIED_LINE: Rule = Rule {
    id: "tldr/modified-line",
    severity: Severity::Error,
    clause: "§6",
    scope: Scope::Full,
    summary: "Current State has exactly one item `Modified: <what>`",
    rationale: "A successor must know what was touched before it touches anything.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace("- Modified: src/import/stream.rs reads one record at a time.\n", "")],
    ),
};

pub(in crate::rules) static VERIFIED_LINE: Rule = Rule {
    id: "tldr/verified-line",
    severity: Severity::Error,
    clause: "§6",
    scope: Scope::Full,
    summary: "Current State has exactly one item `Verified: <what>`",
    rationale: "What was changed and what was checked are two facts.",
    example: Example::of(Base::Initial, &[Edit::Replace("- Verified: unverified\n", "")]),
};

pub(in crate::rules) static NONE_WITHOUT_REASON: Rule = Rule {
    id: "tldr/none-without-reason",
    severity: Severity::Error,
    clause: "§6",
    scope: Scope::Full,
    summary: "`Modified: none` gives a reason",
    rationale: "Nothing modified after a long session is surprising enough to explain.",
    example: Example::of(
        Base::Initial,
        &[
            Edit::Replace("- Modified: src/import/stream.rs reads one record at a time.", "- Modified: none."),
            Edit::Replace("## Changed Files\n- src/import/stream.rs", "## Changed Files\n- none"),
        ],
    ),
};

pub(in crate::rules) static VERIFIED_ANCHOR: Rule = Rule {
    id: "tldr/verified-anchor",
    severity: Severity::Error,
    clause: "§6",
    scope: Scope::Full,
    summary: "the `Verified:` value is `unverified` or contains an anchor",
    rationale: "What was verified can be verified again only if the place is named.",
    example: Example::of(Base::Initial, &[Edit::Replace("- Verified: unverified", "- Verified: the reader works")]),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    let Some(section) = document.tldr.section(TldrSection::CurrentState) else { return };
    if let Some(line) = the_line(document, section, StateLine::Modified, &MODIFIED_LINE, sink) {
        let modified = value(line, StateLine::Modified);
        if character::is_blank(modified.value) {
            sink.push(
                MODIFIED_LINE.at(line.span, "the `Modified:` line says nothing").help(line_help(StateLine::Modified)),
            );
        } else if words::is_bare_none(modified.value) {
            let found = NONE_WITHOUT_REASON.at(modified.span, "`Modified: none` without a reason");
            sink.push(found.help("say why, as in `none, only the design was discussed`"));
        }
    }
    if let Some(line) = the_line(document, section, StateLine::Verified, &VERIFIED_LINE, sink) {
        let verified = value(line, StateLine::Verified);
        if character::is_blank(verified.value) {
            sink.push(
                VERIFIED_LINE.at(line.span, "the `Verified:` line says nothing").help(line_help(StateLine::Verified)),
            );
        } else if !words::is_unverified_value(verified.value) && !line.has_anchor() {
            let found = VERIFIED_ANCHOR.at(verified.span, "the `Verified:` value names no place");
            sink.push(found.help(format!("name a place: {ANCHORS}; or write `unverified`")));
        }
    }
}

/// The first line with this label; reports when there is none, or a second one, or one that is nearly one.
pub(in crate::rules) fn the_line<'c, 's>(
    document: &Document<'_>,
    section: &'c Section<'s, TldrSection>,
    label: StateLine,
    rule: &'static Rule,
    sink: &mut Sink,
) -> Option<&'c Entry<'s>> {
    let first = with_label(&section.content, label).next();
    let Some(first) = first else {
        sink.push(missing(document, section, label, rule));
        return None;
    };
    for second in section.content.items().filter(|item| item.span != first.span && is_nearly(&item.text, label)) {
        let found = rule.at(first_line(second.span, document.text), format!("a second `{label}` line"));
        let help = if label == StateLine::Status { "keep the true one" } else { "join the two" };
        sink.push(found.related(first.span, "the first").help(help));
    }
    Some(first)
}

/// The items that begin with a label.
pub(in crate::rules) fn with_label<'c, 's>(
    content: &'c Content<'s>,
    label: StateLine,
) -> impl Iterator<Item = &'c Entry<'s>> {
    content.items().filter(move |item| item.text.starts_with(label.as_str()))
}

/// What stands behind the label of an item.
pub(in crate::rules) fn value<'e>(line: &'e Entry<'_>, label: StateLine) -> Spanned<&'e str> {
    let text = line.text.get(label.as_str().len()..).unwrap_or_default();
    Spanned::new(text.trim(), line.behind(label.as_str().len()))
}

/// The defect of a section without a line of this label.
fn missing(
    document: &Document<'_>,
    section: &Section<'_, TldrSection>,
    label: StateLine,
    rule: &'static Rule,
) -> Diagnostic {
    let near = section.content.items().find(|item| is_nearly(&item.text, label));
    if let Some(item) = near {
        let span = first_line(item.span, document.text);
        let message = format!("`{}` does not begin with `{label}`", document.quote(span));
        let help = format!("write `{label} …`: no emphasis, an ASCII colon, this spelling");
        return rule.at(span, message).help(help);
    }
    let found = rule.at(section.heading_span, format!("`## {}` has no `{label}` item", TldrSection::CurrentState));
    found.help(line_help(label))
}

const fn line_help(label: StateLine) -> &'static str {
    match label {
        StateLine::Status => "write `- Status: ` and the value of `handoff_status`",
        StateLine::Modified => "write `- Modified: ` and what was changed, or `none` and the reason",
        StateLine::Verified => "write `- Verified: ` and what was checked with its place, or `unverified`",
    }
}

/// True when the label is there, or would be but for emphasis, case, blanks or a full-width colon.
fn is_nearly(text: &str, label: StateLine) -> bool {
    let start = text.chars().filter(|c| !matches!(c, '*' | '_' | '`' | ' ')).map(|c| if c == '：' { ':' } else { c });
    let start: String = start.take(label.as_str().len()).collect();
    start.eq_ignore_ascii_case(label.as_str())
}

fn first_line(span: Span, text: &str) -> Span {
    let line = span.of(text).lines().next().unwrap_or_default();
    trimmed(Span::new(span.start(), span.start() + line.len()), text)
}
