//! The arguments of `prompt`, `estimate`, `export` and `discard`.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValue;
use clap::{ArgAction, ValueEnum};

use super::init::RepositoryRoot;
use super::store::OutputArgs;
use super::{flag, seconds};
use crate::deliver::prompt::{Kind, Language, Length};
use crate::store::discard::Force;
use crate::store::export::Existing;
use crate::store::replace::Extent;

#[derive(Debug, clap::Args)]
pub(crate) struct PromptArgs {
    /// The handoff file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// What the prompt is for
    #[arg(long, value_enum)]
    pub(crate) kind: Kind,

    /// The language of the prose
    #[arg(long, value_enum, default_value_t = Language::English)]
    pub(crate) lang: Language,

    /// How long a compressed prompt may be, in estimated tokens; without it 6000
    #[arg(long, value_name = "TOKENS")]
    pub(crate) budget: Option<usize>,

    /// Print a full prompt however long it is
    #[arg(long, action = ArgAction::SetTrue, value_parser = flag(Length::Safe, Length::Any))]
    pub(crate) force: Length,
}

#[derive(Debug, clap::Args)]
pub(crate) struct EstimateArgs {
    /// The handoff file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// How much input the host takes, in tokens; it counts where it is smaller than the thresholds
    #[arg(long, value_name = "TOKENS")]
    pub(crate) limit: Option<usize>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ExportArgs {
    /// The sealed handoff file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The copy; in a directory it gets the same name
    #[arg(value_name = "DEST")]
    pub(crate) destination: PathBuf,

    /// Replace the file that DEST is now
    #[arg(long, action = ArgAction::SetTrue, value_parser = flag(Existing::Keep, Existing::Replace))]
    pub(crate) overwrite: Existing,

    /// Allow a file in the root of a git working tree
    #[arg(long, action = ArgAction::SetTrue, value_parser = flag(RepositoryRoot::Refuse, RepositoryRoot::Allow))]
    pub(crate) here: RepositoryRoot,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct DiscardArgs {
    /// The handoff file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Remove the files; without it they are only listed
    #[arg(long, action = ArgAction::SetTrue, value_parser = flag(Extent::DryRun, Extent::Commit))]
    pub(crate) yes: Extent,

    /// Also when the session is not sealed or not verifiable, and a file of another session under the backup's name
    #[arg(long, action = ArgAction::SetTrue, value_parser = flag(Force::No, Force::Yes))]
    pub(crate) force: Force,

    /// How long to wait for another writer; fractions are allowed
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub(crate) lock_timeout: Duration,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl ValueEnum for Kind {
    fn value_variants<'a>() -> &'a [Self] {
        Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.as_str()).help(match self {
            Self::Startup => "A short prompt that leads to the document",
            Self::Full => "The whole document without its audit rounds",
            Self::Compressed => "What matters most, in whole entries, up to --budget",
            Self::Auditor => "The assignment of an audit round",
            Self::Reviewer => "The assignment of the final review",
        }))
    }
}

impl ValueEnum for Language {
    fn value_variants<'a>() -> &'a [Self] {
        Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.as_str()).help(match self {
            Self::English => "English",
            Self::Chinese => "Chinese",
        }))
    }
}
