//! Reading documents: regular files and standard input, never more than one byte beyond the largest document.

use std::fmt;
use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;

use super::paths::is_stdin;
use crate::source::Source;

/// Why a document could not be read.
#[derive(Debug)]
pub(crate) enum Unreadable {
    /// The system refused.
    Refused(io::Error),
    /// It is no regular file; reading it could wait for ever.
    NotAFile(&'static str),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => error.fmt(f),
            Self::NotAFile(kind) => write!(f, "{kind}, not a regular file"),
        }
    }
}

impl From<io::Error> for Unreadable {
    fn from(error: io::Error) -> Self {
        Self::Refused(error)
    }
}

/// Reads the regular file at `path`; links are followed. Anything else is refused before it is opened, because to open a
/// device can do something, and once more when it is open, because it may have been replaced.
///
/// # Errors
/// The file is missing, cannot be read, or is not a regular file.
pub(crate) fn read_file(path: &Path) -> Result<Source, Unreadable> {
    require_regular(fs::metadata(path)?.file_type())?;
    let file = open(path)?;
    let metadata = file.metadata()?;
    require_regular(metadata.file_type())?;
    let expected = usize::try_from(metadata.len()).unwrap_or(usize::MAX);
    Ok(read(file, expected)?)
}

/// Opens a file; a FIFO without a writer is not waited for.
#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(File::from(rustix::io::retry_on_intr(|| rustix::fs::open(path, flags, Mode::empty()))?))
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// The name of standard input in reports.
pub(crate) const STDIN_NAME: &str = "<stdin>";

/// A path as it was given, as far as it is text; reports escape it.
pub(crate) fn as_given(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Reads the file at `path`, or standard input where that is `-`.
///
/// # Errors
/// It cannot be read.
pub(crate) fn read_named(path: &Path) -> Result<Source, Unreadable> {
    if is_stdin(path) { read_stdin() } else { read_file(path) }
}

/// The name that a path has in reports.
pub(crate) fn reported(path: &Path) -> String {
    if is_stdin(path) { STDIN_NAME.to_owned() } else { as_given(path) }
}

/// Reads standard input to its end.
///
/// # Errors
/// It cannot be read.
pub(crate) fn read_stdin() -> Result<Source, Unreadable> {
    Ok(read(io::stdin().lock(), 0)?)
}

fn read(stream: impl Read, expected: usize) -> io::Result<Source> {
    let limit = Source::MAX_BYTES + 1;
    let mut bytes = Vec::with_capacity(expected.saturating_add(1).min(limit));
    stream.take(limit as u64).read_to_end(&mut bytes)?;
    Ok(Source::new(bytes))
}

fn require_regular(kind: FileType) -> Result<(), Unreadable> {
    if kind.is_file() { Ok(()) } else { Err(Unreadable::NotAFile(name(kind))) }
}

#[cfg(unix)]
fn name(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    match kind {
        kind if kind.is_dir() => "a directory",
        kind if kind.is_fifo() => "a FIFO",
        kind if kind.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn name(kind: FileType) -> &'static str {
    if kind.is_dir() { "a directory" } else { "a device" }
}
