//! Numbers and repetitions of entries (PROTOCOL §7).

use std::collections::BTreeMap;
use std::collections::btree_map::Entry::{Occupied, Vacant};

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::protocol::sections::{DetailsSection, MOST_SUMMARY_POINTS};

pub(in crate::rules) static SUMMARY_LENGTH: Rule = Rule {
    id: "details/summary-length",
    severity: Severity::Error,
    clause: "§7",
    scope: Scope::Full,
    summary: "Final Successor Summary has at most 10 entries",
    rationale: "It is what a successor can keep in mind while reading the rest.",
    example: Example::of(
        Base::Ready,
        &[Edit::Repeat(
            "- Write the adapter next, then run the import tests.\n",
            "- Write the adapter next, then run the import tests.\n",
            9,
        )],
    ),
};

pub(in crate::rules) static DUPLICATE_ENTRY: Rule = Rule {
    id: "details/duplicate-entry",
    severity: Severity::Advice,
    clause: "§7",
    scope: Scope::Full,
    summary: "the same entry should not stand in two sections of the details",
    rationale: "A fact that stands twice is changed once.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace(
            "## Failed Attempts\n- Memory-mapping the file broke the Windows build.",
            "## Failed Attempts\n- The record reader returns one invoice at a time.",
        )],
    ),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    let Some(details) = &document.details else { return };
    if let Some(summary) = details.content(DetailsSection::FinalSuccessorSummary)
        && let Some(eleventh) = summary.entries.get(MOST_SUMMARY_POINTS)
    {
        let count = summary.entries.len();
        let found = SUMMARY_LENGTH.at(eleventh.span, format!("`## Final Successor Summary` has {count} entries"));
        sink.push(found.label("one too many").help(format!("keep at most {MOST_SUMMARY_POINTS}")));
    }
    // Lengths differ far more often than texts of one length, and are compared at once.
    let mut first = BTreeMap::new();
    for section in details.sections.iter().filter(|section| section.known != Some(DetailsSection::Interrogation)) {
        for entry in section.content.real_entries() {
            match first.entry((entry.text.len(), &*entry.text)) {
                Vacant(free) => {
                    free.insert((section.heading, entry.span));
                }
                Occupied(taken) => {
                    let &(heading, span) = taken.get();
                    if heading != section.heading {
                        let found = DUPLICATE_ENTRY.at(entry.span, "the same entry stands in another section");
                        sink.push(found.related(span, "first here").help("keep it where it belongs"));
                    }
                }
            }
        }
    }
}
