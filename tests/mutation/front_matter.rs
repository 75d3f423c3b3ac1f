//! Defects of the schema and of the evidence (PROTOCOL §4).

use handoff_guard::protocol::audit::Audit;
use handoff_guard::protocol::evidence::{Kind, Verification, WorkingTree};
use handoff_guard::protocol::keys::{EvidenceKey, Key};
use handoff_guard::protocol::status::Status;

use super::page::Page;
use super::{Mutants, Operator};

pub(super) const OPERATORS: &[Operator] =
    &[missing_keys, unknown_keys, types, numbers, words, blanks, commits, timestamps, order, evidence];

fn missing_keys(page: &'static Page, mutants: &mut Mutants) {
    for (_, line) in page.lines().into_iter().chain(page.evidence_lines()) {
        mutants.push("schema/missing-key", page.without(line));
        let commented = format!("# {}\n", line.of(page.text).trim_end().replace('\n', "\n# "));
        mutants.push("schema/missing-key", page.with(&[(line, &commented)]));
    }
    for entry in page.entries() {
        let key = entry.key.as_key().unwrap();
        let others = [
            key.to_uppercase(),
            key.replace('_', "-"),
            format!("{key}s"),
            format!("\"{key} \""),
            format!("\"{key}\\u200b\""),
            key.replace('e', "е"),
            format!("x{key}"),
        ];
        for other in page.some(&others).filter(|other| *other != key) {
            let renamed = page.with(&[(entry.key.span(), other)]);
            mutants.push("schema/missing-key", renamed.clone());
            mutants.push("schema/unknown-key", renamed);
        }
    }
    mutants.push("schema/missing-key", page.with(&[(page.version.document().fence.front_matter, "")]));
}

fn unknown_keys(page: &'static Page, mutants: &mut Mutants) {
    const LINES: &[&str] = &[
        "notes: x\n",
        "content_hash: abc1234\n",
        "\"\": x\n",
        "\"<<\": x\n",
        "\"null\": x\n",
        "'1': x\n",
        "a.b: x\n",
        "version: 2\n",
        "sеssion_id: x\n",
        "\u{200b}branch: x\n",
        "READY: x\n",
        "notes: [a, b]\n",
        "notes: [a]\n",
        "status_evidence_: []\n",
    ];
    for (_, line) in page.lines() {
        for unknown in page.some(LINES) {
            mutants.push("schema/unknown-key", page.inserted(line.start(), unknown));
        }
    }
    for (_, line) in page.evidence_lines() {
        for unknown in page.some(LINES) {
            mutants.push("schema/unknown-key", page.inserted(line.start(), &format!("    {unknown}")));
        }
    }
}

fn types(page: &'static Page, mutants: &mut Mutants) {
    const NULLS: &[&str] = &["null", "~", "Null", "NULL"];
    const NO_STRINGS: &[&str] = &[
        "1234567",
        "6063e25",
        "true",
        "FALSE",
        "1.5",
        "-0",
        ".inf",
        ".NaN",
        "0x1f",
        "0o17",
        "[]",
        "{}",
        "[x]",
        "{x: y}",
        "[\"x\", \"y\"]",
    ];
    const NO_INTEGERS: &[&str] =
        &["null", "~", "true", "two", "\"two\"", "[2]", "{}", "2.5", ".inf", "\"\"", "2 3", "2_0", "1e", "2,0"];
    const NO_LISTS: &[&str] =
        &["null", "{}", "x", "\"\"", "7", "true", "{kind: source}", "[x]", "[[]]", "[null]", "[1]"];
    for entry in page.entries() {
        let (wrong, nullable) = match entry.key.as_key().unwrap() {
            "schema_version" | "interrogation_round" => (NO_INTEGERS, true),
            "status_evidence" => (NO_LISTS, true),
            "branch" | "base_commit" | "last_audit_status" | "ref" => (NO_STRINGS, true),
            _ => (NO_STRINGS, false),
        };
        let nulls = if nullable { &[] } else { NULLS };
        for value in page.some(wrong).chain(page.some(nulls)) {
            mutants.push("schema/type", page.set(entry, value));
        }
    }
}

fn numbers(page: &'static Page, mutants: &mut Mutants) {
    for version in page.some(&["0", "1", "3", "20", "22", "-2", "99999999999999999999", "4294967298"]) {
        mutants.push("schema/version", page.set(page.entry(Key::SchemaVersion), version));
    }
    for round in page.some(&["4", "5", "10", "33", "-1", "-3", "255", "256", "4294967296", "99999999999999999999"]) {
        mutants.push("schema/round-range", page.set(page.entry(Key::InterrogationRound), round));
    }
}

fn words(page: &'static Page, mutants: &mut Mutants) {
    let every: Vec<&str> = (WorkingTree::words().chain(Status::words()).chain(Audit::words()))
        .chain(Kind::words().chain(Verification::words()))
        .collect();
    for entry in page.entries() {
        let right: Vec<&str> = match entry.key.as_key().unwrap() {
            "working_tree" => WorkingTree::words().collect(),
            "handoff_status" => Status::words().collect(),
            "last_audit_status" => Audit::words().collect(),
            "kind" => Kind::words().collect(),
            "verification" => Verification::words().collect(),
            _ => continue,
        };
        let odd = right.iter().flat_map(|word| {
            let (first, rest) = word.split_at(1);
            let capital = first.to_uppercase() + &rest.to_lowercase();
            [
                capital,
                format!("{word} "),
                format!(" {word}"),
                format!("{word}."),
                word.replace('E', "Е"),
                word.replace('_', "-"),
            ]
        });
        let others = every.iter().map(ToString::to_string);
        let swapped = every
            .iter()
            .map(|word| if word.contains(char::is_lowercase) { word.to_uppercase() } else { word.to_lowercase() });
        let more = ["", " ", "DONE", "IN_PROGRESS", "null"].map(String::from);
        let wrong: Vec<String> =
            odd.chain(others).chain(swapped).chain(more).filter(|word| !right.contains(&word.as_str())).collect();
        for word in page.some(&wrong) {
            mutants.push("schema/enum", page.set(entry, &format!("\"{word}\"")));
        }
    }
}

fn blanks(page: &'static Page, mutants: &mut Mutants) {
    const BLANKS: &[&str] = &[
        "\"\"",
        "''",
        "\" \"",
        "'  '",
        "\"\\t\"",
        "\"\\n\"",
        "\"\\r\\n\"",
        "\"\u{a0}\"",
        "\"\u{3000}\"",
        "\"\u{200b}\"",
        "\"\u{feff}\"",
        "\"\u{2060}\"",
        "\"\u{ad}\"",
        "\"\u{200d} \u{200b}\"",
        "\"\\u2028\"",
        "\"\\N\"",
    ];
    for entry in page.entries() {
        if ["session_id", "repository", "status_reason", "branch", "ref", "claim"]
            .contains(&entry.key.as_key().unwrap())
        {
            for blank in page.some(BLANKS) {
                mutants.push("schema/empty", page.set(entry, blank));
            }
        }
    }
    mutants.push("schema/empty", page.set(page.entry(Key::StatusEvidence), "[]\n"));
}

fn commits(page: &'static Page, mutants: &mut Mutants) {
    let (short, long) = ("8f3ab1", "0123456789abcdef".repeat(4) + "0");
    let wrong = [
        short,
        &long,
        "HEAD",
        "main",
        "8f3ab12g",
        " 8f3ab12c",
        "8f3ab12c ",
        "8f3ab12c\\n",
        "0x8f3ab12c",
        "8f3ab12-",
        "８f3ab12c",
        "8f3 ab12c",
        "",
        "commit 8f3ab12c",
        "8f3ab12c..9f3ab12c",
        "unknown",
    ];
    for commit in page.some(&wrong) {
        mutants.push("schema/base-commit", page.set(page.entry(Key::BaseCommit), &format!("\"{commit}\"")));
    }
}

fn timestamps(page: &'static Page, mutants: &mut Mutants) {
    const WRONG: &[&str] = &[
        "2026-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "2024-02-30T00:00:00Z",
        "2026-04-31T00:00:00Z",
        "2026-06-31T00:00:00Z",
        "2026-09-31T00:00:00Z",
        "2026-11-31T00:00:00Z",
        "2026-01-32T00:00:00Z",
        "2026-00-10T00:00:00Z",
        "2026-13-10T00:00:00Z",
        "2026-05-00T00:00:00Z",
        "26-05-01T00:00:00Z",
        "02026-05-01T00:00:00Z",
        "-2026-05-01T00:00:00Z",
        "+2026-05-01T00:00:00Z",
        "2026-5-1T00:00:00Z",
        "2026/05/01T00:00:00Z",
        "20260501T000000Z",
        "2026-05-01",
        "2026-05-01T10:00Z",
        "2026-05-01T1:00:00Z",
        "2026-05-01T24:00:00Z",
        "2026-05-01T23:60:00Z",
        "2026-05-01T23:59:61Z",
        "2026-05-01T12:00:60Z",
        "2026-05-01T23:59:60Z",
        "2026-06-30T23:59:60+08:00",
        "2026-07-01T07:59:60+07:00",
        "2026-05-01T10:00:00",
        "2026-05-01T10:00:00.",
        "2026-05-01T10:00:00.Z",
        "2026-05-01T10:00:00,5Z",
        "2026-05-01T10:00:00+0800",
        "2026-05-01T10:00:00+08",
        "2026-05-01T10:00:00+8:00",
        "2026-05-01T10:00:00+24:00",
        "2026-05-01T10:00:00+08:60",
        "2026-05-01T10:00:00−08:00",
        "2026-05-01T10:00:00 Z",
        "2026-05-01 10:00:00Z",
        "2026-05-01TT10:00:00Z",
        "2026-05-01T10:00:00ZZ",
        "2026-05-01T10:00:00[UTC]",
        "2026-05-01T10:00:00UTC",
        "２０２６-05-01T10:00:00Z",
        "2026-05-01T10:00:00.５Z",
        " 2026-05-01T10:00:00Z",
        "2026-05-01T10:00:00Z ",
        "2026-05-01T10:00:00Z\\n",
        "",
        "now",
        "1777777777",
        "2026-W18-5T10:00:00Z",
        "2026-121T10:00:00Z",
        "2026-05-01T10:00:00+08:00:00",
        "２026-05-01",
    ];
    for key in [Key::CreatedAt, Key::UpdatedAt] {
        for wrong in page.some(WRONG) {
            mutants.push("schema/timestamp", page.set(page.entry(key), &format!("\"{wrong}\"")));
        }
    }
}

fn order(page: &'static Page, mutants: &mut Mutants) {
    const PAIRS: &[[&str; 2]] = &[
        ["2026-03-02T09:00:01Z", "2026-03-02T09:00:00Z"],
        ["2026-03-02T09:00:00Z", "2026-03-02T10:00:00+08:00"],
        ["2026-03-02T09:00:00-08:00", "2026-03-02T10:00:00Z"],
        ["2026-03-02T09:00:00.000000000000000000002Z", "2026-03-02T09:00:00.000000000000000000001Z"],
        ["2026-03-02T09:00:00.5Z", "2026-03-02T09:00:00.49Z"],
        ["2016-12-31T23:59:60Z", "2016-12-31T23:59:59.999Z"],
        ["2017-01-01T00:00:00Z", "2016-12-31T23:59:60Z"],
        ["2027-01-01T00:00:00Z", "2026-12-31T23:59:59z"],
        ["2026-03-02t09:00:00Z", "2026-03-01T23:00:00-09:59"],
        ["9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z"],
    ];
    for [created, updated] in page.some(PAIRS) {
        let values = [(Key::CreatedAt, created), (Key::UpdatedAt, updated)];
        let [created, updated] = values.map(|(key, value)| page.value_edit(page.entry(key), &format!("\"{value}\"")));
        mutants.push("schema/timestamp-order", page.with(&[created, updated]));
    }
}

fn evidence(page: &'static Page, mutants: &mut Mutants) {
    const NOTHING: &str = "{kind: unverified, ref: null, claim: nothing, verification: UNVERIFIED}";
    const REAL: &str = "{kind: source, ref: \"a.rs:1\", claim: a line, verification: VERIFIED}";
    let list = |elements: &[&str]| page.set(page.entry(Key::StatusEvidence), &format!("[{}]\n", elements.join(", ")));
    for count in page.some(&[2, 3, 7]) {
        mutants.push("evidence/sole-unverified", list(&vec![NOTHING; *count]));
    }
    let wrong = [
        NOTHING.replace(" UNVERIFIED", " VERIFIED"),
        NOTHING.replace("null", "\"a.rs:1\""),
        NOTHING.replace("null", "\"null\""),
        NOTHING.replace("null", "unverified").replace(" UNVERIFIED", " VERIFIED"),
    ];
    for wrong in page.some(&wrong) {
        mutants.push("evidence/unverified-kind", list(&[wrong]));
        mutants.push("evidence/unverified-kind", list(&[REAL, wrong]));
        mutants.push("evidence/unverified-kind", list(&[wrong, REAL]));
    }
    let kinds: Vec<&str> = Kind::words().filter(|kind| *kind != Kind::Unverified.as_str()).collect();
    for kind in page.some(&kinds) {
        for null in page.some(&["null", "~", "NULL", ""]) {
            let wrong = REAL.replace("source", kind).replace("\"a.rs:1\"", null);
            mutants.push("evidence/missing-ref", list(&[&wrong]));
            mutants.push("evidence/missing-ref", list(&[REAL, &wrong, NOTHING]));
        }
    }
    for entry in page.evidence() {
        let value = entry.value.span().of(page.text);
        if entry.key.is_key(EvidenceKey::Ref.as_str()) && !["", "~", "null", "Null", "NULL"].contains(&value) {
            mutants.push("evidence/missing-ref", page.set(entry, "null"));
        }
    }
}
