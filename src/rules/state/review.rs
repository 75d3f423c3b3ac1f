//! The final review and the sealed document (PROTOCOL §8, §9).

use std::collections::BTreeSet;

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::content::{Content, Entry};
use crate::document::rounds::Record;
use crate::protocol::audit::Audit;
use crate::protocol::character::is_punctuation;
use crate::protocol::sections::{DetailsSection, FINAL_REVIEW, Field};
use crate::protocol::words::{CRITERION, NONE};

pub(in crate::rules) static FINAL_REVIEW_MISSING: Rule = Rule {
    id: "rounds/final-review-missing",
    severity: Severity::Error,
    clause: "§8",
    scope: Scope::Full,
    summary: "a terminal document has a final review",
    rationale: "Only the final review may seal a session.",
    example: Example::of(
        Base::ReviewPending,
        &[
            Edit::Replace("handoff_status: REVIEW_PENDING", "handoff_status: READY_WITH_RISKS"),
            Edit::Replace("- Status: REVIEW_PENDING", "- Status: READY_WITH_RISKS"),
            Edit::Replace("## Final Successor Summary\nnone", "## Final Successor Summary\n- Write the adapter next."),
        ],
    ),
};

pub(in crate::rules) static FINAL_REVIEW_EARLY: Rule = Rule {
    id: "rounds/final-review-early",
    severity: Severity::Error,
    clause: "§8",
    scope: Scope::Full,
    summary: "only a terminal document has a final review",
    rationale: "The final review and the terminal state are one write.",
    example: Example::of(
        Base::ReadyWithRisks,
        &[
            Edit::Replace("handoff_status: READY_WITH_RISKS", "handoff_status: REVIEW_PENDING"),
            Edit::Replace("- Status: READY_WITH_RISKS", "- Status: REVIEW_PENDING"),
        ],
    ),
};

pub(in crate::rules) static TERMINAL_MISMATCH: Rule = Rule {
    id: "state/terminal-mismatch",
    severity: Severity::Error,
    clause: "§9",
    scope: Scope::Full,
    summary: "a terminal `handoff_status` equals the final review's Status",
    rationale: "The state is what the review decided.",
    example: Example::of(
        Base::ReadyWithRisks,
        &[
            Edit::Replace("handoff_status: READY_WITH_RISKS", "handoff_status: READY"),
            Edit::Replace("- Status: READY_WITH_RISKS", "- Status: READY"),
        ],
    ),
};

pub(in crate::rules) static VERDICT_CHANGE: Rule = Rule {
    id: "state/verdict-change",
    severity: Severity::Error,
    clause: "§9",
    scope: Scope::Full,
    summary: "a final verdict that differs from the last round's READY or READY_WITH_RISKS gives its ground: a conflict, a new anchor, or an Evidence entry that starts with `criterion:`",
    rationale: "A verdict changes only for new evidence, a missed conflict or a violated criterion, and the change must be traceable.",
    example: Example::of(
        Base::Ready,
        &[Edit::Replace(
            "- commit 8f3ab12c locks the rows that the nightly job reads\n- criterion: no remaining unknown changes the next step",
            "- src/import/ledger.rs:118",
        )],
    ),
};

pub(crate) static SUMMARY_MISSING: Rule = Rule {
    id: "state/summary-missing",
    severity: Severity::Error,
    clause: "§9",
    scope: Scope::Full,
    summary: "a terminal document's Final Successor Summary says something, and has no entry `none`",
    rationale: "The summary is what the successor is given first.",
    example: Example::of(
        Base::ReadyWithRisks,
        &[Edit::Replace(
            "- The importer streams records; src/import/stream.rs:42 is the loop.\n- Write the adapter next, then run the import tests.\n- Do not drop the staging table before its owner agrees.",
            "none",
        )],
    ),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    let Some(status) = document.status() else { return };
    let review = document.interrogation.as_ref().and_then(|interrogation| interrogation.final_review());
    if !status.value.is_terminal() {
        if let Some(review) = review {
            let found = FINAL_REVIEW_EARLY.at(review.heading, format!("a final review in the state {}", status.value));
            sink.push(
                found
                    .related(status.span, "the state")
                    .help("the review, the summary and the terminal state are one write"),
            );
        }
        return;
    }
    summary(document, sink);
    let Some(review) = review else {
        let section = document.details.as_ref().and_then(|details| details.section(DetailsSection::Interrogation));
        if let Some(section) = section.filter(|_| !document.is_cut_off()) {
            let found = FINAL_REVIEW_MISSING
                .at(section.heading_span, format!("no `### {FINAL_REVIEW}` in the state {}", status.value));
            sink.push(found.related(status.span, "the state").help("record the final review behind the last round"));
        }
        return;
    };
    let Some(verdict) = review.status() else { return };
    if verdict.value.terminal_status() != Some(status.value) {
        let found = TERMINAL_MISMATCH
            .at(status.span, format!("the state is {}, the final review says {}", status.value, verdict.value));
        sink.push(
            found.related(verdict.span, "the final review").help(format!("write `handoff_status: {}`", verdict.value)),
        );
    }
    let Some(audit) =
        document.current_audit().filter(|audit| audit.value != verdict.value && audit.value != Audit::NeedsAnswers)
    else {
        return;
    };
    if !is_justified(document, review) {
        let found = VERDICT_CHANGE.at(
            verdict.span,
            format!("the last round said {}, the final review says {} without a ground", audit.value, verdict.value),
        );
        sink.push(
            found
                .related(audit.span, "the last round")
                .help("name the conflict that was missed, new evidence with an anchor that no round has, or the violated criterion as an Evidence entry `criterion: …`"),
        );
    }
}

fn summary(document: &Document<'_>, sink: &mut Sink) {
    let Some(summary) = document.section(DetailsSection::FinalSuccessorSummary) else { return };
    let nothing = summary.entries.iter().find(|entry| entry.is(NONE)).map(|entry| entry.span);
    if nothing.is_some() || !summary.has_real_entry() {
        let place = nothing.unwrap_or_else(|| summary.place());
        let found = SUMMARY_MISSING
            .at(place, format!("`## {}` of a sealed document says nothing", DetailsSection::FinalSuccessorSummary));
        sink.push(found.help("write at most 10 points for the successor"));
    }
}

fn is_justified(document: &Document<'_>, review: &Record<'_>) -> bool {
    if review.content(Field::Conflicts).is_some_and(Content::has_real_entry) {
        return true;
    }
    // Evidence that is missing is reported as what it is.
    let Some(evidence) = review.content(Field::Evidence).filter(|evidence| !evidence.is_empty()) else { return true };
    if evidence.entries.iter().any(|entry| entry.text.starts_with(CRITERION)) {
        return true;
    }
    let rounds = document.interrogation.iter().flat_map(crate::document::rounds::Interrogation::rounds);
    let fields = rounds.flat_map(|(_, record)| &record.fields);
    let known: BTreeSet<String> =
        fields.flat_map(|field| &field.content.entries).flat_map(Entry::anchors).map(same_place).collect();
    evidence.entries.iter().flat_map(Entry::anchors).any(|anchor| !known.contains(&same_place(anchor)))
}

/// An anchor without what differs between two mentions of one place: case, and punctuation at its end.
fn same_place(anchor: &str) -> String {
    anchor.trim_end_matches(is_punctuation).to_lowercase()
}
