//! `handoff-guard export`: the sealed document as a copy that is the same, byte for byte.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::args::{ExportArgs, Links, RepositoryRoot};
use super::exit::Exit;
use super::receipt::{Candidate, Teller};
use super::signals;
use super::target::{self, Target, outside_root};
use crate::render::receipt::{Command, Refusal};
use crate::store::export::{Error, export};

pub(crate) fn run(args: &ExportArgs) -> Exit {
    signals::let_large_writes_fail();
    let path = destination(&args.destination, args.file.file_name());
    let teller = |path| Teller::new(Command::Export, path, args.output.output_format);
    if path.to_string_lossy().ends_with(std::path::is_separator) {
        let failure = Refusal::new("the path is that of a directory, and there is none", "make it, or name a file");
        return teller(&path).refuse(Exit::Unusable, failure);
    }
    let document = match target::open(&args.file, Links::Follow) {
        Ok(document) => document,
        Err(failure) => return teller(&args.file).refuse(Exit::Unusable, failure),
    };
    let teller = teller(&path);
    let copy = match copy(&path, args.here) {
        Ok(copy) => copy,
        Err(failure) => return teller.refuse(Exit::Unusable, failure),
    };
    let from = (&document.directory, document.names.official.as_os_str());
    match export(from, (&copy.directory, &copy.names), args.overwrite) {
        Ok(exported) => teller.wrote(&exported.source, &exported.receipt),
        Err(error) => {
            let failure = Refusal::new(error.to_string(), error.help());
            let Error::Invalid { document, diagnostics } = &error else {
                return teller.refuse(Exit::from(&error), failure);
            };
            let name = args.file.to_string_lossy();
            teller.reject(diagnostics, failure, &Candidate { name: &name, source: document, previous: None })
        }
    }
}

/// A copy in a directory has the name of the document.
fn destination(given: &Path, name: Option<&OsStr>) -> PathBuf {
    let is_directory = fs::metadata(given).is_ok_and(|found| found.is_dir());
    name.filter(|_| is_directory).map_or_else(|| given.to_owned(), |name| given.join(name))
}

fn copy(path: &Path, here: RepositoryRoot) -> Result<Target, Refusal> {
    let copy = target::open(path, Links::Refuse)?;
    outside_root(&copy, here)?;
    Ok(copy)
}
