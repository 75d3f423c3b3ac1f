//! The verdicts of audits (PROTOCOL §4, §8).

use super::status::Status;
use super::vocabulary;

vocabulary! {
    /// `last_audit_status`: a round's verdict or the final review's.
    Audit {
        /// Nothing is missing.
        Ready = "READY",
        /// What is missing can be verified later.
        ReadyWithRisks = "READY_WITH_RISKS",
        /// Questions must be answered first.
        NeedsAnswers = "NEEDS_ANSWERS",
        /// Something is missing that nobody can verify later.
        Blocked = "BLOCKED",
    }
}

/// How many questions an audit may ask.
pub const MOST_QUESTIONS: usize = 5;

/// How many audit rounds a session may have; the final review is none.
pub const MOST_ROUNDS: u32 = 3;

impl Audit {
    /// The verdicts that an audit round may give.
    pub const OF_ROUND: &'static [Self] = &[Self::Ready, Self::ReadyWithRisks, Self::NeedsAnswers];
    /// The verdicts that the final review may give.
    pub const OF_REVIEW: &'static [Self] = &[Self::Ready, Self::ReadyWithRisks, Self::Blocked];

    /// The terminal state that this verdict of a final review leads to.
    pub const fn terminal_status(self) -> Option<Status> {
        match self {
            Self::Ready => Some(Status::Ready),
            Self::ReadyWithRisks => Some(Status::ReadyWithRisks),
            Self::NeedsAnswers => None,
            Self::Blocked => Some(Status::Blocked),
        }
    }
}
