//! A run over documents: each is judged, side by side with others, and reported in its order, with one exit code at the
//! end.

use std::env;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use anstream::ColorChoice;

use super::args::{CheckArgs, Format, OnDefects};
use super::exit::Exit;
use super::output::{Output, complain};
use super::parallel::in_order;
use super::progress::Progress;
use super::report::{Documents, Entry, Manner, Report};
use super::report_file::{Delivery, ReportFile};
use crate::check::{Baseline, check};
use crate::protocol::character::visible;
use crate::protocol::profile::Profile;
use crate::render::full::Style;
use crate::render::json::Failure;
use crate::render::location::Base;
use crate::render::{Counted, Judged, Named, Revision, Tally, label};

/// Does a run over `count` documents, which began at `begun` and reads the files of `read`; `check` judges them.
pub(crate) fn over<'r>(
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

/// How each document of the run is judged; it changes nothing, so documents can be judged side by side.
pub(crate) struct Judge<'a> {
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
    pub(crate) profile: Profile,
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

    /// Judges all items side by side, each as `work` does it, and adds what became of them in their order.
    pub(crate) fn judge_all<T: Sync>(&mut self, items: &[T], work: impl Fn(&Judge<'_>, &T) -> Outcome + Sync) {
        let Self { args, profile, .. } = *self;
        let shown = self.shown.manner();
        let judge = Judge { profile, shown, kept: self.kept.as_ref().map(|kept| kept.report.manner()) };
        let single = shown.documents == Documents::One;
        let processors = || thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        // To ask how many there are takes as long as to check a document.
        let threads = if single { NonZero::<usize>::MIN } else { args.threads.unwrap_or_else(processors) };
        in_order(items, threads, |item| work(&judge, item), |outcome| self.take(outcome));
    }

    /// Adds what became of the next document.
    pub(crate) fn take(&mut self, outcome: Outcome) {
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
