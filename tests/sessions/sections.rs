//! `set`: one section changes, and the time.

use handoff_guard::check::verify;
use handoff_guard::lifecycle::Mode;
use handoff_guard::lifecycle::set::{named, set};
use handoff_guard::protocol::profile::Profile;
use handoff_guard::source::Source;

use super::Life;
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
        assert!(said.contains(place) && said.contains(&format!("nothing is added to `## {section}`")), "{said}");
    }
    life.refused(&["set", "Pending Work"], "- a\n\n## Notes\n- b\n", 1);
    let said = life.refused(&["set", "Final Successor Summary"], "- a\n", 2);
    assert!(said.contains("no section that can be set"), "{said}");
}

#[test]
fn lines_that_stay_keep_their_line_ends() {
    let mixed = INITIAL.replace("## Failed Attempts\n", "## Failed Attempts\n- a\r\n- b\n- c\r\n");
    assert_ne!(mixed, INITIAL);
    let mut life = Life::at(mixed);
    life.step(&["set", "Failed Attempts", "--append"], "- d\n", "COLLECTING");
    let text = life.text();
    assert!(text.contains("- a\r\n- b\n- c\r\n"), "{text:?}");
}
