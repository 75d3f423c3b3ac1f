//! What `next` says, done: for every fixture in progress and every way it names, an input made of the needs and nothing
//! else, together with the repairs, is accepted; and every repair is needed.

use handoff_guard::check::{Verifiable, verify};
use handoff_guard::lifecycle::answer::{Then, answer};
use handoff_guard::lifecycle::audit::{audit, stop};
use handoff_guard::lifecycle::checklist::Proof;
use handoff_guard::lifecycle::next::{Need, Outlook, Place, Way, next};
use handoff_guard::lifecycle::seal::seal;
use handoff_guard::lifecycle::step::{More, Step};
use handoff_guard::protocol::profile::Profile;
use handoff_guard::protocol::sections::{DetailsSection, Field, Section};
use handoff_guard::protocol::status::Status;
use handoff_guard::rules::RULES;
use handoff_guard::source::Source;

use crate::support;

const NOW: &str = "2030-01-01T00:00:00Z";

/// Runs `test` on every verifiable fixture of a session.
fn for_every_version(test: impl Fn(&str, &Verifiable<'_>, &Outlook)) {
    let mut seen = 0;
    for (path, bytes) in support::fixtures() {
        let source = Source::new(bytes);
        let Ok(version) = verify(&source, Profile::Full) else { continue };
        let outlook = next(&version).unwrap();
        test(&path.display().to_string(), &version, &outlook);
        seen += 1;
    }
    assert!(seen > 100, "{seen}");
}

/// What the needs about a field say, in their order.
fn said(way: &Way, field: Field) -> Vec<&Need> {
    way.needs.iter().filter(|need| matches!(need.place, Place::Field(_, found) if found == field)).collect()
}

/// A report that says what is needed. Where a verdict is a choice, `choice` picks it.
fn report(way: &Way, choice: usize) -> String {
    let verdict = said(way, Field::Status)[0].says.split(" or ").nth(choice).unwrap();
    let content = |field: Field| {
        let needs = said(way, field);
        let is_about_risks = needs.iter().any(|need| need.says.starts_with("something")) && verdict != "READY";
        let wants_grounds = needs.iter().any(|need| need.says.starts_with("at least one entry"));
        match field {
            Field::Status => verdict.to_owned(),
            Field::Questions if needs[0].says == "none" => "none".to_owned(),
            Field::Questions => "- Why?".to_owned(),
            Field::Risks if is_about_risks => "- A risk.".to_owned(),
            Field::Evidence if wants_grounds => "- criterion: nothing is left open".to_owned(),
            _ => "none".to_owned(),
        }
    };
    let fields: Vec<String> = Field::AUDIT.iter().map(|&field| format!("## {field}\n{}\n", content(field))).collect();
    fields.join("\n")
}

fn answers(way: &Way) -> String {
    let count: usize = said(way, Field::Answers)[0].says.split(' ').next().unwrap().parse().unwrap();
    "- It is so.\n".repeat(count)
}

/// The updates that make the repairs.
fn updates(way: &Way) -> String {
    let repair = |need: &Need| {
        match need.rules[..] {
        ["details/empty-section"] => {
            let title = need.says.split("## ").nth(1).unwrap().split('`').next().unwrap();
            format!("# Handoff Details\n## {title}\nnone\n")
        }
        ["details/decisions-table"] => "# Handoff Details\n## Decisions\nnone\n".to_owned(),
        ["tldr/too-long"] => "# TL;DR\n## Objective\n- Go on.\n".to_owned(),
        ["state/stop-unjustified"] => "# Handoff Details\n## Known Risks +\n- It may be otherwise.\n# TL;DR\n## Blockers and Risks\n- It may be otherwise.\n".to_owned(),
        ref rules => panic!("no repair for {rules:?}: {}", need.says),
    }
    };
    way.needs.iter().filter(|need| need.place == Place::Repair).map(repair).collect()
}

/// Whether the step of a way is accepted with these updates.
fn accepted(version: &Verifiable<'_>, way: &Way, choice: usize, updates: Option<&Source>) -> Result<Source, String> {
    let more = More { updates, ..More::default() };
    let summary = Source::new("- Read the objective.");
    let input = Source::new(match way.step {
        Step::Answer => answers(way),
        Step::Stop => String::new(),
        Step::Audit | Step::Seal | Step::Set => report(way, choice),
    });
    let then = if way.to == Status::Collecting { Then::Collect } else { Then::Stop };
    let composed = match way.step {
        Step::Audit => audit(version, &input, &more, NOW),
        Step::Answer => answer(version, &input, then, &more, NOW),
        Step::Stop => stop(version, &more, NOW),
        Step::Seal => seal(version, &input, Some(&summary), &more, NOW),
        Step::Set => unreachable!(),
    };
    composed.unwrap().judge(version).map_err(|rejection| format!("{:#?}\n{:#?}", rejection.document, rejection.inputs))
}

#[test]
fn doing_what_it_says_is_accepted_and_leads_where_it_says() {
    for_every_version(|path, version, outlook| {
        for way in &outlook.ways {
            // Nothing that a step takes along repairs these.
            let lost = [["security/secret"], ["succession/updated-at"]];
            let is_lost = |need: &Need| need.place == Place::Repair && lost.iter().any(|rules| need.rules == rules);
            if way.needs.iter().any(is_lost) {
                continue;
            }
            let repairs = updates(way);
            let source = Source::new(repairs.clone());
            let updates = (!repairs.is_empty()).then_some(&source);
            let choices = if way.step == Step::Audit && way.to == Status::ReviewPending { 0..2 } else { 0..1 };
            for choice in choices {
                let next =
                    accepted(version, way, choice, updates).unwrap_or_else(|why| panic!("{path} → {}: {why}", way.to));
                let next = verify(&next, Profile::Full).unwrap();
                assert_eq!(next.document().status().unwrap().value, way.to, "{path}");
            }
            if updates.is_some() {
                assert!(accepted(version, way, 0, None).is_err(), "{path} → {}: {repairs}", way.to);
            }
        }
    });
}

#[test]
fn the_ways_are_the_edges_of_the_state_machine() {
    for_every_version(|path, _, outlook| {
        let ways: Vec<Status> = outlook.ways.iter().map(|way| way.to).collect();
        let mut edges = outlook.status.successors().to_vec();
        if outlook.status == Status::Collecting && outlook.round > 0 {
            // Without another round.
            edges.push(Status::ReviewPending);
        }
        if outlook.status == Status::NeedsAnswers && outlook.round == 3 {
            assert_eq!(ways, [Status::ReviewPending], "{path}");
        } else {
            assert_eq!(ways, edges, "{path}");
        }
        assert_eq!(outlook.checklist.is_empty(), !edges.is_empty(), "{path}");
    });
}

#[test]
fn every_need_and_every_proof_names_rules_that_exist() {
    let exists = |id: &str| RULES.iter().any(|rule| rule.id == id);
    for_every_version(|path, _, outlook| {
        for need in outlook.ways.iter().flat_map(|way| &way.needs) {
            assert!(!need.rules.is_empty() && need.rules.iter().all(|id| exists(id)), "{path}: {need:?}");
        }
        let rules = outlook.checklist.iter().filter(|point| point.proof == Proof::Proved && point.shows.contains('/'));
        for point in rules {
            assert!(point.shows.split(", ").all(exists), "{path}: {point:?}");
        }
    });
}

#[test]
fn a_point_about_sections_is_proved_only_where_they_say_something() {
    for_every_version(|path, version, outlook| {
        let Some(point) = outlook.checklist.iter().find(|point| point.point.contains("failed attempts")) else {
            return;
        };
        let says = version.document().section(DetailsSection::FailedAttempts).unwrap().has_real_entry();
        assert_eq!(point.proof == Proof::Proved, says, "{path}");
    });
}

#[test]
fn what_a_version_needs_is_said_for_every_place_once_or_with_another_rule() {
    for_every_version(|path, _, outlook| {
        for way in &outlook.ways {
            for (number, need) in way.needs.iter().enumerate() {
                let again = way.needs[..number]
                    .iter()
                    .any(|other| other.place == need.place && other.rules == need.rules && need.place != Place::Repair);
                assert!(!again, "{path}: {need:?}");
            }
            let state = way.needs.iter().any(|need| matches!(need.place, Place::Section(Section::Tldr(_))));
            assert!(state, "{path}: the status line");
        }
    });
}
