//! How a run ends: the exit codes of every command.

use std::process::ExitCode;

use crate::store::error::{Error, Unsuitable};
use crate::store::{discard, export};

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
    /// Another writer was first, or is at work.
    Conflict = 4,
    /// A write or a restore failed; the old state stands.
    NotCommitted = 5,
    /// There is no verifiable version to recover from, or the name is another session's.
    NothingVerifiable = 6,
    /// The official file is not a verifiable version.
    NotVerifiable = 7,
    /// The new version may or may not survive.
    Indeterminate = 8,
    /// A bug.
    Internal = 70,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

impl From<&Error> for Exit {
    fn from(error: &Error) -> Self {
        match error {
            Error::Rejected { .. } => Self::Defects,
            Error::NotVerifiable { .. }
            | Error::BackupLeft { verifiable: true, .. }
            | Error::Unsuitable { reason: Unsuitable::TooLarge, .. } => Self::NotVerifiable,
            Error::Missing { .. } | Error::Unsuitable { .. } => Self::Unusable,
            Error::Locked { .. }
            | Error::Exists { .. }
            | Error::BackupLeft { verifiable: false, .. }
            | Error::Stale { .. }
            | Error::Changed { .. } => Self::Conflict,
            Error::Failed { .. } => Self::NotCommitted,
            Error::Indeterminate { .. } => Self::Indeterminate,
        }
    }
}

impl From<&export::Error> for Exit {
    fn from(error: &export::Error) -> Self {
        match error {
            export::Error::Invalid { .. } => Self::Defects,
            export::Error::Unreadable { .. }
            | export::Error::Unsealed { .. }
            | export::Error::Itself
            | export::Error::NotRegular { .. } => Self::Unusable,
            export::Error::Exists { .. } => Self::Conflict,
            export::Error::Transaction(error) => Self::from(error),
        }
    }
}

impl From<&discard::Error> for Exit {
    fn from(error: &discard::Error) -> Self {
        match error {
            discard::Error::Missing { .. }
            | discard::Error::Unsealed { .. }
            | discard::Error::OfficialMissing { recoverable: false, .. } => Self::Unusable,
            discard::Error::OfficialMissing { recoverable: true, .. } | discard::Error::NotVerifiable { .. } => {
                Self::NotVerifiable
            }
            discard::Error::Transaction(error) => Self::from(error),
            discard::Error::Indeterminate { .. } => Self::Indeterminate,
        }
    }
}

impl Exit {
    /// How a receipt names a transaction that failed so.
    pub(crate) const fn outcome(self) -> &'static str {
        match self {
            Self::Defects => "rejected",
            Self::Success | Self::Unusable | Self::NothingToCheck | Self::Internal => "unusable",
            Self::Conflict => "conflict",
            Self::NotCommitted => "not-committed",
            Self::NothingVerifiable => "nothing-verifiable",
            Self::NotVerifiable => "not-verifiable",
            Self::Indeterminate => "indeterminate",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::io;

    use super::*;
    use crate::protocol::digest::Digest;
    use crate::store::error::Step;

    #[test]
    fn an_indeterminate_write_ends_like_no_other() {
        let (path, source) = (OsString::from("h.md"), io::Error::from(io::ErrorKind::StorageFull));
        let failed = Error::Indeterminate { step: Step::FlushRename, path, source, candidate: Digest::of(b"") };
        assert_eq!((Exit::from(&failed), Exit::from(&failed).outcome()), (Exit::Indeterminate, "indeterminate"));
        assert!(failed.help().contains("recover --expect-digest e3b0c442"), "{}", failed.help());
    }

    #[test]
    fn with_several_outcomes_the_most_severe_ends_the_run() {
        let all = [Exit::Defects, Exit::Internal, Exit::Success, Exit::Unusable];
        assert_eq!(all.into_iter().max(), Some(Exit::Internal));
        assert_eq!([Exit::Success, Exit::Unusable, Exit::Defects].into_iter().max(), Some(Exit::Unusable));
    }
}
