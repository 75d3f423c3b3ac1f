//! A report as one file: written beside its name, flushed, read back, renamed, compared, like any version. A reader finds
//! all of it, or what was there before.

use super::candidate::{Replace, Written};
use super::error::{Error, Step, Unsuitable};
use super::fs::{Directory, Kind, NewAccess};
use super::names::{Names, Temporary};

/// Binds the official name of `names` to a file with these bytes; a regular file may be replaced.
///
/// # Errors
/// Why it was not written, or is not certain to be.
pub fn write<D: Directory>(directory: &D, names: &Names, bytes: &[u8]) -> Result<(), Error> {
    let path = &names.official;
    let unsuitable = |reason| Error::Unsuitable { path: path.clone(), reason };
    let found = directory.stat(path).map_err(|source| Error::failed(Step::ReadDestination, path, source))?;
    let (access, replace) = match found.map(|found| (found.kind, found.access)) {
        None => (NewAccess::Default, Replace::Either),
        Some((Kind::Regular, access)) => (NewAccess::Like(access), Replace::Existing),
        Some((Kind::Symlink, _)) => return Err(unsuitable(Unsuitable::Symlink)),
        Some((kind @ (Kind::Directory | Kind::Special), _)) => return Err(unsuitable(Unsuitable::NotRegular(kind))),
    };
    let report = Written::create(directory, names, Temporary::Candidate, bytes, access)?;
    report.confirm(directory, bytes, Step::ReadCandidate)?.commit(directory, names, replace).map(|_| ())
}
