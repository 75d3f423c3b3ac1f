//! The front matter fence (PROTOCOL §2).

use crate::diagnostic::{Base, Diagnostic, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::fence::{self, FENCE, Fence, NoFence};
use crate::protocol::credential::Redacted;
use crate::rules::encoding::bytes::BYTE_ORDER_MARK;
use crate::rules::yaml::banned::DOCUMENT_MARKER;
use crate::source::Span;

pub(super) static MISSING: Rule = Rule {
    id: "fence/missing",
    severity: Severity::Error,
    clause: "§2",
    scope: Scope::Every,
    summary: "the first line is exactly `---`",
    rationale: "A reader that finds no fence takes the whole file for prose. Tools disagree about blanks and language tags on the fence, so none is allowed.",
    example: Example::of(Base::Initial, &[Edit::Replace("---\nschema_version", "--- \nschema_version")]),
};

pub(super) static UNCLOSED: Rule = Rule {
    id: "fence/unclosed",
    severity: Severity::Error,
    clause: "§2",
    scope: Scope::Every,
    summary: "a later line that is exactly `---` closes the front matter",
    rationale: "Without it, nobody can say where machine state ends and prose begins.",
    example: Example::of(Base::Initial, &[Edit::Replace("---\n\n# TL;DR", "\n# TL;DR")]),
};

/// Finds the fence, or says why there is none.
pub(super) fn check(text: &str, redacted: &Redacted<'_>, sink: &mut Sink) -> Option<Fence> {
    match fence::split(text) {
        Ok(fence) => return Some(fence),
        Err(NoFence::Missing(first)) => {
            if let Some(behind) = text.strip_prefix(BYTE_ORDER_MARK) {
                return fence::split(behind).ok().map(|fence| fence.shifted(BYTE_ORDER_MARK.len()));
            }
            // With bare CRs the whole file is one line, and UTF-16 has a zero byte at once; both are reported as such.
            if !first.of(text).contains(['\r', '\0']) {
                sink.push(missing(first, text, redacted).root_cause());
            }
        }
        Err(NoFence::Unclosed(opening)) => unclosed(opening, text, sink),
    }
    None
}

fn missing(first: Span, text: &str, redacted: &Redacted<'_>) -> Diagnostic {
    let line = first.of(text);
    let shown = redacted.quote(first);
    if text.is_empty() {
        return MISSING
            .at(first, "the file is empty")
            .help("begin with the line `---`, the front matter, and a line `---`");
    }
    if line.trim().is_empty() {
        let found = MISSING.at(Span::at(0), "a blank line stands before the opening `---`");
        return found.help("remove it: the first byte of the file must be `-`");
    }
    if let Some(tail) = line.strip_prefix(FENCE).filter(|tail| !tail.is_empty() && tail.trim().is_empty()) {
        let span = Span::new(first.start() + FENCE.len(), first.end());
        let name = if tail.contains('\t') { "tab" } else { "space" };
        let found = MISSING.at(span, format!("the opening `---` is followed by a trailing {name}"));
        return found.help("remove the blanks behind `---`");
    }
    if line.trim_start().starts_with(FENCE) {
        let found = MISSING.at(first, format!("the first line is `{shown}`, not exactly `---`"));
        return found.help("write `---` alone: no blank before it, no language tag behind it");
    }
    MISSING
        .at(first, format!("the first line is `{shown}`, not `---`"))
        .help("a handoff begins with its YAML front matter between two lines `---`")
}

fn unclosed(opening: Span, text: &str, sink: &mut Sink) {
    let lines =
        || fence::lines(text, opening.end()).map(|(line, _)| line).take_while(|line| !line.of(text).starts_with("# "));
    let marker = lines().find(|line| line.of(text) == "...");
    let nearly = lines().skip(1).find(|line| line.of(text).trim() == FENCE);
    let found = UNCLOSED.at(opening, "the front matter opened at line 1 is not closed").root_cause();
    let found = match marker.or(nearly) {
        Some(span) => found.related(span, "this line does not close it").help("write exactly `---` there"),
        None => found.help("put a line `---` behind the last key, before `# TL;DR`"),
    };
    sink.push(found);
    if let Some(span) = marker {
        sink.push(
            DOCUMENT_MARKER.at(span, "`...` does not close the front matter").help("write `---` instead").root_cause(),
        );
    }
}
