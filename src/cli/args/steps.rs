//! The arguments of the steps of a session: `audit`, `answer`, `seal`, `set`, and of `next`.

use std::path::PathBuf;

use clap::ArgAction;

use super::store::{OutputArgs, TransactionArgs};
use super::{digest, flag, said};
use crate::lifecycle::Mode;
use crate::lifecycle::answer::Then;
use crate::protocol::digest::Digest;

#[derive(Debug, clap::Args)]
pub(crate) struct NextArgs {
    /// The official file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct AuditArgs {
    /// The official file, in the state COLLECTING
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The successor's report: the fields Status, Questions, Conflicts, Risks, Unknowns, Evidence as Markdown headings of
    /// one level or as a JSON object; `-` is standard input
    #[arg(long, value_name = "REPORT", default_value = "-")]
    pub(crate) from: PathBuf,

    #[command(flatten)]
    pub(crate) more: MoreArgs,

    #[command(flatten)]
    pub(crate) step: StepArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct AnswerArgs {
    /// The official file, in the state `NEEDS_ANSWERS`
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The answers to all questions of the round, in their order: a Markdown list or a JSON list of strings; `-` is
    /// standard input. `unknown: <how to find out>; <what depends on it>` is an answer
    #[arg(long, value_name = "ANSWERS", default_value = "-")]
    pub(crate) from: PathBuf,

    /// Stop auditing: the rest is for the successor to verify
    #[arg(long, action = ArgAction::SetTrue, value_parser = flag(Then::Collect, Then::Stop))]
    pub(crate) stop: Then,

    #[command(flatten)]
    pub(crate) more: MoreArgs,

    #[command(flatten)]
    pub(crate) step: StepArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct StopArgs {
    /// The official file, in the state COLLECTING, of a session that was audited before
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) more: MoreArgs,

    #[command(flatten)]
    pub(crate) step: StepArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SealArgs {
    /// The official file, in the state `REVIEW_PENDING`
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The final review, in the form of an audit's report; `-` is standard input
    #[arg(long, value_name = "REVIEW", default_value = "-")]
    pub(crate) from: PathBuf,

    /// The successor summary, at most ten points: a Markdown list or a JSON list of strings; without it the review ends
    /// with a seventh field, Final Successor Summary
    #[arg(long, value_name = "SUMMARY")]
    pub(crate) summary: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) more: MoreArgs,

    #[command(flatten)]
    pub(crate) step: StepArgs,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SetArgs {
    /// The official file, in a state that is not terminal
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The title of the section; `tldr/Objective` and `details/Objective` where both parts have it
    #[arg(value_name = "SECTION")]
    pub(crate) section: String,

    /// The Markdown below the heading of the section, or a JSON list of strings; `-` is standard input
    #[arg(long, value_name = "ENTRIES", default_value = "-")]
    pub(crate) from: PathBuf,

    /// Keep what stands there
    #[arg(long, action = ArgAction::SetTrue, value_parser = flag(Mode::Replace, Mode::Append))]
    pub(crate) append: Mode,

    #[command(flatten)]
    pub(crate) step: StepArgs,
}

/// What a step takes along in the same write.
#[derive(Debug, clap::Args)]
pub(crate) struct MoreArgs {
    /// Why the new state holds; without it what the step did
    #[arg(long, value_name = "TEXT", value_parser = said)]
    pub(crate) reason: Option<String>,

    /// What shows it; may be given several times. KIND and VERIFICATION are words of the protocol, REF is `-` for the kind
    /// `unverified`
    #[arg(long, num_args = 4, value_names = ["KIND", "REF", "CLAIM", "VERIFICATION"], action = ArgAction::Append)]
    pub(crate) status_evidence: Vec<String>,

    /// A Markdown file with new contents of sections, under the headings of a handoff: `## Title` replaces a section,
    /// `## Title +` appends to it
    #[arg(long, value_name = "FILE")]
    pub(crate) updates: Option<PathBuf>,
}

/// How a step is written.
#[derive(Debug, clap::Args)]
pub(crate) struct StepArgs {
    /// The official file must still have this SHA-256
    #[arg(long, value_name = "SHA256", value_parser = digest)]
    pub(crate) expect_digest: Option<Digest>,

    #[command(flatten)]
    pub(crate) transaction: TransactionArgs,
}
