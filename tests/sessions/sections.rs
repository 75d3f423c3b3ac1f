//! `set`: one section changes, and the time.

use handoff_guard::check::verify;
use handoff_guard::lifecycle::Mode;
use handoff_guard::lifecycle::set::{named, set};
use handoff_guard::protocol::profile::Profile;
use handoff_guard::source::Source;

use super::{ASKS, Life, Report};
use crate::sandbox::INITIAL;
use crate::support;

#[test]
fn everything_but_the_section_and_the_time_stays_byte_for_byte() {
    let section = named("Failed Attempts").unwrap();
    let mut seen = 0;
    for (path, bytes) in support::valid_fixtures() {
        let source = Source::new(bytes);
        let Ok(version) = verify(&source, Profile::Full) else { continue };
        if version.document().is_sealed() {
            continue;
        }
        let entries = Source::new("- Tried it twice.\n");
        let Ok(composed) = set(&version, section, Mode::Replace, &entries, "2030-01-01T00:00:00Z") else { continue };
        let next = composed.judge(&version).unwrap_or_else(|why| panic!("{}: {why:#?}", path.display()));
        let (before, after) = (source.text().unwrap(), next.text().unwrap());
        let time = |text: &str| text.lines().find(|line| line.contains("updated_at")).map(str::to_owned);
        let start = before.bytes().zip(after.bytes()).take_while(|(one, other)| one == other).count();
        let end = before.bytes().rev().zip(after.bytes().rev()).take_while(|(one, other)| one == other).count();
        let changed_time = before.len().min(after.len()) - start;
        assert!(changed_time > 0 && end > 0, "{}", path.display());
        if !before.contains("|-") && !before.contains(">-") {
            let rest = |text: &str| {
                let old = time(text).unwrap_or_default();
                text.replacen(&old, "", 1)
            };
            let heading = after.find("## Failed Attempts").unwrap();
            let body = after.get(..heading).unwrap();
            assert!(rest(before).contains(&rest(body)), "{}: the part before the section changed", path.display());
        }
        assert!(after.contains("- Tried it twice."), "{}", path.display());
        seen += 1;
    }
    assert!(seen > 50, "{seen}");
}

#[test]
fn entries_replace_or_join_what_stands_there() {
    let mut life = Life::at(INITIAL);
    // The TL;DR may say more than the sections, never less.
    life.refused(&["set", "Known Risks"], "- A.\n", 1);
    life.step(&["set", "Blockers and Risks"], "- A.\n", "COLLECTING");
    life.step(&["set", "Known Risks"], "- A.\n", "COLLECTING");
    life.step(&["set", "Known Risks", "--append"], "[\"B.\"]", "COLLECTING");
    life.step(&["set", "Decisions", "--append"], "| Keep it | it works | unverified | low |\n", "COLLECTING");
    life.step(&["set", "tldr/Objective"], "- Another goal.\n", "COLLECTING");
    life.step(&["set", "Current State"], "- Modified: src/a.rs\n- Verified: unverified\n", "COLLECTING");
    let text = life.text();
    for part in [
        "## Known Risks\n- A.\n- B.\n",
        "| low |\n",
        "# TL;DR\n\n## Objective\n- Another goal.\n",
        "## Current State\n- Status: COLLECTING\n- Modified: src/a.rs\n- Verified: unverified\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    life.refused(&["set", "Current State"], "- Status: READY\n- Modified: src/a.rs\n- Verified: unverified\n", 1);
    life.refused(&["set", "Known Risks"], "## Known Risks\n- A.\n", 1);
    life.refused(&["set", "Known Risks"], "```\nopen\n", 1);
    life.refused(&["set", "Known Risks"], "<!-- open\n", 1);
}

#[test]
fn what_would_not_stay_an_entry_of_the_section_is_refused_where_it_stands() {
    let life = Life::at(INITIAL);
    for (section, entries, place) in [
        ("Failed Attempts", "\n  - nested\n", "<stdin>:2:1: "),
        ("Failed Attempts", "none\n", "<stdin>:1:1: "),
        ("Failed Attempts", "\n", "<stdin>:"),
        (
            "Decisions",
            "| Reason | Decision | Evidence | Confidence |\n|---|---|---|---|\n| a | b | unverified | low |\n",
            "<stdin>:1:1: ",
        ),
    ] {
        let said = life.refused(&["set", section, "--append"], entries, 1);
        assert!(said.contains(place) && said.contains(&format!("this is no content of `## {section}`: ")), "{said}");
    }
    life.refused(&["set", "Pending Work"], "- a\n\n## Notes\n- b\n", 1);
    let said = life.refused(&["set", "Final Successor Summary"], "- a\n", 2);
    assert!(said.contains("no section that can be set"), "{said}");
}

#[test]
fn lines_that_stay_keep_their_line_ends_and_blanks() {
    let standing = "## Failed Attempts\n- a\r\n- b\n- c  \r\n";
    let mixed = INITIAL
        .replace("## Failed Attempts\n", standing)
        .replace("- Memory-mapping the file broke the Windows build.\n", "");
    let mut life = Life::at(mixed);
    life.step(&["set", "Failed Attempts", "--append"], "- d\n", "COLLECTING");
    assert!(life.text().contains(&format!("{standing}- d\r\n")), "{:?}", life.text());

    let risks = "## Known Risks\n- It is slow\n- b\n- c\n";
    let tldr = INITIAL.replace("## Blockers and Risks\n- none", "## Blockers and Risks\n- b");
    let crlf = tldr.replace("## Known Risks\nnone\n", "## Known Risks\n- It is slow\n- b\n- c\n").replace('\n', "\r\n");
    assert_ne!(crlf, tldr.replace('\n', "\r\n"));
    let mut life = Life::at(crlf.replace(&risks.replace('\n', "\r\n"), risks));
    life.step(&["audit"], &Report { risks: &["It is slow (src/a.rs:3)", "new"], ..ASKS }.json(), "NEEDS_ANSWERS");
    let text = life.text();
    assert!(text.contains("- It is slow (src/a.rs:3)\r\n- b\n- c\n- new\n"), "{text:?}");
}

#[test]
fn the_status_line_keeps_its_comments() {
    for (standing, changed) in [
        ("- Status: COLLECTING <!-- owner: keep -->", "- Status: NEEDS_ANSWERS <!-- owner: keep -->"),
        ("- <!-- Status: see above --> Status: COLLECTING", "- <!-- Status: see above --> Status: NEEDS_ANSWERS"),
        ("- Status: COLLECTING\n\n  <!-- keep -->", "- Status: NEEDS_ANSWERS\n\n  <!-- keep -->"),
    ] {
        let mut life = Life::at(INITIAL.replacen("- Status: COLLECTING", standing, 1));
        life.step(&["audit"], &ASKS.json(), "NEEDS_ANSWERS");
        assert!(life.text().contains(&format!("{changed}\n")), "{}", life.text());
    }
}

#[test]
fn what_ends_in_another_space_than_a_blank_is_no_heading() {
    let mut life = Life::at(INITIAL);
    life.step(&["set", "Pending Work"], "- kept\n\nz\n-\u{2028}\n", "COLLECTING");
    assert!(life.text().contains("z\n-\u{2028}\n"), "{:?}", life.text());
    life.step(&["set", "Pending Work", "--append"], "y\n-\u{a0}\n", "COLLECTING");
}

#[test]
fn html_that_stays_open_is_refused_in_the_input() {
    let life = Life::at(INITIAL);
    for open in ["- a\n\n<!-- open\n", "<?open\n", "<script>\n", "- a\n\n````\n```\n"] {
        let said = life.refused(&["set", "Pending Work"], open, 1);
        assert!(
            said.contains("<stdin>:1:1: ") && said.contains("leaves a code block, a comment or other HTML open"),
            "{said}"
        );
    }
    let said = life.refused(&["set", "Next Action"], "Go on.\n", 1);
    assert!(said.contains("the input breaks rules"), "{said}");
}

#[test]
fn a_heading_that_is_underlined_stays_one_behind_what_is_added() {
    let standing =
        INITIAL.replace("## Known Risks\nnone\n\n", "## Known Risks\n```\ncode\n```\nNotes\n-----\ntext\n\n");
    assert_ne!(standing, INITIAL);
    let standing = standing.replace("## Blockers and Risks\n- none", "## Blockers and Risks\n- code");
    let mut life = Life::at(standing);
    life.step(&["set", "Known Risks", "--append"], "- new\n", "COLLECTING");
    assert!(life.text().contains("- new\n\nNotes\n-----\n"), "{}", life.text());
}

#[test]
fn json_that_is_no_list_of_strings_is_refused_with_the_form_that_is_expected() {
    let source = Source::new(INITIAL);
    let version = verify(&source, Profile::Full).unwrap();
    let section = named("Failed Attempts").unwrap();
    for (text, what) in [
        ("{\"entries\": [\"one\"]}", "a JSON object"),
        (" \n{}\n", "a JSON object"),
        ("\"one\"", "one JSON string"),
        ("12\n", "a number"),
        ("-1.5e3", "a number"),
        ("true", "a JSON word"),
        ("null", "a JSON word"),
        ("[1, 2]", "a JSON list of other values than strings"),
        ("[[\"one\"]]", "a JSON list of other values than strings"),
    ] {
        let entries = Source::new(text);
        let refused = set(&version, section, Mode::Replace, &entries, "2030-01-01T00:00:00Z").map(drop).unwrap_err();
        let said = format!("{refused:?}");
        assert!(said.contains(what) && said.contains("a JSON list of strings"), "{text}: {said}");
    }
    for text in [
        "[\"one\", \"two\"]",
        "- {}\n",
        "- 12\n",
        "12 attempts were made\n",
        "- \"one\"\n",
        "[one](src/a.rs:1) was tried\n",
    ] {
        let entries = Source::new(text);
        let composed = set(&version, section, Mode::Replace, &entries, "2030-01-01T00:00:00Z").unwrap();
        composed.judge(&version).unwrap_or_else(|why| panic!("{text}: {why:#?}"));
    }
}
