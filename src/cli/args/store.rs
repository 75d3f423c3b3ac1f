//! The arguments of `write` and `recover`, and those of every transaction.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, ValueEnum};

use super::{digest, flag, seconds};
use crate::protocol::digest::Digest;
use crate::store::recover::{Damage, Leftovers};
use crate::store::replace::Extent;

/// What happens to a file that is a symbolic link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    /// It is refused.
    Refuse,
    /// It is resolved once.
    Follow,
}

#[derive(Debug, clap::Args)]
pub(crate) struct WriteArgs {
    /// The official file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The new version; `-` is standard input
    #[arg(long, value_name = "PATH", default_value = "-")]
    pub(crate) from: PathBuf,

    /// This is the first version, of this session; the official file must not exist
    #[arg(long, value_name = "ID")]
    pub(crate) expect_session: Option<String>,

    /// The official file must still have this SHA-256
    #[arg(long, value_name = "SHA256", value_parser = digest)]
    pub(crate) expect_digest: Option<Digest>,

    #[command(flatten)]
    pub(crate) transaction: TransactionArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct RecoverArgs {
    /// The official file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The session to recover; without it the official file's, else the backup's
    #[arg(long, value_name = "ID")]
    pub(crate) session_id: Option<String>,

    /// The official file is damaged in a way that no rule can see: the newer verifiable version stands
    #[arg(long, action = ArgAction::SetTrue, value_parser = flag(Damage::NotReported, Damage::Reported))]
    pub(crate) damaged: Damage,

    /// The version that should stand, after an indeterminate write
    #[arg(long, value_name = "SHA256", value_parser = digest)]
    pub(crate) expect_digest: Option<Digest>,

    /// Remove temporary files that dead writers left behind
    #[arg(long, action = ArgAction::SetTrue, value_parser = flag(Leftovers::Keep, Leftovers::Remove))]
    pub(crate) prune: Leftovers,

    #[command(flatten)]
    pub(crate) transaction: TransactionArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct TransactionArgs {
    /// Say what would happen, and write nothing
    #[arg(long, action = ArgAction::SetTrue, value_parser = flag(Extent::Commit, Extent::DryRun))]
    pub(crate) dry_run: Extent,

    /// How long to wait for another writer; fractions are allowed
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub(crate) lock_timeout: Duration,

    /// Work on the file that a symbolic link leads to, and beside it
    #[arg(long, action = ArgAction::SetTrue, value_parser = flag(Links::Refuse, Links::Follow))]
    pub(crate) follow: Links,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct OutputArgs {
    /// How to report
    #[arg(long, value_enum, default_value_t = ReceiptFormat::Text)]
    pub(crate) output_format: ReceiptFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReceiptFormat {
    /// For people
    Text,
    /// For programs: see `handoff-guard schema receipt`
    Json,
}
