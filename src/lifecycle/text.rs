//! Text of people in places where it must stay text: values of the front matter, items of a section.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::protocol::character::forbidden;
use crate::protocol::words::{self, NONE, UNVERIFIED};

/// A value of the front matter in double quotes, whatever it looks like.
pub(super) fn quoted(text: &str) -> String {
    let mut value = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => value.extend(['\\', c]),
            '\n' => value.push_str("\\n"),
            '\r' => value.push_str("\\r"),
            '\t' => value.push_str("\\t"),
            // An escape that decodes to a forbidden character is forbidden too, so it is spelt out.
            c if forbidden(c).is_some() => value.extend(['\\'].into_iter().chain(c.escape_unicode())),
            '\u{85}' | '\u{a0}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                // Writing to a string cannot fail.
                let _ = write!(value, "\\u{:04x}", u32::from(c));
            }
            c => value.push(c),
        }
    }
    value.push('"');
    value
}

/// A text as one item of a list: one line, no block structure of its own, no word that means nothing.
pub(super) fn item(text: &str) -> String {
    let inline = inline(&one_line(text));
    if means_nothing(&inline) { format!("\"{inline}\"") } else { guarded(&inline, Line::First) }
}

/// A text behind the label of an item.
pub(super) fn value(text: &str) -> String {
    let inline = inline(&one_line(text));
    if means_nothing(&inline) { format!("\"{inline}\"") } else { inline }
}

/// A text of any number of lines as what stands behind the `- ` of an item: every line stays inside, and none is a
/// heading, a fence or HTML. [`read`] gives the same text back.
pub(super) fn content(text: &str) -> String {
    content_at(text, INDENT.len())
}

/// The same where later lines of the item are indented by `width`.
pub(super) fn content_at(text: &str, width: usize) -> String {
    let inline = inline(text.trim());
    let lines = inline.split('\n').zip(Line::all()).map(|(line, place)| match place {
        Line::First => guarded(line, place),
        Line::Later if line.is_empty() => String::new(),
        Line::Later => format!("{}{}", " ".repeat(width), guarded(line, place)),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A text as one paragraph, made harmless in the same way.
pub(super) fn paragraph(text: &str) -> String {
    let inline = inline(text.trim());
    let lines = inline.split('\n').filter(|line| !line.trim().is_empty());
    lines.map(|line| guarded(line.trim_start(), Line::First)).collect::<Vec<_>>().join("\n")
}

/// The text of an entry as it was said in a report, from the raw Markdown behind the marker of an item: the indentation
/// and the backslashes that kept it harmless are gone.
pub fn read(content: &str) -> String {
    said(&dedented_by(content.trim(), INDENT.len()))
}

/// The same from lines that are no longer indented.
pub(super) fn said(text: &str) -> String {
    let lines = text.split('\n').zip(Line::all()).map(|(line, place)| unguarded(line, place));
    plain(&lines.collect::<Vec<_>>().join("\n"))
}

/// The lines of a text, all but the first without up to `width` columns of indentation; a line break is one line feed.
pub(super) fn dedented_by(text: &str, width: usize) -> String {
    let text = text.replace("\r\n", "\n");
    let later = text.split('\n').skip(1).map(|line| {
        let mut columns = 0;
        let blanks = line.bytes().take_while(|&byte| {
            let is_indentation = columns < width && matches!(byte, b' ' | b'\t');
            columns = if byte == b'\t' { columns / TAB * TAB + TAB } else { columns + 1 };
            is_indentation
        });
        line.get(blanks.count()..).unwrap_or_default()
    });
    text.split('\n').take(1).chain(later).collect::<Vec<_>>().join("\n")
}

/// How many columns a tab reaches at most.
pub(super) const TAB: usize = 4;

/// The lines of a text without the indentation that all but the first have in common; a line break is one line feed.
pub(super) fn dedented(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let indentation = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let later = || text.split('\n').skip(1);
    let common = later().filter(|line| !line.trim().is_empty()).map(indentation).min().unwrap_or_default();
    let first = text.split('\n').take(1);
    let later = later().map(|line| line.get(common.min(indentation(line))..).unwrap_or_default());
    first.chain(later).collect::<Vec<_>>().join("\n")
}

/// What the later lines of an item are indented by.
const INDENT: &str = "  ";

/// A line of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// Behind the marker.
    First,
    /// Below it, where a list may be nested.
    Later,
}

impl Line {
    /// The places of the lines of a text, in order.
    fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::First).chain(std::iter::repeat(Self::Later))
    }
}

/// The beginning of a text that is, made harmless by `harmless`, at most `limit` characters long: what is cut is the text,
/// or half of a code span would be left.
pub(super) fn shortened(text: &str, limit: usize, harmless: fn(&str) -> String) -> String {
    let mut shown = harmless(text);
    let mut kept = limit;
    loop {
        let excess = shown.chars().count().saturating_sub(limit);
        if excess == 0 || kept == 0 {
            return shown;
        }
        // A character can become eight, as an escape.
        kept = kept.saturating_sub(if kept == limit { 1 } else { excess.div_ceil(8) });
        let cut: String = text.chars().take(kept).chain(['…']).collect();
        shown = harmless(&cut);
    }
}

fn means_nothing(text: &str) -> bool {
    words::is_none_item(text) || words::is_misspelt(text) || text == NONE || text == UNVERIFIED
}

/// The words of a text on one line; forbidden characters are spelt out.
fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown = String::with_capacity(line.len());
    for c in line.chars() {
        match forbidden(c) {
            Some(_) => shown.extend(c.escape_unicode()),
            None => shown.push(c),
        }
    }
    shown
}

/// Escapes every `<` and backtick outside of code spans that end on their line: no HTML, no comment, no placeholder, and no
/// code that reaches farther than it did before its line became part of something else.
fn inline(text: &str) -> String {
    outside_code(text, |slashes| 2 * slashes + 1)
}

/// Undoes [`inline`].
fn plain(text: &str) -> String {
    outside_code(text, |slashes| slashes / 2)
}

/// The text with another number of backslashes before every `<` and backtick outside of code spans.
fn outside_code(text: &str, slashes: impl Fn(usize) -> usize) -> String {
    let mut shown = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let spans = CodeSpans::of(line);
        let mut at = 0;
        while let Some(offset) = line.get(at..).and_then(|rest| rest.find(['`', '<', '\\'])) {
            let mark = at + offset;
            let escape = self::slashes(line.get(mark..).unwrap_or_default());
            shown.push_str(line.get(at..mark).unwrap_or_default());
            let marked = mark + escape;
            // An escaped backtick opens no code span.
            let code = if escape.is_multiple_of(2) { spans.end(marked) } else { None };
            at = match code {
                Some(end) => {
                    shown.push_str(line.get(mark..end).unwrap_or_default());
                    end
                }
                None if line.get(marked..).is_some_and(|rest| rest.starts_with(['`', '<'])) => {
                    let end = spans.run_end(marked).unwrap_or(marked + 1);
                    for (number, mark) in line.get(marked..end).unwrap_or_default().chars().enumerate() {
                        shown.push_str(&"\\".repeat(slashes(if number == 0 { escape } else { 0 })));
                        shown.push(mark);
                    }
                    end
                }
                None => {
                    shown.push_str(line.get(mark..marked).unwrap_or_default());
                    marked
                }
            };
        }
        shown.push_str(line.get(at..).unwrap_or_default());
    }
    shown
}

/// The runs of backticks of a line, by their starts, each with its end and the end of the code span that it opens.
struct CodeSpans(BTreeMap<usize, (usize, Option<usize>)>);

impl CodeSpans {
    fn of(line: &str) -> Self {
        let mut runs = Vec::new();
        let mut at = 0;
        while let Some(offset) = line.get(at..).and_then(|rest| rest.find('`')) {
            let start = at + offset;
            at = start + line.bytes().skip(start).take_while(|&byte| byte == b'`').count();
            runs.push((start, at));
        }
        // The last end of a run of each length, read from the right.
        let mut ends = BTreeMap::new();
        let closed = runs.into_iter().rev().map(|(start, end)| (start, (end, ends.insert(end - start, end))));
        Self(closed.collect())
    }

    /// The end of the run that begins here.
    fn run_end(&self, start: usize) -> Option<usize> {
        self.0.get(&start).map(|&(end, _)| end)
    }

    /// The end of the code span that begins here, when it ends on its line.
    fn end(&self, start: usize) -> Option<usize> {
        self.0.get(&start).and_then(|&(_, end)| end)
    }
}

/// Escapes what would begin a block: heading, quote, list, rule, fence, link definition.
fn guarded(line: &str, place: Line) -> String {
    let Some(at) = opening(line, place) else { return line.to_owned() };
    let (before, marker) = line.split_at_checked(at).unwrap_or_default();
    let run = slashes(marker);
    format!("{before}{}{marker}", "\\".repeat(run + 1))
}

/// Undoes [`guarded`].
fn unguarded(line: &str, place: Line) -> String {
    let Some(at) = opening(line, place) else { return line.to_owned() };
    let (before, marker) = line.split_at_checked(at).unwrap_or_default();
    let run = slashes(marker);
    let kept = if run % 2 == 1 { run / 2 } else { run };
    format!("{before}{}", marker.get(run - kept..).unwrap_or_default())
}

fn slashes(text: &str) -> usize {
    text.bytes().take_while(|&byte| byte == b'\\').count()
}

/// Where a backslash keeps a line from beginning a block, backslashes that are there already aside.
fn opening(line: &str, place: Line) -> Option<usize> {
    let mut rest = line.trim_start_matches([' ', '\t']);
    if place == Line::Later {
        while let Some(behind) = behind_marker(rest) {
            rest = behind;
        }
    }
    let at = line.len() - rest.len();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (_, behind) = rest.split_at_checked(digits)?;
    let bare = |text: &str| text.get(slashes(text)..).unwrap_or_default().to_owned();
    if place == Line::First && digits > 0 && bare(behind).strip_prefix(['.', ')']).is_some_and(is_behind_marker) {
        return Some(at + digits);
    }
    begins_block(&bare(rest), place).then_some(at)
}

/// What stands behind the bullet or number of a nested item.
fn behind_marker(text: &str) -> Option<&str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let behind = match text.get(digits..)? {
        behind if digits > 0 => behind.strip_prefix(['.', ')'])?,
        behind => behind.strip_prefix(['-', '+', '*'])?,
    };
    let content = behind.trim_start_matches([' ', '\t']);
    // With nothing behind it, a marker below a text can be its underline.
    (content.len() < behind.len() && !content.is_empty()).then_some(content)
}

fn is_behind_marker(text: &str) -> bool {
    text.is_empty() || text.starts_with([' ', '\t'])
}

fn begins_block(text: &str, place: Line) -> bool {
    let after = |at: usize| text.get(at..).unwrap_or_default();
    if makes_a_table(text) {
        return true;
    }
    match text.as_bytes() {
        [b'>', ..] | [b'~', b'~', b'~', ..] => true,
        [b'#', ..] => is_behind_marker(text.trim_start_matches('#')),
        [b'-' | b'+' | b'*' | b'_', ..] => (place == Line::First && is_behind_marker(after(1))) || is_rule(text),
        [b'=', ..] => text.trim_end().bytes().all(|byte| byte == b'='),
        [b'[', ..] => defines_a_link(text),
        _ => false,
    }
}

/// True for the row below the header of a table.
fn makes_a_table(text: &str) -> bool {
    text.contains('-') && text.contains(['|', ':']) && text.bytes().all(|byte| b"-:| \t".contains(&byte))
}

/// True when the label ends in `]:`, or goes on below.
fn defines_a_link(text: &str) -> bool {
    let closing = text.match_indices(']').find(|&(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        (before.len() - before.trim_end_matches('\\').len()).is_multiple_of(2)
    });
    closing.is_none_or(|(at, _)| text.get(at + 1..).is_some_and(|rest| rest.starts_with(':')))
}

fn is_rule(text: &str) -> bool {
    text.trim_start_matches(['-', '*', '_', ' ', '\t']).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_a_string_whatever_it_looks_like() {
        for (text, value) in [
            ("1234567", r#""1234567""#),
            (r"C:\work\a", r#""C:\\work\\a""#),
            ("say \"no\": #1", r#""say \"no\": #1""#),
            ("任务\u{2028}\n\u{1b}", r#""任务\u2028\n\\u{1b}""#),
        ] {
            assert_eq!(quoted(text), value);
        }
    }

    #[test]
    fn a_text_that_begins_a_block_stays_text() {
        for (text, expected) in [
            ("# Handoff Details", r"\# Handoff Details"),
            ("#42 is open", "#42 is open"),
            ("> quoted", r"\> quoted"),
            ("- nested", r"\- nested"),
            ("-5 degrees", "-5 degrees"),
            ("12. April", r"12\. April"),
            ("2.5 GiB", "2.5 GiB"),
            ("---", r"\---"),
            ("* * *", r"\* * *"),
            ("*now*", "*now*"),
            ("~~~ sh", r"\~~~ sh"),
            ("```sh", r"\`\`\`sh"),
            ("```a``` b", "```a``` b"),
            ("[a]: b", r"\[a]: b"),
            ("[a](b)", "[a](b)"),
            ("_\t_\t_", "\\_ _ _"),
            ("two\n# lines", "two # lines"),
            ("<!-- hidden -->", r"\<!-- hidden -->"),
            ("use `Vec<T>`, not <T>", r"use `Vec<T>`, not \<T>"),
            (r"C:\<x> \` <y>", r"C:\\\<x> \\\` \<y>"),
            ("none", "\"none\""),
            ("None: whatever", "\"None: whatever\""),
            ("暂无。", "\"暂无。\""),
            ("nonetheless", "nonetheless"),
            ("a\u{202e}b", r"a\u{202e}b"),
        ] {
            assert_eq!(item(text), expected, "{text}");
        }
    }

    #[test]
    fn a_text_of_several_lines_stays_in_its_item() {
        for (text, expected) in [
            ("run:\n```sh\n<b>\n```", "run:\n  \\`\\`\\`sh\n  \\<b>\n  \\`\\`\\`"),
            ("a\n# b\n===\n- c\n  - ## d", "a\n  \\# b\n  \\===\n  - c\n    - \\## d"),
            ("a\n\n    code\n", "a\n\n      code"),
            ("`a\n<b>` <c> `d`", "\\`a\n  \\<b>` <c> `d\\`"),
            ("a `b\n\n<!--` c", "a \\`b\n\n  \\<!--\\` c"),
            ("| a |\n|---|", "| a |\n  \\|---|"),
            ("a\n- \nb", "a\n  \\- \n  b"),
            ("a\n-\t\nb", "a\n  \\-\t\n  b"),
            ("a\n---\t\nb", "a\n  \\---\t\n  b"),
            ("a\n_\t_\t_\nb", "a\n  \\_\t_\t_\n  b"),
            ("[q\nr]: gone?", "\\[q\n  r]: gone?"),
            ("a\n\n[q \\]\nr]: u", "a\n\n  \\[q \\]\n  r]: u"),
            ("[a] b]: c", "[a] b]: c"),
            ("\\# a", "\\\\\\# a"),
        ] {
            assert_eq!(content(text), expected, "{text}");
            assert_eq!(read(expected), text.trim_end());
        }
    }

    #[test]
    fn a_short_text_says_that_it_was_cut_and_fits_with_its_backslashes() {
        assert_eq!(shortened("任务交接", 4, item), "任务交接");
        assert_eq!(shortened("任务交接", 3, item), "任务…");
        assert_eq!(shortened("see `<script>` here", 12, item), "see \\`\\<scr…");
        assert_eq!(shortened("<<<<<<", 5, item), "\\<\\<…");
    }
}
