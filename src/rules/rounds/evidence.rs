//! The evidence of audits, and their findings in the formal sections (PROTOCOL §8).

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::content::Content;
use crate::document::rounds::{Record, RecordTitle};
use crate::protocol::anchor::ANCHORS;
use crate::protocol::sections::{DetailsSection, FINAL_REVIEW, Field};
use crate::protocol::status::Status;
use crate::protocol::words;

pub(in crate::rules) static EVIDENCE: Rule = Rule {
    id: "rounds/evidence",
    severity: Severity::Error,
    clause: "§8",
    scope: Scope::Full,
    summary: "each Evidence entry has an anchor or starts with `unverified`, or the field is exactly `none`; in the final review an entry may start with `reason:` or `criterion:`",
    rationale: "An auditor's finding is worth what can be looked up.",
    example: Example::of(
        Base::Collecting,
        &[Edit::Replace(
            "- unverified: the nightly job was not found in this repository",
            "- the nightly job was not found in this repository",
        )],
    ),
};

pub(in crate::rules) static REVIEW_EVIDENCE: Rule = Rule {
    id: "rounds/review-evidence",
    severity: Severity::Error,
    clause: "§8",
    scope: Scope::Full,
    summary: "the Evidence of the final review is not `none`",
    rationale: "The final verdict gives its reason.",
    example: Example::of(
        Base::ReadyWithRisks,
        &[Edit::Replace(
            "- src/import/ledger.rs:118\n- reason: the remaining risk can be checked by the successor",
            "none",
        )],
    ),
};

pub(in crate::rules) static NOT_MERGED: Rule = Rule {
    id: "rounds/not-merged",
    severity: Severity::Error,
    clause: "§8",
    scope: Scope::Full,
    summary: "what the newest audit found is merged into Known Risks or Unverified Assumptions, and its anchors into Evidence",
    rationale: "Successors read the formal sections, not the audit record; findings are merged in the same write.",
    example: Example::of(
        Base::NeedsAnswers,
        &[
            Edit::Replace(
                "## Known Risks\n- Dropping the staging table loses unposted invoices.",
                "## Known Risks\nnone",
            ),
            Edit::Replace(
                "## Unverified Assumptions\n- The nightly job may read the staging table; ask its owner before dropping it.",
                "## Unverified Assumptions\nnone",
            ),
        ],
    ),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    for record in document.records() {
        let Some(evidence) = record.content(Field::Evidence) else { continue };
        let review = record.title == RecordTitle::FinalReview;
        if evidence.is_none() {
            if review {
                let found =
                    REVIEW_EVIDENCE.at(evidence.place(), format!("the Evidence of `### {FINAL_REVIEW}` is `none`"));
                sink.push(found.help("write at least `reason: …`, and the places that show it"));
            }
            continue;
        }
        for entry in &evidence.entries {
            let labelled = review && words::GROUNDS.iter().any(|label| entry.text.starts_with(label));
            if !labelled && !words::starts_unverified(&entry.text) && !entry.has_anchor() {
                let found = EVIDENCE.at(entry.span, format!("evidence of `### {}` without a place", record.title));
                let more = if review { ", `reason:` or `criterion:`" } else { "" };
                sink.push(found.help(format!("name a place: {ANCHORS}; or start with `unverified`{more}")));
            }
        }
    }
    if let Some(newest) = newest(document) {
        merged(document, newest, sink);
    }
}

/// The audit whose findings this version must hold: the final review once sealed, before that the current round.
fn newest<'d, 's>(document: &'d Document<'s>) -> Option<&'d Record<'s>> {
    if document.is_sealed() { document.interrogation.as_ref()?.final_review() } else { document.current_round() }
}

fn merged(document: &Document<'_>, newest: &Record<'_>, sink: &mut Sink) {
    let title = newest.title;
    let ready = document.status().is_some_and(|status| status.value == Status::Ready);
    let found = [Field::Risks, Field::Unknowns].into_iter().filter_map(|field| newest.content(field));
    let found = found.flat_map(Content::real_entries).next();
    if let Some(found) = found.filter(|_| !ready && !archived(document)) {
        let message = format!(
            "what `### {title}` found is in neither `## {}` nor `## {}`",
            DetailsSection::KnownRisks,
            DetailsSection::UnverifiedAssumptions
        );
        sink.push(NOT_MERGED.at(found.span, message).help("add it to one of the two sections in the same write"));
    }
    let anchored = newest.content(Field::Evidence).and_then(Content::anchored_entry);
    let section = document.section(DetailsSection::Evidence);
    if let (Some(anchored), Some(section)) = (anchored, section)
        && section.anchored_entry().is_none()
    {
        let found = NOT_MERGED
            .at(anchored.span, format!("the evidence of `### {title}` is not in `## {}`", DetailsSection::Evidence));
        sink.push(
            found.related(section.place(), "no anchor here").help("add its anchors to the section in the same write"),
        );
    }
}

/// True when Known Risks or Unverified Assumptions holds something; also when neither can be read.
pub(in crate::rules) fn archived(document: &Document<'_>) -> bool {
    let sections =
        [DetailsSection::KnownRisks, DetailsSection::UnverifiedAssumptions].map(|section| document.section(section));
    let mut readable = sections.into_iter().flatten().peekable();
    readable.peek().is_none() || readable.any(Content::has_real_entry)
}
