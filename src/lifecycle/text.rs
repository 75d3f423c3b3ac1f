//! Text of people in places where it must stay text: values of the front matter, items of a section.

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
    if means_nothing(&inline) { format!("\"{inline}\"") } else { unmarked(inline) }
}

/// A text behind the label of an item.
pub(super) fn value(text: &str) -> String {
    let inline = inline(&one_line(text));
    if means_nothing(&inline) { format!("\"{inline}\"") } else { inline }
}

/// At most `limit` characters of a text.
pub(super) fn shortened(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    text.chars().take(limit.saturating_sub(1)).chain(['…']).collect()
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

/// Escapes every `<` outside code spans: no HTML, no comment, no placeholder.
fn inline(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['`', '<', '\\']) {
        let (before, from) = rest.split_at(at);
        shown.push_str(before);
        let taken = match from.as_bytes() {
            [b'`', ..] => code(from),
            [b'\\', b'!'..=b'/' | b':'..=b'@' | b'['..=b'`' | b'{'..=b'~', ..] => 2,
            [b'<', ..] => {
                shown.push('\\');
                1
            }
            _ => 1,
        };
        let (part, behind) = from.split_at_checked(taken).unwrap_or((from, ""));
        shown.push_str(part);
        rest = behind;
    }
    shown + rest
}

/// The length of the code span that `text` begins with, or of the run of backticks that opens none.
fn code(text: &str) -> usize {
    let run = text.bytes().take_while(|&byte| byte == b'`').count();
    let mut at = run;
    while let Some(next) = text.get(at..).and_then(|rest| rest.find('`')) {
        let start = at + next;
        let len = text.bytes().skip(start).take_while(|&byte| byte == b'`').count();
        at = start + len;
        if len == run {
            return at;
        }
    }
    run
}

/// Escapes what would begin a block at the start of a line: heading, quote, list, rule, fence, link definition.
fn unmarked(text: String) -> String {
    let behind = |marker: &str| marker.is_empty() || marker.starts_with(' ');
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let after = |at: usize| text.get(at..).unwrap_or_default();
    if digits > 0 && after(digits).starts_with(['.', ')']) && behind(after(digits + 1)) {
        let (number, marker) = text.split_at_checked(digits).unwrap_or_default();
        return format!("{number}\\{marker}");
    }
    let begins_block = match text.as_bytes() {
        [b'>', ..] | [b'~', b'~', b'~', ..] => true,
        [b'#', ..] => behind(text.trim_start_matches('#')),
        [b'-' | b'+' | b'*' | b'_', ..] => behind(after(1)) || is_rule(&text),
        [b'`', b'`', b'`', ..] => code(&text) == text.bytes().take_while(|&byte| byte == b'`').count(),
        [b'[', ..] => text.contains("]:"),
        _ => false,
    };
    if begins_block { format!("\\{text}") } else { text }
}

fn is_rule(text: &str) -> bool {
    let marks = text.trim_start_matches(['-', '*', '_']);
    marks.trim_start_matches(['-', '*', '_', ' ']).is_empty()
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
            ("```sh", r"\```sh"),
            ("```a``` b", "```a``` b"),
            ("[a]: b", r"\[a]: b"),
            ("[a](b)", "[a](b)"),
            ("two\n# lines", "two # lines"),
            ("<!-- hidden -->", r"\<!-- hidden -->"),
            ("use `Vec<T>`, not <T>", r"use `Vec<T>`, not \<T>"),
            (r"C:\<x> \` <y>", r"C:\<x> \` \<y>"),
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
    fn a_short_text_says_that_it_was_cut() {
        assert_eq!(shortened("任务交接", 4), "任务交接");
        assert_eq!(shortened("任务交接", 3), "任务…");
    }
}
