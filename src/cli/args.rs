//! The command line of `handoff-guard`.

use std::path::PathBuf;

use anstream::ColorChoice;
use clap::builder::{BoolValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{ArgAction, Parser, Subcommand, ValueEnum};

use super::exit::Exit;
use super::output::{Output, report_on_stderr};
use crate::protocol::character::visible;
use crate::render::Advice;
use crate::render::full::Style;

#[derive(Debug, Parser)]
#[command(name = "handoff-guard", version, about, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 valid; 1 a document has defects; 2 wrong usage, or a path that cannot be read; 3 nothing to check; \
70 internal error. With several files the most severe of 70, 2, 1, 0.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Validate handoff files
    #[command(after_help = EXIT_CODES)]
    Check(CheckArgs),
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
            let escaped: Vec<String> = text.lines().map(visible).collect();
            report_on_stderr(&format!("{}\n", escaped.join("\n")));
            Exit::Unusable
        }
    })
}
