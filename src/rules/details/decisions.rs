//! The decisions table (PROTOCOL §7).

use crate::diagnostic::{Base, Diagnostic, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::content::{self, trimmed};
use crate::document::outline::Table;
use crate::protocol::anchor::ANCHORS;
use crate::protocol::sections::{DecisionColumn, DetailsSection};
use crate::protocol::{anchor, character, words};
use crate::source::Span;

pub(in crate::rules) static DECISIONS_TABLE: Rule = Rule {
    id: "details/decisions-table",
    severity: Severity::Error,
    clause: "§7",
    scope: Scope::Full,
    summary: "Decisions is one table with the columns Decision, Reason, Evidence, Confidence and nothing beside it, or exactly `none`; before a terminal state it may be empty or have no rows",
    rationale: "Every decision needs its reason, its evidence and how sure it is; a list loses one of them.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace("| Decision | Reason | Evidence | Confidence |", "| Decision | Why | Evidence | Confidence |")],
    ),
};

pub(in crate::rules) static DECISION_EVIDENCE: Rule = Rule {
    id: "details/decision-evidence",
    severity: Severity::Error,
    clause: "§7",
    scope: Scope::Full,
    summary: "no cell of the decisions table is empty, and each Evidence cell has an anchor or starts with `unverified`",
    rationale: "A key conclusion has a place where it can be checked, or says that it has none.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace(
            "| whole files exhaust memory | src/import/stream.rs:42 |",
            "| whole files exhaust memory | seen in tests |",
        )],
    ),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    let Some(decisions) = document.section(DetailsSection::Decisions) else { return };
    let sealed = document.is_sealed();
    if decisions.is_none() || (decisions.is_empty() && !sealed) {
        return;
    }
    let columns = || DecisionColumn::words().collect::<Vec<_>>().join(" | ");
    let tables: Vec<_> =
        decisions.entries.iter().filter_map(|entry| Some((entry, content::table(&document.outline, entry)?))).collect();
    let Some(&(entry, table)) = tables.first() else {
        let found = DECISIONS_TABLE.at(decisions.place(), "`## Decisions` has no table");
        return sink.push(found.help(format!("write one table `| {} |`, or `none`", columns())));
    };
    if let Some(other) = decisions.entries.iter().find(|other| other.span != entry.span) {
        let found = DECISIONS_TABLE.at(other.span, "`## Decisions` has something beside its table");
        sink.push(found.related(entry.span, "the table").help("put every decision into a row of one table"));
    }
    let header: Vec<&str> = table.header.iter().map(|&cell| document.at(cell).trim()).collect();
    if !header.iter().copied().eq(DecisionColumn::words()) {
        let place =
            table.header.first().map_or(entry.span, |first| first.to(table.header.last().copied().unwrap_or(*first)));
        let place = trimmed(place, document.text);
        let found = DECISIONS_TABLE.at(place, "the columns of the decisions table are not the four of the template");
        return sink.push(found.help(format!("write `| {} |`", columns())));
    }
    if sealed && table.rows.is_empty() {
        let found = DECISIONS_TABLE.at(entry.span, "the decisions table of a sealed document has no rows");
        sink.push(found.help("add the decisions, or write `none` instead of the table"));
    }
    rows(document, table, sink);
}

fn rows(document: &Document<'_>, table: &Table, sink: &mut Sink) {
    for row in &table.rows {
        let (Some(first), Some(last)) = (row.first(), row.last()) else { continue };
        let span = trimmed(first.to(*last), document.text);
        if !document.at(span).contains('|') {
            let found = DECISION_EVIDENCE.at(span, "this line is a row of the decisions table with one cell");
            sink.push(found.help("put a blank line between the table and the text behind it, or fill the row"));
            continue;
        }
        for (&cell, &column) in row.iter().zip(DecisionColumn::ALL) {
            sink.extend(self::cell(document, cell, column, span));
        }
    }
}

fn cell(document: &Document<'_>, cell: Span, column: DecisionColumn, row: Span) -> Option<Diagnostic> {
    let text = document.outline.without_comments(cell);
    if character::is_blank(&text) {
        let found = DECISION_EVIDENCE.at(visible(document, cell, row), format!("the {column} cell is empty"));
        return Some(found.help(match column {
            DecisionColumn::Decision => "say what was decided, or remove the row",
            DecisionColumn::Reason => "say why",
            DecisionColumn::Evidence => "name a place, or write `unverified`",
            DecisionColumn::Confidence => "say how sure the decision is, as in `high`",
        }));
    }
    let anchored = || anchor::contains_anchor(&text) || document.outline.code_spans(cell).next().is_some();
    if column != DecisionColumn::Evidence || words::starts_unverified(&text) || anchored() {
        return None;
    }
    let place = trimmed(cell, document.text);
    let found = DECISION_EVIDENCE.at(place, format!("the evidence `{}` has no anchor", document.quote(place)));
    Some(found.help(format!("name a place: {ANCHORS}, or start with `unverified`")))
}

/// An empty cell can be seen when it has blanks; a cell that a short row lacks is shown at the row.
fn visible(document: &Document<'_>, cell: Span, row: Span) -> Span {
    if document.at(cell).is_empty() { row } else { cell }
}
