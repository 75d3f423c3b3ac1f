//! The body as `CommonMark` with tables (PROTOCOL §5): the blocks at document level, and the headings among them.
//!
//! Headings in code, HTML, quotes and list items are part of those blocks and no headings of the document. Offsets of the
//! Markdown parser become offsets in the whole file here and nowhere else.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, OffsetIter, Options, Parser, Tag, TagEnd};

use crate::protocol::anchor;
use crate::protocol::character;
use crate::protocol::profile::Profile;
use crate::protocol::sections;
use crate::source::Span;

/// The blocks of the body, in order.
#[derive(Debug)]
pub struct Outline<'s> {
    text: &'s str,
    /// Every block at document level.
    pub blocks: Vec<Block<'s>>,
    /// The opening line of a fenced code block that runs to the end of the file.
    pub unclosed_code_fence: Option<Span>,
    /// Every HTML comment, at any level, in order.
    comments: Vec<Span>,
    /// Every code span, at any level, in order.
    code_spans: Vec<Span>,
}

/// True when `text`, as the text of one item, contains an anchor, code spans included.
pub fn has_anchor(text: &str) -> bool {
    let whole = Span::new(0, text.len());
    let code = || Outline::parse(text, whole, Profile::Full).code_spans(whole).next().is_some();
    anchor::contains_anchor(text) || code()
}

/// A block at document level.
#[derive(Debug)]
pub struct Block<'s> {
    /// What it is.
    pub kind: BlockKind<'s>,
    /// Its bytes.
    pub span: Span,
}

/// The kinds of [`Block`].
#[derive(Debug)]
pub enum BlockKind<'s> {
    /// A heading.
    Heading(Heading<'s>),
    /// A list: the bytes of each item behind its marker.
    List(Vec<Span>),
    /// A table.
    Table(Table),
    /// A paragraph.
    Paragraph,
    /// A fenced or indented code block.
    Code,
    /// A block quote.
    Quote,
    /// An HTML block or a thematic break: no content.
    Empty,
}

/// A heading at document level.
#[derive(Debug)]
pub struct Heading<'s> {
    /// 1 to 6.
    pub level: u8,
    /// The title as it is written, without markers, closing hashes and blanks around it.
    pub raw: &'s str,
    /// The title of the template that this heading stands for.
    pub title: Option<Cow<'s, str>>,
    /// How the title is written.
    pub form: Form,
}

/// How a heading is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As in the template: `## Title`.
    Plain,
    /// Underlined.
    Setext,
    /// The title is one of the template only once rendered, or without its emoji.
    Markup,
}

/// A table at document level.
#[derive(Debug, Default)]
pub struct Table {
    /// The cells of the header row.
    pub header: Vec<Span>,
    /// The cells of the other rows.
    pub rows: Vec<Vec<Span>>,
}

impl<'s> Outline<'s> {
    /// Reads the part of `text` at `body`.
    pub fn parse(text: &'s str, body: Span, profile: Profile) -> Self {
        let readable = without_stray_tabs(body.of(text));
        let parser = Parser::new_ext(&readable, Options::ENABLE_TABLES);
        let mut reader = Reader {
            events: parser.into_offset_iter(),
            profile,
            base: body.start(),
            outline: Self {
                text,
                blocks: Vec::new(),
                unclosed_code_fence: None,
                comments: Vec::new(),
                code_spans: Vec::new(),
            },
        };
        while let Some((event, range)) = reader.events.next() {
            reader.block(&event, range);
        }
        reader.outline
    }

    /// The whole file.
    pub fn text(&self) -> &'s str {
        self.text
    }

    /// The heading at a block index.
    pub fn heading(&self, block: usize) -> Option<(&Heading<'s>, Span)> {
        match self.blocks.get(block) {
            Some(Block { kind: BlockKind::Heading(heading), span }) => Some((heading, *span)),
            _ => None,
        }
    }

    /// The headings among the blocks of `range` whose level is one of `levels`, each with its block index.
    pub fn headings(&self, range: Range<usize>, levels: Range<u8>) -> impl Iterator<Item = (usize, &Heading<'s>)> {
        let blocks = self.blocks.get(range.clone()).unwrap_or_default();
        range.zip(blocks).filter_map(move |(index, block)| match &block.kind {
            BlockKind::Heading(heading) if levels.contains(&heading.level) => Some((index, heading)),
            _ => None,
        })
    }

    /// The bytes between the blocks `range.start - 1` and `range.end`.
    pub fn between(&self, range: Range<usize>) -> Span {
        let start =
            range.start.checked_sub(1).and_then(|before| self.blocks.get(before)).map_or(0, |block| block.span.end());
        let end = self.blocks.get(range.end).map_or(self.text.len(), |block| block.span.start());
        Span::new(start, end)
    }

    /// The contents of the code spans inside `span`.
    pub fn code_spans(&self, span: Span) -> impl Iterator<Item = &'s str> {
        let text = self.text;
        self.code_span_places(span).map(move |code| code.of(text).trim_matches('`').trim())
    }

    /// The code spans inside `span`, with their backticks.
    pub fn code_span_places(&self, span: Span) -> impl Iterator<Item = Span> {
        let first = self.code_spans.partition_point(|code| code.end() <= span.start());
        let spans = self.code_spans.get(first..).unwrap_or_default().iter();
        spans.copied().take_while(move |code| code.start() < span.end())
    }

    /// The HTML comments inside `span`.
    pub fn comments(&self, span: Span) -> impl Iterator<Item = Span> {
        let first = self.comments.partition_point(|comment| comment.end() <= span.start());
        let comments = self.comments.get(first..).unwrap_or_default();
        comments.iter().copied().take_while(move |comment| comment.start() < span.end())
    }

    /// The text at `span` without HTML comments and without blanks around it.
    pub fn without_comments(&self, span: Span) -> Cow<'s, str> {
        let mut kept = String::new();
        let mut at = span.start();
        for comment in self.comments(span) {
            kept.push_str(Span::new(at, comment.start()).of(self.text));
            at = comment.end();
        }
        if at == span.start() {
            return Cow::Borrowed(span.of(self.text).trim());
        }
        kept.push_str(Span::new(at, span.end()).of(self.text));
        Cow::Owned(kept.trim().to_owned())
    }
}

/// The text with every tab at the end of a line, and in a line of a table that only says how columns are aligned, as a
/// space: the Markdown parser takes neither for a blank.
fn without_stray_tabs(text: &str) -> Cow<'_, str> {
    if !text.contains('\t') {
        return Cow::Borrowed(text);
    }
    let aligns = |line: &str| {
        line.contains(['|', '-']) && line.trim_start_matches(' ').bytes().all(|byte| b"|:- \t\r\n".contains(&byte))
    };
    let lines = text.split_inclusive('\n').map(|line| {
        let kept = if aligns(line) && !line.starts_with('\t') { "" } else { line.trim_end_matches(LINE_END) };
        let blanks = line.get(kept.len()..).unwrap_or_default().replace('\t', " ");
        format!("{kept}{blanks}")
    });
    Cow::Owned(lines.collect())
}

struct Reader<'p, 's> {
    events: OffsetIter<'p>,
    profile: Profile,
    base: usize,
    outline: Outline<'s>,
}

impl<'p, 's> Reader<'p, 's> {
    /// Reads one event at document level; a start is read to its end.
    fn block(&mut self, event: &Event<'p>, range: Range<usize>) {
        let mut span = self.place(range);
        let kind = match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let text = span.of(self.outline.text).trim_end_matches(LINE_END);
                span = Span::new(span.start(), span.start() + text.len());
                BlockKind::Heading(self.heading(*level, span))
            }
            Event::Start(Tag::List(_)) => BlockKind::List(self.list()),
            Event::Start(Tag::Table(_)) => BlockKind::Table(self.table()),
            Event::Start(Tag::CodeBlock(kind)) => {
                self.code(kind, span);
                BlockKind::Code
            }
            Event::Start(Tag::BlockQuote(_)) => {
                self.skip();
                BlockKind::Quote
            }
            Event::Start(Tag::HtmlBlock) => {
                self.html_block(span);
                BlockKind::Empty
            }
            // With tables as the only extension, what is left is a paragraph.
            Event::Start(_) => {
                self.skip();
                BlockKind::Paragraph
            }
            _ => BlockKind::Empty,
        };
        self.outline.blocks.push(Block { kind, span });
    }

    fn place(&self, range: Range<usize>) -> Span {
        Span::from(range).shifted(self.base)
    }

    /// Reads to the end of the element whose start was just read, and notes the comments and code fences in it. Elements
    /// nest as deep as the input wants, so their depth is counted, not recursed on.
    fn skip(&mut self) {
        let mut depth = 0_usize;
        // An event is large, so it is looked at where it is.
        while let Some((event, range)) = &self.events.next() {
            let span = self.place(range.clone());
            match event {
                Event::Start(Tag::CodeBlock(kind)) => self.code(kind, span),
                Event::Start(Tag::HtmlBlock) => self.html_block(span),
                Event::Start(_) => depth += 1,
                Event::End(_) if depth == 0 => return,
                Event::End(_) => depth -= 1,
                Event::InlineHtml(html) if html.starts_with("<!--") => self.outline.comments.push(span),
                Event::Code(code) if !character::is_blank(code) => self.outline.code_spans.push(span),
                _ => {}
            }
        }
    }

    fn heading(&mut self, level: HeadingLevel, span: Span) -> Heading<'s> {
        let mut rendered = String::new();
        for (event, _) in self.events.by_ref() {
            match event {
                Event::End(TagEnd::Heading(_)) => break,
                Event::Text(text) | Event::Code(text) => rendered.push_str(&text),
                Event::SoftBreak | Event::HardBreak => rendered.push(' '),
                _ => {}
            }
        }
        let source = span.of(self.outline.text);
        let setext = source.trim_end().contains('\n');
        let raw = if setext { source.lines().next().unwrap_or_default().trim() } else { atx_title(source) };
        let level = level as u8;
        let (form, title) = template_title(level, raw, &rendered, setext);
        let title = title.filter(|_| self.profile == Profile::Full || form == Form::Plain);
        Heading { level, raw, title, form }
    }

    fn list(&mut self) -> Vec<Span> {
        let mut items = Vec::new();
        while let Some((event, range)) = self.events.next() {
            match event {
                Event::Start(Tag::Item) => {
                    let item = self.place(range);
                    items.push(behind_marker(item, self.outline.text));
                    self.skip();
                }
                Event::End(_) => break,
                _ => {}
            }
        }
        items
    }

    fn table(&mut self) -> Table {
        let mut table = Table::default();
        let mut row = Vec::new();
        while let Some((event, range)) = self.events.next() {
            match event {
                Event::Start(Tag::TableCell) => {
                    row.push(self.place(range));
                    self.skip();
                }
                Event::End(TagEnd::TableHead) => table.header = std::mem::take(&mut row),
                Event::End(TagEnd::TableRow) => table.rows.push(std::mem::take(&mut row)),
                Event::End(TagEnd::Table) => break,
                _ => {}
            }
        }
        table
    }

    /// A fenced block is closed exactly when a line follows its content: the closing fence is not content.
    fn code(&mut self, kind: &CodeBlockKind<'_>, span: Span) {
        let text = self.outline.text;
        let opening_end = span.start() + span.of(text).find('\n').map_or(span.of(text).len(), |at| at + 1);
        let mut content_end = opening_end;
        while let Some((event, range)) = self.events.next() {
            match event {
                Event::End(_) => break,
                _ => content_end = self.place(range).end(),
            }
        }
        let closing = Span::new(content_end, span.end()).of(text);
        let closed = closing.contains(['`', '~']);
        let is_last = || text.get(span.end()..).is_none_or(|rest| rest.trim_start().is_empty());
        if matches!(kind, CodeBlockKind::Fenced(_)) && !closed && is_last() {
            let opening = Span::new(span.start(), opening_end).of(text).trim_end();
            let opening = Span::new(span.start(), span.start() + opening.len());
            self.outline.unclosed_code_fence.get_or_insert(opening);
        }
    }

    fn html_block(&mut self, span: Span) {
        for (event, _) in self.events.by_ref() {
            if matches!(event, Event::End(_)) {
                break;
            }
        }
        let html = span.of(self.outline.text);
        let mut at = 0;
        while let Some(start) = html.get(at..).and_then(|rest| rest.find("<!--")).map(|offset| at + offset) {
            at = comment_end(html, start);
            self.outline.comments.push(Span::new(start, at).shifted(span.start()));
        }
    }
}

/// Where the HTML comment that begins at `start` ends; an open one ends with the block.
fn comment_end(html: &str, start: usize) -> usize {
    let content = start + "<!--".len();
    let rest = html.get(content..).unwrap_or_default();
    let at_once = [">", "->"].iter().find(|short| rest.starts_with(**short)).map(|short| short.len());
    at_once.or_else(|| rest.find("-->").map(|at| at + "-->".len())).map_or(html.len(), |len| content + len)
}

/// The blanks that Markdown strips around a title; U+00A0 is none.
const BLANKS: [char; 2] = [' ', '\t'];

/// What stands between the title of a heading and the next line.
const LINE_END: [char; 4] = [' ', '\t', '\r', '\n'];

/// The title in `## title ##`, of which the spec's own blanks are stripped and no others.
fn atx_title(source: &str) -> &str {
    let line = source.trim_end_matches(['\n', '\r']);
    let title = line.trim_start_matches('#').trim_matches(BLANKS);
    let open = title.trim_end_matches('#');
    if open.is_empty() || open.ends_with(BLANKS) { open.trim_end_matches(BLANKS) } else { title }
}

/// The template title that a heading stands for, and how it is written.
fn template_title<'r>(level: u8, raw: &'r str, rendered: &str, setext: bool) -> (Form, Option<Cow<'r, str>>) {
    let known = |title: &str| sections::is_template_title(level, title);
    let plain = if setext { Form::Setext } else { Form::Plain };
    if known(raw) {
        return (plain, Some(Cow::Borrowed(raw)));
    }
    let bare = character::without_emoji(rendered);
    let bare = bare.trim_matches(BLANKS);
    if known(bare) { (Form::Markup, Some(Cow::Owned(bare.to_owned()))) } else { (plain, None) }
}

/// The bytes of a list item behind its bullet or number, which may be indented.
fn behind_marker(item: Span, text: &str) -> Span {
    let source = item.of(text);
    let marker = source.trim_start_matches(BLANKS);
    let digits = marker.bytes().take_while(u8::is_ascii_digit).count();
    let len = source.len() - marker.len() + digits + 1;
    Span::new(item.start() + len.min(source.len()), item.end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(text: &str) -> Outline<'_> {
        Outline::parse(text, Span::new(0, text.len()), Profile::Full)
    }

    fn titles(text: &str) -> Vec<(u8, String, Form)> {
        let outline = outline(text);
        let all = outline.headings(0..outline.blocks.len(), 1..7);
        all.map(|(_, heading)| (heading.level, heading.title.clone().unwrap_or_default().into_owned(), heading.form))
            .collect()
    }

    #[test]
    fn only_headings_at_document_level_count() {
        let text = "# TL;DR\n- # TL;DR\n\n> # TL;DR\n\n```\n# TL;DR\n```\n<!--\n# TL;DR\n-->\n\n    # TL;DR\n";
        assert_eq!(titles(text), [(1, "TL;DR".to_owned(), Form::Plain)]);
    }

    #[test]
    fn a_template_title_is_recognised_in_every_form() {
        for (text, form) in [
            ("## Objective ##\r\n", Form::Plain),
            ("   ##\tObjective\t \n", Form::Plain),
            ("Objective\n---\n", Form::Setext),
            ("## **Objective**\n", Form::Markup),
            ("## 🎯 Objective\n", Form::Markup),
            ("## 1\u{fe0f}\u{20e3} Objective\n", Form::Markup),
            ("## Obj&#101;ctive\n", Form::Markup),
            ("## Objective <!-- x -->\n", Form::Markup),
        ] {
            assert_eq!(titles(text), [(2, "Objective".to_owned(), form)], "{text}");
        }
        for text in ["## Objective\u{a0}\n", "## objective\n", "## Objective:\n", "## Objective#\n"] {
            assert_eq!(titles(text), [(2, String::new(), Form::Plain)], "{text}");
        }
        assert_eq!(titles("##\u{a0}Objective\n\n##Objective\n"), []);
    }

    #[test]
    fn a_code_fence_is_unclosed_only_when_it_runs_to_the_end_of_the_file() {
        let opening = |text: &'static str| outline(text).unclosed_code_fence.map(|span| span.of(text));
        assert_eq!(opening("a\n\n```bash\ncargo test\n"), Some("```bash"));
        assert_eq!(opening("```"), Some("```"));
        assert_eq!(opening("- a\n  ~~~\n  x\n\n"), Some("~~~"));
        assert_eq!(opening("> ```\n> x"), Some("```"));
        assert_eq!(opening("````\n```\n"), Some("````"));
        assert_eq!(opening("```\nx\n```"), None);
        assert_eq!(opening("```\n```\n"), None);
        assert_eq!(opening("> ```\n> x\n\nafter\n"), None);
        assert_eq!(opening("    indented\n"), None);
        assert_eq!(opening("```\nx\n``` \t\n"), None);
    }

    #[test]
    fn a_tab_in_the_alignment_row_leaves_a_table_a_table() {
        let outline = outline("| a | b |\n|\t---|---|\t\n| 1 | 2 |\n");
        assert!(
            matches!(outline.blocks.first(), Some(Block { kind: BlockKind::Table(table), .. }) if table.rows.len() == 1)
        );
    }

    #[test]
    fn code_spans_are_those_of_the_parser_and_no_code_blocks() {
        let text = "- `C:\\work\\` and `` a`b ``\n- see\n  ```\n  nothing\n  ```\n- \\`no`\n";
        let outline = outline(text);
        let whole = Span::new(0, text.len());
        assert_eq!(outline.code_spans(whole).collect::<Vec<_>>(), ["C:\\work\\", "a`b"]);
    }

    #[test]
    fn comments_are_no_text_but_code_that_looks_like_one_is() {
        let text = "- <!-- todo -->\n- a <!-- b --> c\n- `<!-- d -->`\n- <!-- e --> f\n";
        let outline = outline(text);
        let Some(Block { kind: BlockKind::List(items), .. }) = outline.blocks.first() else { panic!("no list") };
        let texts: Vec<_> = items.iter().map(|&item| outline.without_comments(item)).collect();
        assert_eq!(texts, ["", "a  c", "`<!-- d -->`", "f"]);
    }

    #[test]
    fn a_comment_ends_where_it_says_and_an_open_one_with_its_block() {
        for (html, end) in [("<b><!-- x --> y", 13), ("<b><!--> y", 8), ("<b><!---> y", 9), ("<b><!-- x", 9)] {
            assert_eq!(comment_end(html, 3), end, "{html}");
        }
    }

    #[test]
    fn an_anchor_of_an_item_may_be_code() {
        assert!(has_anchor("src/a.rs:1") && has_anchor("run `cargo test`"));
        assert!(!has_anchor("run it") && !has_anchor("```\ncode\n```"));
    }
}
