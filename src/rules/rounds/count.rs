//! Which rounds there are (PROTOCOL §8).

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::rounds::{Interrogation, RecordTitle};
use crate::protocol::sections::{DetailsSection, FINAL_REVIEW, Field, round_title};
use crate::source::{Span, Spanned};

pub(in crate::rules) static COUNT: Rule = Rule {
    id: "rounds/count",
    severity: Severity::Error,
    clause: "§8",
    scope: Scope::Full,
    summary: "the rounds are 1 … `interrogation_round`, in order, once each; a final review follows them, once; at round 0 there is nothing but `none` or the template's skeleton",
    rationale: "The number and the records must agree, or a round is lost or invented.",
    example: Example::of(Base::Collecting, &[Edit::Replace("### Round 1", "### Round 2")]),
};

pub(crate) static UNKNOWN_HEADING: Rule = Rule {
    id: "rounds/unknown-heading",
    severity: Severity::Error,
    clause: "§8",
    scope: Scope::Full,
    summary: "inside Interrogation the level-3 and level-4 headings are rounds, the final review and their fields; a final review has no answers",
    rationale: "The audit contract has fixed fields; what stands under another name is not read.",
    example: Example::of(Base::Collecting, &[Edit::Replace("#### Conflicts", "#### Notes\nnone\n\n#### Conflicts")]),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    let Some(interrogation) = &document.interrogation else { return };
    for &stray in &interrogation.strays {
        let found =
            UNKNOWN_HEADING.at(stray, format!("`{}` is no heading of the audit contract", document.quote(stray)));
        sink.push(found.help(format!(
            "use `### Round k` or `### {FINAL_REVIEW}`, and in them the fields {}; deeper headings are free",
            fields()
        )));
    }
    if let Some(answers) = interrogation.final_review().and_then(|review| review.field(Field::Answers)) {
        let found = UNKNOWN_HEADING.at(answers.heading, format!("`{FINAL_REVIEW}` has the field `{}`", Field::Answers));
        sink.push(found.help("remove it: a final review asks nothing"));
    }
    let Some(last) = document.round() else { return };
    if last.value == 0 {
        nothing_yet(interrogation, last, sink);
    } else {
        sequence(document, interrogation, last, sink);
    }
}

fn fields() -> String {
    Field::words().collect::<Vec<_>>().join(", ")
}

fn nothing_yet(interrogation: &Interrogation<'_>, last: Spanned<u32>, sink: &mut Sink) {
    if interrogation.skeleton {
        return;
    }
    let headings =
        interrogation.records.iter().map(|record| record.heading).chain(interrogation.strays.iter().copied());
    let first = headings.min();
    let text = (!interrogation.preamble.is_silent()).then(|| interrogation.preamble.place());
    if let Some(place) = first.or(text) {
        let found = COUNT.at(place, "`## Interrogation` has content before the first round");
        let found = found.related(last.span, "no round is recorded yet");
        sink.push(found.help("write `none`, or raise `interrogation_round` in the write that records the round"));
    }
    misplaced_review(interrogation, sink);
}

fn sequence(document: &Document<'_>, interrogation: &Interrogation<'_>, last: Spanned<u32>, sink: &mut Sink) {
    let mut next = 1;
    for (number, record) in interrogation.rounds() {
        if number == next && number <= last.value {
            next += 1;
            continue;
        }
        let (message, help) = if number > last.value {
            (
                format!("round {number} is recorded, `interrogation_round` is {}", last.value),
                "raise `interrogation_round`, or remove the round".to_owned(),
            )
        } else if number < next {
            (format!("round {number} stands twice"), "keep the one that was recorded".to_owned())
        } else {
            (
                format!("round {number} stands where round {next} belongs"),
                "the rounds are numbered 1, 2, 3 without gaps".to_owned(),
            )
        };
        sink.push(COUNT.at(record.heading, message).related(last.span, "the number of rounds").help(help));
        next = next.max(number.saturating_add(1).min(last.value + 1));
    }
    for number in 1..=last.value {
        if interrogation.round(number).is_none() && !document.is_cut_off() {
            let section = document.details.as_ref().and_then(|details| details.section(DetailsSection::Interrogation));
            let place = section.map_or(Span::at(document.text.len()), |section| section.heading_span);
            let title = round_title(number);
            let found = COUNT.at(place, format!("`### {title}` is not recorded"));
            let found = found.related(last.span, "this many rounds are recorded");
            let stray = interrogation.strays.iter().find(|stray| is_nearly_round(document.at(**stray), number));
            sink.push(match stray {
                Some(&stray) => {
                    found.related(stray, "this is no title of a round").help(format!("write the line `### {title}`"))
                }
                None => found.help("write the number of rounds that are recorded; a recorded round that is lost comes back from the version before"),
            });
        }
    }
    misplaced_review(interrogation, sink);
}

/// A final review stands behind every round, and once.
fn misplaced_review(interrogation: &Interrogation<'_>, sink: &mut Sink) {
    let mut reviews =
        interrogation.records.iter().enumerate().filter(|(_, record)| record.title == RecordTitle::FinalReview);
    let Some((index, review)) = reviews.next() else { return };
    for (_, second) in reviews {
        let found = COUNT.at(second.heading, "a second final review").related(review.heading, "the first");
        sink.push(found.help("keep one"));
    }
    let later = interrogation.records.iter().skip(index).find(|record| record.title != RecordTitle::FinalReview);
    if let Some(round) = later {
        let found = COUNT.at(review.heading, format!("the final review stands before `### {}`", round.title));
        sink.push(found.related(round.heading, "this round").help("move the final review behind the rounds"));
    }
}

/// True for a heading that says round and the number in another way: case, blanks, zeros, punctuation.
fn is_nearly_round(heading: &str, number: u32) -> bool {
    let digits: String = heading.chars().filter(char::is_ascii_digit).collect();
    heading.to_lowercase().contains("round") && digits.parse() == Ok(number)
}
