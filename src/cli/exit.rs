//! How a run ends: the exit codes of every command.

use std::process::ExitCode;

/// The outcome of a run, in the order of severity: where several outcomes meet, the greatest ends the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Everything obeys the rules.
    Success = 0,
    /// A document has defects.
    Defects = 1,
    /// The command line is wrong, or something that it names cannot be used.
    Unusable = 2,
    /// No document was found.
    NothingToCheck = 3,
    /// A bug.
    Internal = 70,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_several_outcomes_the_most_severe_ends_the_run() {
        let all = [Exit::Defects, Exit::Internal, Exit::Success, Exit::Unusable];
        assert_eq!(all.into_iter().max(), Some(Exit::Internal));
        assert_eq!([Exit::Success, Exit::Unusable, Exit::Defects].into_iter().max(), Some(Exit::Unusable));
    }
}
