//! Defects of answers (PROTOCOL §8).

use handoff_guard::document::rounds::{Record, RecordTitle};
use handoff_guard::protocol::audit::Audit;
use handoff_guard::protocol::sections::Field;
use handoff_guard::protocol::status::Status;

use super::page::{Page, Region};
use super::{Mutants, Operator};

pub(super) const OPERATORS: &[Operator] = &[answers, early_answers, unasked_answers];

/// The rounds that asked, with how many questions.
fn asked(page: &Page) -> Vec<(u32, (&Record<'static>, Region), usize)> {
    let asked = page.records().into_iter().filter_map(|(record, place)| match record.title {
        RecordTitle::Round(number) if record.status().unwrap().value == Audit::NeedsAnswers => {
            let questions = record.content(Field::Questions).unwrap().items().count();
            Some((number, (record, place), questions))
        }
        RecordTitle::Round(_) | RecordTitle::FinalReview => None,
    });
    asked.collect()
}

fn answers(page: &'static Page, mutants: &mut Mutants) {
    const SAY_NOTHING: &[&str] = &[
        "unknown",
        "Unknown",
        "UNKNOWN.",
        "unknown!",
        "**unknown**",
        "`unknown`",
        "\"unknown\"",
        "unknown -",
        "unknown…",
        "未知",
        "未知。",
        "**未知**",
        "- unknown",
    ];
    for (number, (record, place), questions) in asked(page) {
        if page.status() == Status::NeedsAnswers && number == page.round() {
            continue;
        }
        let region = Page::field(record, place, Field::Answers).unwrap();
        mutants.push("rounds/answers-missing", page.without(region.whole()));
        let items = |count: usize| "- An answer.\n".repeat(count);
        let missing = [
            String::new(),
            "none".to_owned(),
            "- none".to_owned(),
            "- ".to_owned(),
            "<!-- later -->".to_owned(),
            items(questions - 1),
            items(questions + 1),
            items(questions - 1) + "- none",
            items(questions - 1) + "-",
            items(questions) + "\nAnd more.",
            format!("{}\n* another list", items(questions - 1)),
            format!("{}\n<!-- -->\n\n- cut", items(questions - 1)),
            format!("```\n{}```", items(questions)),
            format!("> {}", items(questions).replace('\n', "\n> ")),
        ];
        for text in page.some(&missing) {
            mutants.push("rounds/answers-missing", page.put(region, text));
        }
        for nothing in page.some(SAY_NOTHING) {
            let last = format!("{}- {nothing}", items(questions - 1));
            mutants.push("rounds/unknown-without-check", page.put(region, &last));
            let first = format!("- {nothing}\n{}", items(questions - 1));
            mutants.push("rounds/unknown-without-check", page.put(region, &first));
        }
    }
}

fn early_answers(page: &'static Page, mutants: &mut Mutants) {
    let Some((_, (record, place), questions)) = asked(page).pop().filter(|_| page.status() == Status::NeedsAnswers)
    else {
        return;
    };
    let all = "- An answer.\n".repeat(questions);
    for answers in page.some(&[
        "- An answer.",
        "An answer.",
        &all,
        "- unknown: ask",
        "> An answer.",
        "- none\n- An answer.",
        "None",
        "1. x",
    ]) {
        let field = format!("#### {}\n{answers}\n\n", Field::Answers);
        let text = match Page::field(record, place, Field::Answers) {
            Some(region) => page.put(region, answers),
            None => page.inserted(place.body.end(), &format!("\n\n{field}")),
        };
        mutants.push("rounds/answers-early", text);
    }
}

fn unasked_answers(page: &'static Page, mutants: &mut Mutants) {
    for (record, place) in page.records() {
        let asks = record.status().unwrap().value == Audit::NeedsAnswers;
        let Some(region) = Page::field(record, place, Field::Answers).filter(|_| !asks) else { continue };
        for answers in
            page.some(&["- An answer.", "An answer.", "1. x\n2. y", "None", "- unknown: ask", "> quoted", "unverified"])
        {
            mutants.push("rounds/answers-unexpected", page.put(region, answers));
        }
    }
}
