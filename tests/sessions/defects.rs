//! Where the defects of an input are shown: in the input.

use serde_json::Value;

use super::{ASKS, FINE, Life, Report};
use crate::sandbox::{COLLECTING, INITIAL, REVIEW_PENDING};

/// Rule, line and column of every finding about the input.
fn found(input: &str) -> Vec<(String, u64, u64)> {
    let life = Life::at(INITIAL);
    life.refused(&["audit"], input, 1);
    let output = life.attempt(&["audit", "--output-format", "json"], input).code(1).get_output().clone();
    let receipt: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(receipt["outcome"], "rejected");
    let place = |found: &Value| {
        let start = &found["start"];
        (found["rule"].as_str().unwrap().to_owned(), start["line"].as_u64().unwrap(), start["column"].as_u64().unwrap())
    };
    assert_eq!(receipt["diagnostics"].as_array().unwrap().len(), 0, "{receipt}");
    receipt["inputs"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|input| input["diagnostics"].as_array().unwrap())
        .map(place)
        .collect()
}

fn only(input: &str, rule: &str, line: u64, column: u64) {
    assert_eq!(found(input), [(rule.to_owned(), line, column)], "{input}");
}

#[test]
fn a_defect_is_placed_in_a_markdown_report() {
    let good = ASKS.markdown(2);
    only(&good.replace("## Risks\nnone\n\n", ""), "rounds/field-missing", 13, 1);
    only(&good.replace("## Unknowns", "## Notes\nx\n\n## Unknowns"), "rounds/unknown-heading", 13, 1);
    only(&good.replace("NEEDS_ANSWERS", "MAYBE"), "rounds/status", 2, 1);
    only(&good.replace("- Why?", &"- Why?\n".repeat(6)), "rounds/too-many-questions", 10, 3);
    only(&good.replace("- Why?", "Why?"), "rounds/questions-list", 5, 1);
    only(&good.replace("- Why?", "none"), "rounds/questions-missing", 5, 1);
    only(&good.replace("## Evidence\nnone", "## Evidence\n- I saw it"), "rounds/evidence", 17, 3);
    only(&good.replace("NEEDS_ANSWERS", "READY"), "rounds/questions-unexpected", 5, 3);
    only(&good.replace("## Conflicts\nnone", "## Conflicts\n- a\u{7}b"), "encoding/control-character", 8, 4);
    only(&format!("Here it is.\n\n{good}"), "rounds/unknown-heading", 1, 1);
    only(&format!("# Report\n\n{good}"), "rounds/unknown-heading", 1, 1);
    only(&format!("[x]: https://example.org/\n\n{good}"), "rounds/unknown-heading", 1, 1);
    only(&good.replace("## Risks\nnone", "## Risks\n\n"), "rounds/field-empty", 10, 1);
    let risky = Report { status: "READY_WITH_RISKS", questions: &[], ..ASKS };
    let missing = ["rounds/risks-missing", "state/risks-not-archived"].map(|rule| (rule.to_owned(), 2, 1));
    assert_eq!(found(&risky.markdown(3)), missing);
}

#[test]
fn order_level_and_number_of_the_fields_are_fixed() {
    let good = ASKS.markdown(2);
    let swapped = good.replace("Conflicts", "X").replace("Risks", "Conflicts").replace('X', "Risks");
    assert!(found(&swapped).iter().all(|(rule, ..)| rule == "rounds/field-order"), "{:?}", found(&swapped));
    let doubled = format!("{good}\n## Evidence\nnone\n");
    assert!(
        found(&doubled).iter().any(|(rule, line, _)| rule == "rounds/field-order" && *line == 19),
        "{:?}",
        found(&doubled)
    );
    let renamed = found(&good.replace("## Unknowns", "## Open points"));
    assert_eq!(
        renamed.iter().map(|(rule, ..)| rule.as_str()).collect::<Vec<_>>(),
        ["rounds/unknown-heading", "rounds/field-missing"]
    );
    let deeper = found(&good.replace("## Unknowns", "### Unknowns"));
    assert!(deeper.contains(&("rounds/unknown-heading".to_owned(), 13, 1)), "{deeper:?}");
    let fenced = found(&format!("```markdown\n{good}```\n"));
    assert!(fenced.iter().any(|(rule, line, _)| rule == "rounds/unknown-heading" && *line == 1), "{fenced:?}");
    assert_eq!(found("")[0].0, "rounds/field-missing");
    let lower = Life::at(INITIAL).attempt(&["audit"], &good.replace("Risks", "risks")).code(1).get_output().clone();
    assert!(String::from_utf8(lower.stdout).unwrap().contains("did you mean `Risks`?"));
}

#[test]
fn a_review_without_a_summary_says_where_one_is_given() {
    let life = Life::at(REVIEW_PENDING);
    let review = Report { status: "READY_WITH_RISKS", risks: &["It is slow."], ..FINE };
    let output = life.attempt(&["seal"], &review.json()).code(1).get_output().clone();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("error[state/summary-missing]") && said.contains("seventh field"), "{said}");
    assert_eq!(said.matches("error[").count(), 1, "{said}");
    let two = "\n## Final Successor Summary\n- a\n## Final Successor Summary\n- b\n";
    let output = life.attempt(&["seal"], &(review.markdown(2) + two)).code(1).get_output().clone();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("`Final Successor Summary` stands twice"), "{said}");
    life.sandbox.write("summary.md", "none\n");
    let args = ["seal", "--summary", "summary.md"];
    let output = life.attempt(&args, &review.json()).code(1).get_output().clone();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("--> summary.md:1:1") && said.matches("error[").count() == 1, "{said}");
}

#[test]
fn a_place_over_two_lines_is_a_place() {
    let mut life = Life::at(INITIAL);
    let report = ASKS.markdown(2).replace("## Evidence\nnone", "## Evidence\n- see `cargo\n  test` for it");
    life.step(&["audit"], &report.replace("- Why?", "[1]: docs/log\n\n- Why [1]?"), "NEEDS_ANSWERS");
    let text = life.text();
    assert!(text.contains("- see `cargo test` for it\n"), "{text}");
    assert!(text.contains("- Why [1]?\n\n  \\[1]: docs/log\n"), "{text}");
}

#[test]
fn a_claim_with_a_place_does_not_stand_beside_itself_in_the_summary() {
    let mut life = Life::at(COLLECTING);
    let risk = "Dropping the staging table loses unposted invoices (src/a.rs:3).";
    life.step(&["audit"], &Report { risks: &[risk], ..ASKS }.json(), "NEEDS_ANSWERS");
    let text = life.text();
    let tldr = text.split("# Handoff Details").next().unwrap();
    assert_eq!(tldr.matches("Dropping the staging table").count(), 1, "{tldr}");
    assert_eq!(text.matches(&format!("- {risk}\n")).count(), 2, "the record and the section: {text}");
}

#[test]
fn a_defect_is_placed_in_a_json_report() {
    let good = ASKS.json();
    only(&good.replace("NEEDS_ANSWERS", "BLOCKED"), "rounds/status", 1, 11);
    let extra = good.replacen('{', "{\"Notes\": [], ", 1);
    only(&extra, "rounds/unknown-heading", 1, 2);
    let evidence = Report { evidence: &["src/a.rs:3", "I saw it"], ..ASKS }.json();
    let column = evidence.find("\"I saw").unwrap() as u64 + 1;
    only(&evidence, "rounds/evidence", 1, column);
    let life = Life::at(INITIAL);
    for (broken, place) in [
        (good.replace("\"Risks\":", "\"Risks\" "), "<stdin>:1:"),
        (good.replace("\"Questions\":[\"Why?\"]", "\"Questions\":[7]"), "<stdin>:1:"),
        (format!("{good} x"), "<stdin>:1:"),
    ] {
        let said = life.refused(&["audit"], &broken, 1);
        assert!(said.contains(place), "{broken}: {said}");
    }
    let twice = good.replacen('{', "{\"Status\": \"READY\", ", 1);
    assert!(found(&twice).iter().any(|(rule, ..)| rule == "rounds/field-order"), "{:?}", found(&twice));
}

#[test]
fn an_input_that_is_no_text_is_refused_with_the_reason() {
    let life = Life::at(INITIAL);
    life.sandbox.write("bom.md", format!("\u{feff}{}", ASKS.markdown(2)));
    let utf16: Vec<u8> = ASKS.markdown(2).encode_utf16().flat_map(u16::to_le_bytes).collect();
    life.sandbox.write("utf16.md", utf16);
    for (file, rule) in [("bom.md", "encoding/bom"), ("utf16.md", "encoding/")] {
        let output = life.attempt(&["audit", "--from", file], "").code(1).get_output().clone();
        assert!(String::from_utf8(output.stdout).unwrap().contains(rule), "{file}");
    }
}

#[test]
fn a_credential_in_an_input_is_neither_written_nor_echoed() {
    let life = Life::at(INITIAL);
    let token = format!("ghp_{}", "a1".repeat(18));
    let risks = [token.as_str()];
    let report = Report { risks: &risks, ..ASKS };
    let escaped = report.json().replace("ghp_", "\\u0067hp_");
    let member = ASKS.json().replace("\"Status\"", &format!("\"\\u0067hp_{}\":\"x\",\"Status\"", "a1".repeat(18)));
    let value = ASKS.json().replace("\"Status\"", &format!("\"Notes\":\"\\u0067hp_{}\",\"Status\"", "a1".repeat(18)));
    for input in [report.markdown(2), report.json(), escaped, member, value] {
        life.refused(&["audit"], &input, 1);
        for format in ["text", "json"] {
            let output = life.attempt(&["audit", "--output-format", format], &input).code(1).get_output().clone();
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8(said).unwrap();
            let named = said.contains("security/secret") || said.contains("rounds/unknown-heading");
            assert!(named && !said.contains(&"a1".repeat(18)), "{said}");
            assert!(said.matches("error[security/secret]").count() <= 1, "{said}");
        }
    }
}

#[test]
fn a_credential_as_an_argument_is_not_echoed() {
    let life = Life::at(INITIAL);
    let token = format!("ghp_{}", "a1".repeat(18));
    for args in [
        vec!["set", &token],
        vec!["audit", "--from", &token],
        vec!["audit", "--status-evidence", &token, "a", "b", "c"],
        vec!["export", &token],
        vec!["prompt", "--kind", &token],
    ] {
        let output = life.attempt(&args, "").code(2).get_output().clone();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(!said.contains(&token) && said.contains('…'), "{args:?}: {said}");
    }
}

#[test]
fn questions_and_answers_are_one_list() {
    let good = ASKS.markdown(2);
    for (questions, line) in
        [("```\nWhy?\n```", 5), ("- Why?\n\n| a |\n|---|\n| b |", 7), ("- Why?\n* How?", 6), ("- Why?\n\n> How?", 7)]
    {
        only(&good.replace("- Why?", questions), "rounds/questions-list", line, 1);
    }
    let mut life = Life::at(INITIAL);
    life.step(&["audit"], &Report { questions: &["Why?", "How?"], ..ASKS }.json(), "NEEDS_ANSWERS");
    life.refused(&["answer"], "- a\n* b\n", 1);
    life.refused(&["answer"], "- a\n\n```\nb\n```\n", 1);
    // A link is no JSON.
    life.step(&["answer"], "- [\"docs\"](https://example.org/)\n- b\n", "COLLECTING");
    life.step(&["audit"], &ASKS.json(), "NEEDS_ANSWERS");
    life.step(&["answer"], "[\"docs\"](https://example.org/)\n", "COLLECTING");
    life.step(&["audit"], &ASKS.json(), "NEEDS_ANSWERS");
    life.step(&["answer"], "[] is what it returns\n", "REVIEW_PENDING");
}

#[test]
fn comments_of_a_report_say_nothing_and_those_of_the_version_stay() {
    let commented =
        INITIAL.replace("## Interrogation\nnone\n", "## Interrogation\n<!-- rounds -->\nnone <!-- yet -->\n");
    assert_ne!(commented, INITIAL);
    let mut life = Life::at(commented);
    let report = ASKS.markdown(2).replace("- Why?", "<!-- at most five -->\n- Why?\n<!-- no more -->");
    let report = report
        .replace("## Risks\nnone", "## Risks\nnone <!-- nothing found -->")
        .replace("NEEDS_ANSWERS", "<!-- s -->\nNEEDS_ANSWERS");
    life.step(&["audit"], &format!("<!-- a report -->\n{report}"), "NEEDS_ANSWERS");
    let text = life.text();
    for part in ["<!-- rounds -->", "<!-- yet -->", "#### Risks\nnone\n", "#### Questions\n- Why?\n\n"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("no more"), "{text}");
    let answers = text.replace("#### Current Agent Answers\nnone", "#### Current Agent Answers\n<!-- keep -->\nnone");
    let mut life = Life::at(answers);
    life.step(&["answer"], "- Because.\n", "COLLECTING");
    assert!(life.text().contains("#### Current Agent Answers\n<!-- keep -->\n- Because.\n"), "{}", life.text());
}

#[test]
fn definitions_of_links_belong_to_what_was_said_before() {
    let mut life = Life::at(INITIAL);
    let report = ASKS.markdown(2).replace("- Why?", "- Why is [x][y]?\n\n[y]: https://example.org/a\n");
    let report = report.replace("## Risks\nnone", "## Risks\n[z]: https://example.org/z");
    life.step(&["audit"], &report, "NEEDS_ANSWERS");
    let text = life.text();
    assert!(text.contains("- Why is [x][y]?\n\n  \\[y]: https://example.org/a\n"), "{text}");
    assert!(text.contains("- \\[z]: https://example.org/z\n"), "{text}");
}

#[test]
fn a_section_has_one_new_content_and_the_summary_one_source() {
    let life = Life::at(INITIAL);
    for (updates, rule) in [
        ("## Next Action\n- a\n\n## Next Action\n- b\n", "tldr/duplicate-section"),
        ("## Pending Work\n- a\n\n## Pending Work +\n- b\n", "details/duplicate-section"),
        ("## Final Successor Summary\n- a\n", "tldr/unknown-section"),
        ("# TL;DR\n- Keep the API.\n## Next Action\n- b\n", "tldr/unknown-section"),
    ] {
        life.sandbox.write("u.md", updates);
        let output = life.attempt(&["audit", "--updates", "u.md"], &ASKS.json()).code(1).get_output().clone();
        assert!(String::from_utf8(output.stdout).unwrap().contains(rule), "{updates}");
    }
}

#[test]
fn a_full_summary_stays_and_the_section_takes_what_was_found() {
    let risky = INITIAL.replacen("## Blockers and Risks\n- none", "## Blockers and Risks\n- x", 1);
    let size = risky.find("# Handoff Details").unwrap() - risky.find("# TL;DR").unwrap();
    // Room for the longer state, and no more.
    let room = 1500 - size - 4;
    let full = risky.replacen(
        "## Critical Constraints\n- ",
        &format!("## Critical Constraints\n- {} ", "x".repeat(room - 1)),
        1,
    );
    assert_ne!(full, risky);
    let mut life = Life::at(full);
    life.step(&["audit"], &Report { risks: &["Rows are lost."], ..ASKS }.json(), "NEEDS_ANSWERS");
    let text = life.text();
    assert_eq!(text.matches("Rows are lost.").count(), 2, "{text}");
}
