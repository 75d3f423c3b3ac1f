//! How many tokens a text has, as an estimate: ASCII characters / 4, plus every other character (PROTOCOL §6). No
//! tokenizer is asked; the estimate is meant to be high rather than low.

use std::ops::Add;

/// How the estimate is made, for people.
pub const METHOD: &str = "ASCII characters / 4 plus every other character";

/// What the estimate needs to know of a text. Sizes of parts add up to the size of the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    ascii: usize,
    other: usize,
}

impl Size {
    /// The size of `text`.
    pub fn of(text: &str) -> Self {
        let characters = text.chars().count();
        let ascii = text.bytes().filter(u8::is_ascii).count();
        Self { ascii, other: characters - ascii }
    }

    /// Unicode scalar values.
    pub const fn characters(self) -> usize {
        self.ascii + self.other
    }

    /// Estimated tokens, rounded up.
    pub const fn tokens(self) -> usize {
        self.ascii.div_ceil(4) + self.other
    }
}

impl Add for Size {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { ascii: self.ascii + other.ascii, other: self.other + other.other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_ascii_characters_or_one_other_are_a_token() {
        for (text, tokens) in [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("任务交接", 4), ("任务 ok", 3)] {
            assert_eq!(Size::of(text).tokens(), tokens, "{text}");
        }
        assert_eq!(Size::of("任务 ok").characters(), 5);
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        assert_eq!(Size::of("ab任") + Size::of("c"), Size::of("ab任c"));
    }
}
