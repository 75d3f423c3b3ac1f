//! Reports whose text wants to be structure: whatever obeys the contract is accepted, and reads back as it was.

use handoff_guard::check::verify;
use handoff_guard::document::Document;
use handoff_guard::document::content::Content;
use handoff_guard::lifecycle::answer::{Then, answer};
use handoff_guard::lifecycle::audit::audit;
use handoff_guard::lifecycle::read;
use handoff_guard::lifecycle::seal::seal;
use handoff_guard::lifecycle::step::More;
use handoff_guard::protocol::profile::Profile;
use handoff_guard::protocol::sections::{DetailsSection, Field};
use handoff_guard::source::Source;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use crate::sandbox::INITIAL;
use crate::support::config;

const NOW: &str = "2030-01-01T00:00:00Z";

/// Pieces that mean something to Markdown, YAML, JSON, a terminal or a rule.
const PIECES: &[&str] = &[
    "# TL;DR",
    "## Objective",
    "### Round 2",
    "#### Status",
    "READY",
    "Status: READY",
    "```",
    "~~~",
    "```sh",
    "<!--",
    "-->",
    "<script>",
    "<div>",
    "</div>",
    "<goal>",
    "---",
    "...",
    "***",
    "===",
    "[a]: b",
    "[a](b)",
    "| a | b |",
    "|---|---|",
    "- ",
    "* ",
    "+ ",
    "1. ",
    "12) ",
    "> ",
    "    ",
    "  ",
    "\t",
    "\\",
    "\\\\",
    "`",
    "``",
    "`<b>`",
    "\"",
    "'",
    "&lt;",
    "&amp;",
    "$x$",
    "none",
    "unverified",
    "None",
    "criterion:",
    "word",
    "任务",
    "😀",
    "\u{5d0}",
    "a\u{a0}b",
    "#",
    "=",
    "-",
    "_",
    ":",
    "src/b.rs:7",
    "![i](u)",
    "{{x}}",
    "%0A",
    "::error::",
    "*x*",
];

fn line() -> impl Strategy<Value = String> {
    vec(select(PIECES), 1..5).prop_map(|pieces| pieces.concat())
}

/// A text of one or more lines that says something.
fn text() -> impl Strategy<Value = String> {
    (vec(line(), 1..4), any::<bool>()).prop_map(|(lines, blank_line)| {
        let mut text = lines.join(if blank_line { "\n\n" } else { "\n" }).trim().to_owned();
        if text.is_empty() || ["none", "unverified"].contains(&text.as_str()) {
            text.push('x');
        }
        // What all later lines are indented by is not kept.
        if text.contains('\n') { text + "\nend" } else { text }
    })
}

fn texts(least: usize, most: usize) -> impl Strategy<Value = Vec<String>> {
    vec(text(), least..=most)
}

fn all(content: Option<&Content<'_>>) -> Vec<String> {
    let entries = content.map(|content| content.entries.as_slice()).unwrap_or_default();
    entries.iter().map(|entry| read(&entry.text)).collect()
}

fn section(document: &Document<'_>, section: DetailsSection) -> Vec<String> {
    all(document.section(section))
}

/// A report with these fields behind Status; an empty one is `none`.
fn report(status: &str, fields: [&Vec<String>; 5]) -> Source {
    let fields = fields.map(|texts| texts.iter().map(String::as_str).collect::<Vec<_>>());
    let [questions, conflicts, risks, unknowns, evidence] = fields.each_ref().map(Vec::as_slice);
    Source::new(super::Report { status, questions, conflicts, risks, unknowns, evidence }.json())
}

fn anchored(texts: Vec<String>) -> Vec<String> {
    texts.into_iter().map(|text| format!("{text} src/a.rs:3")).collect()
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn a_session_keeps_what_was_said(
        (questions, conflicts, risks) in (texts(1, 5), texts(0, 2), texts(0, 3)),
        (unknowns, evidence, answers, summary) in (texts(0, 3), texts(0, 3), texts(5, 5), texts(1, 10)),
        crlf in any::<bool>(),
    ) {
        let evidence = anchored(evidence);
        let (last, missing) = (vec!["A last risk.".to_owned()], vec!["Something is missing.".to_owned()]);
        let report = report("NEEDS_ANSWERS", [&questions, &conflicts, &risks, &unknowns, &evidence]);
        let first = Source::new(if crlf { INITIAL.replace('\n', "\r\n") } else { INITIAL.to_owned() });
        let first = verify(&first, Profile::Full).unwrap();
        let before = section(first.document(), DetailsSection::KnownRisks);
        let asked = audit(&first, &report, &More::default(), NOW).unwrap().judge(&first);
        let asked = asked.unwrap_or_else(|why| panic!("{why:#?}\n{}", String::from_utf8_lossy(why.text.bytes())));
        let asked = verify(&asked, Profile::Full).unwrap();
        let record = asked.document().current_round().unwrap();
        prop_assert_eq!(all(record.content(Field::Questions)), questions.clone());
        let said = |texts: &[String]| if texts.is_empty() { vec!["none".to_owned()] } else { texts.to_vec() };
        for (field, texts) in [(Field::Conflicts, &conflicts), (Field::Risks, &risks), (Field::Unknowns, &unknowns), (Field::Evidence, &evidence)] {
            prop_assert_eq!(all(record.content(field)), said(texts));
        }
        let now = section(asked.document(), DetailsSection::KnownRisks);
        prop_assert!(before.iter().filter(|entry| *entry != "none").all(|entry| now.contains(entry)));
        let mut once = now.clone();
        once.sort();
        once.dedup();
        prop_assert_eq!(once.len(), now.len(), "{:?}", now);

        let answers: Vec<String> = answers.iter().take(questions.len()).map(|text| format!("It is {text}")).collect();
        let given = Source::new(json!(answers).to_string());
        let answered = answer(&asked, &given, Then::Collect, &More::default(), NOW).unwrap().judge(&asked);
        let answered = answered.unwrap_or_else(|why| panic!("{why:#?}"));
        let answered = verify(&answered, Profile::Full).unwrap();
        prop_assert_eq!(all(answered.document().current_round().unwrap().content(Field::Answers)), answers);

        let risky = self::report("READY_WITH_RISKS", [&vec![], &conflicts, &last, &unknowns, &evidence]);
        let pending = audit(&answered, &risky, &More::default(), NOW).unwrap().judge(&answered).unwrap();
        let pending = verify(&pending, Profile::Full).unwrap();
        let grounds = vec!["criterion: something is missing".to_owned()];
        let review = self::report("BLOCKED", [&vec![], &conflicts, &missing, &vec![], &grounds]);
        let summary_list = Source::new(json!(summary).to_string());
        let sealed = seal(&pending, &review, Some(&summary_list), &More::default(), NOW).unwrap().judge(&pending);
        let sealed = sealed.unwrap_or_else(|why| panic!("{why:#?}\n{}", String::from_utf8_lossy(why.text.bytes())));
        let sealed = verify(&sealed, Profile::Full).unwrap();
        prop_assert_eq!(section(sealed.document(), DetailsSection::FinalSuccessorSummary), summary);
    }
}

#[test]
fn what_a_report_says_is_never_hidden() {
    let first = Source::new(INITIAL);
    let first = verify(&first, Profile::Full).unwrap();
    for risks in [
        vec!["a `b\n\n<!-- c -->\n\nd ` e"],
        vec!["run:\n```html\n<!-- c -->\n<script>\n```"],
        vec!["| `a | b |\n|---|---|\n| <!-- c --> | ` |"],
        vec!["a", "none"],
        vec!["none", "a"],
    ] {
        let risks: Vec<String> = risks.into_iter().map(str::to_owned).collect();
        let report = report("NEEDS_ANSWERS", [&vec!["why?".to_owned()], &vec![], &risks, &vec![], &vec![]]);
        let asked = audit(&first, &report, &More::default(), NOW).unwrap().judge(&first).unwrap();
        let asked = verify(&asked, Profile::Full).unwrap();
        assert_eq!(all(asked.document().current_round().unwrap().content(Field::Risks)), risks);
    }
}
