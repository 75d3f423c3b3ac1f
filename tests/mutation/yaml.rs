//! Defects of the YAML (PROTOCOL §3).

use handoff_guard::document::yaml::{Entry, MAX_BYTES, MAX_NODES, Node};
use handoff_guard::protocol::keys::Key;
use handoff_guard::source::Span;

use super::page::Page;
use super::{Mutants, Operator};

pub(super) const OPERATORS: &[Operator] =
    &[syntax, duplicate_keys, properties, markers, keys, limits, hidden_escapes, integers];

/// The keys whose values are free text.
const TEXTS: &[Key] = &[Key::SessionId, Key::Repository, Key::Branch, Key::StatusReason];

/// True when the front matter stands in braces, where some defects of a block mapping are none.
fn in_braces(page: &Page) -> bool {
    page.front_matter().root.flow
}

fn syntax(page: &'static Page, mutants: &mut Mutants) {
    const IN_BRACES: &[&str] =
        &["|", ">", "|-", "|x", ">2 x", "@x", "`x`", "%x", "- x", "\"x", "'x", "\"a\" b", "[x", "\"\\w\"", "]"];
    const VALUES: &[&str] = &[
        "first: second",
        "@mention",
        "`code`",
        "%x: y",
        "\"open",
        "'open",
        "[open",
        "{open",
        "\"closed\" behind",
        "'closed' behind",
        "\"\\w\"",
        "\"\\d\"",
        "\"C:\\Users\"",
        "\"\\u12\"",
        "\"\\ud800\"",
        "\"\\x1\"",
        "\"a\" \"b\"",
        "'it's'",
        "- item",
        "\"a\": b: c",
        "]",
        "}",
        ", x",
        "[a]]",
        "{a: b}}",
        "|x",
        ">x",
    ];
    for value in page.some(VALUES).filter(|_| !in_braces(page)) {
        for key in page.some(TEXTS) {
            mutants.push("yaml/syntax", page.set(page.entry(*key), value));
        }
    }
    for value in page.some(IN_BRACES) {
        for list in [format!("[{{kind: {value}, ref: null}}]"), format!("[{value}, {{}}]"), format!("{{{value}: x}}")] {
            mutants.push("yaml/syntax", page.set(page.entry(Key::StatusEvidence), &list));
        }
    }
    for (entry, line) in page.lines() {
        let (start, key) = (entry.key.span().start(), entry.key.span().end());
        if line.start() == start {
            let behind = Span::new(key + 1, page.value(entry).end()).of(page.text).trim_start_matches(' ');
            if !behind.is_empty() && !behind.starts_with(['\r', '\n']) {
                mutants.push("yaml/syntax", page.inserted(key + 1, "\t"));
            }
            mutants.push("yaml/syntax", page.inserted(start, "\t"));
            if !behind.contains(": ") {
                mutants.push("yaml/syntax", page.inserted(key + 1, "\u{a0}"));
                mutants.push("yaml/syntax", page.with(&[((key..key + 1).into(), "：")]));
            }
            mutants.push("yaml/syntax", page.inserted(line.start(), "no colon\n"));
            mutants.push("yaml/syntax", page.inserted(line.end(), "\tindented: with a tab\n"));
        }
    }
}

fn duplicate_keys(page: &'static Page, mutants: &mut Mutants) {
    let end = page.version.document().fence.front_matter.end();
    for (entry, line) in page.lines() {
        let same = line.of(page.text).trim_end().to_owned() + "\n";
        mutants.push("yaml/duplicate-key", page.inserted(line.start(), &same));
        mutants.push("yaml/duplicate-key", page.inserted(end, &same));
        let key = entry.key.as_key().unwrap();
        let (first, rest) = key.split_at(1);
        let escaped = format!("\"\\x{:02x}{rest}\": other\n", first.as_bytes()[0]);
        let others = [format!("{key}: other\n"), format!("\"{key}\": 1\n"), format!("'{key}': null\n"), escaped];
        for other in page.some(&others) {
            mutants.push("yaml/duplicate-key", page.inserted(end, other));
            mutants.push("yaml/duplicate-key", page.inserted(line.start(), other));
        }
    }
    for (_, line) in page.evidence_lines() {
        mutants.push("yaml/duplicate-key", page.inserted(line.end(), line.of(page.text)));
    }
}

/// The entries whose values are scalars that are written down.
fn scalars(page: &Page) -> impl Iterator<Item = &Entry> {
    page.entries().filter(|entry| matches!(&entry.value, Node::Scalar(scalar) if !scalar.span.is_empty()))
}

fn properties(page: &'static Page, mutants: &mut Mutants) {
    const PROPERTIES: &[(&str, &str)] = &[
        ("yaml/anchor", "&a "),
        ("yaml/anchor", "&a:b "),
        ("yaml/tag", "! "),
        ("yaml/tag", "!!str "),
        ("yaml/tag", "!!python/object:os.system "),
        ("yaml/tag", "!local "),
        ("yaml/tag", "!<tag:yaml.org,2002:str> "),
        ("yaml/tag", "!u!x "),
    ];
    for entry in scalars(page) {
        for (rule, property) in page.some(PROPERTIES) {
            mutants.push(rule, page.inserted(page.value(entry).start(), &format!(" {property}")));
        }
        mutants.push("yaml/alias", page.set(entry, "*a "));
    }
    for (rule, property) in page.some(PROPERTIES).filter(|_| !in_braces(page)) {
        for key in page.front_matter().root.entries.iter().map(|entry| entry.key.span().start()) {
            mutants.push(rule, page.inserted(key, property));
        }
    }
}

fn markers(page: &'static Page, mutants: &mut Mutants) {
    const DIRECTIVES: &[&str] = &["%YAML 1.2\n", "%YAML 1.1\n", "%TAG ! tag:example.org,2000:\n", "%FOO bar\n"];
    const MARKERS: &[&str] = &["...\n", "... \n", "... # end\n", "--- \n", "--- # again\n", "---\t\n"];
    let fence = page.version.document().fence;
    for directive in page.some(DIRECTIVES) {
        mutants.push("yaml/directive", page.inserted(fence.front_matter.start(), directive));
    }
    for marker in page.some(MARKERS) {
        for at in page.lines().into_iter().map(|(_, line)| line.end()) {
            mutants.push("yaml/document-marker", page.inserted(at, marker));
        }
    }
}

fn keys(page: &'static Page, mutants: &mut Mutants) {
    const MERGES: &[&str] = &["<<: null\n", "<<: {}\n", "<<: [{a: b}]\n", "<<: x\n", "? <<\n: x\n", "<< : {a: b}\n"];
    const KEYS: &[&str] = &[
        "null: x\n",
        "~: x\n",
        "Null: x\n",
        "1: x\n",
        "-1: x\n",
        "0x1: x\n",
        "1.5: x\n",
        ".inf: x\n",
        "true: x\n",
        "FALSE: x\n",
        "[a]: x\n",
        "{a: b}: x\n",
        "? [a]\n: x\n",
        "? {a: b}\n: x\n",
        "? - a\n: x\n",
        "? a: b\n: x\n",
        ": x\n",
        "?\n: x\n",
    ];
    let ends: Vec<usize> = page.lines().into_iter().map(|(_, line)| line.start()).collect();
    for at in page.some(&ends) {
        for merge in page.some(MERGES) {
            mutants.push("yaml/merge-key", page.inserted(*at, merge));
        }
        for key in page.some(KEYS) {
            mutants.push("yaml/non-string-key", page.inserted(*at, key));
        }
    }
    for (_, line) in page.evidence_lines() {
        mutants.push("yaml/merge-key", page.inserted(line.start(), "    <<: x\n"));
        mutants.push("yaml/non-string-key", page.inserted(line.start(), "    null: x\n"));
    }
}

fn limits(page: &'static Page, mutants: &mut Mutants) {
    let at = page.version.document().fence.front_matter.end();
    let room = MAX_BYTES - page.version.document().fence.front_matter.len();
    let texts = [
        "x: [[[[]]]]\n".to_owned(),
        "x: {a: {a: {a: {a: b}}}}\n".to_owned(),
        "x:\n - - - - a\n".to_owned(),
        "x:\n a:\n  a:\n   a:\n    a: b\n".to_owned(),
        format!("x: [{}]\n", "a,".repeat(MAX_NODES)),
        format!("x:\n{}", " - a\n".repeat(MAX_NODES)),
        format!("#{}\n", "x".repeat(room - 1)),
    ];
    for text in page.some(&texts).filter(|text| !in_braces(page) || text.starts_with('#')) {
        mutants.push("yaml/limits", page.inserted(at, text));
    }
}

fn hidden_escapes(page: &'static Page, mutants: &mut Mutants) {
    const ESCAPES: &[&str] = &[
        "\\0",
        "\\a",
        "\\b",
        "\\v",
        "\\f",
        "\\e",
        "\\x00",
        "\\x1b",
        "\\x7f",
        "\\x80",
        "\\x9f",
        "\\u0000",
        "\\u202e",
        "\\u202A",
        "\\u2066",
        "\\u2069",
        "\\U0000001b",
        "\\U000e0001",
        "\\U000E007F",
        "\\U0000202d",
    ];
    let values: Vec<_> = scalars(page).collect();
    for escape in page.some(ESCAPES) {
        for entry in page.some(&values) {
            mutants.push("yaml/hidden-escape", page.set(entry, &format!("\"x{escape}y\"")));
        }
    }
}

fn integers(page: &'static Page, mutants: &mut Mutants) {
    for (key, number) in [(Key::SchemaVersion, 2), (Key::InterrogationRound, page.round())] {
        let spellings = [
            format!("0x{number}"),
            format!("0o{number}"),
            format!("0{number}"),
            format!("+{number}"),
            format!("{number}.0"),
            format!("{number}e0"),
            format!("\"{number}\""),
            format!("'{number}'"),
            format!("{number}."),
            "-0".to_owned(),
        ];
        for spelling in page.some(&spellings) {
            mutants.push("yaml/non-canonical-integer", page.set(page.entry(key), spelling));
        }
    }
}
