//! The published JSON Schema and the library agree about every front matter (PROTOCOL §4).

use std::cell::Cell;

use handoff_guard::check::{Baseline, check};
use handoff_guard::protocol::audit::Audit;
use handoff_guard::protocol::character;
use handoff_guard::protocol::evidence::{Kind, Verification, WorkingTree};
use handoff_guard::protocol::keys::{EvidenceKey, Key};
use handoff_guard::protocol::profile::Profile;
use handoff_guard::protocol::status::Status;
use handoff_guard::protocol::timestamp::{Timestamp, TimestampError};
use handoff_guard::source::Source;
use jsonschema::Validator;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::soundness::schema::{
    FRONT_MATTER, NON_CANONICAL, SCHEMA, assert_agrees, errors, is_refused, is_unreadable, validator,
};
use crate::support;
use crate::support::front_matter::{element, mutated, near_timestamp};

const INITIAL: &str = include_str!("../fixtures/valid/initial.handoff.md");

/// The validator of one member of `$defs`.
fn definition(name: &str) -> Validator {
    validator(&json!({ "$ref": format!("#/$defs/{name}"), "$defs": SCHEMA["$defs"] }))
}

// The schema as a document.

#[test]
fn the_schema_obeys_its_metaschema() {
    jsonschema::draft202012::meta::validate(&SCHEMA).unwrap();
}

#[test]
fn every_field_has_a_title_a_description_and_examples_that_obey_it() {
    let evidence = &SCHEMA["$defs"]["evidence"];
    let fields =
        [&SCHEMA["properties"], &evidence["properties"]].into_iter().flat_map(|fields| fields.as_object().unwrap());
    for (name, field) in fields.chain([(&"the front matter".to_owned(), &*SCHEMA), (&"evidence".to_owned(), evidence)])
    {
        assert!(field["title"].is_string() && field["description"].is_string(), "{name}");
        let mut alone = field.clone();
        alone["$defs"] = SCHEMA["$defs"].clone();
        let validator = validator(&alone);
        for example in field["examples"].as_array().into_iter().flatten() {
            assert!(validator.is_valid(example), "{name}: {example}");
        }
    }
}

#[test]
fn the_schema_lists_the_words_of_the_protocol_in_its_order() {
    let (fields, evidence) = (&SCHEMA["properties"], &SCHEMA["$defs"]["evidence"]["properties"]);
    assert_eq!(SCHEMA["required"], json!(Key::words().collect::<Vec<_>>()));
    assert_eq!(SCHEMA["$defs"]["evidence"]["required"], json!(EvidenceKey::words().collect::<Vec<_>>()));
    assert_eq!(fields["working_tree"]["enum"], json!(WorkingTree::words().collect::<Vec<_>>()));
    assert_eq!(fields["handoff_status"]["enum"], json!(Status::words().collect::<Vec<_>>()));
    assert_eq!(fields["last_audit_status"]["enum"], json!(Audit::words().map(Some).chain([None]).collect::<Vec<_>>()));
    assert_eq!(evidence["kind"]["enum"], json!(Kind::words().collect::<Vec<_>>()));
    assert_eq!(evidence["verification"]["enum"], json!(Verification::words().collect::<Vec<_>>()));
}

// Emptiness, character by character.

#[test]
fn a_character_alone_is_a_text_exactly_when_the_library_calls_it_no_blank() {
    let text = definition("text");
    for c in '\0'..=char::MAX {
        assert_eq!(text.is_valid(&json!(c)), !character::is_blank(c.encode_utf8(&mut [0; 4])), "{c:?}");
    }
    assert_eq!(SCHEMA["$defs"]["text"]["pattern"], SCHEMA["$defs"]["textOrNull"]["pattern"]);
}

// Timestamps.

/// Asserts that the pattern takes exactly what the library takes, but for the place of a leap second.
fn assert_same_timestamp(pattern: &Validator, text: &str) {
    let read = Timestamp::parse(text);
    let expected = matches!(read, Ok(_) | Err(TimestampError::NoLeapSecond));
    assert_eq!(pattern.is_valid(&json!(text)), expected, "{text:?}: {read:?}");
}

#[test]
fn the_calendar_of_the_pattern_is_the_real_one() {
    let pattern = definition("timestamp");
    for year in 0..=9999 {
        assert_same_timestamp(&pattern, &format!("{year:04}-02-29T00:00:00Z"));
    }
    for year in [1900, 2000, 2023, 2024] {
        for (month, day) in (0..=13).flat_map(|month| (0..=32).map(move |day| (month, day))) {
            assert_same_timestamp(&pattern, &format!("{year}-{month:02}-{day:02}T00:00:00Z"));
        }
    }
}

#[test]
fn the_clock_and_the_offsets_of_the_pattern_end_where_the_real_ones_do() {
    let pattern = definition("timestamp");
    for high in 0..=99 {
        assert_same_timestamp(&pattern, &format!("2024-12-31T{high:02}:59:59Z"));
        assert_same_timestamp(&pattern, &format!("2024-12-31T23:{high:02}:59Z"));
        assert_same_timestamp(&pattern, &format!("2024-12-31T23:59:{high:02}Z"));
        assert_same_timestamp(&pattern, &format!("2024-12-31T23:59:59+{high:02}:59"));
        assert_same_timestamp(&pattern, &format!("2024-12-31T23:59:59-23:{high:02}"));
    }
}

#[test]
fn a_leap_second_is_accepted_at_every_offset() {
    const LAST_MINUTE: u32 = 23 * 60 + 59;
    const DAY: u32 = 24 * 60;
    let pattern = definition("timestamp");
    for offset in 0..DAY {
        let (east, west) = (LAST_MINUTE + offset, LAST_MINUTE + DAY - offset);
        let date = if east < DAY { "2016-12-31" } else { "2017-01-01" };
        for (date, sign, local) in [(date, '+', east % DAY), ("2016-12-31", '-', west % DAY)] {
            let clock = format!("{:02}:{:02}:60", local / 60, local % 60);
            let text = format!("{date}T{clock}{sign}{:02}:{:02}", offset / 60, offset % 60);
            assert!(Timestamp::parse(&text).is_ok() && pattern.is_valid(&json!(text)), "{text}");
        }
    }
}

#[test]
fn the_pattern_and_the_library_read_the_same_timestamps() {
    let pattern = definition("timestamp");
    let outcome = TestRunner::new(support::config(2000)).run(&near_timestamp(), |text| {
        assert_same_timestamp(&pattern, &text);
        Ok(())
    });
    outcome.unwrap();
}

// Whole documents.

#[test]
fn the_schema_accepts_exactly_the_fixtures_whose_front_matter_the_library_accepts() {
    let mut accepted = 0;
    let mut refused = 0;
    for (_, bytes) in support::fixtures() {
        let source = Source::new(bytes);
        let verdict = check(&source, Profile::Full, Baseline::Standalone);
        match assert_agrees(&source, verdict.diagnostics()) {
            Some(true) => accepted += 1,
            Some(false) => refused += 1,
            None => {}
        }
    }
    assert!(accepted > 0 && refused > 0, "{accepted} accepted, {refused} refused");
}

#[test]
fn the_schema_and_the_library_draw_every_edge_alike() {
    let valid = &SCHEMA["examples"][0];
    for (key, value) in edges() {
        let mut front_matter = valid.clone();
        front_matter[key] = value;
        agreement(&front_matter, false).unwrap();
    }
    for key in Key::words() {
        let mut front_matter = valid.clone();
        front_matter.as_object_mut().unwrap().remove(key);
        agreement(&front_matter, false).unwrap();
    }
}

/// Single values at both sides of every edge, with the keys that they belong to.
fn edges() -> Vec<(&'static str, Value)> {
    let mut edges = vec![("notes", json!("an unknown key"))];
    edges.extend(Key::words().map(|key| (key, Value::Null)));
    for number in -1..=4 {
        edges.extend([("schema_version", json!(number)), ("interrogation_round", json!(number))]);
    }
    for digits in [0, 6, 7, 64, 65] {
        edges.push(("base_commit", json!("8".repeat(digits))));
    }
    for kind in Kind::ALL {
        for reference in [json!(null), json!("x"), json!("")] {
            for verification in Verification::ALL {
                let element = element(*kind, &reference, "x", *verification);
                edges.extend([("status_evidence", json!([element])), ("status_evidence", json!([element, element]))]);
            }
        }
    }
    for list in SCHEMA["properties"]["status_evidence"]["examples"].as_array().unwrap() {
        for key in EvidenceKey::words() {
            let mut list = list.clone();
            list[0].as_object_mut().unwrap().remove(key);
            edges.push(("status_evidence", list));
        }
    }
    edges
}

#[test]
fn the_schema_accepts_exactly_the_generated_front_matter_that_the_library_accepts() {
    const CASES: u32 = 500;
    let accepted = Cell::new(0);
    let outcome = TestRunner::new(support::config(CASES)).run(&(mutated(), any::<bool>()), |(value, escaped)| {
        let is_accepted = agreement(&value, escaped).map_err(TestCaseError::fail)?;
        accepted.set(accepted.get() + u32::from(is_accepted));
        Ok(())
    });
    outcome.unwrap();
    assert!((CASES / 4..CASES * 3 / 4).contains(&accepted.get()), "{} of {CASES} accepted", accepted.get());
}

/// Whether the schema and the library accept `front_matter`; the error says how they differ.
fn agreement(front_matter: &Value, escaped: bool) -> Result<bool, String> {
    let source = document(front_matter, escaped);
    let errors = errors(check(&source, Profile::Full, Baseline::Standalone).diagnostics());
    if errors.iter().any(|id| is_unreadable(id) && *id != NON_CANONICAL) {
        return Err(format!("{errors:?} in {:?}", source.text()));
    }
    match (FRONT_MATTER.is_valid(front_matter), is_refused(&errors, front_matter)) {
        (true, false) => Ok(true),
        (false, true) => Ok(false),
        (is_valid, _) => Err(format!("the schema says {is_valid}, the library {errors:?} about {:?}", source.text())),
    }
}

/// `front_matter` in flow style before a valid body, every character beyond ASCII as it is or escaped.
fn document(front_matter: &Value, escaped: bool) -> Source {
    let (_, body) = INITIAL.split_once("\n---\n").unwrap();
    Source::new(format!("---\n{}\n---\n{body}", flow(front_matter, ",\n", escaped)))
}

/// JSON is YAML, but for the escapes of characters beyond the basic plane.
fn flow(value: &Value, separator: &str, escaped: bool) -> String {
    match value {
        Value::Object(members) => {
            let member =
                |(key, value): (&String, &Value)| format!("{}: {}", quoted(key, escaped), flow(value, ", ", escaped));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(separator))
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(|item| flow(item, ", ", escaped)).collect::<Vec<_>>().join(separator))
        }
        Value::String(text) => quoted(text, escaped),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

fn quoted(text: &str, escaped: bool) -> String {
    let json = json!(text).to_string();
    let escape = |c: char| if escaped && !c.is_ascii() { format!("\\U{:08x}", u32::from(c)) } else { c.to_string() };
    json.chars().map(escape).collect()
}
