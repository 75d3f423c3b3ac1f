//! Changes that mean nothing to the protocol: what was valid stays valid.

use handoff_guard::check::{Baseline, check};
use handoff_guard::document::content::Content;
use handoff_guard::document::yaml::{Entry, Node, Resolved, Scalar};
use handoff_guard::protocol::keys::Key;
use handoff_guard::protocol::profile::Profile;
use handoff_guard::protocol::sections::{DetailsSection, Field, TLDR_LIMIT};
use handoff_guard::protocol::status::Status;
use handoff_guard::source::{Source, Span};

use super::page::{PAGES, Page, STEPS};
use super::tldr::characters;
use super::{changed, every_one_is_tried};

type Change = fn(&Page) -> Vec<String>;

/// Changes that are neutral in recorded rounds too.
const OF_FORM: &[Change] = &[line_ends, ends_of_files, blank_lines, quotes, keys, comments, flow];

/// Changes of the text.
const OF_TEXT: &[Change] = &[bullets, headings, asides, decoys, nothing, unasked_answers, tables];

fn line_ends(page: &Page) -> Vec<String> {
    let lines = page.text.replace("\r\n", "\n");
    let alternating = lines.split_inclusive('\n').enumerate();
    let alternating =
        alternating.map(|(index, line)| if index % 2 == 0 { line.to_owned() } else { line.replace('\n', "\r\n") });
    vec![lines.replace('\n', "\r\n"), alternating.collect(), lines]
}

fn ends_of_files(page: &Page) -> Vec<String> {
    let text = page.text.trim_end();
    ["", "\n", "\r\n", "\n\n\n", "\n  \n\t\n", "\n \u{20}"].map(|end| format!("{text}{end}")).to_vec()
}

/// Where headings begin and end, but the first, before which nothing may stand.
fn edges(page: &Page) -> Vec<Span> {
    let tldr = page.tldr().into_iter().map(|(_, region)| region);
    let details = page.details().into_iter().map(|(_, region)| region);
    let fields = page.records().into_iter().flat_map(|(record, place)| {
        let fields = Page::fields(record, place).into_iter().map(|(_, region)| region);
        [place].into_iter().chain(fields)
    });
    tldr.chain(details).chain(fields).map(|region| region.heading).collect()
}

/// The text with `insert` at places, of those inside the TL;DR only as many as it has room for.
fn inserted_at(page: &Page, places: impl IntoIterator<Item = usize>, insert: &str) -> String {
    let tldr = page.version.document().tldr.span;
    let mut room = TLDR_LIMIT - characters(tldr.of(page.text));
    let fits = |at: &usize| {
        let inside = tldr.contains(*at) || *at == tldr.end();
        let length = if inside { characters(insert) } else { 0 };
        let fits = length <= room;
        room -= if fits { length } else { 0 };
        fits
    };
    let edits: Vec<_> = places.into_iter().filter(fits).map(|at| (Span::at(at), insert)).collect();
    page.with(&edits)
}

fn blank_lines(page: &Page) -> Vec<String> {
    let before = || edges(page).into_iter().map(Span::start);
    let behind = || edges(page).into_iter().map(|heading| page.line_end(heading.end()));
    let mut texts = Vec::new();
    for blank in page.some(&["\n", "\n\n\n", "\r\n", "  \n", "\n\t\n"]) {
        texts.push(inserted_at(page, before(), blank));
        texts.push(inserted_at(page, behind(), blank));
    }
    let bare = || edges(page).into_iter().filter(|heading| !heading.of(page.text).trim_end().ends_with('#'));
    let ends = page.some(&["  ", "\t", " ##", "\t####  "]);
    texts.extend(ends.map(|end| inserted_at(page, bare().map(Span::end), end)));
    texts.push(page.inserted(page.version.document().fence.body.start(), "\n\n \n"));
    texts
}

/// The string that an entry holds.
fn string(entry: &Entry) -> Option<&Scalar> {
    match &entry.value {
        Node::Scalar(scalar) if scalar.resolve() == Resolved::String => Some(scalar),
        _ => None,
    }
}

fn double_quoted(text: &str) -> String {
    format!(
        "\"{}\"",
        text.replace('\\', "\\\\").replace('"', "\\\"").replace('\r', "\\r").replace('\n', "\\n").replace('\t', "\\t")
    )
}

fn quotes(page: &Page) -> Vec<String> {
    let strings: Vec<(&Entry, &str)> =
        page.entries().filter_map(|entry| Some((entry, string(entry)?.text.as_str()))).collect();
    let all = |write: fn(&str) -> String| {
        let edits: Vec<_> = strings.iter().map(|(entry, text)| page.value_edit(entry, &write(text))).collect();
        page.with(&edits)
    };
    let single = |text: &str| {
        let breaks = text.contains(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']);
        if breaks { double_quoted(text) } else { format!("'{}'", text.replace('\'', "''")) }
    };
    let escaped = |text: &str| {
        let escapes = text.chars().map(|c| format!("\\U{:08x}", u32::from(c)));
        format!("\"{}\"", escapes.collect::<String>())
    };
    let nulls = page
        .entries()
        .filter(|entry| matches!(&entry.value, Node::Scalar(scalar) if scalar.resolve() == Resolved::Null));
    let nulls: Vec<&Entry> = nulls.collect();
    let spelled = page
        .some(&["null", "~", "Null", "NULL"])
        .map(|null| page.with(&nulls.iter().map(|entry| page.value_edit(entry, null)).collect::<Vec<_>>()));
    [all(double_quoted), all(single), all(escaped)].into_iter().chain(spelled).collect()
}

fn keys(page: &Page) -> Vec<String> {
    let quoted = |write: fn(&str) -> String| {
        let edits = page.entries().map(|entry| (entry.key.span(), write(entry.key.as_key().unwrap())));
        page.with(&edits.collect::<Vec<_>>())
    };
    let mut texts = vec![quoted(|key| format!("\"{key}\"")), quoted(|key| format!("'{key}'"))];
    let lines = page.lines();
    if let (Some((_, first)), Some((_, last))) = (lines.first(), lines.last()) {
        let mut order: Vec<&str> = lines.iter().map(|(_, line)| line.of(page.text)).collect();
        order.reverse();
        texts.push(page.with(&[(first.to(*last), order.concat())]));
        order.rotate_left(page.number % 13);
        texts.push(page.with(&[(first.to(*last), order.concat())]));
        let explicit = lines.iter().filter(|(entry, line)| entry.key.span().start() == line.start());
        let explicit = explicit.map(|(entry, line)| {
            (Span::new(line.start(), entry.key.span().end() + 1), format!("? {}\n:", entry.key.as_key().unwrap()))
        });
        texts.push(page.with(&explicit.collect::<Vec<_>>()));
    }
    texts
}

fn comments(page: &Page) -> Vec<String> {
    const LINES: &[&str] =
        &["# a comment\n", "\n", "  # session_id: x\n", "# --- &a *b !c\n", "#\n\n", "# - kind: source\r\n", "   \n"];
    let starts: Vec<usize> = page.lines().into_iter().map(|(_, line)| line.start()).collect();
    let between =
        page.some(LINES).map(|line| page.with(&starts.iter().map(|at| (Span::at(*at), line)).collect::<Vec<_>>()));
    let plain = |entry: &&Entry| string(entry).is_some_and(|scalar| !scalar.span.of(page.text).contains('\n'));
    let ends: Vec<usize> = page
        .entries()
        .filter(plain)
        .map(|entry| page.value(entry).end())
        .filter(|end| page.text.as_bytes()[*end] == b'\n')
        .collect();
    let behind = page.some(&[" # why", "  ", " #", "\t# tab", " # : \" ' [ {"]);
    between
        .chain(behind.map(|end| page.with(&ends.iter().map(|at| (Span::at(*at), end)).collect::<Vec<_>>())))
        .collect()
}

/// The front matter or its evidence in braces.
pub(super) fn flow(page: &Page) -> Vec<String> {
    let scalar = |node: &Node| match node {
        Node::Scalar(scalar) if scalar.resolve() == Resolved::String => double_quoted(&scalar.text),
        Node::Scalar(scalar) if scalar.resolve() == Resolved::Null => "null".to_owned(),
        node => node.span().of(page.text).to_owned(),
    };
    let pairs = |entries: &[Entry]| {
        let pairs =
            entries.iter().map(|entry| format!("\"{}\": {}", entry.key.as_key().unwrap(), scalar(&entry.value)));
        format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
    };
    let elements = page.front_matter().evidence().unwrap().items.iter().map(|element| match element {
        Node::Mapping(mapping) => pairs(&mapping.entries),
        Node::Scalar(_) | Node::Sequence(_) | Node::Alias(_) => panic!("{}: an element is a mapping", page.name),
    });
    let evidence = format!("[{}]", elements.collect::<Vec<_>>().join(", "));
    let others: Vec<Entry> = page
        .front_matter()
        .root
        .entries
        .iter()
        .filter(|entry| !entry.key.is_key(Key::StatusEvidence.as_str()))
        .cloned()
        .collect();
    let all = pairs(&others).replacen('{', &format!("{{\"{}\": {evidence}, ", Key::StatusEvidence), 1);
    vec![
        page.set(page.entry(Key::StatusEvidence), &evidence),
        page.with(&[(page.version.document().fence.front_matter, all.clone() + "\n")]),
        page.with(&[(page.version.document().fence.front_matter, all.replace(", ", ",\n  ") + "\n")]),
    ]
}

/// The body with each line that begins an item changed.
fn with_items(page: &Page, change: impl Fn(&str, &str) -> String) -> String {
    let body = page.version.document().fence.body;
    let mut before = "";
    let lines = body.of(page.text).split_inclusive('\n').map(|line| {
        let item = line.starts_with("- ") && line.contains(|c: char| !matches!(c, '-' | ' ' | '\r' | '\n'));
        let line = if item { change(before, line) } else { line.to_owned() };
        before = if item { "- " } else { "" };
        line
    });
    page.with(&[(body, lines.collect::<String>())])
}

fn bullets(page: &Page) -> Vec<String> {
    let mut texts = vec![
        with_items(page, |_, item| item.replacen('-', "*", 1)),
        with_items(page, |_, item| item.replacen('-', "+", 1)),
    ];
    let tldr = page.version.document().tldr.span.of(page.text);
    let nested = page.version.document().fence.body.of(page.text).contains("\n  ");
    if !nested && characters(tldr) + 2 * tldr.lines().count() <= TLDR_LIMIT {
        texts.push(with_items(
            page,
            |before, item| if before.is_empty() { item.to_owned() } else { format!("\n{item}") },
        ));
        for marker in page.some(&["-   ", "-\t", "1. ", "7) ", "*  "]) {
            texts.push(with_items(page, |_, item| item.replacen("- ", marker, 1)));
        }
    }
    texts
}

fn headings(page: &Page) -> Vec<String> {
    let mut texts = Vec::new();
    for blank in page.some(&[" ", "   ", "\t"]) {
        let behind_hashes = edges(page).into_iter().map(|heading| {
            let hashes = heading.of(page.text).find("# ").unwrap();
            heading.start() + hashes + 1
        });
        texts.push(inserted_at(page, behind_hashes, blank));
    }
    let unindented = edges(page).into_iter().map(Span::start).filter(|at| page.before(*at).ends_with('\n'));
    texts.push(inserted_at(page, unindented, " "));
    texts
}

/// Blocks that are no entries, in front of headings.
fn asides(page: &Page) -> Vec<String> {
    const ASIDES: &[&str] = &[
        "***",
        "___",
        "* * *",
        "---",
        "<!-- a note -->",
        "<!-- ## Objective -->",
        "<!--\n# TL;DR\n\n## Notes\n-->",
        "<div>\n</div>",
        "<!-- ### Round 7 -->",
        "<!-- - Status: READY -->",
        "<?php ?>",
        "[label]: https://example.org/",
    ];
    let before = || edges(page).into_iter().map(Span::start);
    page.some(ASIDES).map(|aside| inserted_at(page, before(), &format!("\n\n{aside}\n\n"))).collect()
}

/// Entries that look like the template, where any entry may stand.
fn decoys(page: &Page) -> Vec<String> {
    const SECTIONS: &[DetailsSection] = &[
        DetailsSection::AcceptanceCriteria,
        DetailsSection::CompletedWork,
        DetailsSection::Constraints,
        DetailsSection::FailedAttempts,
        DetailsSection::RecommendedNextActions,
    ];
    const DECOYS: &[&str] = &[
        "```\n# TL;DR\n\n## Objective\n- <objective>\n```",
        "~~~markdown\n---\nschema_version: 1\n---\n# Handoff Details\n~~~",
        "````\n```\n## Interrogation\n### Round 9\n#### Status\nBLOCKED\n```\n````",
        "    ## Final Successor Summary\n    ### Final Review",
        "> # Appendix\n> ## Notes\n> - Status: READY",
        "- # Appendix\n- ## Notes\n  ### Round 4",
        "<pre>\n## Decisions\n<objective>\n</pre>",
        "- <objective>",
        "<one sentence>",
        "| Decision | Reason |\n|---|---|\n| a | b |",
        "Status: READY_WITH_RISKS",
        "- Status: BLOCKED\n- Modified: none\n- Verified: yes",
        "unknown",
        "- None\n- n/a\n- 无",
        "##### Round 5\n###### Status",
        "`---` and `...` and &a *a !b <<: x",
        "مرحبا \u{200d} 👩\u{200d}💻 任务交接 é e\u{301}",
        "\\# TL;DR\n\\## Objective",
        "[a]: /b \"## Objective\"\n\n![x](y) <https://example.org/> <b>bold</b>",
        "Line one  \nline two\\\nline three",
    ];
    let mut texts = Vec::new();
    for (index, decoy) in page.some(DECOYS).enumerate() {
        let region = page.section(SECTIONS[(page.number + index) % SECTIONS.len()]);
        texts.push(page.inserted(region.body.end(), &format!("\n\n{decoy}\n\n")));
        texts.push(page.put(region, &format!("- An item.\n\n{decoy}")));
    }
    texts
}

/// `none` as a paragraph and as an item.
fn nothing(page: &Page) -> Vec<String> {
    let sections = page
        .details()
        .into_iter()
        .filter(|(section, _)| page.version.document().section(*section).is_some_and(Content::is_none));
    let fields = page.records().into_iter().flat_map(|(record, place)| {
        Page::fields(record, place).into_iter().filter(|(field, _)| record.content(*field).unwrap().is_none())
    });
    let regions: Vec<_> = sections.map(|(_, region)| region).chain(fields.map(|(_, region)| region)).collect();
    let spellings = page.some(&[
        "none",
        "- none",
        "* none",
        "1. none",
        "  none  ",
        "\n\n+   none",
        "none\n\n<!-- so far -->",
        "- none\n-",
    ]);
    spellings.map(|none| page.with(&regions.iter().map(|region| region.edit(none)).collect::<Vec<_>>())).collect()
}

/// No answer, in a round that has none yet or asks nothing.
fn unasked_answers(page: &Page) -> Vec<String> {
    let mut texts = Vec::new();
    for (record, place) in page.records() {
        let Some(region) = Page::field(record, place, Field::Answers).filter(|_| !record.has_answers()) else {
            continue;
        };
        texts.push(page.without(region.whole()));
        texts.extend(["", "none", "- none", "<!-- none yet -->"].map(|none| page.put(region, none)));
    }
    if page.status() == Status::Collecting && page.round() == 0 {
        let region = page.section(DetailsSection::Interrogation);
        let skeleton: Vec<String> = Field::words().map(|field| format!("#### {field}\n\n")).collect();
        texts.extend(["", "none", "- none"].map(|none| page.put(region, none)));
        texts.push(page.put(region, &format!("### Round 1\n{}", skeleton.concat())));
    }
    texts
}

fn tables(page: &Page) -> Vec<String> {
    let region = page.section(DetailsSection::Decisions);
    let table = region.body.of(page.text);
    let alignments = page.some(&[
        "| :-- | :-: | --: | - |",
        ":-|-:|:-:|-",
        "|-|-|-|-|",
        "  |---|---|---|---|  ",
        "|\t---|---|---|---|",
    ]);
    let texts =
        alignments.map(|alignment| page.with(&[(region.body, table.replacen("|---|---|---|---|", alignment, 1))]));
    texts.chain([page.with(&[(region.body, table.replace(" |\n", "\n").replace("\n| ", "\n"))])]).collect()
}

/// Holds every changed document to its baseline; returns how many there are.
#[track_caller]
fn assert_accepted(
    pages: &'static [Page],
    changes: &[Change],
    against: fn(&'static Page) -> Baseline<'static>,
) -> usize {
    let mut count = 0;
    let mut rejected = Vec::new();
    for page in pages {
        let texts = changes.iter().flat_map(|change| change(page)).filter(|text| text != page.text).enumerate();
        let step = if every_one_is_tried() { 1 } else { 3 };
        for (_, text) in texts.filter(|(index, _)| (index + page.number).is_multiple_of(step)) {
            let source = Source::new(text);
            let verdict = check(&source, Profile::Full, against(page));
            count += 1;
            if !verdict.is_valid() {
                let ids: Vec<&str> = verdict.diagnostics().errors().map(|found| found.rule.id).collect();
                rejected.push(format!("{}: {ids:?}\n{}", page.name, changed(page.text, &source.printable())));
            }
        }
    }
    let shown: Vec<_> = rejected.iter().step_by(rejected.len().div_ceil(24).max(1)).map(String::as_str).collect();
    assert!(rejected.is_empty(), "{} of {count} neutral changes are rejected:\n{}", rejected.len(), shown.join("\n"));
    count
}

#[test]
fn another_form_changes_no_verdict() {
    let count = assert_accepted(&PAGES, OF_FORM, |_| Baseline::Standalone);
    assert!(count >= 900, "only {count} changes of form");
}

#[test]
fn text_that_means_nothing_changes_no_verdict() {
    let count = assert_accepted(&PAGES, OF_TEXT, |_| Baseline::Standalone);
    assert!(count >= 500, "only {count} changes of the text");
}

#[test]
fn a_next_version_in_another_form_still_follows() {
    let after = |page: &'static Page| Baseline::Update { previous: &page.previous.as_ref().unwrap().version };
    let count = assert_accepted(&STEPS, OF_FORM, after);
    assert!(count >= 200, "only {count} next versions");
}
