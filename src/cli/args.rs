//! The command line of `handoff-guard`.

use std::path::PathBuf;
use std::time::Duration;

use anstream::ColorChoice;
use clap::builder::{BoolValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{ArgAction, Parser, Subcommand, ValueEnum};

use super::exit::Exit;
use super::output::{Output, report_on_stderr};
use super::target::Links;
use crate::protocol::character::{forbidden, is_blank, visible};
use crate::protocol::credential::without_credentials;
use crate::protocol::digest::Digest;
use crate::render::Advice;
use crate::render::full::Style;
use crate::store::recover::{Damage, Leftovers};
use crate::store::replace::Extent;

#[derive(Debug, Parser)]
#[command(name = "handoff-guard", version, about, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 valid, written, unchanged, healthy or restored; 1 a document has defects, also a rejected candidate; \
2 wrong usage, or a path that cannot be used; 3 nothing to check; 4 conflict; 5 not committed, the old state stands; \
6 nothing verifiable to recover from, or the name is another session's; 7 the official file is not verifiable; \
8 indeterminate; 70 internal error. With several files the most severe of 70, 2, 1, 0.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Validate handoff files
    #[command(after_help = EXIT_CODES)]
    Check(CheckArgs),
    /// Write a version as one transaction: a first one, or one that follows the official file
    #[command(after_help = EXIT_CODES)]
    Write(WriteArgs),
    /// Decide which version stands, and restore it where it has to be restored
    #[command(after_help = EXIT_CODES)]
    Recover(RecoverArgs),
    /// Compose and write the first version of a new session
    #[command(after_help = EXIT_CODES)]
    Init(Box<InitArgs>),
    /// Explain rules, or list them all
    Explain(ExplainArgs),
    /// Print a JSON Schema
    Schema(SchemaArgs),
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    /// Files, whatever their names; directories are searched for `*.handoff.md` and `handoff-*.md`; `-` is standard
    /// input
    #[arg(value_name = "PATH", required_unless_present = "files_from")]
    pub(crate) paths: Vec<PathBuf>,

    /// Read more paths from a file, one a line, or NUL-separated when it holds a NUL; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) files_from: Option<PathBuf>,

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

    /// How to report
    #[arg(long, value_enum, default_value_t = Format::Full)]
    pub(crate) output_format: Format,

    /// Show advice too, not only how much there is; it never rejects a document
    #[arg(long, action = ArgAction::SetTrue, value_parser = flag(Advice::Counted, Advice::Shown))]
    pub(crate) advice: Advice,

    /// Exit with 0 when documents have defects; everything else still fails
    #[arg(long, action = ArgAction::SetTrue, value_parser = flag(OnDefects::Fail, OnDefects::Succeed))]
    pub(crate) exit_zero: OnDefects,

    /// Exit with 0 when there is nothing to check
    #[arg(long, action = ArgAction::SetTrue, value_parser = flag(OnNothing::Fail, OnNothing::Succeed))]
    pub(crate) allow_empty: OnNothing,

    /// When to use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ColorArg::Auto)]
    pub(crate) color: ColorArg,
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

#[derive(Debug, clap::Args)]
pub(crate) struct ExplainArgs {
    /// The rules to explain
    #[arg(value_name = "RULE")]
    pub(crate) rules: Vec<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SchemaArgs {
    /// Of what
    #[arg(value_enum, default_value_t = SchemaName::Handoff)]
    pub(crate) name: SchemaName,
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

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum SchemaName {
    /// The front matter of a handoff file
    Handoff,
    /// What `check --output-format json` prints
    Report,
    /// What `write`, `recover` and `init` print with `--output-format json`
    Receipt,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReceiptFormat {
    /// For people
    Text,
    /// For programs: see `handoff-guard schema receipt`
    Json,
}

/// Whether a file may lie in the root of a git working tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RepositoryRoot {
    Refuse,
    Allow,
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

impl From<ColorArg> for ColorChoice {
    fn from(color: ColorArg) -> Self {
        match color {
            ColorArg::Auto => Self::Auto,
            ColorArg::Always => Self::Always,
            ColorArg::Never => Self::Never,
        }
    }
}

/// An option without a value is one of two values.
fn flag<T: Copy + Send + Sync + 'static>(absent: T, present: T) -> impl TypedValueParser<Value = T> {
    BoolValueParser::new().map(move |given| if given { present } else { absent })
}

/// How long a lock can be waited for: a day.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let legal = seconds.filter(|&seconds| seconds <= LONGEST_WAIT);
    legal.ok_or_else(|| format!("not a number of seconds from 0 to {}", LONGEST_WAIT.as_secs()))
}

fn digest(text: &str) -> Result<Digest, String> {
    Digest::parse(text).ok_or_else(|| "not a SHA-256 digest, which has 64 hexadecimal digits".to_owned())
}

/// A text that says something.
fn said(text: &str) -> Result<String, String> {
    if is_blank(text) { Err("it says nothing".to_owned()) } else { Ok(text.to_owned()) }
}

/// A text that can stand in the front matter as it is.
fn name(text: &str) -> Result<String, String> {
    let hidden = |c: char| c.is_control() || forbidden(c).is_some();
    if text.contains(hidden) { Err("it has control or hidden characters".to_owned()) } else { said(text) }
}

/// Reads the arguments of the process.
///
/// # Errors
/// How the run ends when there is nothing to run: help was asked for and printed, or the usage is wrong.
pub(crate) fn parse() -> Result<Command, Exit> {
    Cli::try_parse().map(|cli| cli.command).map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let mut output = Output::new(ColorChoice::Auto);
            let text = error.render();
            output.write(&match output.style() {
                Style::Styled => text.ansi().to_string(),
                Style::Plain => text.to_string(),
            });
            output.finish()
        }
        _ => {
            // A line break in an argument must not look like a line of the message.
            let broken = std::env::args_os()
                .map(|arg| arg.to_string_lossy().into_owned())
                .filter(|arg| arg.contains(['\n', '\r']));
            let text = broken.fold(error.render().to_string(), |text, arg| text.replace(&arg, &visible(&arg)));
            let text = without_credentials(&text);
            let escaped: Vec<String> = text.lines().map(visible).collect();
            report_on_stderr(&format!("{}\n", escaped.join("\n")));
            Exit::Unusable
        }
    })
}
