//! Passages join the entries of a section: nothing stands twice, and no evidence gets weaker.
//!
//! A *duplicate* has the same text. Two entries make the same *claim* when their words agree, anchors and a leading
//! `unverified` aside; the one with an anchor is the stronger, and takes the place of the other.

use std::collections::{BTreeMap, BTreeSet};

use super::fragment::{Fragment, Origin, Role};
use super::said::{Form, Said, entries, listed, outline};
use super::text::{content, paragraph, read};
use crate::document::outline::{BlockKind, Outline};
use crate::protocol::anchor;
use crate::protocol::words::{UNVERIFIED, strip_word};
use crate::source::Span;

/// Adds the passages that say something new.
pub(super) fn merge(section: &mut Fragment, said: &[Said], role: Role) {
    let entries = entries(&section.text);
    let mut known = Known::default();
    for entry in entries.iter().filter(|entry| entry.is_real()) {
        known.take(&read(&entry.text), entry.has_anchor(), Slot::Standing(entry.span, entry.form));
    }
    let mut replaced: BTreeMap<Span, (Form, &Said)> = BTreeMap::new();
    let mut added: Vec<&Said> = Vec::new();
    for passage in said.iter().filter(|passage| passage.is_real() && !passage.text.is_empty()) {
        match known.take(&passage.text, passage.has_anchor(), Slot::Added(added.len())) {
            Taken::Nothing => {}
            Taken::New => added.push(passage),
            Taken::Stronger(Slot::Standing(span, form)) => drop(replaced.insert(span, (form, passage))),
            Taken::Stronger(Slot::Added(index)) => {
                if let Some(weaker) = added.get_mut(index) {
                    *weaker = passage;
                }
            }
        }
    }
    section.replace_all(replaced.into_iter().map(|(span, (form, passage))| {
        let mut with = Fragment::default();
        let text = if form == Form::Item { content(&passage.text) } else { paragraph(&passage.text) };
        with.push_from(&text, Origin { role, span: passage.span });
        (span, with)
    }));
    if added.is_empty() {
        return;
    }
    let items: Vec<Said> = added.into_iter().map(|said| Said { form: Form::Item, ..said.clone() }).collect();
    append(section, &listed(&items, role));
}

/// Puts entries behind those of a section; where nothing stands but `none` or `unverified`, in their place. Rows join a
/// table, items a list.
pub(super) fn append(section: &mut Fragment, entries: &Fragment) {
    let text = section.text.clone();
    let outline = outline(&text);
    if !self::entries(&text).iter().any(Said::is_real) {
        let blocks = outline.blocks.iter().filter(|block| !matches!(block.kind, BlockKind::Empty));
        let spans: Vec<Span> = blocks.map(|block| block.span).collect();
        return match (spans.first(), spans.last()) {
            (Some(first), Some(last)) => section.replace(first.to(trimmed_end(&text, *last)), entries.clone()),
            _ => behind(section, entries, "\n\n"),
        };
    }
    match outline.blocks.last().map(|block| &block.kind) {
        Some(BlockKind::Table(_)) if entries.text.starts_with('|') => behind(section, &rows(entries), "\n"),
        Some(BlockKind::List(_)) if entries.text.starts_with(['-', '*', '+']) => behind(section, entries, "\n"),
        _ => behind(section, entries, "\n\n"),
    }
}

fn behind(section: &mut Fragment, entries: &Fragment, separator: &str) {
    let end = section.text.trim_end().len();
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
    Standing(Span, Form),
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

/// The words of a text without its anchors and without a leading `unverified`.
fn claim(text: &str) -> String {
    let outline: Outline<'_> = outline(text);
    let code = outline.code_spans(Span::new(0, text.len()));
    let mut places: Vec<Span> = anchor::anchors(text).chain(code).map(|part| Span::of_part(text, part)).collect();
    places.sort_unstable();
    let mut words = String::new();
    let mut at = 0;
    for place in places.into_iter().chain([Span::at(text.len())]) {
        let between = Span::new(at, place.start());
        for word in between.of(text).split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            words.push_str(word);
            words.push(' ');
        }
        at = at.max(place.end());
    }
    strip_word(&words, UNVERIFIED).unwrap_or(&words).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(section: &str, said: &[&str]) -> String {
        let said: Vec<Said> = said.iter().filter_map(|text| Said::new(text, Form::Item, Span::at(0))).collect();
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
    fn a_claim_with_an_anchor_replaces_the_same_claim_without_one_and_never_the_other_way_round() {
        assert_eq!(
            merged("- The rows are locked.", &["The rows are locked (src/a.rs:3)."]),
            "- The rows are locked (src/a.rs:3)."
        );
        assert_eq!(
            merged("- The rows are locked: `make test`", &["unverified: The rows are locked"]),
            "- The rows are locked: `make test`"
        );
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
