//! Defects of the rounds and of the final review (PROTOCOL §8).

use handoff_guard::document::rounds::RecordTitle;
use handoff_guard::protocol::audit::{Audit, MOST_QUESTIONS, MOST_ROUNDS};
use handoff_guard::protocol::keys::Key;
use handoff_guard::protocol::sections::{DetailsSection, Field};
use handoff_guard::protocol::status::Status;
use handoff_guard::source::Span;

use super::page::Page;
use super::{Mutants, Operator};

pub(super) const OPERATORS: &[Operator] =
    &[count, headings, fields, statuses, questions, risks, evidence, not_merged, final_review];

/// The fields of a record that asks nothing and knows nothing, each with its body.
const QUIET: &[(Field, &str)] = &[
    (Field::Status, "READY"),
    (Field::Questions, "none"),
    (Field::Conflicts, "none"),
    (Field::Risks, "none"),
    (Field::Unknowns, "none"),
    (Field::Evidence, "none"),
    (Field::Answers, "none"),
];

/// A record with this title and these fields.
pub(super) fn record(title: &str, fields: &[(Field, &str)]) -> String {
    let fields = fields.iter().map(|(field, body)| format!("#### {field}\n{body}\n\n"));
    format!("### {title}\n{}", fields.collect::<String>())
}

/// A round with this number that asks nothing.
pub(super) fn quiet_round(number: u32) -> String {
    record(&RecordTitle::Round(number).to_string(), QUIET)
}

/// A final review without findings.
fn quiet_review() -> String {
    record(&RecordTitle::FinalReview.to_string(), &QUIET[..6])
}

fn count(page: &'static Page, mutants: &mut Mutants) {
    let records = page.records();
    let region = page.section(DetailsSection::Interrogation);
    let round = page.round();
    for (record, place) in &records {
        let RecordTitle::Round(number) = record.title else {
            let whole = place.whole().of(page.text).to_owned();
            let first = records[0].1.heading.start();
            mutants.push("rounds/count", page.with(&[(place.whole(), ""), (Span::at(first), whole.as_str())]));
            mutants.push("rounds/count", page.inserted(place.body.end(), &format!("\n\n{whole}")));
            continue;
        };
        mutants.push("rounds/count", page.without(place.whole()));
        mutants.push("rounds/count", page.inserted(place.body.end(), &format!("\n\n{}", quiet_round(number))));
        mutants.push("rounds/count", page.inserted(place.body.end(), &format!("\n\n{}", quiet_round(round + 1))));
        mutants.push("rounds/count", page.inserted(place.heading.start(), &quiet_round(0)));
        let titles = [
            format!("Round {}", number + 1),
            format!("Round {}", number + 10),
            "Round 0".to_owned(),
            format!("Round 0{number}"),
            format!("round {number}"),
            format!("ROUND {number}"),
            format!("Round{number}"),
            format!("Round  {number}"),
            format!("Round {number}:"),
            format!("Round {number}.0"),
            format!("Round #{number}"),
            format!("第 {number} 轮"),
            "Round one".to_owned(),
            "Round".to_owned(),
        ];
        for title in page.some(&titles) {
            mutants.push("rounds/count", page.with(&[(place.heading, &format!("### {title}"))]));
        }
    }
    for pair in records.windows(2) {
        mutants.push("rounds/count", page.swapped(pair[0].1.whole(), pair[1].1.whole()));
    }
    if round == 0 {
        for text in page.some(&[
            "unverified",
            "nothing yet",
            "- nothing",
            "None",
            "none\n\nnone yet",
            "```\nnone\n```",
            "no rounds so far",
        ]) {
            mutants.push("rounds/count", page.put(region, text));
        }
        mutants.push("rounds/count", page.put(region, &quiet_round(1)));
        mutants.push("rounds/count", page.put(region, &quiet_round(2)));
        mutants.push("rounds/count", page.put(region, &format!("none\n\n{}", quiet_round(1))));
    } else {
        mutants.push("rounds/count", page.put(region, "none"));
        mutants.push("rounds/count", page.put(region, ""));
    }
    // The template's skeleton is one round.
    let recorded = if page.version.document().interrogation.as_ref().unwrap().skeleton { 1 } else { round };
    for other in (0..=MOST_ROUNDS).filter(|other| *other != round && *other != recorded) {
        mutants.push("rounds/count", page.set(page.entry(Key::InterrogationRound), &other.to_string()));
    }
}

fn headings(page: &'static Page, mutants: &mut Mutants) {
    const UNKNOWN: &[&str] = &[
        "### Notes",
        "#### Notes",
        "### Round one",
        "### Summary",
        "#### Answers",
        "#### status",
        "#### Question",
        "#### Final Review",
        "#### Round 1",
        "### Status",
        "### Conclusion of round 1",
        "#### Agent Answers",
        "####",
        "###",
        "### final review",
        "#### 问题",
    ];
    for (record, place) in page.records() {
        for (_, field) in Page::fields(record, place) {
            for heading in page.some(UNKNOWN) {
                mutants.push(
                    "rounds/unknown-heading",
                    page.inserted(field.body.end(), &format!("\n\n{heading}\nnone\n\n")),
                );
            }
        }
        if record.title == RecordTitle::FinalReview {
            for body in page.some(&["none", "", "- an answer"]) {
                let answers = format!("\n\n#### {}\n{body}\n\n", Field::Answers);
                mutants.push("rounds/unknown-heading", page.inserted(place.body.end(), &answers));
            }
        }
    }
}

fn fields(page: &'static Page, mutants: &mut Mutants) {
    const EMPTY: &[&str] =
        &["", "- ", "-\n-", "<!-- later -->", "- <!-- later -->", "\u{200b}", "***", "[a]: /b", "1. "];
    for (record, place) in page.records() {
        let fields = Page::fields(record, place);
        for (field, region) in &fields {
            let again = format!("\n\n#### {field}\nnone\n\n");
            mutants.push("rounds/field-order", page.inserted(region.body.end(), &again));
            mutants.push("rounds/field-order", page.inserted(place.body.end(), &again));
            if *field == Field::Answers {
                continue;
            }
            let body = region.body.of(page.text);
            let hidden = [
                String::new(),
                format!("### {field}{body}"),
                format!("##### {field}{body}"),
                format!("####{field}{body}"),
                format!("#### {}{body}", field.as_str().to_lowercase()),
                format!("#### {field}:{body}"),
                format!("> #### {field}\n\n{body}"),
                format!("<!-- #### {field} -->\n{body}"),
                format!("~~~~~~~~~\n#### {field}\n~~~~~~~~~\n{body}"),
                format!("**{field}**\n{body}"),
                format!("    #### {field}\n{body}"),
                format!("- #### {field}\n\n{body}"),
            ];
            for text in page.some(&hidden) {
                mutants.push("rounds/field-missing", page.with(&[(region.whole(), text)]));
            }
            for empty in page.some(EMPTY) {
                mutants.push("rounds/field-empty", page.put(*region, empty));
            }
        }
        for (index, (_, first)) in fields.iter().enumerate() {
            for (_, second) in &fields[index + 1..] {
                mutants.push("rounds/field-order", page.swapped(first.whole(), second.whole()));
            }
        }
    }
}

fn statuses(page: &'static Page, mutants: &mut Mutants) {
    for (record, place) in page.records() {
        let Some(region) = Page::field(record, place, Field::Status) else { continue };
        let word = record.status().unwrap().value.as_str();
        let foreign = if record.title == RecordTitle::FinalReview { Audit::NeedsAnswers } else { Audit::Blocked };
        let wrong = [
            word.to_lowercase(),
            format!("**{word}**"),
            format!("`{word}`"),
            format!("{word}."),
            format!("{word} (no questions)"),
            format!("{word} {word}"),
            format!("{word}\n\n{word}"),
            format!("- {word}\n- {word}"),
            format!("Status: {word}"),
            word.replace('E', "Е"),
            word.replace('_', " ") + "S",
            foreign.to_string(),
            "none".to_owned(),
            "COLLECTING".to_owned(),
            "REVIEW_PENDING".to_owned(),
            "DONE".to_owned(),
            format!("> {word}"),
            format!("```\n{word}\n```"),
        ];
        for text in page.some(&wrong) {
            mutants.push("rounds/status", page.put(region, text));
        }
    }
}

fn questions(page: &'static Page, mutants: &mut Mutants) {
    const NO_LIST: &[&str] = &[
        "Which error aborts?",
        "- Which error?\n\nAnd which not?",
        "- Which error?\n* Which table?",
        "- Which error?\n\n<!-- -->\n\n- Which table?",
        "> - Which error?",
        "```\n- Which error?\n```",
        "Which error?\n\nWhich table?",
        "1. Which error?\n\nText.\n\n2. Which table?",
        "| q |\n|---|\n| Which? |",
        "1. Which error?\n- Which table?",
        "None",
        "n/a",
        "unverified",
    ];
    for (record, place) in page.records() {
        let Some(region) = Page::field(record, place, Field::Questions) else { continue };
        for number in page.some(&[MOST_QUESTIONS + 1, MOST_QUESTIONS + 2, 20]) {
            for marker in page.some(&["- ", "* ", "+ ", "1. ", "1) "]) {
                let list = |end: &str| format!("{marker}Which one?{end}").repeat(*number);
                mutants.push("rounds/too-many-questions", page.put(region, &list("\n")));
                mutants.push("rounds/too-many-questions", page.put(region, &list("\n\n")));
            }
        }
        if record.status().unwrap().value == Audit::NeedsAnswers {
            for text in page.some(NO_LIST) {
                mutants.push("rounds/questions-list", page.put(region, text));
            }
            for none in page.some(&["none", "- none", "1. none", "none <!-- yet -->", "* none"]) {
                mutants.push("rounds/questions-missing", page.put(region, none));
            }
        } else {
            for some in page.some(&[
                "- Which error?",
                "1. Which error?",
                "- none\n- Which error?",
                "None",
                "none.",
                "- none\n- none",
                "none: all is clear",
            ]) {
                mutants.push("rounds/questions-unexpected", page.put(region, some));
            }
        }
    }
}

fn risks(page: &'static Page, mutants: &mut Mutants) {
    for (record, place) in page.records() {
        let edit = |field: Field, body: &str| Page::field(record, place, field).unwrap().edit(body);
        let other = if record.title == RecordTitle::FinalReview { Audit::Blocked } else { Audit::ReadyWithRisks };
        for none in page.some(&["none", "- none", "1. none", "* none", "none <!-- found -->"]) {
            for status in [Audit::ReadyWithRisks, other] {
                let quiet = [Field::Conflicts, Field::Risks, Field::Unknowns].map(|field| edit(field, none));
                let edits = [edit(Field::Status, status.as_str()), edit(Field::Questions, "none")];
                mutants.push("rounds/risks-missing", page.with(&[&edits[..], &quiet].concat()));
            }
        }
    }
}

fn evidence(page: &'static Page, mutants: &mut Mutants) {
    const UNLOCATED: &[&str] = &[
        "- the tests",
        "- src/a.rs",
        "The code was read.",
        "- src/a.rs:1\n- the tests",
        "- the tests\n- src/a.rs:1",
        "- it is unverified",
        "- Unverified",
        "- none\n- src/a.rs:1",
        "None",
        "- n/a",
        "- 10:30",
        "- test passed",
        "- `` ``",
        "- README",
        "- reasons: many",
        "- because: src",
        "> quoted",
        "- [x] done",
    ];
    for (record, place) in page.records() {
        let region = Page::field(record, place, Field::Evidence).unwrap();
        for text in page.some(UNLOCATED) {
            mutants.push("rounds/evidence", page.put(region, text));
        }
        if record.title == RecordTitle::FinalReview {
            for none in page.some(&["none", "- none", "1. none", "* none", "none <!-- yet -->"]) {
                mutants.push("rounds/review-evidence", page.put(region, none));
            }
        } else {
            for ground in page.some(&["- reason: it is clear", "- criterion: none is left", "reason: it is clear"]) {
                mutants.push("rounds/evidence", page.put(region, ground));
            }
        }
    }
}

fn not_merged(page: &'static Page, mutants: &mut Mutants) {
    let Some(newest) = page.records().pop() else { return };
    let edit = |field: Field, found: &str, sections: &[DetailsSection]| {
        let found = Page::field(newest.0, newest.1, field).unwrap().edit(found);
        let sections = sections.iter().map(|section| page.section(*section).edit("none"));
        page.with(&sections.chain([found]).collect::<Vec<_>>())
    };
    for found in page.some(&[
        "- The job may fail.",
        "The job may fail.",
        "1. The job may fail.",
        "- none\n- the job",
        "> the job",
    ]) {
        for field in [Field::Risks, Field::Unknowns] {
            if page.status() != Status::Ready {
                let archives = [DetailsSection::KnownRisks, DetailsSection::UnverifiedAssumptions];
                mutants.push("rounds/not-merged", edit(field, found, &archives));
            }
        }
    }
    for anchor in
        page.some(&["- src/a.rs:1", "commit 8f3ab12c", "- `cargo test`", "1. https://example.org/", "- diff a..b"])
    {
        mutants.push("rounds/not-merged", edit(Field::Evidence, anchor, &[DetailsSection::Evidence]));
    }
}

fn final_review(page: &'static Page, mutants: &mut Mutants) {
    let records = page.records();
    let end = page.section(DetailsSection::Interrogation).body.end();
    if page.status().is_terminal() {
        let (_, place) = records.last().unwrap();
        mutants.push("rounds/final-review-missing", page.without(place.whole()));
        for title in page.some(&[
            "### Final review",
            "## Final Review",
            "#### Final Review",
            "### Final Review:",
            "### Review",
            "Final Review\n",
        ]) {
            mutants.push("rounds/final-review-missing", page.with(&[(place.heading, title)]));
        }
    } else {
        mutants.push("rounds/final-review-early", page.inserted(end, &format!("\n\n{}", quiet_review())));
        mutants.push("rounds/final-review-early", page.inserted(end, "\n\n### Final Review\n\n"));
        if let Some((_, place)) = records.first() {
            mutants.push("rounds/final-review-early", page.inserted(place.heading.start(), &quiet_review()));
        }
    }
}
