//! The arguments of `check` about a repository's history.

use clap::ArgAction;

use super::flag;

/// What is said about files as they are.
const OF_FILES: [&str; 7] =
    ["files_from", "globs", "ignored", "stdin_filename", "previous", "expect_session", "initial"];

#[derive(Debug, clap::Args)]
pub(crate) struct HistoryArgs {
    /// Check each version that a commit since REV, or the working tree, has of the handoff files of the repository, or of
    /// these PATHs: it must be valid and able to follow the one before it
    #[arg(long, value_name = "REV", group = "range", conflicts_with_all = OF_FILES)]
    pub(crate) since: Option<String>,

    /// Check what the next commit would record, against the commit before it
    #[arg(long, action = ArgAction::SetTrue, value_parser = flag(Index::Ignored, Index::Checked), group = "range", conflicts_with_all = OF_FILES)]
    pub(crate) staged: Index,

    /// Each commit is one write, so each of its steps must be legal as one
    #[arg(long, action = ArgAction::SetTrue, value_parser = flag(Steps::Commits, Steps::Every), requires = "range")]
    pub(crate) every_write: Steps,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Index {
    Ignored,
    Checked,
}

/// What lies between two versions in the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Steps {
    /// Any number of writes.
    Commits,
    /// One write.
    Every,
}

/// Which versions are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Range<'a> {
    /// Those since a revision.
    Since(&'a str),
    /// Those in the index.
    Staged,
}

impl HistoryArgs {
    /// The range, when the run is about a repository's history.
    pub(crate) fn range(&self) -> Option<Range<'_>> {
        let staged = (self.staged == Index::Checked).then_some(Range::Staged);
        self.since.as_deref().map(Range::Since).or(staged)
    }
}
