//! Workflow commands of GitHub Actions: annotations beside the lines of a pull request.
//!
//! ```text
//! ::error file=a.md,line=27,col=11,endLine=27,endColumn=25,title=tldr/status-mismatch::the TL;DR says …%0Ahelp: …
//! ```
//!
//! A runner obeys every line that begins so, and the text comes from files that somebody else wrote. Every piece is escaped
//! on its own: it holds no line break, and none of `%`, `:` and `,` where they mean something. A line that begins with a
//! command of ours is not searched for another one.

use super::json::{self, At, Failure, Finding};
use super::location::Base;
use super::{Advice, Judged};
use crate::diagnostic::Severity;
use crate::protocol::character::visible;

/// The findings of one document, one command a line.
pub fn render(judged: &Judged<'_>, advice: Advice, base: &Base) -> String {
    let file = base.path(judged.document.path);
    let findings = json::found(judged);
    let shown = findings.iter().filter(|finding| advice.shows(finding.severity));
    shown.map(|finding| annotation(&file, finding, &finding.text(judged, base))).collect()
}

/// A path that could not be judged.
pub fn failure(failure: &Failure, base: &Base) -> String {
    let file = property(&base.path(&failure.path));
    let message: Vec<String> = failure.text().lines().map(visible).collect();
    format!("::error file={file},title=not checked::{}\n", data(&message.join("\n")))
}

fn annotation(file: &str, finding: &Finding, text: &str) -> String {
    let command = match finding.severity {
        Severity::Error => "error",
        Severity::Advice => "notice",
    };
    let (file, title) = (property(file), property(finding.rule));
    format!("::{command} file={file},{},title={title}::{}\n", place(&finding.place), data(text))
}

/// Columns mean something to GitHub only within one line. A place that ends with a line does not reach into the next one,
/// where GitHub would show it.
fn place(At { start, end, .. }: &At) -> String {
    if start.line == end.line {
        format!("line={},col={},endLine={},endColumn={}", start.line, start.column, end.line, end.column)
    } else {
        let last = if end.column == 1 { end.line - 1 } else { end.line };
        format!("line={},endLine={last}", start.line)
    }
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(&visible(text)).replace(':', "%3A").replace(',', "%2C")
}
