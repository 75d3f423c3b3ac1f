//! One line a finding, made for `grep` and editors: `path:line:column: error[rule] message`. A valid document prints
//! nothing.

use std::borrow::Cow;

use super::{Advice, Judged};
use crate::diagnostic::Diagnostic;
use crate::protocol::character::visible;
use crate::source::{LineIndex, Position, Source};

/// The findings of one document, each ended by a line feed.
pub fn render(judged: &Judged<'_>, advice: Advice) -> String {
    let path = visible(&judged.document.label());
    let mut report = String::new();
    for line in lines(judged.document.source, judged.shown(advice)) {
        report.extend([&path, ":", &line, "\n"]);
    }
    report
}

/// Findings of `source` as `line:column: error[rule] message`.
pub(crate) fn lines<'d>(source: &Source, findings: impl Iterator<Item = &'d Diagnostic>) -> Vec<String> {
    let mut findings = findings.peekable();
    let text = if findings.peek().is_some() { source.printable() } else { Cow::Borrowed("") };
    let index = LineIndex::new(&text);
    findings
        .map(|Diagnostic { rule, span, message, .. }| {
            let Position { line, column } = index.position(span.start());
            format!("{line}:{column}: {}[{}] {}", rule.severity.as_str(), rule.id, visible(message))
        })
        .collect()
}
