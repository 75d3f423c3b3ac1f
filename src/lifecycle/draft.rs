//! The version before, changed: sections get new contents, the front matter new values, everything else stays byte for
//! byte.

use std::collections::BTreeMap;

use super::fragment::{Fragment, Origin, Part};
use super::front_matter::Head;
use super::text::quoted;
use crate::document::Document;
use crate::document::content::{Content, trimmed};
use crate::document::outline::{BlockKind, Outline};
use crate::document::yaml::{Node, ScalarStyle};
use crate::protocol::keys::Key;
use crate::protocol::sections::{DetailsSection, Section, StateLine, TldrSection};
use crate::protocol::status::Status;
use crate::source::Span;

use super::said::outline;

/// A version that is being changed.
pub(super) struct Draft<'p> {
    previous: &'p Document<'p>,
    sections: BTreeMap<Section, Fragment>,
}

/// A changed text, and where its new parts came from.
#[derive(Debug)]
pub(super) struct Changed {
    pub(super) text: String,
    pub(super) parts: Vec<Part>,
}

impl<'p> Draft<'p> {
    pub(super) fn new(previous: &'p Document<'p>) -> Self {
        Self { previous, sections: BTreeMap::new() }
    }

    /// The content of a section as it is so far, without the blank lines around it.
    pub(super) fn section(&mut self, section: Section) -> &mut Fragment {
        let previous = self.previous;
        self.sections.entry(section).or_insert_with(|| {
            let standing = content(previous, section).map(|content| inner(previous.text, content.span));
            // A composed text has line feeds only, until it is written.
            Fragment::from(standing.map(|span| span.of(previous.text).replace("\r\n", "\n")).unwrap_or_default())
        })
    }

    /// The content of a section of the details.
    pub(super) fn details(&mut self, section: DetailsSection) -> &mut Fragment {
        self.section(Section::Details(section))
    }

    /// The content of a section of the TL;DR.
    pub(super) fn tldr(&mut self, section: TldrSection) -> &mut Fragment {
        self.section(Section::Tldr(section))
    }

    /// How many characters the TL;DR has now.
    pub(super) fn tldr_size(&self) -> usize {
        let whole = self.previous.tldr.span;
        let mut size = characters(whole.of(self.previous.text));
        for (&section, fragment) in self.sections.iter().filter(|(section, _)| matches!(section, Section::Tldr(_))) {
            let standing = content(self.previous, section).map(|content| inner(self.previous.text, content.span));
            size =
                size + characters(&fragment.text) - standing.map_or(0, |span| characters(span.of(self.previous.text)));
        }
        size
    }

    /// Makes the `Status:` line of Current State say `status`.
    pub(super) fn set_status(&mut self, status: Status) {
        let section = self.tldr(TldrSection::CurrentState);
        let text = section.text.clone();
        let line = format!("{} {status}", StateLine::Status);
        let outline = outline(&text);
        let items = outline.blocks.iter().flat_map(|block| match &block.kind {
            BlockKind::List(items) => items.as_slice(),
            _ => &[],
        });
        let mut items = items.filter(|item| outline.without_comments(**item).starts_with(StateLine::Status.as_str()));
        match items.next() {
            // What an input says about the state is judged, not repaired.
            Some(item) if section.parts.iter().any(|part| part.span.contains(item.start())) => {}
            Some(item) => section.replace_all(status_line(&outline, *item, &line)),
            None => section.replace(Span::at(0), Fragment::from(format!("- {line}\n"))),
        }
    }

    /// The text with the changed sections and a new front matter.
    pub(super) fn finish(self, head: &Head) -> Changed {
        let front_matter = (self.previous.fence.front_matter, Fragment::from(head.lines()));
        self.assembled(front_matter)
    }

    /// The text with the changed sections, and nothing else new but the time.
    pub(super) fn finish_at(self, head: &Head) -> Changed {
        let entry = self.previous.front_matter().and_then(|front_matter| front_matter.entry(Key::UpdatedAt));
        match entry.map(|entry| &entry.value) {
            Some(Node::Scalar(scalar)) if !matches!(scalar.style, ScalarStyle::Literal | ScalarStyle::Folded) => {
                let time = (scalar.span, Fragment::from(quoted(&head.updated_at)));
                self.assembled(time)
            }
            _ => self.finish(head),
        }
    }

    fn assembled(self, front_matter: (Span, Fragment)) -> Changed {
        let text = self.previous.text;
        let crlf = text.split('\n').next().is_some_and(|first| first.ends_with('\r'));
        let (front, lines) = front_matter;
        let mut edits = vec![(front, if crlf { lines.with_crlf(|_| true) } else { lines })];
        for (section, fragment) in self.sections {
            let Some(content) = content(self.previous, section) else { continue };
            let span = inner(text, content.span);
            if span.of(text).replace("\r\n", "\n") != fragment.text {
                let (span, new) = changed_lines(text, span, &framed(text, content.span, span, &fragment));
                edits.push((span, with_line_ends(&new, text, span, crlf)));
            }
        }
        edits.sort_by_key(|(span, _)| *span);
        let mut whole = Fragment::from(text.to_owned());
        whole.replace_all(edits);
        Changed { text: whole.text, parts: whole.parts }
    }
}

/// New text for `span` with the line ends of the document, but for lines that stood there: they keep theirs.
fn with_line_ends(new: &Fragment, text: &str, span: Span, crlf: bool) -> Fragment {
    // The end of the last line is behind `span`.
    let rest = text.get(span.start()..).unwrap_or_default();
    let last = rest.get(span.len()..).and_then(|behind| behind.find('\n')).map_or(rest.len(), |at| span.len() + at + 1);
    let standing: Vec<&str> = rest.get(..last).unwrap_or_default().split_inclusive('\n').collect();
    if standing.iter().all(|line| line.ends_with("\r\n") == crlf) {
        return new.with_crlf(|_| crlf);
    }
    let bare = |line: &str| line.trim_end_matches(['\r', '\n']).to_owned();
    let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    standing.iter().enumerate().for_each(|(number, line)| places.entry(bare(line)).or_default().push(number));
    let (mut at, mut next) = (0, 0);
    let mut kept = BTreeMap::new();
    for line in new.text.split_inclusive('\n') {
        let place = Span::new(at, at + line.len());
        at = place.end();
        let part = new.parts.partition_point(|part| part.span.end() <= place.start());
        if new.parts.get(part).is_some_and(|part| part.span.start() < place.end()) {
            continue;
        }
        let numbers = places.get(&bare(line)).map(Vec::as_slice).unwrap_or_default();
        let found = numbers.get(numbers.partition_point(|&number| number < next)).copied();
        // One blank line is like another.
        if let Some(found) = found.filter(|&found| found == next || !line.trim().is_empty()) {
            kept.insert(place.end() - 1, standing.get(found).is_some_and(|line| line.ends_with("\r\n")));
            next = found + 1;
        }
    }
    new.with_crlf(|line_end| kept.get(&line_end).copied().unwrap_or(crlf))
}

impl Changed {
    /// Where the bytes of `span` came from: exactly, where they were taken as they are, else the whole passage.
    pub(super) fn origin(&self, span: Span) -> Option<Origin> {
        let holds = |part: &&Part| part.span.start() <= span.start() && span.end() <= part.span.end();
        let part = self.parts.iter().filter(holds).min_by_key(|part| part.span.len())?;
        let start = part.origin.span.start() + span.start() - part.span.start();
        let span = if part.is_verbatim() { Span::new(start, start + span.len()) } else { part.origin.span };
        Some(Origin { span, ..part.origin })
    }
}

/// What makes an item say `line`: the texts of the item, with its comments between, become it and nothing.
fn status_line(outline: &Outline<'_>, item: Span, line: &str) -> Vec<(Span, Fragment)> {
    let ends = outline.comments(item).map(|comment| (comment.start(), comment.end()));
    let mut at = item.start();
    let mut edits = Vec::new();
    for (end, next) in ends.chain([(item.end(), item.end())]) {
        let text = trimmed(Span::new(at, end.max(at)), outline.text());
        if !text.is_empty() {
            edits.push((text, Fragment::from(if edits.is_empty() { line.to_owned() } else { String::new() })));
        }
        at = next;
    }
    edits
}

fn content<'d, 's>(document: &'d Document<'s>, section: Section) -> Option<&'d Content<'s>> {
    match section {
        Section::Tldr(section) => document.tldr.content(section),
        Section::Details(section) => document.section(section),
    }
}

/// The lines of a content without the blank ones around them; in an empty one, the place behind its heading.
fn inner(text: &str, content: Span) -> Span {
    let raw = content.of(text);
    let start = raw.len() - raw.trim_start().len();
    let line = raw.get(..start).and_then(|blank| blank.rfind('\n')).map_or(start, |at| at + 1);
    let end = raw.trim_end().len();
    // Blanks at the end of the last line are its own.
    let blanks = raw.get(end..).unwrap_or_default();
    let end = if end == 0 { 0 } else { end + blanks.len() - blanks.trim_start_matches([' ', '\t']).len() };
    if end == 0 { content } else { Span::new(content.start() + line, content.start() + end) }
}

/// What is left of an edit without the lines at its beginning and its end that stay as they are.
fn changed_lines(text: &str, span: Span, new: &Fragment) -> (Span, Fragment) {
    let (first, last) = (new.parts.first(), new.parts.last());
    let (first, last) =
        (first.map_or(new.text.len(), |part| part.span.start()), last.map_or(0, |part| part.span.end()));
    let same = |(old, new): &(&str, &str)| old.replace("\r\n", "\n") == *new;
    let (mut before, mut kept_before) = (0, 0);
    let lines = span.of(text).split_inclusive('\n').zip(new.text.split_inclusive('\n'));
    for (old, line) in lines.take_while(same) {
        // A line without its end may go on; and a part stays whole, so that places in it can be told.
        if !line.ends_with('\n') || kept_before + line.len() > first {
            break;
        }
        (before, kept_before) = (before + old.len(), kept_before + line.len());
    }
    let (old, rest) = (Span::new(span.start() + before, span.end()), new.cut(kept_before, new.text.len()));
    let (mut after, mut kept_after) = (0, 0);
    let lines = old.of(text).split_inclusive('\n').rev().zip(rest.text.split_inclusive('\n').rev());
    for (old, line) in lines.take_while(same) {
        if kept_before + rest.text.len() - kept_after - line.len() < last {
            break;
        }
        (after, kept_after) = (after + old.len(), kept_after + line.len());
    }
    (Span::new(old.start(), old.end() - after), rest.cut(0, rest.text.len() - kept_after))
}

/// The new content with the line breaks that it needs where the section was empty, or where an underlined heading follows.
fn framed(text: &str, content: Span, inner: Span, fragment: &Fragment) -> Fragment {
    if inner != content {
        let mut framed = fragment.clone();
        let follows = text.get(inner.end()..).and_then(|behind| behind.split('\n').nth(1)).unwrap_or_default();
        framed.push(if follows.trim().is_empty() || follows.starts_with('#') { "" } else { "\n" });
        return framed;
    }
    let mut framed = Fragment::from("\n".to_owned());
    framed.append(fragment);
    framed.push(if content.end() == text.len() { "\n" } else { "\n\n" });
    framed
}

/// The length as the TL;DR counts: a CRLF is one character.
fn characters(text: &str) -> usize {
    text.chars().count() - text.matches("\r\n").count()
}
