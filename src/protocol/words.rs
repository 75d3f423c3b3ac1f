//! The words that stand for "nothing here" and their traps (PROTOCOL §6–§8).

use super::character;

/// Nothing to say.
pub const NONE: &str = "none";
/// Nothing is verified.
pub const UNVERIFIED: &str = "unverified";

/// How an entry of the final review's Evidence begins that says why the verdict is what it is.
pub const REASON: &str = "reason:";
/// How an entry of the final review's Evidence begins that names the criterion which the last audit violated.
pub const CRITERION: &str = "criterion:";
/// What an Evidence entry of a final review may begin with instead of naming a place.
pub const GROUNDS: [&str; 2] = [REASON, CRITERION];

/// Spellings of "nothing" that are not one of the two words. The list is complete.
const OTHER_SPELLINGS: &[&str] = &["n/a", "na", "nil", "null", "nothing", "无", "没有", "暂无", "未验证"];

/// No spelling is longer, in bytes, its final stop included.
const LONGEST_SPELLING: usize = 32;

/// True for `none` or `unverified` in another spelling than the bare lower-case word, or one of the other words for
/// "nothing"; any case, with or without a final stop.
pub fn is_misspelt(text: &str) -> bool {
    if text.len() > LONGEST_SPELLING {
        return false;
    }
    let bare = text.strip_suffix(['.', '。']).unwrap_or(text).trim_end();
    let lower = bare.to_lowercase();
    if lower == NONE || lower == UNVERIFIED { text != lower } else { OTHER_SPELLINGS.contains(&lower.as_str()) }
}

/// True for an item that begins with `none:` or `none：` in any case.
pub fn is_labelled_none(text: &str) -> bool {
    strip_word(text, NONE).is_some_and(|rest| rest.starts_with([':', '：']))
}

/// True for a *none-item*: `none` in any case, alone or followed, after optional blanks, by punctuation.
pub fn is_none_item(text: &str) -> bool {
    strip_word(text, NONE).is_some_and(|rest| {
        let rest = rest.trim_start();
        rest.is_empty() || rest.starts_with(character::is_punctuation)
    })
}

/// True for the word `none` in any case with nothing more than punctuation and blanks behind it.
pub fn is_bare_none(text: &str) -> bool {
    strip_word(text, NONE).is_some_and(character::is_punctuation_only)
}

/// The reason in `none: <reason>` or `none：<reason>`; the word is lower-case, the reason not empty.
pub fn none_reason(text: &str) -> Option<&str> {
    let reason = text.strip_prefix(NONE)?.strip_prefix([':', '：'])?.trim();
    (!character::is_blank(reason) && !character::is_punctuation_only(reason)).then_some(reason)
}

/// True for the lower-case word `unverified`, alone or followed by something that does not continue the word.
pub fn starts_unverified(text: &str) -> bool {
    text.strip_prefix(UNVERIFIED).is_some_and(|rest| !rest.starts_with(character::is_word))
}

/// True for the lower-case word `unverified`, alone or followed, after optional blanks, by punctuation.
pub fn is_unverified_value(text: &str) -> bool {
    text.strip_prefix(UNVERIFIED).is_some_and(|rest| {
        let rest = rest.trim_start();
        rest.is_empty() || rest.starts_with(character::is_punctuation)
    })
}

/// Whether an answer says that the answer is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It answers.
    Known,
    /// It says unknown, and something more: how to find out.
    Unknown,
    /// It says unknown and nothing more.
    UnknownWithoutCheck,
}

/// Reads an answer: its first word, after leading punctuation, is `unknown` in any case, or it begins with `未知`.
pub fn answer(text: &str) -> Answer {
    match behind_unknown(text) {
        None => Answer::Known,
        Some(rest) if character::is_punctuation_only(rest) => Answer::UnknownWithoutCheck,
        Some(_) => Answer::Unknown,
    }
}

/// What an unknown answer says behind the word; `None` for an answer that is known.
pub fn behind_unknown(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(|c: char| character::is_punctuation(c) || c.is_whitespace());
    let rest = strip_word(text, "unknown").filter(|rest| !rest.starts_with(character::is_word));
    rest.or_else(|| text.strip_prefix("未知"))
}

/// What follows `word` at the start of `text`, compared without case.
pub(crate) fn strip_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (start, rest) = text.split_at_checked(word.len())?;
    start.eq_ignore_ascii_case(word).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_none_item_needs_the_whole_word() {
        for text in ["none", "None", "none.", "none: done", "NONE — done", "none, nothing edited"] {
            assert!(is_none_item(text), "{text}");
        }
        for text in ["none of the tests", "nonexistent", "no", ""] {
            assert!(!is_none_item(text), "{text}");
        }
    }

    #[test]
    fn only_the_bare_lower_case_words_are_well_spelt() {
        for text in ["None", "none.", "NONE。", "Unverified", "n/a", "N/A.", "无", "暂无。", "Nothing"] {
            assert!(is_misspelt(text), "{text}");
        }
        for text in ["none", "unverified", "none left", "nothing left", "没有风险"] {
            assert!(!is_misspelt(text), "{text}");
        }
    }

    #[test]
    fn an_unknown_answer_is_recognised_behind_punctuation() {
        assert_eq!(answer("**Unknown**"), Answer::UnknownWithoutCheck);
        assert_eq!(answer("未知。"), Answer::UnknownWithoutCheck);
        assert_eq!(answer("未知：请运维确认"), Answer::Unknown);
        assert_eq!(answer("unknown, see the CI log"), Answer::Unknown);
        assert_eq!(answer("unknowns are listed below"), Answer::Known);
    }
}
