//! What holds for every input, however broken: `check` returns, says the same twice, and points into the document.

use std::sync::LazyLock;

use handoff_guard::check::{Baseline, Verifiable, verify};
use handoff_guard::protocol::profile::Profile;
use handoff_guard::source::Source;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::soundness::verdict;
use crate::support;

/// The valid fixtures, to be mutated and to be followed.
static SOURCES: LazyLock<Vec<Source>> =
    LazyLock::new(|| support::valid_fixtures().into_iter().map(|(_, bytes)| Source::new(bytes)).collect());

/// A few of them, in different states, to be followed.
static VERSIONS: LazyLock<Vec<Verifiable<'static>>> =
    LazyLock::new(|| SOURCES.iter().step_by(12).map(|source| verify(source, Profile::Full).unwrap()).collect());

/// What a document is held against.
#[derive(Clone, Copy, Debug)]
enum Against {
    Nothing,
    Session,
    FirstVersion,
    /// Which of [`VERSIONS`], one write before.
    Version(usize),
    /// Which of [`VERSIONS`], some writes before.
    Commit(usize),
}

impl Against {
    fn baseline(self) -> Baseline<'static> {
        let session_id = "importer-4c81";
        match self {
            Self::Nothing => Baseline::Standalone,
            Self::Session => Baseline::Session { session_id },
            Self::FirstVersion => Baseline::Init { session_id },
            Self::Version(at) => Baseline::Update { previous: &VERSIONS[at] },
            Self::Commit(at) => Baseline::Commit { previous: &VERSIONS[at] },
        }
    }
}

fn against() -> impl Strategy<Value = Against> {
    prop_oneof![
        Just(Against::Nothing),
        Just(Against::Session),
        Just(Against::FirstVersion),
        (0..VERSIONS.len()).prop_map(Against::Version),
        (0..VERSIONS.len()).prop_map(Against::Commit),
    ]
}

/// Holds the verdict about `bytes` to everything that never depends on the input.
fn assert_sound(bytes: &[u8], profile: Profile, against: Against) {
    verdict::assert_sound(bytes, profile, against.baseline());
}

#[test]
fn every_valid_document_is_judged_soundly_as_a_successor() {
    for source in &*SOURCES {
        for version in 0..VERSIONS.len() {
            assert_sound(source.bytes(), Profile::Full, Against::Version(version));
        }
    }
}

proptest! {
    #![proptest_config(support::config(256))]

    #[test]
    fn arbitrary_bytes_are_judged_soundly(
        bytes in vec(any::<u8>(), 0..200), fenced in any::<bool>(), profile in select(Profile::ALL),
    ) {
        let bytes = if fenced { [b"---\n".as_slice(), &bytes, b"\n---\n"].concat() } else { bytes };
        assert_sound(&bytes, profile, Against::Nothing);
    }

    #[test]
    fn arbitrary_text_is_judged_soundly(
        pieces in vec(piece(), 0..60), fenced in any::<bool>(), profile in select(Profile::ALL), against in against(),
    ) {
        let text = pieces.concat();
        let text = if fenced { format!("---\n{text}") } else { text };
        assert_sound(text.as_bytes(), profile, against);
    }

    #[test]
    fn mutated_fixtures_are_judged_soundly(
        bytes in mutated_fixture(), profile in select(Profile::ALL), against in against(),
    ) {
        assert_sound(&bytes, profile, against);
    }
}

/// Texts that mean something to YAML, to Markdown or to the protocol, and characters that trap byte arithmetic.
fn piece() -> impl Strategy<Value = String> {
    #[rustfmt::skip]
    const PIECES: &[&str] = &[
        // Lines and blanks.
        "\n", "\n\n", "\r\n", "\r", "\t", " ", "    ", "---\n", "\n---\n", "...\n", "\n--- \n",
        // YAML.
        "schema_version: 2\n", "handoff_status: READY\n", "handoff_status", "session_id: \"importer-4c81\"\n",
        "created_at: \"2024-02-30T00:00:00Z\"\n", "updated_at: 2016-12-31T23:59:60Z\n",
        "interrogation_round: 0x2\n", "status_evidence:\n", "  - kind: unverified\n", "    ref: null\n", "ref: ~\n",
        "\"", "'", ": ", ":", "- ", "? ", ", ", "[", "]", "{", "}", "[[[[[[", "&a ", "*a", "!!str ", "!<tag:x>",
        "<<: ", "| \n", ">-\n", "%YAML 1.2\n", " # ", "@", "`", "\\x1b", "\\u202e", "\\ud800", "\\U0001F600", "\\",
        "1e3", ".inf", "0o7", "null: 1\n", "true",
        // Markdown.
        "# TL;DR\n", "# Handoff Details\n", "# ", "## ", "### ", "#### ", "TL;DR\n=====\n",
        "Objective\n---------\n", "## Objective\n", "## Current State\n", "## Next Action\n", "## Decisions\n",
        "## Interrogation\n", "## Evidence\n", "### Round 1\n", "### Round 2\n", "### Final Review\n",
        "#### Questions\n", "#### Current Agent Answers\n", "#### Status\nREADY\n", "- Status: READY\n",
        "- Modified: none\n", "- Verified: unverified\n", "1. ", "* ", "- [ ] ",
        "| Decision | Reason | Evidence | Confidence |\n|---|---|---|---|\n", "| a | b | c | d |\n", "|", "```\n",
        "~~~\n", "> ", "<!--", "-->", "<div>\n", "</div>\n", "<b>", "***\n", "[x](y)", "[x]: y\n", "![", "&amp;",
        "**", "_", "\\#",
        // The protocol's words.
        "none", "None", "none: done", "none：完成", "unverified", "未验证", "unknown", "未知。", "<objective>",
        "criterion: ", "reason: ", "src/a.rs:42", "路径/文件.rs:10-12", "commit 8f3ab12c", "提交 1234567", "diff a..b",
        "test a_b", "测试 ", "https://例.example/", "`", "READY_WITH_RISKS", "BLOCKED", "NEEDS_ANSWERS",
        // Characters.
        "任务", "交接", "é", "e\u{301}", "👩\u{200d}💻", "🇪🇺", "\u{feff}", "\u{200b}", "\u{a0}", "\u{85}", "\u{2028}",
        "\u{3000}", "\u{202e}", "\u{2066}", "\u{e0041}", "\0", "\u{1b}[31m", "\u{7f}", "\u{fffd}", "\u{10ffff}",
        "（", "：", "。",
    ];
    prop_oneof![
        20 => select(PIECES).prop_map(String::from),
        2 => any::<char>().prop_map(String::from),
        1 => "\\PC{0,8}",
        1 => credential(),
        1 => select(&["[", "> ", "- ", "x", "`", "*", "任"]).prop_map(|piece| piece.repeat(600)),
    ]
}

/// What looks like a credential.
fn credential() -> impl Strategy<Value = String> {
    select(&[("AKIA", 8), ("ghp_", 18), ("npm_", 18)]).prop_map(|(start, pairs)| start.to_owned() + &"A1".repeat(pairs))
}

/// What an edit counts as one thing.
#[derive(Clone, Copy, Debug)]
enum Unit {
    Line,
    Word,
    Character,
}

#[derive(Clone, Debug)]
enum Change {
    Delete,
    Repeat,
    Insert(String),
    Replace(String),
    /// Exchanges two units.
    Swap(Index),
}

#[derive(Clone, Debug)]
struct Edit {
    unit: Unit,
    at: Index,
    change: Change,
}

fn edit() -> impl Strategy<Value = Edit> {
    let change = prop_oneof![
        Just(Change::Delete),
        Just(Change::Repeat),
        piece().prop_map(Change::Insert),
        piece().prop_map(Change::Replace),
        any::<Index>().prop_map(Change::Swap),
    ];
    (select(&[Unit::Line, Unit::Word, Unit::Character]), any::<Index>(), change).prop_map(|(unit, at, change)| Edit {
        unit,
        at,
        change,
    })
}

fn edited(text: &str, edit: &Edit) -> String {
    let mut units: Vec<&str> = match edit.unit {
        Unit::Line => text.split_inclusive('\n').collect(),
        Unit::Word => text.split_inclusive([' ', '\n', ':', '_']).collect(),
        Unit::Character => text.split_inclusive(|_| true).collect(),
    };
    if units.is_empty() {
        return String::new();
    }
    let count = units.len();
    let at = edit.at.index(count);
    match &edit.change {
        Change::Delete => drop(units.remove(at)),
        Change::Repeat => units.insert(at, units[at]),
        Change::Insert(piece) => units.insert(at, piece),
        Change::Replace(piece) => units[at] = piece,
        Change::Swap(other) => units.swap(at, other.index(count)),
    }
    units.concat()
}

/// A valid document after up to five edits; at times one byte is changed or the end is cut off.
fn mutated_fixture() -> impl Strategy<Value = Vec<u8>> {
    let byte = option::weighted(0.1, (any::<Index>(), any::<u8>()));
    let cut = option::weighted(0.1, any::<Index>());
    (any::<Index>(), vec(edit(), 0..=5), byte, cut).prop_map(|(fixture, edits, byte, cut)| {
        let text = fixture.get(&SOURCES).text().unwrap().to_owned();
        let mut bytes = edits.iter().fold(text, |text, edit| edited(&text, edit)).into_bytes();
        if let Some((at, byte)) = byte {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(at) = cut {
            bytes.truncate(at.index(bytes.len()));
        }
        bytes
    })
}
