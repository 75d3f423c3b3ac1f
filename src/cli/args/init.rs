//! The arguments of `init`.

use std::path::PathBuf;

use clap::ArgAction;

use super::store::OutputArgs;
use super::{flag, name, said};

#[derive(Debug, clap::Args)]
pub(crate) struct InitArgs {
    /// The file to write; without it `handoff-<session-id>.md` in the current directory
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// The new session; without it a random one
    #[arg(long, value_name = "ID", value_parser = name)]
    pub(crate) session_id: Option<String>,

    /// A directory, or an identifier that can be verified; without it the git working tree, else the current directory
    #[arg(long, value_name = "REPOSITORY", value_parser = name)]
    pub(crate) repository: Option<String>,

    /// What the task is to achieve
    #[arg(long, value_name = "TEXT", value_parser = said)]
    pub(crate) objective: String,

    /// What to do next
    #[arg(long, value_name = "TEXT", value_parser = said)]
    pub(crate) next_action: String,

    /// When the task is done; this and what follows may be given several times
    #[arg(long, value_name = "TEXT", value_parser = said)]
    pub(crate) acceptance: Vec<String>,

    /// What is done
    #[arg(long, value_name = "TEXT", value_parser = said)]
    pub(crate) completed: Vec<String>,

    /// What is left to do
    #[arg(long, value_name = "TEXT", value_parser = said)]
    pub(crate) pending: Vec<String>,

    /// What must not be broken, what the user wants
    #[arg(long, value_name = "TEXT", value_parser = said)]
    pub(crate) constraint: Vec<String>,

    /// A file that was changed
    #[arg(long, value_name = "TEXT", value_parser = said)]
    pub(crate) changed_file: Vec<String>,

    /// What was tried and did not work, and why
    #[arg(long, value_name = "TEXT", value_parser = said)]
    pub(crate) failed_attempt: Vec<String>,

    /// What can go wrong
    #[arg(long, value_name = "TEXT", value_parser = said)]
    pub(crate) risk: Vec<String>,

    /// What nobody has checked
    #[arg(long, value_name = "TEXT", value_parser = said)]
    pub(crate) assumption: Vec<String>,

    /// Where a fact can be seen: `path/file:line`, a commit, a URL, a command in backticks
    #[arg(long, value_name = "TEXT", value_parser = said)]
    pub(crate) evidence: Vec<String>,

    /// What was modified, in short; without it the changed files
    #[arg(long, value_name = "TEXT", value_parser = said)]
    pub(crate) modified: Vec<String>,

    /// What was verified, with its place as in --evidence
    #[arg(long, value_name = "TEXT", value_parser = said)]
    pub(crate) verified: Vec<String>,

    /// Allow a file in the root of a git working tree
    #[arg(long, action = ArgAction::SetTrue, value_parser = flag(RepositoryRoot::Refuse, RepositoryRoot::Allow))]
    pub(crate) here: RepositoryRoot,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Whether a file may lie in the root of a git working tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RepositoryRoot {
    Refuse,
    Allow,
}
