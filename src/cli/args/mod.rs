//! The command line of `handoff-guard`.

mod check;
mod deliver;
mod history;
mod init;
mod pages;
mod steps;
mod store;

use std::time::Duration;

use anstream::ColorChoice;
use clap::builder::{BoolValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser, Subcommand};

pub(crate) use check::{CheckArgs, Format, OnDefects, OnNothing, Version};
pub(crate) use deliver::{DiscardArgs, EstimateArgs, ExportArgs, PromptArgs};
pub(crate) use history::{Range, Steps};
pub(crate) use init::{InitArgs, RepositoryRoot};
pub(crate) use pages::{CompletionsArgs, ExplainArgs, ManArgs, SchemaArgs, SchemaName};
pub(crate) use steps::{AnswerArgs, AuditArgs, MoreArgs, NextArgs, SealArgs, SetArgs, StepArgs, StopArgs};
pub(crate) use store::{Links, ReceiptFormat, RecoverArgs, WriteArgs};

use super::exit::Exit;
use super::output::{Output, report_on_stderr};
use crate::protocol::character::{forbidden, is_blank, visible};
use crate::protocol::credential::without_credentials;
use crate::protocol::digest::Digest;
use crate::render::full::Style;

#[derive(Debug, Parser)]
#[command(name = "handoff-guard", version, about, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 valid, written, unchanged, healthy or restored; 1 a document has defects, also a rejected candidate; \
2 wrong usage, a path that cannot be used, or a document in the wrong state; 3 nothing to check; 4 conflict; 5 not committed, the old state stands; \
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
    /// Say what is legal now, and what each next state still needs
    #[command(after_help = EXIT_CODES)]
    Next(NextArgs),
    /// Record a successor's report as a round, and move on to `NEEDS_ANSWERS` or `REVIEW_PENDING`
    #[command(after_help = EXIT_CODES)]
    Audit(AuditArgs),
    /// Answer the questions of the current round, all at once
    #[command(after_help = EXIT_CODES)]
    Answer(AnswerArgs),
    /// Stop auditing without another round: the rest is for the successor to verify
    #[command(after_help = EXIT_CODES)]
    Stop(StopArgs),
    /// Record the final review and the summary, and seal the session
    #[command(after_help = EXIT_CODES)]
    Seal(SealArgs),
    /// Replace or append the entries of one section
    #[command(after_help = EXIT_CODES)]
    Set(SetArgs),
    /// Print what to tell the successor, the auditor or the reviewer
    #[command(after_help = EXIT_CODES)]
    Prompt(PromptArgs),
    /// Estimate how long a document is for its successor, and how to hand it over
    #[command(after_help = EXIT_CODES)]
    Estimate(EstimateArgs),
    /// Copy the sealed document byte for byte, and verify the copy
    #[command(after_help = EXIT_CODES)]
    Export(ExportArgs),
    /// Say which files a session that was taken over leaves, and remove them with --yes
    #[command(after_help = EXIT_CODES)]
    Discard(DiscardArgs),
    /// Explain rules, or list them all
    Explain(ExplainArgs),
    /// Print a JSON Schema
    Schema(SchemaArgs),
    /// Print the completions of a shell
    Completions(CompletionsArgs),
    /// Print a man page
    Man(ManArgs),
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

/// Every command, option and text of the command line.
pub(crate) fn definition() -> clap::Command {
    Cli::command()
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
