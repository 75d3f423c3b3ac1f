//! Steps at the wrong moment, and answers that do not fit: refused, nothing on disk changes.

use super::{ASKS, FINE, Life};
use crate::sandbox::{COLLECTING, INITIAL, NEEDS_ANSWERS, READY, REVIEW_PENDING};

fn ready() -> String {
    FINE.markdown(2)
}

#[test]
fn a_step_at_the_wrong_moment_names_the_legal_ones() {
    let [audit, answer, stop, seal] = ["audit", "answer", "stop", "seal"].map(|step| vec![step]);
    let set = vec!["set", "Known Risks"];
    for (version, wrong, legal) in [
        (INITIAL, vec![&answer, &stop, &seal], "legal now: `audit`, `set`"),
        (NEEDS_ANSWERS, vec![&audit, &stop, &seal], "legal now: `answer`, `set`"),
        (COLLECTING, vec![&answer, &seal], "legal now: `audit`, `stop`, `set`"),
        (REVIEW_PENDING, vec![&audit, &answer, &stop], "legal now: `seal`, `set`"),
        (READY, vec![&audit, &answer, &stop, &seal, &set], "nothing follows a sealed version"),
    ] {
        let life = Life::at(version);
        for step in wrong {
            let said = life.refused(step, &ready(), 2);
            assert!(said.contains(legal) && said.contains(step[0]), "{step:?}: {said}");
        }
    }
}

#[test]
fn a_fourth_round_is_refused() {
    let mut life = Life::begin("Go.", "Go on.");
    for _ in 0..3 {
        life.step(&["audit"], &ASKS.markdown(1), "NEEDS_ANSWERS");
        let status = if life.text().contains("interrogation_round: 3") { "REVIEW_PENDING" } else { "COLLECTING" };
        life.step(&["answer"], "- Because.\n", status);
    }
    let said = life.refused(&["audit"], &ready(), 2);
    assert!(said.contains("round 3 of 3") && said.contains("`seal`"), "{said}");
}

#[test]
fn answers_are_one_for_each_question() {
    let life = Life::at(NEEDS_ANSWERS);
    for answers in [
        "- One.\n",
        "- One.\n- Two.\n- Three.\n",
        "",
        "none\n",
        "- One.\n- none\n",
        "One paragraph.\n",
        "[\"One.\"]",
        "- One.\n- unknown\n",
        "- One.\n- unknown: ask ops\n",
    ] {
        let said = life.refused(&["answer"], answers, 1);
        assert!(said.contains("nothing was written"), "{answers:?}: {said}");
    }
    for (answers, code) in [("- One.\n- Two.\n", 0), ("1. One.\n2. unknown: ask ops; the rest waits\n", 0)] {
        Life::at(NEEDS_ANSWERS).attempt(&["answer"], answers).code(code);
    }
}

#[test]
fn stopping_early_needs_something_left_to_verify() {
    let mut life = Life::begin("Go.", "Go on.");
    life.step(&["audit"], &ASKS.markdown(1), "NEEDS_ANSWERS");
    let output = life.attempt(&["answer", "--stop"], "- Because.\n").code(1).get_output().clone();
    assert!(String::from_utf8(output.stdout).unwrap().contains("state/stop-unjustified"));
    life.step(&["answer", "--stop"], "- unknown: ask; the plan depends on it\n", "REVIEW_PENDING");
}

#[test]
fn a_file_that_is_missing_damaged_or_newer_is_not_stepped_on() {
    let life = Life::at(INITIAL);
    let zeros = "0".repeat(64);
    life.refused(&["audit", "--dry-run"], &ready(), 0);
    life.refused(&["audit", "--from", "nowhere.md"], "", 2);
    life.refused(&["audit", "--updates", "-"], "", 2);
    life.refused(&["set", "Interrogation"], "none", 2);
    life.refused(&["set", "Objective"], "- x", 2);
    let damaged = Life::at(INITIAL.split("# Handoff Details").next().unwrap());
    let said = damaged.refused(&["audit"], &ready(), 7);
    assert!(said.contains("recover"), "{said}");
    // What lost a race is kept, as of every writer.
    life.attempt(&["audit", "--expect-digest", &zeros], &ready()).code(4);
    assert_eq!(life.sandbox.read(super::FILE), INITIAL.as_bytes());
    life.sandbox.guard("audit nowhere.md").stdin(ready()).assert().code(2);
}
