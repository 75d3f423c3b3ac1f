//! A copy of a sealed document that is the same, byte for byte (the source §8): read, judged, written beside its
//! destination, flushed, read back, renamed, made durable and compared, like any version.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;

use super::candidate::{Replace, Written};
use super::error::{self, Step, shown};
use super::fs::{Directory, Kind, Metadata, NewAccess, Read};
use super::names::{Names, Temporary};
use super::replace::{Receipt, Success, progress, recheck};
use crate::check::{Baseline, Verdict, check};
use crate::diagnostic::Diagnostics;
use crate::protocol::profile::Profile;
use crate::protocol::status::Status;
use crate::source::Source;

/// What happens to a file that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It is kept, and the export refused, unless it holds the same bytes.
    Keep,
    /// It is replaced.
    Replace,
}

/// An export that ended well.
#[derive(Debug)]
pub struct Exported {
    /// The document.
    pub source: Source,
    /// What was written: the copy is its official file.
    pub receipt: Receipt,
}

/// Why nothing was exported.
#[derive(Debug)]
pub enum Error {
    /// The document cannot be read.
    Unreadable {
        /// The document.
        path: OsString,
        /// What the operating system said.
        source: io::Error,
    },
    /// The document breaks rules.
    Invalid {
        /// The document.
        document: Source,
        /// Its defects.
        diagnostics: Diagnostics,
    },
    /// The document is not sealed.
    Unsealed {
        /// `handoff_status`.
        status: Option<Status>,
    },
    /// The destination is the document.
    Itself,
    /// The destination is no regular file.
    NotRegular {
        /// The destination.
        path: OsString,
    },
    /// The destination is there and holds something else.
    Exists {
        /// The destination.
        path: OsString,
    },
    /// A step failed.
    Transaction(error::Error),
}

impl From<error::Error> for Error {
    fn from(error: error::Error) -> Self {
        match error {
            error::Error::Exists { path, .. } => Self::Exists { path },
            error => Self::Transaction(error),
        }
    }
}

impl Error {
    /// What to do next.
    pub fn help(&self) -> String {
        match self {
            Self::Unreadable { .. } => "name a sealed handoff file that can be read".to_owned(),
            Self::Invalid { .. } => "only a valid document is handed over: run `recover`, or repair it".to_owned(),
            Self::Unsealed { .. } => "seal the session first".to_owned(),
            Self::Itself => "name another destination; the document may be handed over where it is".to_owned(),
            Self::NotRegular { .. } => "name a regular file, or a directory".to_owned(),
            Self::Exists { .. } => "choose another destination, or say --overwrite".to_owned(),
            Self::Transaction(error::Error::Indeterminate { .. }) => "run the same export again".to_owned(),
            Self::Transaction(error) => error.help(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { path, source } => write!(f, "`{}` cannot be read: {source}", shown(path)),
            Self::Invalid { .. } => f.write_str("the document is not valid; nothing was exported"),
            Self::Unsealed { status: Some(status) } => write!(f, "the document is {status}, not sealed"),
            Self::Unsealed { status: None } => f.write_str("the document is not sealed"),
            Self::Itself => f.write_str("the destination is the document itself"),
            Self::NotRegular { path } => write!(f, "`{}` is not a regular file", shown(path)),
            Self::Exists { path } => write!(f, "`{}` exists and holds something else", shown(path)),
            Self::Transaction(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable { source, .. } => Some(source),
            Self::Transaction(error) => error.source(),
            Self::Invalid { .. }
            | Self::Unsealed { .. }
            | Self::Itself
            | Self::NotRegular { .. }
            | Self::Exists { .. } => None,
        }
    }
}

/// Copies the sealed file `name` of the directory `from` to the official name of `names` in the directory `to`. No lock is
/// taken: a reader never sees a partial file, and the destination changes by one rename.
///
/// # Errors
/// Why nothing was exported, or why it is not certain that it was.
pub fn export<D: Directory>(
    (from, name): (&D, &OsStr),
    (to, names): (&D, &Names),
    existing: Existing,
) -> Result<Exported, Error> {
    let read =
        from.read(name, Source::MAX_BYTES + 1).map_err(|source| Error::Unreadable { path: name.to_owned(), source })?;
    let source = Source::new(read.bytes);
    let receipt = match check(&source, Profile::Full, Baseline::Standalone) {
        Verdict::Invalid(diagnostics) => return Err(Error::Invalid { document: source, diagnostics }),
        Verdict::Valid(valid) => {
            let document = valid.version().document();
            if !document.is_sealed() {
                return Err(Error::Unsealed { status: document.status().map(|status| status.value) });
            }
            Receipt {
                outcome: Success::Committed,
                before: None,
                after: valid.version().digest(),
                from: None,
                to: progress(document),
                backup: None,
                advice: valid.advice().clone(),
            }
        }
    };
    let receipt = match destination(to, names, read.metadata)? {
        None => {
            place(to, names, source.bytes(), read.metadata, None)?;
            receipt
        }
        Some(held) if held.bytes == source.bytes() => {
            place(to, names, source.bytes(), read.metadata, Some(held.metadata))?;
            Receipt { outcome: Success::Unchanged, before: Some(receipt.after), from: receipt.to, ..receipt }
        }
        Some(_) if existing == Existing::Keep => return Err(Error::Exists { path: names.official.clone() }),
        Some(held) => {
            place(to, names, source.bytes(), read.metadata, Some(held.metadata))?;
            receipt
        }
    };
    Ok(Exported { source, receipt })
}

/// What stands at the destination, which must not be the document.
fn destination<D: Directory>(to: &D, names: &Names, document: Metadata) -> Result<Option<Read>, Error> {
    let path = &names.official;
    let failed = |source| Error::Transaction(error::Error::failed(Step::ReadDestination, path, source));
    let Some(found) = to.stat(path).map_err(failed)? else { return Ok(None) };
    if found.identity.file == document.identity.file {
        return Err(Error::Itself);
    }
    if found.kind != Kind::Regular {
        return Err(Error::NotRegular { path: path.clone() });
    }
    to.read(path, Source::MAX_BYTES + 1).map(Some).map_err(failed)
}

/// Binds the destination to a fresh file with these bytes, durably; it may replace nothing else than `held`.
fn place<D: Directory>(
    to: &D,
    names: &Names,
    bytes: &[u8],
    like: Metadata,
    held: Option<Metadata>,
) -> Result<(), error::Error> {
    let copy = Written::create(to, names, Temporary::Candidate, bytes, NewAccess::Like(like.access))?;
    let copy = copy.confirm(to, bytes, Step::ReadCandidate)?;
    let replace = match held {
        None => Replace::Nothing,
        Some(held) => {
            recheck(to, names, held.identity).map_err(|error| error.cleaned(to, copy.name()))?;
            Replace::Existing
        }
    };
    copy.commit(to, names, replace).map(|_| ())
}
