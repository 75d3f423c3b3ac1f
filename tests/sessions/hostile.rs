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
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
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
    "-\t",
    "---\t",
    "_\t_\t_",
    "===\t",
    "[q",
    "r]: u",
    "[y]: <u>",
    "C++",
    "C#",
    "\\`",
    "\\<",
    "<!",
    "<?x",
    "&#60;b>",
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
        text
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

/// A version that its reader sees whole: no HTML, no definition of a link, no heading that is none of the template's.
fn assert_seen(version: &Source) {
    let text = str::from_utf8(version.bytes()).unwrap();
    let body = text.get(text.find("# TL;DR").unwrap()..).unwrap();
    let parser = Parser::new_ext(body, Options::ENABLE_TABLES);
    assert_eq!(parser.reference_definitions().iter().count(), 0, "{body}");
    let mut depth = 0_usize;
    for event in parser {
        match event {
            Event::Html(html) | Event::InlineHtml(html) => panic!("{html:?} is hidden in\n{body}"),
            Event::Start(Tag::Heading { .. }) => assert_eq!(depth, 0, "a heading inside an entry of\n{body}"),
            Event::Start(_) => depth += 1,
            Event::End(TagEnd::Heading(_)) => {}
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
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
        assert_seen(&asked);
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
        assert_seen(&answered);
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
        assert_seen(&sealed);
        let sealed = verify(&sealed, Profile::Full).unwrap();
        prop_assert_eq!(section(sealed.document(), DetailsSection::FinalSuccessorSummary), summary);
    }

    #[test]
    fn a_report_in_markdown_shows_all_that_it_says(fields in vec((any::<bool>(), texts(0, 3)), 5), crlf in any::<bool>()) {
        let field = |(&field, (listed, texts)): (&Field, &(bool, Vec<String>))| {
            let is_list = *listed || field == Field::Questions;
            let (first, later) = if is_list { ("- ", "\n  ") } else { ("", "\n") };
            let texts = texts.iter().map(|text| format!("{first}{}", text.replace('\n', later)));
            let said = texts.collect::<Vec<_>>().join(if is_list { "\n" } else { "\n\n" });
            format!("# {field}\n{}\n", if said.is_empty() { "none" } else { &said })
        };
        let fields: Vec<String> = Field::AUDIT.iter().skip(1).zip(&fields).map(field).collect();
        let report = format!("# Status\nNEEDS_ANSWERS\n\n{}", fields.join("\n"));
        let report = Source::new(if crlf { report.replace('\n', "\r\n") } else { report });
        let first = Source::new(INITIAL);
        let first = verify(&first, Profile::Full).unwrap();
        match audit(&first, &report, &More::default(), NOW).unwrap().judge(&first) {
            Ok(asked) => assert_seen(&asked),
            Err(why) => prop_assert!(why.document.errors().next().is_none() && !why.inputs.is_empty(), "{why:#?}"),
        }
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
        vec!["`a\n<!-- b` c"],
        vec!["- ` a\n- <!-- b -->\n- ` c"],
        vec!["[q\nr]: gone?", "a\n\n[z]: /u"],
        vec!["a\n- \nb", "a\n-\t\nb", "---\t\nrest", "_\t_\t_"],
        vec!["The C++ build is broken", "The C# build is broken (src/a.cs:3)"],
    ] {
        let risks: Vec<String> = risks.into_iter().map(str::to_owned).collect();
        let report = report("NEEDS_ANSWERS", [&vec!["why?".to_owned()], &vec![], &risks, &vec![], &vec![]]);
        let asked = audit(&first, &report, &More::default(), NOW).unwrap().judge(&first).unwrap();
        assert_seen(&asked);
        let asked = verify(&asked, Profile::Full).unwrap();
        assert_eq!(all(asked.document().current_round().unwrap().content(Field::Risks)), risks);
    }
}
