//! Anchors: something a reader can locate (PROTOCOL §6). The grammar is written here and used everywhere.
//!
//! ```text
//! place   = path ":" line [ ("-" line) / (":" column) ]  /  path "#L" line
//! commit  = a whole word of 7–64 hexadecimal digits with a digit and a letter, or any such digits after `commit`, `提交`
//! url     = ("http" / "https" / "file") "://" text
//! diff    = `diff` … a range with `..`
//! test    = `test` / `测试`, then a name with `_`, `::`, `.`, `/`, `-` or a digit
//! command = `command` / `命令`, at the start of the text or followed by a colon, then a word; the text of a labelled
//!           line (`Verified: …`) is its value
//! ```
//!
//! A non-empty Markdown code span is an anchor too; the Markdown parser finds those.
//!
//! A *path* starts at the start of the text, white space, a bracket, a quote or CJK punctuation, has no white space,
//! contains a letter, and contains `.`, `/` or `\` or starts with an upper-case letter. The words are read without case.

use super::character::{is_punctuation, is_word};

/// What an anchor can be, for people.
pub const ANCHORS: &str = "`path/file:line`, a commit, a URL, a code span, `diff a..b`, `test name`, `command: …`";

/// True when `text` contains an anchor.
pub fn contains_anchor(text: &str) -> bool {
    anchors(text).next().is_some()
}

/// The anchors of `text`, each as the part of the text that names the place; a text may be named twice.
pub fn anchors(text: &str) -> impl Iterator<Item = &str> {
    places(text).chain(commits(text)).chain(urls(text)).chain(diffs(text)).chain(tests(text)).chain(commands(text))
}

/// The parts of `text` between the characters that a path can start behind.
fn fragments(text: &str) -> impl Iterator<Item = &str> {
    text.split(starts_path).filter(|fragment| !fragment.is_empty())
}

fn starts_path(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | '"' | '\'' | '`')
        || matches!(c, '\u{ab}' | '\u{bb}' | '\u{2018}'..='\u{201f}' | '\u{2039}' | '\u{203a}')
        || (matches!(c, '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff65}' | '\u{2014}' | '\u{2026}')
            && is_punctuation(c))
}

fn places(text: &str) -> impl Iterator<Item = &str> {
    fragments(text).filter_map(place)
}

/// `path:12`, `path:12-34`, `path:12:5` or `path#L12` at the start of a fragment.
fn place(fragment: &str) -> Option<&str> {
    let letter = fragment.find(char::is_alphabetic)?;
    let named = fragment.starts_with(char::is_uppercase);
    let separator = if named { 0 } else { fragment.find(['.', '/', '\\'])? };
    let is_path = |end: usize| letter < end && separator < end;
    let ends = fragment.match_indices(':').map(|(at, _)| (at, at + 1));
    let lines = fragment.match_indices("#L").map(|(at, _)| (at, at + 2));
    ends.chain(lines).filter(|&(path_end, _)| is_path(path_end)).find_map(|(_, line_start)| {
        let line = fragment.get(line_start..)?;
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let ended = digits > 0 && !line.get(digits..)?.starts_with(is_word);
        ended.then(|| fragment.get(..range_end(fragment, line_start + digits)))?
    })
}

/// Where a line range or column that begins at `end` stops.
fn range_end(fragment: &str, end: usize) -> usize {
    let rest = fragment.get(end..).unwrap_or_default();
    let digits = rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    if rest.starts_with(['-', ':']) && digits > 0 { end + 1 + digits } else { end }
}

/// The ASCII words of `text` with their offsets.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + text.get(rest..)?.find(is_word)?;
        let tail = text.get(start..)?;
        rest = start + tail.find(|c| !is_word(c)).unwrap_or(tail.len());
        Some((start, text.get(start..rest)?))
    })
}

fn is_hex(word: &str) -> bool {
    (7..=64).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn commits(text: &str) -> impl Iterator<Item = &str> {
    let mut before = "";
    words(text).filter_map(move |(at, word)| {
        let last = std::mem::replace(&mut before, word);
        let named = || last.eq_ignore_ascii_case("commit") || ends_with_name(text, at, "提交");
        let mixed = word.contains(|c: char| c.is_ascii_digit()) && word.contains(|c: char| c.is_ascii_alphabetic());
        (is_hex(word) && (mixed || named())).then_some(word)
    })
}

/// True when `name` stands before offset `at` of `text`, with at most blanks and punctuation between.
fn ends_with_name(text: &str, at: usize, name: &str) -> bool {
    let before = text.get(..at).unwrap_or_default();
    before.trim_end_matches(|c: char| c.is_whitespace() || is_punctuation(c)).ends_with(name)
}

/// An address that stands in another one is part of it.
fn urls(text: &str) -> impl Iterator<Item = &str> {
    let mut read = 0;
    text.match_indices("://").filter_map(move |(at, separator)| {
        if at < read {
            return None;
        }
        let scheme = text.get(..at)?.rsplit(|c: char| !is_word(c)).next()?;
        let absolute = ["http", "https", "file"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
        let behind = at + separator.len();
        let len = if absolute { head(text.get(behind..)?).len() } else { 0 };
        read = behind + len;
        (len > 0).then(|| text.get(at - scheme.len()..read))?
    })
}

/// `text` up to the first character that a path can start behind.
fn head(text: &str) -> &str {
    text.split(starts_path).next().unwrap_or_default()
}

/// What stands behind each whole word `name` of `text`, blanks, colons and quotes skipped.
fn behind<'t>(text: &'t str, name: &'static str, local: &'static str) -> impl Iterator<Item = (usize, &'t str)> {
    let word = words(text).filter(move |(_, word)| word.eq_ignore_ascii_case(name)).map(|(at, word)| (at, word.len()));
    let other = text.match_indices(local).filter(move |_| !local.is_empty()).map(|(at, word)| (at, word.len()));
    word.chain(other).filter_map(move |(at, len)| Some((at, text.get(at + len..)?)))
}

fn diffs(text: &str) -> impl Iterator<Item = &str> {
    let first = behind(text, "diff", "").next();
    first.into_iter().flat_map(|(_, rest)| fragments(rest)).filter(|fragment| is_range(fragment))
}

/// `a..b` or `a...b`.
fn is_range(fragment: &str) -> bool {
    let end = |c: char| c.is_alphanumeric() || matches!(c, '_' | '~' | '^' | '@');
    fragment
        .split_once("..")
        .is_some_and(|(from, to)| from.ends_with(end) && to.strip_prefix('.').unwrap_or(to).starts_with(end))
}

fn tests(text: &str) -> impl Iterator<Item = &str> {
    test_names(text, "test", "").chain(test_names(text, "", "测试"))
}

/// A name is read once, however often the word stands in it.
fn test_names<'t>(text: &'t str, word: &'static str, local: &'static str) -> impl Iterator<Item = &'t str> {
    let mut read = 0;
    behind(text, word, local).filter(|(_, rest)| !rest.starts_with('-')).filter_map(move |(_, rest)| {
        let rest = skip_separators(rest);
        let start = text.len() - rest.len();
        if start < read {
            return None;
        }
        let name = head(rest);
        read = start + name.len();
        let name = name.trim_end_matches(is_punctuation);
        let marks = |c: char| matches!(c, '_' | '.' | '/' | '-') || c.is_ascii_digit();
        let located = name.contains(marks) || name.contains("::");
        (located && name.contains(char::is_alphanumeric)).then_some(name)
    })
}

/// The first command that is named; what follows on its line is the command.
fn commands(text: &str) -> impl Iterator<Item = &str> {
    let starts = [0, text.len() - labelled_value(text).len()].map(|from| first_character(text, from));
    let named =
        move |(at, rest): (usize, &'_ str)| starts.contains(&Some(at)) || rest.trim_start().starts_with([':', '：']);
    let command = behind(text, "command", "命令").filter(move |&found| named(found)).find_map(|(_, rest)| {
        let line = skip_separators(rest).lines().next()?.trim_end();
        line.contains(char::is_alphanumeric).then_some(line)
    });
    command.into_iter()
}

/// Where the first character stands, at or behind `from`, that is neither white space nor punctuation.
fn first_character(text: &str, from: usize) -> Option<usize> {
    let offset = text.get(from..)?.find(|c: char| !c.is_whitespace() && !is_punctuation(c))?;
    Some(from + offset)
}

/// The longest label, in characters.
const LONGEST_LABEL: usize = 24;

/// What stands behind the label of a labelled line; the whole text of another. A label is up to three words without
/// punctuation, emphasised or not, and a colon that begins no `://`.
fn labelled_value(text: &str) -> &str {
    let is_label = |label: &str| {
        let label = label.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '-' | '+'));
        label.chars().take(LONGEST_LABEL + 1).count() <= LONGEST_LABEL
            && (1..=3).contains(&label.split_whitespace().count())
            && label.chars().all(|c| c.is_whitespace() || matches!(c, '-' | '_') || !is_punctuation(c))
    };
    let labelled = text.split_once([':', '：']).filter(|(label, value)| is_label(label) && !value.starts_with("//"));
    labelled.map_or(text, |(_, value)| value)
}

fn skip_separators(text: &str) -> &str {
    text.trim_start_matches(|c: char| starts_path(c) || matches!(c, ':' | '#' | '='))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_reader_can_locate_is_an_anchor() {
        for text in [
            "src/fence.rs:88",
            "see (src/fence.rs:88-91), twice",
            "src/fence.rs:88:5",
            "C:\\work\\a.rs:12",
            "Makefile:12",
            "docs/a.md#L7",
            "位于「src/a.rs:3」",
            "参见，src/a.rs:3行",
            "8f3ab12c",
            "commit 1234567",
            "Commit: deadbee",
            "提交1234567",
            "https://example.org/x",
            "file:///srv/log.txt",
            "git diff main..feature",
            "diff HEAD~3...HEAD",
            "diff main..功能",
            "test fence_opens passes",
            "test import::tests::skips",
            "测试 tests/fence.rs 通过",
            "test: case-12.",
            "command cargo test",
            "ran the command: cargo test",
            "命令：cargo test",
            "Verified: command cargo test",
            "Verified: 命令 cargo test",
            "Verified：command cargo test",
            "Verified:command cargo test",
            "- **Build step:** `command` cargo build",
            "验证：命令 cargo test",
            "Full test run: Command make check",
        ] {
            assert!(contains_anchor(text), "{text}");
        }
    }

    #[test]
    fn what_nobody_can_locate_is_none() {
        for text in [
            "",
            "at 10:30",
            "localhost:8080",
            "src/fence.rs",
            "src/fence.rs:88abc",
            "1234567",
            "deadbeef",
            "the facade",
            "abc123",
            "g8f3ab12c",
            "a commit was made",
            "the diff is large...",
            "tests pass",
            "test passes.",
            "the test suite is green",
            "test-driven development",
            "the command failed",
            "Verified: the command failed",
            "Verified: command",
            "Verified: 命令",
            "it ran, and then: command failed",
            "what we saw on that day: command failed",
            "ftp://command failed",
            "command",
            "ftp://example.org",
            "https://",
            "2026-08-23T10:00:00",
        ] {
            assert!(!contains_anchor(text), "{text}: {:?}", anchors(text).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_address_ends_where_a_path_could_begin_and_holds_those_in_it() {
        let found: Vec<_> = anchors("as http://a.b says, https://c.d/?next=http://e.f/ and file:///g").collect();
        assert_eq!(found, ["http://a.b", "https://c.d/?next=http://e.f/", "file:///g"]);
    }

    #[test]
    fn an_anchor_is_named_the_same_wherever_it_stands() {
        let one: Vec<_> = anchors("- src/fence.rs:88, see above").collect();
        let two: Vec<_> = anchors("(src/fence.rs:88)").collect();
        assert_eq!(one, two);
        let whole = ["src/fence.rs:88", "src/fence.rs:88-91", "src/fence.rs:88:5", "docs/a.md#L7"];
        assert_eq!(anchors(&whole.join(", ")).collect::<Vec<_>>(), whole);
    }
}
