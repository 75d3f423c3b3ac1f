//! The report for people: every finding with the lines that it is about, then what to do next.

use std::collections::BTreeSet;

use annotate_snippets::{AnnotationKind, Group, Level, Padding, Renderer};

use super::excerpt::{Excerpt, Mark, Page, masked};
use super::{Advice, Counted, Judged, Tally, errors, pieces_of_advice};
use crate::diagnostic::{Diagnostic, Label, Place, Severity};
use crate::protocol::character::visible;
use crate::protocol::credential::credentials;

/// Whether a report may have colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// With terminal escape sequences.
    Styled,
    /// Text only.
    Plain,
}

/// Wide enough that the renderer never cuts a line again: `excerpt` did.
const RENDERED_WIDTH: usize = 1000;

/// The findings of one document, empty when there is none to show; ends with an empty line.
pub fn findings(judged: &Judged<'_>, advice: Advice, style: Style) -> String {
    let mut shown = judged.shown(advice).peekable();
    if shown.peek().is_none() {
        return String::new();
    }
    let text = masked(judged.document.source, judged.verdict.diagnostics().hidden().iter().copied());
    let page = Page::new(&judged.document.label(), &text);
    let previous = judged.previous.map(|named| {
        let text = named.source.printable();
        let hidden = credentials(&text).into_iter().map(|credential| credential.span);
        (named.label(), masked(named.source, hidden))
    });
    let previous = previous.as_ref().map(|(path, text)| Page::new(path, text));
    // Groups of one report share the width of their line numbers; a group without content is an empty line.
    let groups: Vec<Group<'_>> = shown
        .flat_map(|diagnostic| {
            let empty = Group::with_level(Level::ERROR);
            std::iter::once(empty).chain(finding(diagnostic, &page, previous.as_ref()))
        })
        .collect();
    let renderer = match style {
        Style::Styled => Renderer::styled(),
        Style::Plain => Renderer::plain(),
    };
    let report = renderer.term_width(RENDERED_WIDTH).render(&groups);
    format!("{}\n\n", report.trim_start_matches('\n'))
}

/// A finding: its heading and place, the lines, the help; then the lines that are somewhere else.
fn finding(diagnostic: &Diagnostic, page: &Page<'_>, previous: Option<&Page<'_>>) -> Vec<Group<'static>> {
    let level = level(diagnostic.rule.severity);
    let here = Mark { kind: AnnotationKind::Primary, span: diagnostic.span, label: diagnostic.label.as_deref() };
    let marks = std::iter::once(here).chain(related(diagnostic, Place::Document));
    let mut excerpts = page.excerpts(marks).into_iter();
    let mut groups = Vec::new();
    if let Some(excerpt) = excerpts.next() {
        let title = level.clone().primary_title(visible(&diagnostic.message)).id(diagnostic.rule.id);
        groups.push(title.element(excerpt.origin()));
        let lines = Group::with_level(level).element(excerpt.snippet());
        groups.push(match &diagnostic.help {
            Some(help) => lines.element(Padding).element(Level::HELP.message(visible(help))),
            None => lines,
        });
    }
    groups.extend(excerpts.flat_map(|excerpt| elsewhere("in the same document", &excerpt)));
    let before = previous.map(|page| page.excerpts(related(diagnostic, Place::Previous))).unwrap_or_default();
    groups.extend(before.iter().flat_map(|excerpt| elsewhere("in the previous version", excerpt)));
    groups
}

fn related(diagnostic: &Diagnostic, place: Place) -> impl Iterator<Item = Mark<'_>> {
    let context = |label| {
        let Label { span, text, .. }: &Label = label;
        Mark { kind: AnnotationKind::Context, span: *span, label: Some(text) }
    };
    diagnostic.related.iter().filter(move |label| label.place == place).map(context)
}

fn elsewhere(where_: &'static str, excerpt: &Excerpt<'_>) -> [Group<'static>; 2] {
    let title = Level::NOTE.secondary_title(where_);
    [title.element(excerpt.origin()), Group::with_level(Level::NOTE).element(excerpt.snippet())]
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Advice => Level::WARNING.with_name(severity.as_str()),
    }
}

/// The verdict about one document and how to learn more about the rules whose findings were shown.
pub fn verdict(judged: &Judged<'_>, advice: Advice) -> String {
    let diagnostics = judged.verdict.diagnostics();
    let word = if judged.verdict.is_valid() { "valid" } else { "invalid" };
    let mut line = format!("{}: {word}", visible(&judged.document.label()));
    let counts = counts(diagnostics.errors().count(), diagnostics.advice().count(), advice);
    if !counts.is_empty() {
        line = format!("{line}, {counts}");
    }
    let mut seen = BTreeSet::new();
    let rules: Vec<&str> = judged.shown(advice).map(|found| found.rule.id).filter(|&id| seen.insert(id)).collect();
    if rules.is_empty() {
        return format!("{line}\n");
    }
    format!("{line}\nlearn more: handoff-guard explain {}\n", rules.join(" "))
}

/// The last line of a run over several documents.
pub fn summary(tally: &Tally, advice: Advice) -> String {
    let word = match tally.counted {
        Counted::Files => "file",
        Counted::Versions => "version",
    };
    let files = if tally.checked() == 1 { format!("1 {word}") } else { format!("{} {word}s", tally.checked()) };
    let kinds = [(tally.valid, "valid"), (tally.invalid, "invalid"), (tally.unreadable, "unreadable")];
    let kinds: Vec<String> =
        kinds.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    let parts = [kinds.join(", "), counts(tally.errors, tally.advice, advice)];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { format!("{files} checked\n") } else { format!("{files} checked: {}\n", parts.join("; ")) }
}

/// `4 errors, 2 pieces of advice (shown with --advice)`, without what there is none of.
fn counts(errors_found: usize, advice_found: usize, advice: Advice) -> String {
    let found = (errors_found > 0).then(|| errors(errors_found));
    let advised = (advice_found > 0).then(|| pieces_of_advice(advice_found, advice));
    found.into_iter().chain(advised).collect::<Vec<_>>().join(", ")
}
