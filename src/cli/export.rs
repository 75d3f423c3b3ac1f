//! `handoff-guard export`: the sealed document as a copy that is the same, byte for byte.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::args::ExportArgs;
use super::exit::Exit;
use super::receipt::{Candidate, Teller};
use super::signals;
use super::target::{self, Links, Target, outside_root};
use crate::render::receipt::{Command, Refusal};
use crate::store::export::{Error, export};

pub(crate) fn run(args: &ExportArgs) -> Exit {
    signals::let_large_writes_fail();
    let path = destination(&args.destination, args.file.file_name());
    let teller = Teller::new(Command::Export, &path, args.output.output_format);
    let targets = match targets(args, &path) {
        Ok(targets) => targets,
        Err(failure) => return teller.refuse(Exit::Unusable, failure),
    };
    let (document, copy) = &targets;
    let from = (&document.directory, document.names.official.as_os_str());
    match export(from, (&copy.directory, &copy.names), args.overwrite) {
        Ok(exported) => teller.wrote(&exported.source, &exported.receipt),
        Err(error) => {
            let failure = Refusal::new(error.to_string(), error.help());
            match &error {
                Error::Invalid { document, diagnostics } => {
                    let name = args.file.to_string_lossy();
                    let candidate = Candidate { name: &name, source: document, previous: None };
                    teller.reject(diagnostics, failure, &candidate)
                }
                _ => teller.refuse(Exit::from(&error), failure),
            }
        }
    }
}

/// A copy in a directory has the name of the document.
fn destination(given: &Path, name: Option<&OsStr>) -> PathBuf {
    let is_directory = fs::metadata(given).is_ok_and(|found| found.is_dir());
    name.filter(|_| is_directory).map_or_else(|| given.to_owned(), |name| given.join(name))
}

fn targets(args: &ExportArgs, path: &Path) -> Result<(Target, Target), Refusal> {
    let document = target::open(&args.file, Links::Follow)?;
    let copy = target::open(path, Links::Refuse)?;
    outside_root(&copy, args.here)?;
    Ok((document, copy))
}
