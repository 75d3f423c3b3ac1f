//! The arguments of `check`.

use std::num::NonZero;
use std::path::PathBuf;

use anstream::ColorChoice;
use clap::{ArgAction, ValueEnum};

use super::flag;
use super::history::HistoryArgs;
use crate::cli::search::Ignored;
use crate::protocol::profile::Profile;
use crate::render::Advice;

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Files, whatever their names; directories are searched for `handoff-*.md` and `*.handoff.md`; `-` is standard
    /// input
    #[arg(value_name = "PATH", required_unless_present_any = ["files_from", "range"])]
    pub(crate) paths: Vec<PathBuf>,

    /// Read more paths from a file, one a line, or NUL-separated when it holds a NUL; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) files_from: Option<PathBuf>,

    /// Search directories for files that match this pattern instead; it has the form of a line in a `.gitignore`, and
    /// `!` before it excludes. Can be given several times
    #[arg(long = "glob", value_name = "PATTERN")]
    pub(crate) globs: Vec<String>,

    /// Find files in directories also when git ignores them
    #[arg(long = "no-ignore", action = ArgAction::SetTrue, value_parser = flag(Ignored::LeftOut, Ignored::Found))]
    pub(crate) ignored: Ignored,

    /// The name of standard input in reports
    #[arg(long, value_name = "NAME")]
    pub(crate) stdin_filename: Option<PathBuf>,

    /// Which rules apply
    #[arg(long, value_enum, default_value_t = ProfileArg::Full)]
    pub(crate) profile: ProfileArg,

    /// The version that the one document must be able to follow
    #[arg(long, value_name = "FILE", conflicts_with_all = ["expect_session", "initial"])]
    pub(crate) previous: Option<PathBuf>,

    /// The session that every document must belong to
    #[arg(long, value_name = "ID")]
    pub(crate) expect_session: Option<String>,

    /// Every document must be a first version
    #[arg(long, action = ArgAction::SetTrue, value_parser = flag(Version::Any, Version::First))]
    pub(crate) initial: Version,

    #[command(flatten)]
    pub(crate) history: HistoryArgs,

    /// How to report
    #[arg(long, value_enum, default_value_t = Format::Full)]
    pub(crate) output_format: Format,

    /// Write the report to this file, all of it or nothing, and what `full` shows to standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) output_file: Option<PathBuf>,

    /// Show advice too, not only how much there is; it never rejects a document
    #[arg(long, action = ArgAction::SetTrue, value_parser = flag(Advice::Counted, Advice::Shown))]
    pub(crate) advice: Advice,

    /// Exit with 0 when documents have defects; everything else still fails
    #[arg(long, action = ArgAction::SetTrue, value_parser = flag(OnDefects::Fail, OnDefects::Succeed))]
    pub(crate) exit_zero: OnDefects,

    /// Exit with 0 when there is nothing to check
    #[arg(long, action = ArgAction::SetTrue, value_parser = flag(OnNothing::Fail, OnNothing::Succeed))]
    pub(crate) allow_empty: OnNothing,

    /// How many documents are checked at once [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZero<usize>>,

    /// When to use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ColorArg::Auto)]
    pub(crate) color: ColorArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ProfileArg {
    /// Every rule
    Full,
    /// What the two reference scripts set out to check
    Reference,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people: every finding with the lines that it is about
    Full,
    /// One line a finding: `path:line:column: error[rule] message`
    Concise,
    /// For programs: see `handoff-guard schema report`
    Json,
    /// For GitHub Actions: workflow commands, which become annotations
    Github,
    /// For code scanning: a SARIF 2.1.0 log
    Sarif,
    /// For GitLab: a Code Quality report
    Gitlab,
    /// For what reads the results of tests: XML of `JUnit`, one case a document
    Junit,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ColorArg {
    /// When standard output is a terminal that wants them
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    Any,
    First,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnDefects {
    Fail,
    Succeed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnNothing {
    Fail,
    Succeed,
}

impl From<ProfileArg> for Profile {
    fn from(profile: ProfileArg) -> Self {
        match profile {
            ProfileArg::Full => Self::Full,
            ProfileArg::Reference => Self::Reference,
        }
    }
}

impl From<ColorArg> for ColorChoice {
    fn from(color: ColorArg) -> Self {
        match color {
            ColorArg::Auto => Self::Auto,
            ColorArg::Always => Self::Always,
            ColorArg::Never => Self::Never,
        }
    }
}
