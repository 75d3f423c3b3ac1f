//! Passages join the entries of a section: nothing stands twice, and no evidence gets weaker.
//!
//! A *duplicate* has the same text. Two entries make the same *claim* when they differ in nothing but anchors, what joins
//! these to the text, a leading `unverified` and the final stop; the one with an anchor is the stronger, and takes the place
//! of the other.

use std::collections::{BTreeMap, BTreeSet};

use super::fragment::{Fragment, Origin, Role};
use super::said::{Form, Said, content_column, entries, listed, marker_column, outline};
use super::text::{content_at, said};
use crate::document::content::trimmed;
use crate::document::outline::{Block, BlockKind, Outline};
use crate::protocol::anchor;
use crate::protocol::character::is_punctuation;
use crate::protocol::words::{UNVERIFIED, strip_word};
use crate::source::Span;

/// Adds the passages that say something new.
pub(super) fn merge(section: &mut Fragment, passages: &[Said], role: Role) {
    let text = section.text.clone();
    let (outline, entries) = (outline(&text), entries(&text));
    let mut known = Known::default();
    for entry in entries.iter().filter(|entry| entry.is_real()) {
        known.take(&said(&entry.text), entry.has_anchor(), Slot::Standing(entry.span));
    }
    let mut replaced: BTreeMap<Span, &Said> = BTreeMap::new();
    let mut added: Vec<&Said> = Vec::new();
    for passage in passages.iter().filter(|passage| passage.is_real() && !passage.text.is_empty()) {
        match known.take(&passage.text, passage.has_anchor(), Slot::Added(added.len())) {
            Taken::Nothing => {}
            Taken::New => added.push(passage),
            Taken::Stronger(Slot::Standing(span)) => drop(replaced.insert(span, passage)),
            Taken::Stronger(Slot::Added(index)) => {
                if let Some(weaker) = added.get_mut(index) {
                    *weaker = passage;
                }
            }
        }
    }
    let mut with = section.clone();
    with.replace_all(in_place(&outline, &replaced, role));
    let expected =
        entries.iter().map(|entry| replaced.get(&entry.span).map_or_else(|| said(&entry.text), |by| by.text.clone()));
    if self::entries(&with.text).iter().map(|entry| said(&entry.text)).eq(expected) {
        *section = with;
    } else {
        // Its neighbours would become a part of it, so it stands beside the weaker one.
        added.extend(replaced.into_values());
    }
    if added.is_empty() {
        return;
    }
    let items: Vec<Said> = added.into_iter().map(|said| Said { form: Form::Item, ..said.clone() }).collect();
    append(section, &listed(&items, role));
}

/// Passages in the places of the entries that they replace.
fn in_place(outline: &Outline<'_>, replaced: &BTreeMap<Span, &Said>, role: Role) -> Vec<(Span, Fragment)> {
    let places = places(outline);
    let edits = replaced.iter().filter_map(|(span, passage)| {
        let place = places.get(span)?;
        let comments = outline.comments(place.span()).map(|comment| comment.of(outline.text()));
        Some((place.span(), place.filled(passage, role, comments)))
    });
    edits.collect()
}

/// Where an entry stands that another one can replace.
enum Standing {
    /// An item: its bytes behind the marker, how many blanks follow that, and the column of its content.
    Item { span: Span, blanks: usize, column: usize },
    /// Another block.
    Block(Span),
}

impl Standing {
    const fn span(&self) -> Span {
        match self {
            Self::Item { span, .. } | Self::Block(span) => *span,
        }
    }

    /// A passage in this place, and the comments that stood there as blocks behind it.
    fn filled<'c>(&self, passage: &Said, role: Role, comments: impl Iterator<Item = &'c str>) -> Fragment {
        let (marker, width) = match self {
            Self::Item { blanks, column, .. } => (" ".repeat(*blanks), *column),
            Self::Block(_) => ("- ".to_owned(), "- ".len()),
        };
        let mut filled = Fragment::from(marker);
        let written = content_at(&passage.text, width);
        filled.push_from(&written, passage.origin(role, &written));
        let indent = " ".repeat(width);
        for comment in comments {
            let line =
                |line: &str| format!("{}{}", if line.trim().is_empty() { "" } else { &indent }, line.trim_start());
            let lines: Vec<String> = comment.lines().map(line).collect();
            filled.push(&format!("\n\n{}", lines.join("\n")));
        }
        if matches!(self, Self::Block(_)) {
            // What follows would be a part of the item.
            filled.push("\n");
        }
        filled
    }
}

/// The places of the entries of a section, by their bytes without the blanks around them.
fn places(outline: &Outline<'_>) -> BTreeMap<Span, Standing> {
    let text = outline.text();
    let mut places = BTreeMap::new();
    for block in &outline.blocks {
        if let BlockKind::List(items) = &block.kind {
            for &item in items {
                let column = content_column(text, item);
                let blanks = column - marker_column(text, item);
                places.insert(trimmed(item, text), Standing::Item { span: trimmed_end(text, item), blanks, column });
            }
        } else {
            places.insert(trimmed(block.span, text), Standing::Block(trimmed_end(text, block.span)));
        }
    }
    places
}

/// Puts entries behind those of a section; where nothing stands but `none` or `unverified`, in their place. Rows join a
/// table, items a list.
pub(super) fn append(section: &mut Fragment, entries: &Fragment) {
    let text = section.text.clone();
    let outline = outline(&text);
    if !self::entries(&text).iter().any(Said::is_real) {
        return fill(section, &outline, entries);
    }
    match outline.blocks.last().map(|block| &block.kind) {
        Some(BlockKind::Table(_)) if entries.text.starts_with('|') => behind(section, &rows(entries), "\n"),
        Some(BlockKind::List(_)) if entries.text.starts_with(['-', '*', '+']) => behind(section, entries, "\n"),
        _ => behind(section, entries, "\n\n"),
    }
}

/// Puts entries in the place of the first blocks that say nothing; headings, HTML comments and what stands below another
/// heading stay.
fn fill(section: &mut Fragment, outline: &Outline<'_>, entries: &Fragment) {
    let is_text = |block: &&Block<'_>| !matches!(block.kind, BlockKind::Empty | BlockKind::Heading(_));
    let first = outline.blocks.iter().position(|block| is_text(&block)).unwrap_or(outline.blocks.len());
    let blocks = outline.blocks.get(first..).unwrap_or_default().iter();
    let blocks = blocks.take_while(|block| !matches!(block.kind, BlockKind::Heading(_))).filter(is_text);
    let spans: Vec<Span> = blocks.map(|block| trimmed_end(outline.text(), block.span)).collect();
    if spans.is_empty() {
        return behind(section, entries, "\n\n");
    }
    let emptied = spans.into_iter().enumerate().map(|(number, span)| {
        let comments: Vec<&str> = outline.comments(span).map(|comment| comment.of(outline.text())).collect();
        let mut kept = Fragment::from(comments.join("\n"));
        if number == 0 {
            kept.push(if kept.text.is_empty() { "" } else { "\n\n" });
            kept.append(entries);
        }
        (span, kept)
    });
    section.replace_all(emptied);
    section.text.truncate(section.text.trim_end().len());
}

/// Why entries cannot stand behind those of a section.
pub(super) fn misfit(section: &Fragment, new: &Fragment) -> Option<&'static str> {
    let (standing, added) = (entries(&section.text), entries(&new.text));
    if !added.iter().any(Said::is_real) {
        let says_something = standing.iter().any(Said::is_real);
        return (added.is_empty() || says_something).then_some("this says nothing that can be added");
    }
    let (before, after) = (outline(&section.text), outline(&new.text));
    if let (Some(Some(header)), Some(Some(other))) =
        (before.blocks.last().map(header), after.blocks.first().map(header))
    {
        let cells =
            |cells: &[Span], text: &str| cells.iter().map(|cell| cell.of(text).trim().to_owned()).collect::<Vec<_>>();
        let same = cells(header, &section.text) == cells(other, &new.text);
        return (!same).then_some("this table has another header than the one that stands there");
    }
    if before.blocks.last().is_some_and(|last| header(last).is_some()) && new.text.starts_with('|') {
        return None;
    }
    let mut joined = section.clone();
    append(&mut joined, new);
    let texts =
        |said: &[Said]| said.iter().filter(|said| said.is_real()).map(|said| said.text.clone()).collect::<Vec<_>>();
    let expected = [texts(&standing), texts(&added)].concat();
    (texts(&entries(&joined.text)) != expected).then_some("this would become a part of the entry before it")
}

fn header<'b>(block: &'b Block<'_>) -> Option<&'b [Span]> {
    match &block.kind {
        BlockKind::Table(table) => Some(&table.header),
        BlockKind::Heading(_)
        | BlockKind::List(_)
        | BlockKind::Paragraph
        | BlockKind::Code
        | BlockKind::Quote
        | BlockKind::Empty => None,
    }
}

fn behind(section: &mut Fragment, entries: &Fragment, separator: &str) {
    let end = section.text.trim_end_matches(['\r', '\n']).len();
    let mut with = Fragment::from(if end == 0 { String::new() } else { separator.to_owned() });
    with.append(entries);
    section.replace(Span::new(end, section.text.len()), with);
}

fn trimmed_end(text: &str, span: Span) -> Span {
    Span::new(span.start(), span.start() + span.of(text).trim_end().len())
}

/// The rows of a table, without its header when it has one.
fn rows(entries: &Fragment) -> Fragment {
    let mut rows = entries.clone();
    let outline = outline(&entries.text);
    if let Some(BlockKind::Table(_)) = outline.blocks.first().map(|block| &block.kind) {
        let header: usize = entries.text.split_inclusive('\n').take(2).map(str::len).sum();
        let part = entries.parts.first().filter(|part| part.is_verbatim());
        rows = Fragment::default();
        let text = entries.text.get(header..).unwrap_or_default();
        match part {
            Some(part) => {
                let span = Span::new(part.origin.span.start() + header, part.origin.span.end());
                rows.push_from(text, Origin { span, ..part.origin });
            }
            None => rows.push(text),
        }
    }
    rows
}

/// What a section says already.
#[derive(Default)]
struct Known {
    texts: BTreeSet<String>,
    strong: BTreeSet<String>,
    weak: BTreeMap<String, Slot>,
}

/// Where an entry is.
#[derive(Clone, Copy)]
enum Slot {
    Standing(Span),
    Added(usize),
}

/// What a passage is beside those that are known.
enum Taken {
    Nothing,
    New,
    Stronger(Slot),
}

impl Known {
    fn take(&mut self, text: &str, anchored: bool, slot: Slot) -> Taken {
        if !self.texts.insert(text.trim().to_owned()) {
            return Taken::Nothing;
        }
        let claim = claim(text);
        if claim.is_empty() {
            return Taken::New;
        }
        if anchored {
            let weaker = self.weak.remove(&claim);
            self.strong.insert(claim);
            return weaker.map_or(Taken::New, Taken::Stronger);
        }
        if self.strong.contains(&claim) {
            return Taken::Nothing;
        }
        self.weak.entry(claim).or_insert(slot);
        Taken::New
    }
}

/// A text without the anchors at its ends and what only joins them to it, without a leading `unverified`, and without its
/// final stop. A code span is an anchor only behind a mark that sets it apart, else it is a part of the sentence.
pub(super) fn claim(text: &str) -> String {
    let outline: Outline<'_> = outline(text);
    let code: Vec<Span> = outline.code_span_places(Span::new(0, text.len())).collect();
    let anchors: Vec<Span> = anchor::anchors(text).map(|part| Span::of_part(text, part)).collect();
    let trimmed = |end: usize| text.get(..end).unwrap_or_default().trim_end_matches(is_joint).len();
    let mut end = text.trim_end_matches([' ', '\n', '.', '。']).len();
    loop {
        let inner = trimmed(end);
        let ends_here = |place: &&Span| place.end() == inner;
        let anchor = anchors.iter().filter(ends_here).map(|place| trimmed(place.start())).min();
        let apart = code.iter().find(ends_here).map(|place| (place.start(), trimmed(place.start())));
        let apart = apart.filter(|&(start, end)| Span::new(end, start).of(text).contains(|c: char| !c.is_whitespace()));
        match anchor.or(apart.map(|(_, end)| end)) {
            Some(before) => end = before,
            None => break,
        }
    }
    let kept = text.get(..end).unwrap_or_default();
    let marked = strip_word(kept, UNVERIFIED).map(str::trim_start).filter(|rest| rest.starts_with(is_punctuation));
    let kept = marked.map_or(kept, |rest| rest.trim_start_matches(|c: char| c.is_whitespace() || is_punctuation(c)));
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What stands between a claim and its anchor, or around that.
fn is_joint(c: char) -> bool {
    c.is_whitespace() || ".,:;()[]{}\"'–—。，：；、（）【】“”".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(section: &str, said: &[&str]) -> String {
        let said: Vec<Said> = said.iter().filter_map(|text| Said::reworked(text, Form::Item, Span::at(0))).collect();
        let mut section = Fragment::from(section.to_owned());
        merge(&mut section, &said, Role::Report);
        section.text
    }

    #[test]
    fn nothing_stands_twice() {
        assert_eq!(merged("- a\n- b", &["b", "c", "c", "none"]), "- a\n- b\n- c");
        assert_eq!(merged("* two\n  \\# lines", &["two\n# lines"]), "* two\n  \\# lines");
        assert_eq!(merged("text", &["text", "more"]), "text\n\n- more");
    }

    #[test]
    fn what_says_nothing_makes_room() {
        assert_eq!(merged("none", &["a"]), "- a");
        assert_eq!(merged("- none", &["a", "b"]), "- a\n- b");
        assert_eq!(merged("<!-- later -->\n- unverified", &["a"]), "<!-- later -->\n- a");
        assert_eq!(merged("", &["a"]), "- a");
    }

    #[test]
    fn comments_stay_where_they_are() {
        assert_eq!(merged("none\n\n<!-- c -->\n\nunverified", &["a"]), "- a\n\n<!-- c -->");
        assert_eq!(merged("- none <!-- c -->", &["a"]), "<!-- c -->\n\n- a");
        assert_eq!(merged("- It works. <!-- c -->", &["It works: `x`"]), "- It works: `x`\n\n  <!-- c -->");
        assert_eq!(
            merged("1. It works.\n\n   <!-- a\n\n     # b -->\n2. b", &["It works: `x`"]),
            "1. It works: `x`\n\n   <!-- a\n\n   # b -->\n2. b"
        );
        assert_eq!(merged("### A\n\nnone\n\n### B\n\nnone", &["a"]), "### A\n\n- a\n\n### B\n\nnone");
        assert_eq!(merged("### A", &["a"]), "### A\n\n- a");
    }

    #[test]
    fn an_entry_that_is_replaced_keeps_its_neighbours_apart() {
        let strong = "It works.\n\nsrc/a.rs:3";
        for (standing, expected) in [
            ("1. It works.\n2. b", "1. It works.\n\n   src/a.rs:3\n2. b"),
            ("10) It works.\n11) b", "10) It works.\n\n    src/a.rs:3\n11) b"),
            ("-   It works.\n-   b", "-   It works.\n\n    src/a.rs:3\n-   b"),
            ("-   It works.\n  - b", "-   It works.\n\n    src/a.rs:3\n  - b"),
            ("-\tIt works.\n  - b", "-   It works.\n\n    src/a.rs:3\n  - b"),
            ("   - It works.\n   - b", "   - It works.\n\n     src/a.rs:3\n   - b"),
            ("-\n  It works.\n- b", "- It works.\n\n  src/a.rs:3\n- b"),
            ("> It works.\n\nb", "- > It works."),
            ("It works.\n\nb", "- It works.\n\n  src/a.rs:3\n\n\nb"),
        ] {
            let now = merged(standing, &[strong]);
            let entries = |text: &str| entries(text).iter().map(|entry| said(&entry.text)).collect::<Vec<_>>();
            if standing.starts_with('>') {
                assert_eq!(entries(&now), ["> It works.", "b", strong]);
            } else {
                assert_eq!(now, expected);
                assert_eq!(entries(&now), [strong, "b"], "{now}");
            }
        }
    }

    #[test]
    fn an_entry_whose_neighbours_would_melt_into_another_one_stays_beside_it() {
        for standing in
            ["It works.\n\n  Other paragraph.", "It works.\n  - b\n  - c", "It works.\n\n    code", "    It works."]
        {
            let before = entries(standing).len();
            let now = merged(standing, &["It works: `x`"]);
            assert!(now.starts_with(standing), "{now}");
            assert_eq!(entries(&now).len(), before + 1, "{now}");
        }
    }

    #[test]
    fn a_code_span_in_a_sentence_is_a_part_of_its_claim() {
        for (weak, strong) in [
            ("Rows are lost.", "Rows are `not` lost."),
            ("The table is dropped.", "The table `ledger` is dropped."),
            ("The table", "The table `ledger`"),
        ] {
            assert_eq!(merged(&format!("- {weak}"), &[strong]), format!("- {weak}\n- {strong}"));
        }
    }

    #[test]
    fn what_stands_there_is_known_again() {
        for text in ["if x:\n    y", "a\n\n  b\n    c", "a\n\n\n    code"] {
            let once = merged("none", &[text]);
            assert_eq!(merged(&once, &[text]), once);
        }
    }

    #[test]
    fn entries_that_would_not_stay_themselves_are_no_fit() {
        let table = "| a | b |\n|---|---|\n| 1 | 2 |";
        for (section, new, fits) in [
            ("- a", "- b", true),
            ("- a", "* b", true),
            ("- a", "b\n\nc", true),
            ("none", "  - b", true),
            ("none", "none", true),
            ("- a", "none", false),
            ("- a", "", false),
            ("- a", "  - b", false),
            ("- a", "    code", false),
            ("<!-- open", "- b", false),
            (table, "| 3 | 4 |", true),
            (table, "| a | b |\n|:--|---|\n| 3 | 4 |", true),
            (table, "| b | a |\n|---|---|\n| 3 | 4 |", false),
        ] {
            let found = misfit(&Fragment::from(section.to_owned()), &Fragment::from(new.to_owned()));
            assert_eq!(found.is_none(), fits, "{section:?} + {new:?}: {found:?}");
        }
    }

    #[test]
    fn a_claim_with_an_anchor_replaces_the_same_claim_without_one_and_never_the_other_way_round() {
        assert_eq!(
            merged("- The rows are locked.", &["The rows are locked (src/a.rs:3)."]),
            "- The rows are locked (src/a.rs:3)."
        );
        assert_eq!(
            merged("- The rows are locked: `make test`", &["unverified: The rows are locked"]),
            "- The rows are locked: `make test`"
        );
        for (weak, strong) in [
            ("The C++ build is broken", "The C# build is broken (src/a.cs:3)"),
            ("Retries < 3 lose rows", "Retries > 3 lose rows: src/a.rs:3"),
            ("-5 degrees stop it", "5 degrees stop it: src/a.rs:3"),
            ("It is locked?", "It is locked. src/a.rs:3"),
            ("It is locked", "It is locked src/a.rs:3?"),
            ("unverified users can log in", "users can log in (src/a.rs:3)"),
        ] {
            let standing = format!("- {}", content_at(weak, 2));
            assert_eq!(merged(&standing, &[strong]), format!("{standing}\n- {strong}"));
        }
        for strong in [
            "The rows are locked (`make test`)",
            "The rows are locked — src/a.rs:3",
            "The rows are locked: [src/a.rs:3].",
        ] {
            assert_eq!(merged("- unverified: The rows are locked.", &[strong]), format!("- {strong}"));
        }
        assert_eq!(merged("- see src/a.rs:3", &["see src/a.rs:4"]), "- see src/a.rs:3\n- see src/a.rs:4");
        assert_eq!(merged("none", &["It works.", "It works: `cargo test`"]), "- It works: `cargo test`");
    }

    #[test]
    fn rows_join_a_table() {
        let table = "| a | b |\n|---|---|\n| 1 | 2 |";
        for rows in ["| 3 | 4 |", "| a | b |\n|---|---|\n| 3 | 4 |"] {
            let mut section = Fragment::from(table.to_owned());
            append(&mut section, &Fragment::from(rows.to_owned()));
            assert_eq!(section.text, format!("{table}\n| 3 | 4 |"));
        }
    }
}
