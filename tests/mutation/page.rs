//! A valid fixture, the places in it, and edits of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use handoff_guard::check::{Verifiable, verify};
use handoff_guard::document::front_matter::FrontMatter;
use handoff_guard::document::rounds::Record;
use handoff_guard::document::yaml::{Entry, Node};
use handoff_guard::protocol::keys::Key;
use handoff_guard::protocol::profile::Profile;
use handoff_guard::protocol::sections::{DetailsSection, Field, TldrSection};
use handoff_guard::protocol::status::Status;
use handoff_guard::source::{Source, Span};

use crate::support;

/// The seven documents that are one session: every spelling of every defect is made of them, of the others only some.
const SESSION: [&str; 7] =
    ["initial", "needs-answers", "collecting", "review-pending", "ready", "ready-with-risks", "blocked"];

/// The valid fixtures.
pub(super) static PAGES: LazyLock<Vec<Page>> = LazyLock::new(|| {
    support::valid_fixtures()
        .into_iter()
        .enumerate()
        .map(|(number, (path, bytes))| Page::new(number, &path, bytes))
        .collect()
});

/// Every version of a legal life that follows another, with its predecessor.
pub(super) static STEPS: LazyLock<Vec<Page>> = LazyLock::new(|| {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let lives = support::files_below(&fixtures.join("succession/legal"));
    let session = |name: &str| {
        let path = fixtures.join(format!("valid/{name}.handoff.md"));
        (path.clone(), fs::read(path).unwrap())
    };
    let lives = lives.windows(2).map(|pair| [pair[0].clone(), pair[1].clone()]);
    let lives = lives.filter(|[earlier, later]| earlier.0.parent() == later.0.parent());
    let sessions = SESSION[..5].windows(2).map(|pair| [session(pair[0]), session(pair[1])]);
    let ends = SESSION[5..].iter().map(|end| [session(SESSION[3]), session(end)]);
    let pairs = lives.chain(sessions).chain(ends).enumerate();
    let step = |(number, [earlier, later]): (usize, [(PathBuf, Vec<u8>); 2])| {
        let previous = Some(Box::new(Page::new(number, &earlier.0, earlier.1)));
        Page { previous, ..Page::new(number, &later.0, later.1) }
    };
    pairs.map(step).collect()
});

/// A valid document.
pub(super) struct Page {
    /// Its file name without the ending.
    pub(super) name: String,
    pub(super) text: &'static str,
    pub(super) version: Verifiable<'static>,
    /// The version before, in [`STEPS`].
    pub(super) previous: Option<Box<Self>>,
    /// Its place among the fixtures.
    pub(super) number: usize,
}

/// A section, a round or a field.
#[derive(Clone, Copy)]
pub(super) struct Region {
    pub(super) heading: Span,
    /// What stands under the heading, up to the next region.
    pub(super) body: Span,
}

impl Region {
    pub(super) fn whole(self) -> Span {
        self.heading.to(self.body)
    }

    /// The edit that gives it another body.
    pub(super) fn edit(self, body: &str) -> (Span, String) {
        (self.body, format!("\n{body}\n\n"))
    }
}

impl Page {
    /// Reads a document, which stays in memory until the tests end.
    fn new(number: usize, path: &Path, bytes: Vec<u8>) -> Self {
        let name = path.file_name().unwrap().to_string_lossy().replace(".handoff.md", "");
        let source: &'static Source = Box::leak(Box::new(Source::new(bytes)));
        let version = verify(source, Profile::Full).unwrap_or_else(|found| panic!("{name}: {found:?}"));
        Self { name, text: source.text().unwrap(), version, previous: None, number }
    }

    /// True for a document of which all variants are made.
    pub(super) fn is_thorough(&self) -> bool {
        self.previous.is_some() || SESSION.contains(&self.name.as_str())
    }

    /// All of `variants` for a document of the session, otherwise one of them, not always the same.
    pub(super) fn some<'v, T>(&self, variants: &'v [T]) -> impl Iterator<Item = &'v T> + use<'v, T> {
        let all = self.is_thorough();
        let one = self.number % variants.len().max(1);
        variants.iter().enumerate().filter(move |(index, _)| all || *index == one).map(|(_, variant)| variant)
    }

    pub(super) fn status(&self) -> Status {
        self.version.document().status().unwrap().value
    }

    pub(super) fn round(&self) -> u32 {
        self.version.document().round().unwrap().value
    }

    /// The text before the byte at `offset`.
    pub(super) fn before(&self, offset: usize) -> &'static str {
        Span::new(0, offset).of(self.text)
    }

    /// The text from the byte at `offset` on.
    pub(super) fn behind(&self, offset: usize) -> &'static str {
        Span::new(offset, self.text.len()).of(self.text)
    }

    /// Where the line ends that holds the byte at `offset`, its line break included.
    pub(super) fn line_end(&self, offset: usize) -> usize {
        self.behind(offset).find('\n').map_or(self.text.len(), |end| offset + end + 1)
    }

    /// The text with every span replaced; none overlap.
    pub(super) fn with(&self, edits: &[(Span, impl AsRef<str>)]) -> String {
        let mut edits: Vec<_> = edits.iter().collect();
        edits.sort_by_key(|(span, _)| *span);
        let mut text = String::new();
        let mut copied = 0;
        for (span, new) in edits {
            text += Span::new(copied, span.start()).of(self.text);
            text += new.as_ref();
            copied = span.end();
        }
        text + self.behind(copied)
    }

    /// The text with two spans exchanged; the first stands before the second.
    pub(super) fn swapped(&self, first: Span, second: Span) -> String {
        let whole = |span: Span| span.of(self.text).trim_end().to_owned() + "\n\n";
        self.with(&[(first, &whole(second)), (second, &whole(first))])
    }

    /// The text with `new` before the byte at `offset`.
    pub(super) fn inserted(&self, offset: usize, new: &str) -> String {
        self.with(&[(Span::at(offset), new)])
    }

    /// The text without `span`.
    pub(super) fn without(&self, span: Span) -> String {
        self.with(&[(span, "")])
    }

    pub(super) fn front_matter(&self) -> FrontMatter<'_> {
        self.version.document().front_matter().unwrap()
    }

    /// The entries of the front matter and of every evidence element.
    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.front_matter().root.entries.iter().chain(self.evidence())
    }

    /// The value of an entry, with the header of a block scalar.
    pub(super) fn value(&self, entry: &Entry) -> Span {
        let (behind_key, value) = (entry.key.span().end(), entry.value.span());
        if value.is_empty() {
            return Span::at(behind_key + 1);
        }
        let header = Span::new(behind_key, value.start()).of(self.text).find(['|', '>']);
        header.map_or(value, |header| Span::new(behind_key + header, value.end()))
    }

    /// The edit that gives an entry another value.
    pub(super) fn value_edit(&self, entry: &Entry, value: &str) -> (Span, String) {
        let old = self.value(entry);
        let written = old.of(self.text).trim_end().len();
        let blanks = Span::new(old.start() + written, old.end()).of(self.text);
        (old, format!(" {value}{blanks}"))
    }

    pub(super) fn entry(&self, key: Key) -> &Entry {
        self.front_matter().entry(key).unwrap()
    }

    /// The text with another value of an entry.
    pub(super) fn set(&self, entry: &Entry, value: &str) -> String {
        self.with(&[self.value_edit(entry, value)])
    }

    /// The entries of the front matter and the lines of each, unless all stand in braces.
    pub(super) fn lines(&self) -> Vec<(&Entry, Span)> {
        let root = self.front_matter().root;
        self.lines_of(&root.entries, self.version.document().fence.front_matter.end(), root.flow)
    }

    /// The entries of every evidence element that is not written in braces, without the first, which shares its line with
    /// the dash, and the lines of each.
    pub(super) fn evidence_lines(&self) -> Vec<(&Entry, Span)> {
        let entries = self.evidence();
        let end = self.line_end(entries.last().unwrap().value.span().end());
        let Node::Sequence(list) = &self.entry(Key::StatusEvidence).value else { panic!() };
        let flow = list.flow || list.items.iter().any(|item| matches!(item, Node::Mapping(item) if item.flow));
        let lines = self.lines_of(entries, end, flow);
        lines.into_iter().filter(|(_, span)| self.behind(span.start()).starts_with("    ")).collect()
    }

    fn lines_of<'e>(
        &self,
        entries: impl IntoIterator<Item = &'e Entry>,
        end: usize,
        flow: bool,
    ) -> Vec<(&'e Entry, Span)> {
        let entries: Vec<&Entry> = entries.into_iter().filter(|_| !flow).collect();
        let start = |entry: &Entry| self.before(entry.key.span().start()).rfind('\n').unwrap() + 1;
        let ends = entries.iter().skip(1).map(|entry| start(entry)).chain([end]);
        entries.iter().zip(ends).map(|(entry, end)| (*entry, Span::new(start(entry), end))).collect()
    }

    /// The entries of every evidence element, in order.
    pub(super) fn evidence(&self) -> Vec<&Entry> {
        let elements = self.front_matter().evidence().unwrap().items.iter();
        let entries = elements.map(|element| match element {
            Node::Mapping(mapping) => &mapping.entries,
            Node::Scalar(_) | Node::Sequence(_) | Node::Alias(_) => panic!("{}: an element is a mapping", self.name),
        });
        entries.flatten().collect()
    }

    /// The six sections of the TL;DR.
    pub(super) fn tldr(&self) -> Vec<(TldrSection, Region)> {
        let part = &self.version.document().tldr;
        let ends = part.sections.iter().skip(1).map(|next| next.heading_span.start()).chain([part.span.end()]);
        let regions = part.sections.iter().zip(ends).map(|(section, end)| {
            (
                section.known.unwrap(),
                Region { heading: section.heading_span, body: Span::new(section.heading_span.end(), end) },
            )
        });
        regions.collect()
    }

    /// The sections of the details, in the order of the protocol, up to the next heading of level 2, known or not.
    pub(super) fn details(&self) -> Vec<(DetailsSection, Region)> {
        let part = self.version.document().details.as_ref().unwrap();
        let ends = part.sections.iter().skip(1).map(|next| next.heading_span.start()).chain([part.span.end()]);
        let regions = part.sections.iter().zip(ends).filter_map(|(section, end)| {
            let region = Region { heading: section.heading_span, body: Span::new(section.heading_span.end(), end) };
            Some((section.known?, region))
        });
        regions.collect()
    }

    pub(super) fn tldr_section(&self, wanted: TldrSection) -> Region {
        self.tldr().into_iter().find(|(section, _)| *section == wanted).unwrap().1
    }

    pub(super) fn section(&self, wanted: DetailsSection) -> Region {
        self.details().into_iter().find(|(section, _)| *section == wanted).unwrap().1
    }

    /// The text with another body of a region.
    pub(super) fn put(&self, region: Region, body: &str) -> String {
        self.with(&[region.edit(body)])
    }

    /// The rounds and the final review, each with its place.
    pub(super) fn records(&self) -> Vec<(&Record<'static>, Region)> {
        let document = self.version.document();
        let end = self.section(DetailsSection::Interrogation).body.end();
        let place = |record: &Record<'_>| {
            let region = document.region(record);
            Region { heading: record.heading, body: Span::new(record.heading.end(), region.end().min(end)) }
        };
        document.records().map(|record| (record, place(record))).collect()
    }

    /// The fields of a record, each with its place.
    pub(super) fn fields(record: &Record<'_>, place: Region) -> Vec<(Field, Region)> {
        let ends = record.fields.iter().skip(1).map(|next| next.heading.start()).chain([place.body.end()]);
        let regions = record.fields.iter().zip(ends);
        regions
            .map(|(field, end)| {
                (field.field, Region { heading: field.heading, body: Span::new(field.heading.end(), end) })
            })
            .collect()
    }

    /// A field of a record.
    pub(super) fn field(record: &Record<'_>, place: Region, wanted: Field) -> Option<Region> {
        Self::fields(record, place).into_iter().find(|(field, _)| *field == wanted).map(|(_, region)| region)
    }
}
