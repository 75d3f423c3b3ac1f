//! A `JUnit` report in XML 1.0: each document is a test case, its findings are one failure. They stand in its text, because
//! readers show one failure and drop its attributes.

use super::json::{self, Failure, Finding};
use super::location::Base;
use super::{Advice, Judged, Tally, errors};
use crate::diagnostic::Severity;
use crate::protocol::character::visible;

/// The test case of one document, as XML.
#[derive(Debug)]
pub struct Case(String);

/// What a case says, by the name of its element.
enum Outcome {
    Passed,
    Advice(String),
    Failed { message: String, text: String },
    NotChecked { message: String },
}

/// The case of a document that was judged.
pub fn case(judged: &Judged<'_>, advice: Advice, base: &Base) -> Case {
    let findings = json::found(judged);
    let shown: Vec<&Finding> = findings.iter().filter(|finding| advice.shows(finding.severity)).collect();
    let text: String = shown.iter().map(|finding| entry(finding, judged, base)).collect();
    let count = shown.iter().filter(|finding| finding.severity == Severity::Error).count();
    let outcome = match (count, shown.is_empty()) {
        (0, true) => Outcome::Passed,
        (0, false) => Outcome::Advice(text),
        (count, _) => Outcome::Failed { message: errors(count), text },
    };
    Case::new(&base.path(judged.document.path), &outcome)
}

/// The whole report.
pub fn report(cases: &[Case], failures: &[Failure], tally: &Tally, base: &Base) -> String {
    let unread = failures
        .iter()
        .map(|failure| Case::new(&base.path(&failure.path), &Outcome::NotChecked { message: failure.text() }));
    let unread: String = unread.map(|case| case.0).collect();
    let cases: String = cases.iter().map(|case| case.0.as_str()).collect();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\"",
        tally.checked() + failures.len(),
        tally.invalid,
        failures.len()
    );
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{NAME}\" {counts}>\n  \
         <testsuite name=\"{NAME}\" {counts}>\n{cases}{unread}  </testsuite>\n</testsuites>\n"
    )
}

const NAME: &str = env!("CARGO_PKG_NAME");

fn entry(finding: &Finding, judged: &Judged<'_>, base: &Base) -> String {
    let start = &finding.place.start;
    let (severity, rule, text) = (finding.severity.as_str(), finding.rule, finding.text(judged, base));
    format!("{}:{}: {severity}[{rule}] {text}\n", start.line, start.column)
}

impl Case {
    fn new(path: &str, outcome: &Outcome) -> Self {
        let path = attribute(path);
        let inside = match outcome {
            Outcome::Passed => String::new(),
            Outcome::Advice(text) => format!("      <system-out>{}</system-out>\n", content(text)),
            Outcome::Failed { message, text } => {
                format!("      <failure type=\"invalid\" message=\"{message}\">{}</failure>\n", content(text))
            }
            Outcome::NotChecked { message } => {
                let text: Vec<String> = message.lines().map(visible).collect();
                let text = content(&text.join("\n"));
                format!("      <error type=\"not-checked\" message=\"the file was not checked\">{text}</error>\n")
            }
        };
        let case = format!("    <testcase classname=\"{NAME}\" name=\"{path}\" file=\"{path}\"");
        Self(if inside.is_empty() { format!("{case}/>\n") } else { format!("{case}>\n{inside}    </testcase>\n") })
    }
}

/// `text` on one line, for an attribute.
fn attribute(text: &str) -> String {
    content(&visible(text))
}

/// Text between tags. What may be a line break is one already; a character that XML forbids is U+FFFD.
fn content(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | ' '..='\u{fffd}' | '\u{10000}'.. => escaped.push(c),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
        }
    }
    escaped
}
