//! The check list before a sealed session is handed over (the source, §9): what the file proves, and what only a person
//! can confirm.

use crate::document::Document;
use crate::document::content::Content;
use crate::protocol::sections::DetailsSection;
use crate::protocol::tokens::Size;

/// A point of the list.
#[derive(Clone, Debug)]
pub struct Point {
    /// What has to hold.
    pub point: &'static str,
    /// Who says so.
    pub proof: Proof,
    /// What the file shows, or what a person has to look at.
    pub shows: String,
}

/// Who says that a point holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The file.
    Proved,
    /// A person.
    Confirm,
}

/// What shows that a point holds.
enum Shown {
    /// The rules that a valid document obeys.
    Rules(&'static [&'static str]),
    /// Sections that say something.
    Sections(&'static [DetailsSection]),
    /// Nothing in the file: a person knows.
    Person(&'static str),
    /// A person, who is told how long the document is.
    Length,
}

/// The points in the order of the source.
const POINTS: [(&str, Shown); 20] = [
    (
        "the successor made at least one independent audit",
        Shown::Person("the rounds are recorded; whether another agent made them is not"),
    ),
    ("every call of the successor read the state file again", Shown::Person("ask who ran the calls")),
    (
        "every key decision has evidence or says unverified",
        Shown::Rules(&["details/decisions-table", "details/decision-evidence"]),
    ),
    (
        "preferences, prohibitions and acceptance criteria are on record",
        Shown::Sections(&[DetailsSection::Constraints, DetailsSection::AcceptanceCriteria]),
    ),
    ("failed attempts will not be repeated by accident", Shown::Sections(&[DetailsSection::FailedAttempts])),
    ("what is left has a next step or a way to verify it", Shown::Sections(&[DetailsSection::RecommendedNextActions])),
    (
        "every round and the final review have the six fields",
        Shown::Rules(&["rounds/count", "rounds/field-missing", "rounds/field-order", "rounds/field-empty"]),
    ),
    (
        "every audit was written as a verified transaction before anything followed it",
        Shown::Person("look at the receipts"),
    ),
    ("questions and answers were each written at once", Shown::Person("look at the receipts")),
    ("no failed write advanced the round or the state", Shown::Person("look at the receipts")),
    (
        "the front matter obeys the schema",
        Shown::Rules(&[
            "schema/missing-key",
            "schema/unknown-key",
            "schema/type",
            "schema/enum",
            "schema/empty",
            "schema/base-commit",
            "schema/timestamp",
        ]),
    ),
    ("the session id was compared at every write", Shown::Person("look at the receipts")),
    (
        "the TL;DR has its sections, its lines, its anchors and its length",
        Shown::Rules(&[
            "tldr/missing-section",
            "tldr/status-mismatch",
            "tldr/verified-anchor",
            "tldr/anchor",
            "tldr/too-long",
        ]),
    ),
    (
        "a round that ended the audits was written together with REVIEW_PENDING",
        Shown::Person("look at the receipts, or at the history"),
    ),
    (
        "every change of state was legal, with reason and evidence",
        Shown::Person("look at the receipts, or at the history"),
    ),
    ("there were at most three rounds, and one final review", Shown::Rules(&["rounds/count", "schema/round-range"])),
    (
        "the terminal state is one of three and obeys its criteria",
        Shown::Rules(&[
            "state/terminal-mismatch",
            "state/verdict-change",
            "tldr/risks-required",
            "rounds/risks-missing",
        ]),
    ),
    ("the length was estimated, and the user asked where it may be cut", Shown::Length),
    ("the user confirmed how to hand over", Shown::Person("ask the user")),
    (
        "nothing sensitive and no idle thoughts are in it",
        Shown::Person("no known credential is; personal data and thoughts are not looked for"),
    ),
];

/// The list for a sealed and valid document.
pub(super) fn checklist(document: &Document<'_>) -> Vec<Point> {
    let point = |(point, shown): &(&'static str, Shown)| {
        let (proof, shows) = shows(document, shown);
        Point { point, proof, shows }
    };
    POINTS.iter().map(point).collect()
}

fn shows(document: &Document<'_>, shown: &Shown) -> (Proof, String) {
    match shown {
        Shown::Rules(rules) => (Proof::Proved, rules.join(", ")),
        Shown::Person(look) => (Proof::Confirm, (*look).to_owned()),
        Shown::Length => {
            let tokens = Size::of(document.text).tokens();
            (
                Proof::Confirm,
                format!(
                    "the whole file has about {tokens} tokens, an estimate; `estimate` says it of what is handed over"
                ),
            )
        }
        Shown::Sections(sections) => {
            let titles = sections.iter().map(|section| format!("`## {section}`")).collect::<Vec<_>>().join(", ");
            let says = |section| document.section(section).is_some_and(Content::has_real_entry);
            if sections.iter().all(|&section| says(section)) {
                (Proof::Proved, titles)
            } else {
                (Proof::Confirm, format!("not every one of {titles} says something"))
            }
        }
    }
}
