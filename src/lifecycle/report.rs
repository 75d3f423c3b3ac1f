//! The report of an audit or a final review: the six fields of PROTOCOL §8, as Markdown headings of one level or as a JSON
//! object.
//!
//! ```text
//! ## Status                       {"Status": "NEEDS_ANSWERS",
//! NEEDS_ANSWERS                    "Questions": ["Who owns the nightly job?"],
//! ## Questions                     "Conflicts": "none", …}
//! - Who owns the nightly job?
//! ## Conflicts
//! none
//! …
//! ```
//!
//! Here only the form is judged. What the fields say is judged by the rules, once they stand in the version.

use super::fragment::{Fidelity, Fragment, Origin, Role};
use super::input::{Defects, Input, Unreadable};
use super::json;
use super::said::{Said, beside_the_list, listed, outline, passages};
use crate::document::outline::{BlockKind, Outline};
use crate::protocol::audit::Audit;
use crate::protocol::nearest::nearest;
use crate::protocol::sections::{DetailsSection, Field};
use crate::rules::form::{FIELD_MISSING, QUESTIONS_LIST, UNKNOWN_HEADING};
use crate::source::Span;

/// What a report says, field by field, in its order.
#[derive(Debug)]
pub(super) struct Report {
    fields: Vec<FieldSaid>,
    summary: Vec<Said>,
}

/// What a report may have behind its six fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seventh {
    /// Nothing.
    Refused,
    /// The Final Successor Summary.
    Summary,
}

/// A part of a report: its title, where that stands, and what is said under it.
struct Titled {
    title: String,
    place: Span,
    said: Vec<Said>,
}

#[derive(Debug)]
struct FieldSaid {
    field: Field,
    heading: Span,
    said: Vec<Said>,
}

impl Report {
    /// Reads a report; what is wrong with its form is added to `defects`.
    pub(super) fn read(input: Input<'_>, seventh: Seventh, defects: &mut Defects) -> Result<Self, Unreadable> {
        let titled = if json::is_object(input.text) { from_json(input)? } else { from_markdown(input, defects) };
        let (mut fields, mut summary) = (Vec::new(), None);
        for Titled { title, place, said } in titled {
            match audit_field(&title) {
                Some(field) => fields.push(FieldSaid { field, heading: place, said }),
                None if seventh == Seventh::Summary && title == SUMMARY && summary.is_some() => {
                    let found = UNKNOWN_HEADING.at(place, format!("`{SUMMARY}` stands twice"));
                    defects.push(input.role, found.help("write all points under one heading"));
                }
                None if seventh == Seventh::Summary && title == SUMMARY && fields.len() == Field::AUDIT.len() => {
                    summary = Some(said);
                }
                None => {
                    let found = UNKNOWN_HEADING.at(place, "this is none of the six fields of a report");
                    let near = nearest(&title, Field::AUDIT.iter().map(|field| field.as_str()));
                    let near = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
                    defects.push(input.role, found.help(near + &contract()));
                }
            }
        }
        let missing = Field::AUDIT.iter().filter(|&&field| !fields.iter().any(|found| found.field == field));
        let missing: Vec<&str> = missing.map(|field| field.as_str()).collect();
        if !missing.is_empty() {
            let end = fields.last().map_or(Span::at(0), |last| last.heading);
            let found = FIELD_MISSING.at(end, format!("the report lacks the fields {}", missing.join(", ")));
            defects.push(input.role, found.help(contract()));
        }
        Ok(Self { fields, summary: summary.unwrap_or_default() })
    }

    /// The passages of a field.
    pub(super) fn said(&self, field: Field) -> &[Said] {
        self.fields.iter().find(|found| found.field == field).map(|found| found.said.as_slice()).unwrap_or_default()
    }

    /// The points of the summary, when the report ends with it.
    pub(super) fn summary(&self) -> &[Said] {
        &self.summary
    }

    /// The verdict, when it is one word that `verdicts` has.
    pub(super) fn verdict(&self, verdicts: &[Audit]) -> Option<Audit> {
        let [said] = self.said(Field::Status) else { return None };
        Audit::parse(&said.text).filter(|audit| verdicts.contains(audit))
    }

    /// The record as it stands in the Interrogation, under `title`.
    pub(super) fn record(&self, title: &str) -> Fragment {
        let mut record = Fragment::from(format!("### {title}"));
        for (number, found) in self.fields.iter().enumerate() {
            record.push(if number == 0 { "\n" } else { "\n\n" });
            let origin = Origin { role: Role::Report, span: found.heading, fidelity: Fidelity::Reworked };
            record.push_from(&format!("#### {}", found.field), origin);
            record.push("\n");
            record.append(&listed(&found.said, Role::Report));
        }
        record
    }
}

/// The form that a report must have.
fn contract() -> String {
    let titles = Field::AUDIT.iter().map(|field| field.as_str()).collect::<Vec<_>>().join(", ");
    format!(
        "write the six fields {titles} in this order, as headings of one level or as one JSON object; `none` where there is nothing"
    )
}

fn from_json(input: Input<'_>) -> Result<Vec<Titled>, Unreadable> {
    let members = json::object(input.text).map_err(|error| input.malformed(error))?;
    let titled = |member: json::Member| Titled { title: member.key, place: member.key_span, said: member.value };
    Ok(members.into_iter().map(titled).collect())
}

fn from_markdown(input: Input<'_>, defects: &mut Defects) -> Vec<Titled> {
    let outline = outline(input.text);
    let end = outline.blocks.len();
    let headings: Vec<(usize, u8, &str)> =
        outline.headings(0..end, 1..7).map(|(index, heading)| (index, heading.level, heading.raw)).collect();
    let first_field = headings.iter().find(|&&(_, _, title)| audit_field(title).is_some());
    let level = first_field.or(headings.first()).map_or(1, |&(_, level, _)| level);
    let tops: Vec<usize> = headings.iter().filter(|&&(_, found, _)| found == level).map(|&(index, ..)| index).collect();
    let first = tops.first().copied().unwrap_or(end);
    for &(index, found, title) in &headings {
        if found < level || index < first || (found > level && audit_field(title).is_some()) {
            let span = place(&outline, index);
            let message = format!("this heading has level {found}, the fields have level {level}");
            defects.push(input.role, UNKNOWN_HEADING.at(span, message).help(contract()));
        }
    }
    let is_heading = |index: &usize| outline.heading(*index).is_some();
    let texts = (0..first).filter(|index| !is_heading(index)).map(|index| index..index + 1);
    if let Some(before) = std::iter::once(0..0).chain(texts).flat_map(|blocks| passages(&outline, blocks)).next() {
        let fenced =
            matches!(outline.blocks.first().map(|block| &block.kind), Some(BlockKind::Code)) && tops.is_empty();
        let message = if fenced { "the report is inside a code block" } else { "this text belongs to no field" };
        let help = if fenced { "remove the fence lines".to_owned() } else { contract() };
        defects.push(input.role, UNKNOWN_HEADING.at(before.span, message).help(help));
    }
    let ends = tops.iter().skip(1).copied().chain([end]);
    let titled = tops.iter().zip(ends).filter_map(|(&start, end)| {
        let (heading, place) = outline.heading(start)?;
        if let (Some(Field::Questions), Some(stray)) =
            (audit_field(heading.raw), beside_the_list(&outline, start + 1..end))
        {
            let found = QUESTIONS_LIST.at(stray, "the questions are not one list");
            defects.push(input.role, found.help("write each question as an item of one list"));
        }
        Some(Titled { title: heading.raw.to_owned(), place, said: passages(&outline, start + 1..end) })
    });
    titled.collect()
}

/// The title that a summary has behind the six fields.
pub(super) const SUMMARY: &str = DetailsSection::FinalSuccessorSummary.as_str();

fn audit_field(title: &str) -> Option<Field> {
    Field::parse(title).filter(|field| Field::AUDIT.contains(field))
}

fn place(outline: &Outline<'_>, block: usize) -> Span {
    outline.heading(block).map(|(_, span)| span).unwrap_or_default()
}
