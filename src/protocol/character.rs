//! Classes of characters: what a document may not hold (PROTOCOL §1), what counts as empty, what is punctuation, and
//! how text of a document is shown to people.

use std::fmt::Write as _;

/// Why a character may not stand in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forbidden {
    /// C0 other than TAB, LF and CR; DEL; C1 other than U+0085.
    Control,
    /// A bidirectional override or isolate, or a Unicode tag character.
    Hidden,
}

/// Says whether `c` may not stand in a document. A CR is judged by its neighbour, not here.
pub const fn forbidden(c: char) -> Option<Forbidden> {
    match c {
        '\t' | '\n' | '\r' | '\u{85}' => None,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Some(Forbidden::Control),
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}' => Some(Forbidden::Hidden),
        _ => None,
    }
}

/// Format characters: general category Cf.
pub const fn is_format(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}'
        | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
        | '\u{2066}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}'
        | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0001}'
        | '\u{e0020}'..='\u{e007f}')
}

/// True when `text` has only white space and format characters.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_format(c))
}

/// Punctuation of any script that handoffs are written in: ASCII, Latin-1, general, CJK and full-width forms, Arabic.
pub const fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(c,
            '\u{a1}' | '\u{a7}' | '\u{ab}' | '\u{b6}' | '\u{b7}' | '\u{bb}' | '\u{bf}' | '\u{60c}' | '\u{61b}'
            | '\u{61f}' | '\u{6d4}' | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}' | '\u{2212}'
            | '\u{2e00}'..='\u{2e5d}' | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}'
            | '\u{3030}' | '\u{30fb}' | '\u{fe10}'..='\u{fe19}' | '\u{fe30}'..='\u{fe6b}' | '\u{ff01}'..='\u{ff0f}'
            | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}' | '\u{ff5b}'..='\u{ff65}')
}

/// True when `text` has only punctuation, white space and format characters; also when it is empty.
pub fn is_punctuation_only(text: &str) -> bool {
    text.chars().all(|c| is_punctuation(c) || c.is_whitespace() || is_format(c))
}

/// A character that continues an ASCII word.
pub const fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Pictures that people put into headings: pictographs, symbols and what joins or varies them.
pub const fn is_emoji(c: char) -> bool {
    matches!(c,
        '\u{1f000}'..='\u{1faff}' | '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{2460}'..='\u{24ff}'
        | '\u{25a0}'..='\u{27bf}' | '\u{2900}'..='\u{297f}' | '\u{2b00}'..='\u{2bff}' | '\u{203c}' | '\u{2049}'
        | '\u{2122}' | '\u{2139}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}' | '\u{a9}' | '\u{ae}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{200d}' | '\u{20e3}')
}

/// `text` without pictures, and without the digit inside a keycap.
pub fn without_emoji(text: &str) -> String {
    let mut kept = String::new();
    for c in text.chars() {
        match c {
            '\u{20e3}' if kept.ends_with(|last: char| last.is_ascii_digit() || matches!(last, '#' | '*')) => {
                kept.pop();
            }
            c if is_emoji(c) => {}
            c => kept.push(c),
        }
    }
    kept
}

/// How much of a document's text a message quotes.
const QUOTED_CHARS: usize = 60;

/// `text` for a message: on one line, without control and invisible characters, shortened.
pub fn quoted(text: &str) -> String {
    let mut shown = String::new();
    for (count, c) in text.chars().enumerate() {
        if count == QUOTED_CHARS {
            shown.push('…');
            break;
        }
        push_visible(&mut shown, c);
    }
    shown
}

/// `text` with every control and invisible character as an escape.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    text.chars().for_each(|c| push_visible(&mut shown, c));
    shown
}

fn push_visible(shown: &mut String, c: char) {
    match c {
        '\n' => shown.push_str("\\n"),
        '\r' => shown.push_str("\\r"),
        '\t' => shown.push_str("\\t"),
        '\u{2028}' | '\u{2029}' => shown.extend(c.escape_unicode()),
        c if c.is_control() || forbidden(c).is_some() || (is_format(c) && c != '\u{200d}') => {
            shown.extend(c.escape_unicode());
        }
        c => shown.push(c),
    }
}

/// The characters of `text` that are not printable ASCII, as `U+0430, U+00A0`; each once, at most eight.
pub fn code_points(text: &str) -> String {
    let mut seen = Vec::new();
    for c in text.chars().filter(|c| !matches!(c, ' '..='~')) {
        if !seen.contains(&c) {
            seen.push(c);
        }
        if seen.len() == 8 {
            break;
        }
    }
    let mut shown = String::new();
    for (index, c) in seen.iter().enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        // Writing to a string cannot fail.
        let _ = write!(shown, "{separator}{}", code_point(*c));
    }
    shown
}

/// `c` as `U+0430`.
pub fn code_point(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_has_no_control_or_invisible_character() {
        assert_eq!(quoted("a\u{1b}[31m\nb\u{202e}"), "a\\u{1b}[31m\\nb\\u{202e}");
        assert_eq!(quoted(&"x".repeat(100)).chars().count(), QUOTED_CHARS + 1);
    }

    #[test]
    fn punctuation_may_be_spaced_out() {
        assert!(is_punctuation_only("") && is_punctuation_only("。 -\u{200b}!"));
        assert!(!is_punctuation_only(". x") && !is_punctuation_only("1"));
    }

    #[test]
    fn a_keycap_takes_its_digit_along_and_no_letter() {
        assert_eq!(without_emoji("1\u{20e3} Objective 🎯"), " Objective ");
        assert_eq!(without_emoji("x\u{20e3}#\u{20e3}y"), "xy");
    }

    #[test]
    fn joiners_and_zero_width_spaces_alone_are_blank() {
        assert!(is_blank(" \u{200b}\u{feff}\t"));
        assert!(!is_blank("\u{200b}x"));
    }
}
