//! The report for programs: the object of `schema/report.v1.schema.json`, on one line.

use std::borrow::Cow;

use std::io;

use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;

use super::location::Base;
use super::{Judged, Named, Tally, told};
use crate::diagnostic::{Diagnostic, Diagnostics, Label, Place, Severity};
use crate::protocol::character::{forbidden, is_format, visible};
use crate::protocol::digest::Digest;
use crate::source::{LineIndex, Position, Source, Span};

/// The version of this format; it grows when a field is removed, renamed or given another meaning.
const VERSION: u32 = 1;

/// One run.
#[derive(Debug, Serialize)]
pub struct Report {
    version: u32,
    files: Vec<File>,
    errors: Vec<Failure>,
    summary: Summary,
}

/// One judged document.
#[derive(Debug, Serialize)]
pub struct File {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous: Option<Previous>,
    verdict: &'static str,
    profile: &'static str,
    digest: Option<String>,
    diagnostics: Vec<Finding>,
}

/// The version that a document was held against.
#[derive(Debug, Serialize)]
struct Previous {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<String>,
}

/// A path that could not be judged.
#[derive(Clone, Debug, Serialize)]
pub struct Failure {
    /// The path, as it was given.
    pub path: String,
    /// The commit's full id, or `index`; `None` for a file as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// Why.
    pub message: String,
}

/// One finding, as every format for programs carries it.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    pub(super) rule: &'static str,
    #[serde(serialize_with = "word_of_severity")]
    pub(super) severity: Severity,
    pub(super) message: String,
    pub(super) help: Option<String>,
    label: Option<String>,
    clause: String,
    #[serde(flatten)]
    pub(super) place: At,
    pub(super) related: Vec<Related>,
}

#[derive(Debug, Serialize)]
pub(super) struct Related {
    #[serde(serialize_with = "word_of_document")]
    pub(super) document: Place,
    pub(super) message: String,
    #[serde(flatten)]
    pub(super) place: At,
}

#[derive(Debug, Serialize)]
pub(super) struct At {
    pub(super) span: Bytes,
    pub(super) start: LineColumn,
    pub(super) end: LineColumn,
}

#[derive(Debug, Serialize)]
pub(super) struct Bytes {
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct LineColumn {
    pub(super) line: usize,
    pub(super) column: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn word_of_severity<S: Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(severity.as_str())
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn word_of_document<S: Serializer>(document: &Place, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match document {
        Place::Document => "checked",
        Place::Previous => "previous",
    })
}

#[derive(Debug, Serialize)]
struct Summary {
    checked: usize,
    valid: usize,
    invalid: usize,
    unreadable: usize,
}

impl Report {
    /// Everything that one run found, advice included.
    pub fn new(files: Vec<File>, errors: Vec<Failure>, tally: &Tally) -> Self {
        let &Tally { valid, invalid, unreadable, .. } = tally;
        let summary = Summary { checked: tally.checked(), valid, invalid, unreadable };
        Self { version: VERSION, files, errors, summary }
    }

    /// The object, ended by a line feed.
    ///
    /// # Errors
    /// None that the data can cause.
    pub fn render(&self) -> serde_json::Result<String> {
        line(self)
    }
}

/// An object on one line, ended by a line feed.
pub(super) fn line(object: &impl Serialize) -> serde_json::Result<String> {
    let mut bytes = Vec::new();
    object.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, Escaping))?;
    bytes.push(b'\n');
    String::from_utf8(bytes).map_err(serde::ser::Error::custom)
}

/// All findings about a document.
pub(super) fn found(judged: &Judged<'_>) -> Vec<Finding> {
    let previous = judged.previous.map(|named| named.source);
    findings(judged.verdict.diagnostics(), judged.document.source, previous)
}

/// Findings about `source`, which was perhaps held against `previous`.
pub(super) fn findings(diagnostics: &Diagnostics, source: &Source, previous: Option<&Source>) -> Vec<Finding> {
    let text = if diagnostics.is_empty() { Cow::Borrowed("") } else { source.printable() };
    let lines = LineIndex::new(&text);
    let previous = previous.map(Source::printable).unwrap_or_default();
    let before = LineIndex::new(&previous);
    diagnostics.iter().map(|diagnostic| Finding::new(diagnostic, &lines, &before)).collect()
}

impl File {
    /// What is known about one document.
    pub fn new(judged: &Judged<'_>) -> Self {
        let bytes = judged.document.source.bytes();
        let revision = |named: &Named<'_>| named.revision.map(|revision| revision.to_string());
        let before = |named: Named<'_>| Previous { path: named.path.to_owned(), revision: revision(&named) };
        Self {
            path: judged.document.path.to_owned(),
            revision: revision(&judged.document),
            previous: judged.previous.map(before),
            verdict: if judged.verdict.is_valid() { "valid" } else { "invalid" },
            profile: judged.profile.as_str(),
            digest: (bytes.len() <= Source::MAX_BYTES).then(|| Digest::of(bytes).to_string()),
            diagnostics: found(judged),
        }
    }
}

impl Finding {
    fn new(diagnostic: &Diagnostic, lines: &LineIndex<'_>, before: &LineIndex<'_>) -> Self {
        let rule = diagnostic.rule;
        let related = diagnostic.related.iter().map(|label| match label.place {
            Place::Document => Related::new(label, lines),
            Place::Previous => Related::new(label, before),
        });
        Self {
            rule: rule.id,
            severity: rule.severity,
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
            label: diagnostic.label.clone(),
            clause: format!("PROTOCOL {}", rule.clause),
            place: At::new(diagnostic.span, lines),
            related: related.collect(),
        }
    }
}

impl Failure {
    /// What it says, for tools that know the path only; not escaped.
    pub(super) fn text(&self) -> String {
        told(self.revision.as_deref(), &self.message)
    }
}

impl Finding {
    /// What it says, for tools that show a text: the message, the other places, the help, each on an escaped line.
    pub(super) fn text(&self, judged: &Judged<'_>, base: &Base) -> String {
        let related = self.related.iter().map(|label| {
            let LineColumn { line, column } = label.place.start;
            let file = match (label.document, judged.previous) {
                (Place::Previous, Some(previous)) => super::label(&base.path(previous.path), previous.revision) + ":",
                (Place::Previous, None) | (Place::Document, _) => String::new(),
            };
            format!("see {file}{line}:{column}: {}", label.message)
        });
        let help = self.help.iter().map(|help| format!("help: {help}"));
        let lines: Vec<String> = std::iter::once(judged.document.told(&self.message))
            .chain(related)
            .chain(help)
            .map(|line| visible(&line))
            .collect();
        lines.join("\n")
    }
}

impl Related {
    fn new(label: &Label, lines: &LineIndex<'_>) -> Self {
        Self { document: label.place, message: label.text.clone(), place: At::new(label.span, lines) }
    }
}

impl At {
    fn new(span: Span, lines: &LineIndex<'_>) -> Self {
        Self {
            span: Bytes { start: span.start(), end: span.end() },
            start: lines.position(span.start()).into(),
            end: lines.position(span.end()).into(),
        }
    }
}

impl From<Position> for LineColumn {
    fn from(Position { line, column }: Position) -> Self {
        Self { line, column }
    }
}

/// Writes control and invisible characters that JSON allows in a string as `\u` escapes: the same value for a program,
/// harmless for a terminal.
struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(is_escaped) {
            let (before, from) = rest.split_at(at);
            writer.write_all(before.as_bytes())?;
            let mut chars = from.chars();
            for unit in chars.next().iter().flat_map(|c| c.encode_utf16(&mut [0; 2]).to_vec()) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = chars.as_str();
        }
        writer.write_all(rest.as_bytes())
    }
}

fn is_escaped(c: char) -> bool {
    c.is_control() || forbidden(c).is_some() || is_format(c) || matches!(c, '\u{2028}' | '\u{2029}')
}
