//! What people and programs see of findings that no document need have.
#![allow(clippy::needless_raw_string_hashes, reason = "snapbox writes its snapshots so")]

use snapbox::{IntoData as _, assert_data_eq, str};

use super::full::{Style, findings, verdict};
use super::*;
use crate::diagnostic::{Against, Base, Example, Rule, Scope, Sink};
use crate::source::Span;

const fn rule(id: &'static str, severity: Severity) -> Rule {
    let example = Example { base: Base::Ready, against: Against::Nothing, bad: &[], good: &[], also: &[] };
    Rule { id, severity, clause: "§6", scope: Scope::Full, summary: "…", rationale: "…", example }
}

static MISMATCH: Rule = rule("tldr/status-mismatch", Severity::Error);
static DUPLICATE: Rule = rule("details/duplicate-entry", Severity::Advice);

fn place(text: &str, part: &str) -> Span {
    let start = text.find(part).unwrap();
    Span::new(start, start + part.len())
}

fn found(diagnostics: impl IntoIterator<Item = Diagnostic>, hidden: Vec<Span>) -> Verdict<'static> {
    let mut sink = Sink::new(Scope::Full);
    diagnostics.into_iter().for_each(|diagnostic| sink.push(diagnostic));
    Verdict::Invalid(sink.finish(hidden))
}

struct Case<'a> {
    text: &'a [u8],
    previous: Option<&'a str>,
    verdict: Verdict<'a>,
}

impl Case<'_> {
    fn with<T>(&self, see: impl FnOnce(&Judged<'_>) -> T) -> T {
        let source = Source::new(self.text);
        let previous = self.previous.map(Source::new);
        see(&Judged {
            document: Named::new("new\u{1b}.md", &source),
            previous: previous.as_ref().map(|source| Named::new("old.md", source)),
            profile: Profile::Full,
            verdict: &self.verdict,
        })
    }

    fn report(&self, advice: Advice) -> String {
        self.with(|judged| findings(judged, advice, Style::Plain) + &verdict(judged, advice))
    }
}

fn report_of(text: &str, diagnostic: Diagnostic) -> String {
    Case { text: text.as_bytes(), previous: None, verdict: found([diagnostic], Vec::new()) }.report(Advice::Counted)
}

#[test]
fn carets_stand_under_wide_characters_and_both_places_are_labelled() {
    let text = "handoff_status: READY\n\n\n\n- 状态（任务） Status: BLOCKED 结束\n";
    let finding = MISMATCH
        .at(place(text, "BLOCKED"), "the TL;DR says `BLOCKED`")
        .label("not the state")
        .related(place(text, "READY"), "the state")
        .help("write `Status: READY`");
    assert_data_eq!(
        report_of(text, finding),
        str![[r#"
error[tldr/status-mismatch]: the TL;DR says `BLOCKED`
 --> new\u{1b}.md:5:18
  |
1 | handoff_status: READY
  |                 ----- the state
...
5 | - 状态（任务） Status: BLOCKED 结束
  |                        ^^^^^^^ not the state
  |
  = help: write `Status: READY`

new\u{1b}.md: invalid, 1 error
learn more: handoff-guard explain tldr/status-mismatch

"#]]
        .raw()
    );
}

#[test]
fn a_place_in_the_previous_version_has_lines_of_its_own() {
    let (text, previous) = ("created_at: 2026\n", "x\ncreated_at: 2025\n");
    let finding = MISMATCH
        .at(place(text, "2026"), "`created_at` changed")
        .previously(place(previous, "2025"), "the session began here")
        .help("restore it");
    let case = Case { text: text.as_bytes(), previous: Some(previous), verdict: found([finding], Vec::new()) };
    assert_data_eq!(
        case.report(Advice::Counted),
        str![[r#"
error[tldr/status-mismatch]: `created_at` changed
 --> new\u{1b}.md:1:13
  |
1 | created_at: 2026
  |             ^^^^
  |
  = help: restore it
note: in the previous version
 --> old.md:2:13
  |
2 | created_at: 2025
  |             ---- the session began here

new\u{1b}.md: invalid, 1 error
learn more: handoff-guard explain tldr/status-mismatch

"#]]
        .raw()
    );
}

#[test]
fn findings_of_one_document_are_one_report() {
    let text = "one\ntwo\n".to_owned() + &"\n".repeat(97) + "hundred\n";
    let findings = [
        MISMATCH.at(place(&text, "two"), "first"),
        MISMATCH.at(place(&text, "hundred"), "second").related(place(&text, "one"), "compare"),
        DUPLICATE.at(place(&text, "one"), "third"),
    ];
    let case = Case { text: text.as_bytes(), previous: None, verdict: found(findings, Vec::new()) };
    assert_data_eq!(
        case.report(Advice::Shown),
        str![[r#"
advice[details/duplicate-entry]: third
   --> new\u{1b}.md:1:1
    |
  1 | one
    | ^^^

error[tldr/status-mismatch]: first
   --> new\u{1b}.md:2:1
    |
  2 | two
    | ^^^

error[tldr/status-mismatch]: second
   --> new\u{1b}.md:100:1
    |
  1 | one
    | --- compare
...
100 | hundred
    | ^^^^^^^

new\u{1b}.md: invalid, 2 errors, 1 piece of advice
learn more: handoff-guard explain details/duplicate-entry tldr/status-mismatch

"#]]
        .raw()
    );
    let counted = case.report(Advice::Counted);
    assert!(!counted.contains("third") && counted.contains("1 piece of advice (shown with --advice)"), "{counted}");
}

#[test]
fn a_line_between_two_places_is_shown() {
    let text = "one\ntwo\nthree\nfour\nfive\n";
    let finding = MISMATCH
        .at(place(text, "one"), "numbers")
        .related(place(text, "two"), "next")
        .related(place(text, "three"), "after")
        .related(place(text, "five"), "end");
    assert_data_eq!(
        report_of(text, finding),
        str![[r#"
error[tldr/status-mismatch]: numbers
 --> new\u{1b}.md:1:1
  |
1 | one
  | ^^^
2 | two
  | --- next
3 | three
  | ----- after
4 | four
5 | five
  | ---- end

new\u{1b}.md: invalid, 1 error
learn more: handoff-guard explain tldr/status-mismatch

"#]]
        .raw()
    );
}

#[test]
fn places_far_apart_have_excerpts_of_their_own() {
    let text = "first\n".to_owned() + &"\n".repeat(5000) + "last\n";
    let finding = MISMATCH.at(place(&text, "last"), "differs").related(place(&text, "first"), "from this");
    assert_data_eq!(
        report_of(&text, finding),
        str![[r#"
error[tldr/status-mismatch]: differs
    --> new\u{1b}.md:5002:1
     |
5002 | last
     | ^^^^
note: in the same document
    --> new\u{1b}.md:1:1
     |
   1 | first
     | ----- from this

new\u{1b}.md: invalid, 1 error
learn more: handoff-guard explain tldr/status-mismatch

"#]]
        .raw()
    );
}

#[test]
fn a_long_line_is_cut_around_the_place_and_keeps_its_column() {
    let text = format!("{}前 HERE 后{}\n", "x".repeat(1 << 20), "y".repeat(1 << 20));
    let finding = MISMATCH.at(place(&text, "HERE"), "look").related(Span::at(0), "far away on the same line");
    assert_data_eq!(report_of(&text, finding), str![[r#"
error[tldr/status-mismatch]: look
 --> new\u{1b}.md:1:1048579
  |
1 | …xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx前 HERE 后yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…
  |                                          ^^^^
note: in the same document
 --> new\u{1b}.md:1:1
  |
1 | xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
  | - far away on the same line

new\u{1b}.md: invalid, 1 error
learn more: handoff-guard explain tldr/status-mismatch

"#]].raw());
}

#[test]
fn a_place_of_several_lines_is_shown_by_its_first() {
    let text = "a\r\n- one\r\n  two\r\n- three\r\n";
    let finding = MISMATCH.at(Span::new(3, text.len()), "too long").label("all of it");
    assert_data_eq!(
        report_of(text, finding),
        str![[r#"
error[tldr/status-mismatch]: too long
 --> new\u{1b}.md:2:1
  |
2 | - one
  | ^^^^^ all of it

new\u{1b}.md: invalid, 1 error
learn more: handoff-guard explain tldr/status-mismatch

"#]]
        .raw()
    );
}

#[test]
fn what_cannot_be_seen_is_an_escape() {
    let text = "a\u{9b}31m\u{202e}\u{200b}\u{e0041}\tb\u{7}\u{2028}c\rd\n";
    let finding = MISMATCH.at(place(text, "c\r"), "esc \u{1b}[31m\nnew line").help("h\u{202e}").label("l\u{9b}");
    assert_data_eq!(
        report_of(text, finding),
        str![[r#"
error[tldr/status-mismatch]: esc \u{1b}[31m\nnew line
 --> new\u{1b}.md:1:13
  |
1 | a\u{9b}31m\u{202e}\u{200b}\u{e0041}    b\u{7}\u{2028}c\rd
  |                                                      ^^^ l\u{9b}
  |
  = help: h\u{202e}

new\u{1b}.md: invalid, 1 error
learn more: handoff-guard explain tldr/status-mismatch

"#]]
        .raw()
    );
}

#[test]
fn a_credential_is_masked_in_every_snippet_and_its_lines_stay() {
    let key = "-----BEGIN PRIVATE KEY-----\nMIIBVg\n-----END PRIVATE KEY-----";
    let token = format!("ghp_{}", "a1".repeat(18));
    let (text, previous) = (format!("{key}\ntoken: {token} end\n"), format!("token: {token} end\n"));
    let hidden = vec![place(&text, key), place(&text, &token)];
    let finding = MISMATCH
        .at(place(&text, "end"), "beside the token")
        .related(place(&text, "MIIBVg"), "inside the key")
        .previously(place(&previous, "end"), "before");
    let case = Case { text: text.as_bytes(), previous: Some(&previous), verdict: found([finding], hidden) };
    assert_data_eq!(
        case.report(Advice::Counted),
        str![[r#"
error[tldr/status-mismatch]: beside the token
 --> new\u{1b}.md:4:49
  |
2 | ******
  | ------ inside the key
3 | *************************
4 | token: **************************************** end
  |                                                 ^^^
note: in the previous version
 --> old.md:1:49
  |
1 | token: **************************************** end
  |                                                 --- before

new\u{1b}.md: invalid, 1 error
learn more: handoff-guard explain tldr/status-mismatch

"#]]
        .raw()
    );
}

#[test]
fn no_span_and_no_bytes_make_the_report_panic() {
    for text in [&b"a\xe4\xbb\xbb\r\n\xff\t\n\n"[..], b"", b"\n", b"\r\n\r"] {
        for (start, end) in (0..12).flat_map(|start| (start..14).map(move |end| (start, end))) {
            let span = Span::new(start, end);
            let finding = MISMATCH.at(span, "x").related(Span::at(end), "y").previously(span, "z");
            let case = Case { text, previous: Some("\n"), verdict: found([finding], vec![span]) };
            let reports = case.with(|judged| {
                let concise = concise::render(judged, Advice::Shown);
                findings(judged, Advice::Shown, Style::Styled) + &concise
            });
            assert!(reports.contains("tldr/status-mismatch"));
        }
    }
}

#[test]
fn a_program_gets_the_real_characters_in_harmless_escapes() {
    let text = "x\n任务 y\n";
    let finding = MISMATCH.at(place(text, "y"), "is \u{202e}\u{9b}\u{e0041} \"任务\"");
    let case = Case { text: text.as_bytes(), previous: None, verdict: found([finding], Vec::new()) };
    let file = case.with(json::File::new);
    let report = json::Report::new(vec![file], Vec::new(), &Tally { invalid: 1, ..Tally::default() }).render().unwrap();
    assert!(report.contains(r#""message":"is \u202e\u009b\udb40\udc41 \"任务\"""#), "{report}");
    let value: serde_json::Value = serde_json::from_str(&report).unwrap();
    let diagnostic = &value["files"][0]["diagnostics"][0];
    assert_eq!(diagnostic["message"], "is \u{202e}\u{9b}\u{e0041} \"任务\"");
    assert_eq!(diagnostic["start"], serde_json::json!({ "line": 2, "column": 4 }));
    assert_eq!(diagnostic["span"], serde_json::json!({ "start": 9, "end": 10 }));
}

#[test]
fn the_summary_names_what_there_is() {
    let tally = Tally { valid: 2, invalid: 1, errors: 4, advice: 2, ..Tally::default() };
    let line = "3 files checked: 2 valid, 1 invalid; 4 errors, 2 pieces of advice (shown with --advice)\n";
    assert_eq!(full::summary(&tally, Advice::Counted), line);
    assert_eq!(full::summary(&Tally::default(), Advice::Counted), "0 files checked\n");
    let tally = Tally { unreadable: 1, ..Tally::default() };
    assert_eq!(full::summary(&tally, Advice::Shown), "0 files checked: 1 unreadable\n");
}
