//! `handoff-guard check`: many documents, one report, one exit code.

use std::env;
use std::fs;
use std::io::{self, Read as _};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use anstream::ColorChoice;

use super::args::{CheckArgs, Format, OnDefects, OnNothing, Version};
use super::exit::Exit;
use super::history;
use super::input::{STDIN_NAME, as_given, read_file, read_named, read_stdin};
use super::output::{Output, complain, shown};
use super::parallel::in_order;
use super::paths::{Input, each_once, found, is_stdin, listed, named};
use super::progress::Progress;
use super::report::{Documents, Entry, Manner, Report};
use super::report_file::{Delivery, ReportFile, files};
use super::search::Search;
use crate::check::{Baseline, check, verify};
use crate::diagnostic::Diagnostics;
use crate::protocol::character::visible;
use crate::protocol::profile::Profile;
use crate::render::full::Style;
use crate::render::json::Failure;
use crate::render::location::Base;
use crate::render::{Counted, Judged, Named, Revision, Tally, concise, label};
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
    run_over(args, inputs.len(), files(&inputs), begun, |run| match &args.previous {
        Some(path) => run.check_update(path, &inputs),
        None => run.check_all(&inputs, baseline(args), None),
    })
}

/// Does a run over `count` documents, which began at `begun` and reads the files of `read`; `check` judges them.
pub(crate) fn run_over<'r>(
    args: &CheckArgs,
    count: usize,
    read: impl Iterator<Item = &'r Path>,
    begun: Instant,
    check: impl FnOnce(&mut Run<'_>),
) -> Exit {
    let base = Base::new(env::current_dir().unwrap_or_default());
    match Run::new(args, count, read, &base, begun) {
        Ok(mut run) => {
            check(&mut run);
            run.finish()
        }
        Err(message) => {
            complain(&message);
            Exit::Unusable
        }
    }
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
    let mut inputs: Vec<Input> = args.paths.iter().flat_map(|path| named(path, search)).collect();
    if let Some(list) = &args.files_from {
        inputs.extend(paths_in(list)?.iter().flat_map(|path| found(path, search)));
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

/// How each document of the run is judged; it changes nothing, so documents can be judged side by side.
pub(crate) struct Judge<'a> {
    args: &'a CheckArgs,
    profile: Profile,
    shown: Manner<'a>,
    kept: Option<Manner<'a>>,
}

/// What one document adds to the run.
pub(crate) enum Outcome {
    /// It was judged.
    Judged { tally: Tally, shown: Entry, kept: Option<Entry> },
    /// It could not be judged; its name for people, not escaped.
    Failed { label: String, failure: Failure },
}

impl Outcome {
    /// A file as it is, or a version of it, could not be judged.
    pub(crate) fn failed(path: String, revision: Option<Revision<'_>>, message: String) -> Self {
        let label = label(&path, revision);
        Self::Failed {
            label,
            failure: Failure { path, revision: revision.map(|revision| revision.to_string()), message },
        }
    }
}

impl Judge<'_> {
    fn input(&self, input: &Input, baseline: Baseline<'_>, previous: Option<Named<'_>>) -> Outcome {
        let (name, source) = match input {
            Input::Stdin => (stdin_name(self.args), read_stdin()),
            Input::File(path) => (as_given(path), read_file(path)),
            Input::Unsearched(path, why) => return Outcome::failed(as_given(path), None, why.clone()),
        };
        match source {
            Ok(source) => self.document(Named::new(&name, &source), baseline, previous),
            Err(error) => Outcome::failed(name, None, error.to_string()),
        }
    }

    /// Judges a document, which `baseline` holds against `previous`.
    pub(crate) fn document(&self, document: Named<'_>, baseline: Baseline<'_>, previous: Option<Named<'_>>) -> Outcome {
        let verdict = check(document.source, self.profile, baseline);
        let mut tally = Tally::default();
        tally.count(&verdict);
        let judged = Judged { document, previous, profile: self.profile, verdict: &verdict };
        let kept = self.kept.map(|manner| manner.entry(&judged));
        Outcome::Judged { tally, shown: self.shown.entry(&judged), kept }
    }
}

/// A run that goes on: the only one that writes, in the order of the inputs.
pub(crate) struct Run<'a> {
    args: &'a CheckArgs,
    profile: Profile,
    output: Output,
    progress: Progress,
    tally: Tally,
    shown: Report<'a>,
    kept: Option<ReportFile<'a>>,
}

impl<'a> Run<'a> {
    /// A run over `count` documents that was started in the directory `base` and reads the files of `read`.
    ///
    /// # Errors
    /// Why its report cannot be written where it should go.
    fn new<'r>(
        args: &'a CheckArgs,
        count: usize,
        read: impl Iterator<Item = &'r Path>,
        base: &'a Base,
        begun: Instant,
    ) -> Result<Self, String> {
        let profile = args.profile.into();
        let output = Output::new(ColorChoice::from(args.color));
        let documents = if count == 1 { Documents::One } else { Documents::Several };
        let manner = |format, style| Manner { format, advice: args.advice, style, documents, base };
        let kept = args.output_file.as_deref().map(|path| {
            let report = Report::new(manner(args.output_format, Style::Plain));
            let lists = args.previous.iter().chain(&args.files_from).map(PathBuf::as_path);
            let read = read.map(Path::to_owned).chain(lists.map(Path::to_owned));
            ReportFile::new(path, report, read)
        });
        let kept = kept.transpose()?;
        let format = if kept.is_some() { Format::Full } else { args.output_format };
        let shown = Report::new(manner(format, output.style()));
        let progress = Progress::new(count, begun);
        let counted = if args.history.range().is_some() { Counted::Versions } else { Counted::Files };
        let tally = Tally { counted, ..Tally::default() };
        Ok(Self { args, profile, output, progress, tally, shown, kept })
    }

    /// Checks a document as the version that follows the one at `path`.
    fn check_update(&mut self, path: &Path, inputs: &[Input]) {
        let name = if is_stdin(path) { stdin_name(self.args) } else { as_given(path) };
        let fail = |message| Outcome::failed(name.clone(), None, message);
        let source = match read_named(path) {
            Ok(source) => source,
            Err(error) => return self.take(fail(format!("the previous version cannot be read: {error}"))),
        };
        match verify(&source, self.profile) {
            Ok(version) => {
                let previous = Named::new(&name, &source);
                self.check_all(inputs, Baseline::Update { previous: &version }, Some(previous));
            }
            Err(defects) => self.take(fail(not_verifiable(&source, &defects))),
        }
    }

    fn check_all(&mut self, inputs: &[Input], baseline: Baseline<'_>, previous: Option<Named<'_>>) {
        self.judge_all(inputs, |judge, input| judge.input(input, baseline, previous));
    }

    /// Judges all items side by side, each as `work` does it, and adds what became of them in their order.
    pub(crate) fn judge_all<T: Sync>(&mut self, items: &[T], work: impl Fn(&Judge<'_>, &T) -> Outcome + Sync) {
        let Self { args, profile, .. } = *self;
        let shown = self.shown.manner();
        let judge = Judge { args, profile, shown, kept: self.kept.as_ref().map(|kept| kept.report.manner()) };
        let single = shown.documents == Documents::One;
        let processors = || thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        // To ask how many there are takes as long as to check a document.
        let threads = if single { NonZero::<usize>::MIN } else { args.threads.unwrap_or_else(processors) };
        in_order(items, threads, |item| work(&judge, item), |outcome| self.take(outcome));
    }

    /// Adds what became of the next document.
    fn take(&mut self, outcome: Outcome) {
        self.progress.advance();
        match outcome {
            Outcome::Judged { tally, shown, kept } => {
                self.tally.add(&tally);
                let text = self.shown.add(shown);
                self.progress.write(&mut self.output, &text);
                if let (Some(file), Some(entry)) = (&mut self.kept, kept) {
                    file.text.push_str(&file.report.add(entry));
                }
            }
            Outcome::Failed { label, failure } => {
                self.tally.unreadable += 1;
                let text = self.shown.fail(&failure);
                if text.is_empty() {
                    self.progress.complain(&format!("{}: {}", visible(&label), failure.message));
                }
                self.progress.write(&mut self.output, &text);
                if let Some(file) = &mut self.kept {
                    file.text.push_str(&file.report.fail(&failure));
                }
            }
        }
    }

    fn finish(mut self) -> Exit {
        self.progress.end();
        let exit = match self.tally {
            Tally { unreadable: 1.., .. } => Exit::Unusable,
            Tally { invalid: 1.., .. } if self.args.exit_zero == OnDefects::Fail => Exit::Defects,
            _ => Exit::Success,
        };
        match self.shown.finish(&self.tally, exit) {
            Ok(text) => self.output.write(&text),
            Err(error) => {
                complain(&format!("the report cannot be made: {error}"));
                return Exit::Internal;
            }
        }
        let exit = match self.kept.map(|kept| kept.finish(&self.tally, exit)) {
            Some(Delivery::Failed) => exit.max(Exit::Unusable),
            Some(Delivery::Done) | None => exit,
        };
        self.output.finish().max(exit)
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
