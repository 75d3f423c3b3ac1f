//! `handoff-guard check`: which documents a run is about, and what each is held against.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::args::{CheckArgs, OnNothing, Version};
use super::exit::Exit;
use super::history;
use super::input::{STDIN_NAME, as_given, read_file, read_named, read_stdin};
use super::output::{complain, shown};
use super::paths::{Input, each_once, is_stdin, listed};
use super::report_file::files;
use super::run::{self, Judge, Outcome, Run};
use super::search::Search;
use crate::check::{Baseline, verify};
use crate::diagnostic::Diagnostics;
use crate::render::{Named, concise};
use crate::rules::security;
use crate::source::Source;

pub(crate) fn run(args: &CheckArgs) -> Exit {
    let begun = Instant::now();
    if let Some(range) = args.history.range() {
        return history::run(args, range, begun);
    }
    let found = Search::new(&args.globs, args.ignored).and_then(|search| Ok((inputs(args, &search)?, search)));
    let (inputs, search) = match found {
        Ok(found) => found,
        Err(message) => {
            complain(&message);
            return Exit::Unusable;
        }
    };
    if inputs.is_empty() && args.allow_empty == OnNothing::Fail {
        complain(&format!("nothing to check: {}", search.found_nothing()));
        return Exit::NothingToCheck;
    }
    run::over(args, inputs.len(), files(&inputs), begun, |run| match &args.previous {
        Some(path) => check_update(args, run, path, &inputs),
        None => check_all(args, run, &inputs, baseline(args), None),
    })
}

/// Every document of the run, in order.
///
/// # Errors
/// Why the command line makes no sense, or why the list of paths cannot be read.
fn inputs(args: &CheckArgs, search: &Search) -> Result<Vec<Input>, String> {
    let options = args.files_from.iter().chain(&args.previous);
    let from_stdin = args.paths.iter().chain(options).filter(|path| is_stdin(path)).count();
    if from_stdin > 1 {
        return Err("standard input can be read only once".to_owned());
    }
    if args.stdin_filename.is_some() && !args.paths.iter().any(|path| is_stdin(path)) {
        return Err("--stdin-filename names standard input, which is no document of this run: add `-`".to_owned());
    }
    let mut inputs: Vec<Input> = args.paths.iter().flat_map(|path| search.named(path)).collect();
    if let Some(list) = &args.files_from {
        inputs.extend(paths_in(list)?.iter().flat_map(|path| search.listed(path)));
    }
    let inputs = each_once(inputs);
    if args.previous.is_some() && inputs.len() > 1 {
        return Err(format!("--previous needs exactly one document, not {}", inputs.len()));
    }
    Ok(inputs)
}

fn paths_in(list: &Path) -> Result<Vec<PathBuf>, String> {
    let bytes = list_bytes(list).map_err(|error| format!("{}: cannot read the list of paths: {error}", shown(list)))?;
    Ok(listed(&bytes))
}

/// Longest list of paths, in bytes.
const LONGEST_LIST: u64 = 64 * 1024 * 1024;

fn list_bytes(list: &Path) -> io::Result<Vec<u8>> {
    let source: Box<dyn io::Read> =
        if is_stdin(list) { Box::new(io::stdin().lock()) } else { Box::new(fs::File::open(list)?) };
    let mut bytes = Vec::new();
    source.take(LONGEST_LIST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST_LIST {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is longer than 64 MiB"));
    }
    Ok(bytes)
}

fn baseline(args: &CheckArgs) -> Baseline<'_> {
    match (args.expect_session.as_deref(), args.initial) {
        (None, Version::Any) => Baseline::Standalone,
        (Some(session_id), Version::Any) => Baseline::Session { session_id },
        (None, Version::First) => Baseline::Initial,
        (Some(session_id), Version::First) => Baseline::Init { session_id },
    }
}

/// Checks a document as the version that follows the one at `path`.
fn check_update(args: &CheckArgs, run: &mut Run<'_>, path: &Path, inputs: &[Input]) {
    let name = if is_stdin(path) { stdin_name(args) } else { as_given(path) };
    let fail = |message| Outcome::failed(name.clone(), None, message);
    let source = match read_named(path) {
        Ok(source) => source,
        Err(error) => return run.take(fail(format!("the previous version cannot be read: {error}"))),
    };
    match verify(&source, run.profile) {
        Ok(version) => {
            let previous = Named::new(&name, &source);
            check_all(args, run, inputs, Baseline::Update { previous: &version }, Some(previous));
        }
        Err(defects) => run.take(fail(not_verifiable(&source, &defects))),
    }
}

fn check_all(
    args: &CheckArgs,
    run: &mut Run<'_>,
    inputs: &[Input],
    baseline: Baseline<'_>,
    previous: Option<Named<'_>>,
) {
    run.judge_all(inputs, |judge, input| judge_input(args, judge, input, baseline, previous));
}

/// Judges one thing to read, which `baseline` holds against `previous`.
fn judge_input(
    args: &CheckArgs,
    judge: &Judge<'_>,
    input: &Input,
    baseline: Baseline<'_>,
    previous: Option<Named<'_>>,
) -> Outcome {
    let (name, source) = match input {
        Input::Stdin => (stdin_name(args), read_stdin()),
        Input::File(path) => (as_given(path), read_file(path)),
        Input::Unsearched(path, why) => return Outcome::failed(as_given(path), None, why.clone()),
    };
    match source {
        Ok(source) => judge.document(Named::new(&name, &source), baseline, previous),
        Err(error) => Outcome::failed(name, None, error.to_string()),
    }
}

fn stdin_name(args: &CheckArgs) -> String {
    args.stdin_filename.as_deref().map_or_else(|| STDIN_NAME.to_owned(), as_given)
}

/// Why a version cannot be followed: each of its defects on a line.
fn not_verifiable(source: &Source, defects: &Diagnostics) -> String {
    let reasons = defects.errors().filter(|defect| defect.rule.family() != security::FAMILY);
    let lines = concise::lines(source, reasons).join("\n  ");
    format!("the previous version has defects itself, so nothing can follow it:\n  {lines}")
}
