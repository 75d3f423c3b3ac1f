//! How long the delivery body is, and which ways of handing it over that leaves (the source §7).

use crate::protocol::tokens::Size;

/// Up to here a full prompt is safe, in estimated tokens.
pub const SAFE: usize = 6_000;
/// Above this a full prompt is not offered any more, in estimated tokens.
pub const LONG: usize = 12_000;

/// The length of a delivery body, held against the thresholds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// How long the body is.
    pub size: Size,
    /// Up to here everything is offered, in tokens: [`SAFE`], or the host's own limit where that is smaller.
    pub safe: usize,
    /// Up to here a full prompt only crowds the new context, in tokens: [`LONG`], or the host's own limit.
    pub long: usize,
}

/// What the length means for the delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recommendation {
    /// Every way is safe: ask the user which.
    Ask,
    /// A full prompt may take up too much of the new context: recommend the document with a start-up prompt.
    Remind,
    /// A full prompt is not given by default: ask the user which of the other ways.
    AskWithoutFull,
}

/// A way to hand a document over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// The document, and a short prompt that leads to it. Recommended.
    DocumentAndStartup,
    /// The document alone.
    Document,
    /// Everything in a prompt.
    Full,
    /// What matters most, in a prompt.
    Compressed,
}

impl Estimate {
    /// Holds `body` against the thresholds and the host's own limit for its input, in tokens.
    pub fn new(body: &str, limit: Option<usize>) -> Self {
        let capped = |threshold: usize| limit.map_or(threshold, |limit| limit.min(threshold));
        Self { size: Size::of(body), safe: capped(SAFE), long: capped(LONG) }
    }

    /// What the length means.
    pub const fn recommendation(&self) -> Recommendation {
        let tokens = self.size.tokens();
        if tokens <= self.safe {
            Recommendation::Ask
        } else if tokens <= self.long {
            Recommendation::Remind
        } else {
            Recommendation::AskWithoutFull
        }
    }
}

impl Recommendation {
    /// The ways that are offered, the recommended one first.
    pub const fn offered(self) -> &'static [Delivery] {
        match self {
            Self::Ask => &[Delivery::DocumentAndStartup, Delivery::Document, Delivery::Full, Delivery::Compressed],
            Self::Remind | Self::AskWithoutFull => {
                &[Delivery::DocumentAndStartup, Delivery::Document, Delivery::Compressed]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recommended(tokens: usize, limit: Option<usize>) -> Recommendation {
        Estimate::new(&"长".repeat(tokens), limit).recommendation()
    }

    #[test]
    fn the_thresholds_belong_to_the_shorter_side() {
        assert_eq!([0, 6_000].map(|tokens| recommended(tokens, None)), [Recommendation::Ask; 2]);
        assert_eq!([6_001, 12_000].map(|tokens| recommended(tokens, None)), [Recommendation::Remind; 2]);
        assert_eq!(recommended(12_001, None), Recommendation::AskWithoutFull);
    }

    #[test]
    fn a_smaller_limit_of_the_host_wins_and_a_larger_one_changes_nothing() {
        assert_eq!(
            [1_000, 1_001].map(|tokens| recommended(tokens, Some(1_000))),
            [Recommendation::Ask, Recommendation::AskWithoutFull]
        );
        let between = [6_000, 6_001, 8_000, 8_001].map(|tokens| recommended(tokens, Some(8_000)));
        assert_eq!(
            between,
            [Recommendation::Ask, Recommendation::Remind, Recommendation::Remind, Recommendation::AskWithoutFull]
        );
        assert_eq!(
            [6_001, 12_001].map(|tokens| recommended(tokens, Some(usize::MAX))),
            [Recommendation::Remind, Recommendation::AskWithoutFull]
        );
    }

    #[test]
    fn a_full_prompt_is_offered_only_where_it_is_safe() {
        let offers = |what: Recommendation| what.offered().contains(&Delivery::Full);
        assert_eq!(
            [Recommendation::Ask, Recommendation::Remind, Recommendation::AskWithoutFull].map(offers),
            [true, false, false]
        );
    }
}
