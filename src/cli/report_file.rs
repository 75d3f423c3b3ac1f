//! The file that a report goes to.

use std::error::Error as _;
use std::fs;
use std::path::{Path, PathBuf};

use super::args::Links;
use super::exit::Exit;
use super::output::{complain, shown};
use super::paths::Input;
use super::report::Report;
use super::signals;
use super::target::{self, Target};
use crate::render::Tally;
use crate::store::report;

/// A report on its way to a file. Nothing is written before it is complete.
pub(crate) struct ReportFile<'a> {
    path: &'a Path,
    target: Target,
    pub(crate) report: Report<'a>,
    pub(crate) text: String,
}

/// Whether a report is where it should be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    Done,
    Failed,
}

impl<'a> ReportFile<'a> {
    /// A report for the file at `path`, which must be none of `read`.
    ///
    /// # Errors
    /// Why nothing can be written there.
    pub(crate) fn new(
        path: &'a Path,
        report: Report<'a>,
        mut read: impl Iterator<Item = PathBuf>,
    ) -> Result<Self, String> {
        let refused = |reason: &str| format!("{}: no report can be written there: {reason}", shown(path));
        let is_read = fs::canonicalize(path)
            .is_ok_and(|file| read.any(|input| fs::canonicalize(input).is_ok_and(|input| input == file)));
        if is_read {
            return Err(refused("this run reads it"));
        }
        let target = target::open(path, Links::Follow).map_err(|refusal| refused(refusal.message()))?;
        signals::let_large_writes_fail();
        Ok(Self { path, target, report, text: String::new() })
    }

    /// Writes all of the report about a run that ends so, or nothing.
    pub(crate) fn finish(self, tally: &Tally, exit: Exit) -> Delivery {
        let Self { path, target, report, mut text } = self;
        let written = report.finish(tally, exit).map_err(|error| error.to_string()).and_then(|end| {
            text.push_str(&end);
            let written = report::write(&target.directory, &target.names, text.as_bytes());
            written.map_err(|error| error.source().map_or_else(|| error.to_string(), ToString::to_string))
        });
        match written {
            Ok(()) => Delivery::Done,
            Err(error) => {
                complain(&format!("{}: the report cannot be written: {error}", shown(path)));
                Delivery::Failed
            }
        }
    }
}

/// The files that a run reads.
pub(crate) fn files(inputs: &[Input]) -> impl Iterator<Item = &Path> {
    inputs.iter().filter_map(|input| match input {
        Input::File(path) | Input::Unsearched(path, _) => Some(path.as_path()),
        Input::Stdin => None,
    })
}
