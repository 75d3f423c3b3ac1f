//! The questions of a round (PROTOCOL §8).

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::rounds::RecordTitle;
use crate::protocol::audit::{Audit, MOST_QUESTIONS};
use crate::protocol::sections::Field;
use crate::protocol::words;

pub(in crate::rules) static TOO_MANY_QUESTIONS: Rule = Rule {
    id: "rounds/too-many-questions",
    severity: Severity::Error,
    clause: "§8",
    scope: Scope::Full,
    summary: "a round has at most 5 questions",
    rationale: "The auditor merges questions of one kind and sorts them by impact.",
    example: Example::of(
        Base::NeedsAnswers,
        &[Edit::Repeat("- May the staging table be dropped?\n", "- May the staging table be dropped?\n", 5)],
    ),
};

pub(crate) static QUESTIONS_LIST: Rule = Rule {
    id: "rounds/questions-list",
    severity: Severity::Error,
    clause: "§8",
    scope: Scope::Full,
    summary: "Questions other than exactly `none` are one list",
    rationale: "The k-th answer belongs to the k-th question; in prose nobody can count.",
    example: Example::of(
        Base::NeedsAnswers,
        &[Edit::Replace(
            "- Which error must abort the import?\n- May the staging table be dropped?",
            "Which error must abort the import? May the staging table be dropped?",
        )],
    ),
};

pub(in crate::rules) static QUESTIONS_MISSING: Rule = Rule {
    id: "rounds/questions-missing",
    severity: Severity::Error,
    clause: "§8",
    scope: Scope::Full,
    summary: "a round of NEEDS_ANSWERS has questions",
    rationale: "Without a question there is nothing to wait for.",
    example: Example::of(
        Base::NeedsAnswers,
        &[Edit::Replace("- Which error must abort the import?\n- May the staging table be dropped?", "none")],
    ),
};

pub(in crate::rules) static QUESTIONS_UNEXPECTED: Rule = Rule {
    id: "rounds/questions-unexpected",
    severity: Severity::Error,
    clause: "§8",
    scope: Scope::Full,
    summary: "in a round of READY or READY_WITH_RISKS, and in the final review, Questions is exactly `none`",
    rationale: "An open question and a verdict that nothing must be answered contradict each other.",
    example: Example::of(
        Base::ReviewPending,
        &[Edit::Replace("#### Questions\nnone", "#### Questions\n- Who owns the nightly job?")],
    ),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    for record in document.records() {
        let Some(questions) = record.content(Field::Questions).filter(|questions| !questions.is_empty()) else {
            continue;
        };
        let (title, place) = (record.title, questions.place());
        let verdict = record.status();
        if questions.is_none() {
            if let Some(verdict) = verdict.filter(|verdict| verdict.value == Audit::NeedsAnswers) {
                let found = QUESTIONS_MISSING.at(place, format!("`### {title}` needs answers and asks nothing"));
                sink.push(
                    found
                        .related(verdict.span, "the verdict")
                        .help("write the questions as a list, or change the verdict to what the auditor said"),
                );
            }
            continue;
        }
        let settled = verdict.filter(|verdict| verdict.value != Audit::NeedsAnswers);
        if title == RecordTitle::FinalReview || settled.is_some() {
            let found =
                QUESTIONS_UNEXPECTED.at(place, format!("`### {title}` asks although nothing has to be answered"));
            let found = settled.into_iter().fold(found, |found, verdict| found.related(verdict.span, "the verdict"));
            let nearly_none = questions.entries.iter().all(|entry| words::is_misspelt(&entry.text));
            let help = if nearly_none {
                "nothing is written as the bare word `none`"
            } else {
                "write `none`; what is open belongs into Unknowns"
            };
            sink.push(found.help(help));
        } else if !questions.is_one_list() {
            let found = QUESTIONS_LIST.at(place, format!("the questions of `### {title}` are not one list"));
            sink.push(found.help("write each question as an item of one list"));
        }
        if let Some(sixth) = questions.entries.get(MOST_QUESTIONS) {
            let count = questions.entries.len();
            let found = TOO_MANY_QUESTIONS.at(sixth.span, format!("`### {title}` has {count} questions"));
            sink.push(
                found
                    .label("one too many")
                    .help(format!("keep the {MOST_QUESTIONS} that matter most; join those of one kind")),
            );
        }
    }
}
