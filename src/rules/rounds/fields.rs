//! The fields of a round (PROTOCOL §8).

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::rounds::{FieldOf, Record};
use crate::protocol::sections::Field;
use crate::rules::outline::near::{near_miss, with_accident};
use crate::source::Span;

pub(crate) static FIELD_MISSING: Rule = Rule {
    id: "rounds/field-missing",
    severity: Severity::Error,
    clause: "§8",
    scope: Scope::Full,
    summary: "each round and the final review has the six audit fields",
    rationale: "The auditor's contract is fixed: a field that is absent was perhaps never asked for.",
    example: Example::of(Base::Collecting, &[Edit::Replace("#### Conflicts\nnone\n\n", "")]),
};

pub(in crate::rules) static FIELD_ORDER: Rule = Rule {
    id: "rounds/field-order",
    severity: Severity::Error,
    clause: "§8",
    scope: Scope::Full,
    summary: "the fields of a round stand in order, once each",
    rationale: "Reports are compared field by field.",
    example: Example::of(
        Base::Collecting,
        &[
            Edit::Replace("#### Conflicts\nnone\n\n", ""),
            Edit::Replace("#### Current Agent Answers", "#### Conflicts\nnone\n\n#### Current Agent Answers"),
        ],
    ),
};

pub(in crate::rules) static FIELD_EMPTY: Rule = Rule {
    id: "rounds/field-empty",
    severity: Severity::Error,
    clause: "§8",
    scope: Scope::Full,
    summary: "no audit field is empty; a field without content says `none`",
    rationale: "`none` says that the auditor looked.",
    example: Example::of(Base::Collecting, &[Edit::Replace("#### Conflicts\nnone\n", "#### Conflicts\n")]),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    document.records().for_each(|record| fields(document, record, sink));
}

fn fields(document: &Document<'_>, record: &Record<'_>, sink: &mut Sink) {
    let title = record.title;
    let region = document.region(record);
    if !document.is_cut_off() {
        missing(document, record, region, sink);
    }
    let mut seen: Vec<&FieldOf<'_>> = Vec::new();
    let mut last: Option<Field> = None;
    for found in &record.fields {
        if let Some(first) = seen.iter().find(|first| first.field == found.field) {
            let twice = FIELD_ORDER.at(found.heading, format!("`#### {}` stands twice in `### {title}`", found.field));
            sink.push(twice.label("again here").related(first.heading, "first here").help("join the two fields"));
            continue;
        }
        seen.push(found);
        match last {
            Some(before) if before > found.field => {
                let behind =
                    FIELD_ORDER.at(found.heading, format!("`#### {}` stands behind `#### {before}`", found.field));
                sink.push(behind.help(format!("the order is {}", Field::words().collect::<Vec<_>>().join(", "))));
            }
            _ => last = Some(found.field),
        }
        if found.field != Field::Answers && found.content.is_empty() {
            let empty = FIELD_EMPTY.at(found.heading, format!("`#### {}` of `### {title}` is empty", found.field));
            let region = Span::new(found.heading.start(), found.content.span.end());
            sink.push(with_accident(document, region, empty).help("write what the auditor reported, or `none`"));
        }
    }
}

/// A field that was written in another way is a finding of its own; the others that are missing are one.
fn missing(document: &Document<'_>, record: &Record<'_>, region: Span, sink: &mut Sink) {
    let title = record.title;
    let mut absent = Vec::new();
    for &wanted in Field::AUDIT.iter().filter(|&&wanted| record.field(wanted).is_none()) {
        match near_miss(document, region, 4, wanted.as_str()) {
            None => absent.push(format!("`#### {wanted}`")),
            Some(near) => {
                let found = FIELD_MISSING.at(record.heading, format!("`### {title}` has no field `#### {wanted}`"));
                sink.push(found.related(near.line, near.reason).help(format!("write the line `#### {wanted}`")));
            }
        }
    }
    if absent.is_empty() {
        return;
    }
    let found = FIELD_MISSING.at(record.heading, format!("`### {title}` has no field {}", absent.join(", ")));
    let order = Field::words().collect::<Vec<_>>().join(", ");
    let help = format!("write what the auditor reported, or `none`, under each; the order is {order}");
    sink.push(with_accident(document, region, found).help(help));
}
