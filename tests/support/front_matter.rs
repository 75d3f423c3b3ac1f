//! Generated front matter: mostly valid, then changed near the edges of every rule of PROTOCOL §4.

use handoff_guard::protocol::audit::Audit;
use handoff_guard::protocol::evidence::{Kind, Verification, WorkingTree};
use handoff_guard::protocol::keys::{EvidenceKey, Key};
use handoff_guard::protocol::status::Status;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};

/// A date-time whose parts are all real.
fn timestamp() -> impl Strategy<Value = String> {
    let date = (0..=9999, 1..=12, 1..=28).prop_map(|(year, month, day)| format!("{year:04}-{month:02}-{day:02}"));
    let clock =
        (0..=23, 0..=59, 0..=59).prop_map(|(hour, minute, second)| format!("{hour:02}:{minute:02}:{second:02}"));
    let offset =
        (select(&["+", "-"]), 0..=23, 0..=59).prop_map(|(sign, hour, minute)| format!("{sign}{hour:02}:{minute:02}"));
    let zone = prop_oneof![Just("Z".to_owned()), Just("z".to_owned()), offset];
    (date, select(&["T", "t"]), clock, select(&["", ".5", ".123456789012345678901"]), zone)
        .prop_map(|(date, t, clock, fraction, zone)| [&date, t, &clock, fraction, &zone].concat())
}

/// A date-time with at most two parts at or beyond an edge, and perhaps one character changed.
pub(crate) fn near_timestamp() -> impl Strategy<Value = String> {
    #[rustfmt::skip]
    const DATES: &[&str] = &[
        "0000-01-01", "0000-02-29", "1900-02-29", "2000-02-29", "2023-02-29", "2024-02-29", "2024-02-30",
        "2024-04-31", "2024-00-10", "2024-13-10", "2024-05-00", "2024-05-32", "9999-12-31", "10000-01-01",
        "24-01-01", "20240101", "2024-1-1", "+2024-01-01", "2024/01/01", "２０２４-01-01", "",
    ];
    const SEPARATORS: &[&str] = &["", " ", "_", "TT", "\n", "Т"];
    #[rustfmt::skip]
    const CLOCKS: &[&str] = &[
        "00:00:00", "23:59:59", "23:59:60", "12:00:60", "24:00:00", "23:60:00", "23:59:61", "10:00", "100000",
        "1:00:00", "10:00:00.", "10:00:00,5", "10:00:00.5.5", "10:00:00.５", "",
    ];
    #[rustfmt::skip]
    const ZONES: &[&str] = &[
        "+23:59", "-23:59", "-00:00", "+24:00", "-10:60", "+0800", "+08", "+8:00", "−08:00", "ZZ", "Z+00:00",
        "[UTC]", "Z\n", "\u{130}", "",
    ];
    let parts = (timestamp(), vec((0..4_usize, any::<Index>()), 0..=2)).prop_map(|(text, edges)| {
        let (date, rest) = text.split_at(10);
        let (separator, rest) = rest.split_at(1);
        let (clock, zone) = rest.split_at(rest.find(['Z', 'z', '+', '-']).unwrap());
        let mut parts = [date, separator, clock, zone];
        for (part, pick) in edges {
            parts[part] = *pick.get([DATES, SEPARATORS, CLOCKS, ZONES][part]);
        }
        parts.concat()
    });
    let put = select(&["", "0", "9", "-", ":", "T", " ", "\n", "٣"]);
    let change = option::weighted(0.3, (any::<Index>(), 0..=1_usize, put));
    (parts, change).prop_map(|(text, change)| {
        let mut chars: Vec<String> = text.chars().map(String::from).collect();
        if let Some((at, removed, put)) = change {
            let at = at.index(chars.len() + 1);
            chars.splice(at..(at + removed).min(chars.len()), [put.to_owned()]);
        }
        chars.concat()
    })
}

/// A front matter that is valid but for the order of its timestamps.
fn valid() -> impl Strategy<Value = Value> {
    let commit = option::of("[0-9a-fA-F]{7,64}");
    let words = (
        select(WorkingTree::ALL).prop_map(WorkingTree::as_str),
        select(Status::ALL).prop_map(Status::as_str),
        option::of(select(Audit::ALL).prop_map(Audit::as_str)),
    );
    let texts = (text(), text(), text(), option::of(text()));
    (words, texts, commit, 0..=3, valid_evidence(), timestamp(), timestamp()).prop_map(
        |((tree, status, audit), (session, repository, reason, branch), commit, round, evidence, created, updated)| {
            json!({
                "schema_version": 2,
                "session_id": session,
                "repository": repository,
                "branch": branch,
                "base_commit": commit,
                "working_tree": tree,
                "handoff_status": status,
                "interrogation_round": round,
                "last_audit_status": audit,
                "status_reason": reason,
                "status_evidence": evidence,
                "created_at": created,
                "updated_at": updated,
            })
        },
    )
}

/// One element of `status_evidence`.
pub(crate) fn element(kind: Kind, reference: &Value, claim: &str, verification: Verification) -> Value {
    json!({ "kind": kind.as_str(), "ref": reference, "claim": claim, "verification": verification.as_str() })
}

fn unverified(claim: &str) -> Value {
    element(Kind::Unverified, &Value::Null, claim, Verification::Unverified)
}

fn valid_evidence() -> impl Strategy<Value = Vec<Value>> {
    let kinds: Vec<Kind> = Kind::ALL.iter().copied().filter(|kind| *kind != Kind::Unverified).collect();
    let real = (select(kinds), text().prop_map(Value::from), text(), select(Verification::ALL))
        .prop_map(|(kind, reference, claim, verification)| element(kind, &reference, &claim, verification));
    let unverified = || text().prop_map(|claim| unverified(&claim));
    prop_oneof![
        vec(unverified(), 1),
        (vec(real, 1..=3), vec(unverified(), 0..=1)).prop_map(|(real, unverified)| [real, unverified].concat()),
    ]
}

/// Evidence lists of every shape, most of them against a rule.
fn any_evidence() -> impl Strategy<Value = Value> {
    let reference = prop_oneof![Just(Value::Null), text().prop_map(Value::from), odd_text().prop_map(Value::from)];
    let claim = prop_oneof![4 => text(), 1 => odd_text()];
    let any = (select(Kind::ALL), reference, claim, select(Verification::ALL))
        .prop_map(|(kind, reference, claim, verification)| element(kind, &reference, &claim, verification));
    prop_oneof![vec(any, 0..=3), vec(Just(unverified("no proof")), 0..=3)].prop_map(Value::from)
}

/// A text that is not blank.
fn text() -> impl Strategy<Value = String> {
    "\\PC{0,16}[a-z交:#'\"\\\\{\\[-]"
}

/// A text that may be blank, of characters whose class is easily mistaken. None is forbidden in a document.
fn odd_text() -> impl Strategy<Value = String> {
    #[rustfmt::skip]
    const PIECES: &[&str] = &[
        " ", "\t", "\n", "\r\n", "\r", "\u{85}", "\u{a0}", "\u{ad}", "\u{61c}", "\u{1680}", "\u{180e}",
        "\u{200b}", "\u{200d}", "\u{2028}", "\u{2029}", "\u{2060}", "\u{3000}", "\u{feff}", "\u{fff9}",
        "\u{110bd}", "\u{1d173}", "\u{301}", "\u{fe0f}", "\u{2800}", "\u{3164}", "交", "x", "~", "null", "true",
        "2", "\"", "\\", "# ", ": ", "---", "2024-02-29T00:00:00Z",
    ];
    vec(select(PIECES), 0..=3).prop_map(|pieces| pieces.concat())
}

/// A value for `key` that may be right, nearly right or of another type.
fn near_value(key: &str) -> BoxedStrategy<Value> {
    const NUMBERS: &[i64] = &[-2, -1, 0, 1, 2, 3, 4, 20, i64::MAX];
    let number = || {
        prop_oneof![select(NUMBERS).prop_map(Value::from), Just(json!(2.5)), Just(json!("2")), Just(json!(u64::MAX))]
    };
    let near = match key {
        "schema_version" | "interrogation_round" => number().boxed(),
        "base_commit" => {
            prop_oneof!["[0-9a-fA-F]{6,8}", "[0-9a-f]{63,65}", "[0-9a-f]{7}[g \n０]"].prop_map(Value::from).boxed()
        }
        "working_tree" | "handoff_status" | "last_audit_status" | "kind" | "verification" => {
            near_word().prop_map(Value::from).boxed()
        }
        "created_at" | "updated_at" => near_timestamp().prop_map(Value::from).boxed(),
        "status_evidence" => any_evidence().boxed(),
        _ => odd_text().prop_map(Value::from).boxed(),
    };
    let foreign = select(vec![json!(null), json!(true), json!([]), json!(["x"]), json!({}), json!({ "kind": null })]);
    prop_oneof![6 => near, 1 => foreign, 1 => number(), 1 => odd_text().prop_map(Value::from)].boxed()
}

fn near_word() -> impl Strategy<Value = String> {
    let words: Vec<&str> = (WorkingTree::words().chain(Status::words()).chain(Audit::words()))
        .chain(Kind::words().chain(Verification::words()))
        .collect();
    (select(words), 0..8).prop_map(|(word, change)| match change {
        0 => word.to_lowercase(),
        1 => word.to_uppercase(),
        2 => format!("{word} "),
        3 => word.replace('E', "Е"),
        _ => word.to_owned(),
    })
}

/// One change of a mapping.
#[derive(Clone, Debug)]
enum Change {
    Drop(&'static str),
    Set(&'static str, Value),
}

fn change(keys: impl Iterator<Item = &'static str>) -> impl Strategy<Value = Change> {
    const UNKNOWN: &[&str] =
        &["", "<<", "notes", "Kind", "session_id ", "kind\u{200b}", "сlaim", "schema-version", "null"];
    let keys: Vec<&str> = keys.collect();
    prop_oneof![
        1 => select(keys.clone()).prop_map(Change::Drop),
        1 => select(UNKNOWN).prop_map(|key| Change::Set(key, json!("x"))),
        6 => select(keys).prop_flat_map(|key| near_value(key).prop_map(move |value| Change::Set(key, value))),
    ]
}

fn apply(change: Change, mapping: &mut Map<String, Value>) {
    match change {
        Change::Drop(key) => drop(mapping.remove(key)),
        Change::Set(key, value) => drop(mapping.insert(key.to_owned(), value)),
    }
}

/// A valid front matter with up to two changes, each at the top or in an element of the evidence.
pub(crate) fn mutated() -> impl Strategy<Value = Value> {
    let top = vec(change(Key::words()), 0..=1);
    let evidence = vec((any::<Index>(), change(EvidenceKey::words())), 0..=1);
    (valid(), evidence, top).prop_map(|(mut value, evidence, top)| {
        for (at, change) in evidence {
            let elements = value["status_evidence"].as_array_mut().unwrap();
            let at = at.index(elements.len());
            apply(change, elements[at].as_object_mut().unwrap());
        }
        for change in top {
            apply(change, value.as_object_mut().unwrap());
        }
        value
    })
}
