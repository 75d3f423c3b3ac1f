//! Removing a session that was taken over, with everything beside it (the source §7).
//!
//! The order makes every crash harmless:
//!
//! ```text
//!  1 lock                                        4 flush the directory
//!  2 look at everything, refuse                  5 remove the official file
//!  3 remove temporary, rejected and damaged      6 remove the lock file
//!    files, and the backup                       7 flush the directory
//! ```
//!
//! Until 5 the official file stands, so the session is whole, and `recover` finds it healthy. The backup is gone durably
//! before: were it the last to go, a crash would leave it alone, and `recover` would restore from it a session that
//! somebody meant to discard. After 5 nothing is left to restore, and a second `discard` ends what is missing. The lock file
//! goes last and while the lock is held: who waits for it notices that the name is no longer bound to the file that it
//! locked, and opens the name again.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::time::Duration;

use super::error::{self, Step, Unsuitable, shown};
use super::fs::{Directory, Kind, Metadata};
use super::names::Names;
use super::recover::{Found, Inspected, Version, inspect};
use super::replace::{Extent, lock, recheck};
use crate::protocol::status::Status;

/// What the caller wants.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// Whether a session that can still be continued, or that nobody can verify, is discarded too.
    pub force: Force,
    /// How long to wait for another writer.
    pub patience: Duration,
    /// Whether to stop before anything is removed.
    pub extent: Extent,
}

/// Whether to discard what looks as if it were still needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Force {
    /// Refuse it.
    No,
    /// Discard it all the same.
    Yes,
}

/// What was found and removed.
#[derive(Debug)]
pub struct Discarded {
    /// The official file, when it was verifiable.
    pub version: Option<Version>,
    /// Every file that has one of the names, in the order of removal.
    pub files: Vec<File>,
}

/// A file with one of the names that belong to the official one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name.
    pub name: OsString,
    /// What it is.
    pub role: Role,
    /// Whether it goes.
    pub fate: Fate,
}

/// What a file is, in the order of removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// A temporary file of a dead writer.
    Leftover,
    /// The newest candidate that was refused.
    Rejected,
    /// A damaged official file that recovery set aside.
    Damaged,
    /// The version before.
    Backup,
    /// The official file.
    Official,
    /// The lock file.
    Lock,
}

/// Whether a file goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It goes, or is gone.
    Goes,
    /// It stays: it belongs to this other session.
    OtherSession(String),
    /// It stays: it is no regular file.
    NotRegular,
    /// It stays: only an empty lock file could not be removed.
    Stuck(io::ErrorKind),
}

/// Why nothing, or not everything, was discarded.
#[derive(Debug)]
pub enum Error {
    /// Nothing has any of the names.
    Missing {
        /// The official name.
        path: OsString,
    },
    /// The official file is missing, but other files of it are there.
    OfficialMissing {
        /// The official name.
        path: OsString,
        /// The backup is a verifiable version: recovery's business.
        recoverable: bool,
    },
    /// The session is not sealed.
    Unsealed {
        /// `handoff_status`.
        status: Option<Status>,
    },
    /// The official file is not a verifiable version.
    NotVerifiable {
        /// The official file.
        path: OsString,
    },
    /// A step failed while the official file still stood.
    Transaction(error::Error),
    /// The official file is gone, but its removal could not be made durable.
    Indeterminate {
        /// What the operating system said.
        source: io::Error,
    },
}

impl From<error::Error> for Error {
    fn from(error: error::Error) -> Self {
        Self::Transaction(error)
    }
}

impl Error {
    /// What to do next.
    pub fn help(&self) -> String {
        match self {
            Self::Missing { .. } => "name the handoff file".to_owned(),
            Self::OfficialMissing { recoverable: true, .. } => {
                "run `recover` to restore it, or say --force to discard what is left".to_owned()
            }
            Self::OfficialMissing { recoverable: false, .. } => "say --force to discard what is left".to_owned(),
            Self::Unsealed { .. } => "seal the session and hand it over first, or say --force to give it up".to_owned(),
            Self::NotVerifiable { .. } => "run `recover` first, or say --force to give the session up".to_owned(),
            Self::Transaction(error) => error.help(),
            Self::Indeterminate { .. } => "run the same command again".to_owned(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { path } => write!(f, "`{}` does not exist, and nothing that belongs to it", shown(path)),
            Self::OfficialMissing { path, recoverable } => {
                let backup = if *recoverable { "its backup is a verifiable version" } else { "files of it are left" };
                write!(f, "`{}` is missing, and {backup}; nothing was removed", shown(path))
            }
            Self::Unsealed { status: Some(status) } => {
                write!(f, "the session is {status}, not sealed; nothing was removed")
            }
            Self::Unsealed { status: None } => f.write_str("the session is not sealed; nothing was removed"),
            Self::NotVerifiable { path } => {
                write!(f, "`{}` is not a verifiable version; nothing was removed", shown(path))
            }
            Self::Transaction(error) => error.fmt(f),
            Self::Indeterminate { source } => {
                write!(f, "indeterminate: the official file is removed, but a power loss may bring it back: {source}")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Transaction(error) => error.source(),
            Self::Indeterminate { source } => Some(source),
            Self::Missing { .. }
            | Self::OfficialMissing { .. }
            | Self::Unsealed { .. }
            | Self::NotVerifiable { .. } => None,
        }
    }
}

/// Removes a session, or says what would be removed.
///
/// # Errors
/// Why it was not removed, or not certainly.
pub fn discard<D: Directory>(directory: &D, names: &Names, request: Request) -> Result<Discarded, Error> {
    // Who is refused leaves nothing behind, not even a lock file.
    let (found, _) = survey(directory, names, request.force)?;
    if request.extent == Extent::DryRun {
        return Ok(found);
    }
    let _lock = lock(directory, names, request.patience)?;
    let (mut found, official) = survey(directory, names, request.force)?;
    let going = |role: fn(Role) -> bool| {
        found.files.iter().filter(move |file| file.fate == Fate::Goes && role(file.role)).map(|file| &file.name)
    };
    going(|role| role < Role::Official).try_for_each(|name| remove(directory, name))?;
    directory.flush_directory().map_err(|source| error::Error::failed(Step::FlushRemoval, OsStr::new("."), source))?;
    if let Some(official) = official {
        recheck(directory, names, official.identity)?;
        remove(directory, &names.official)?;
    }
    if let Err(error) = unlinked(directory, &names.lock) {
        let lock = found.files.iter_mut().filter(|file| file.role == Role::Lock);
        lock.for_each(|lock| lock.fate = Fate::Stuck(error.kind()));
    }
    directory.flush_directory().map_err(|source| Error::Indeterminate { source })?;
    Ok(found)
}

/// Everything that has one of the names, and the official file. Refuses what may still be needed.
fn survey<D: Directory>(directory: &D, names: &Names, force: Force) -> Result<(Discarded, Option<Metadata>), Error> {
    let listed = directory.list().map_err(|source| error::Error::failed(Step::List, OsStr::new("."), source))?;
    let mut own: Vec<(Role, OsString)> =
        listed.into_iter().filter_map(|name| Some((role(names, &name)?, name))).collect();
    own.sort();
    let Some((lowest, _)) = own.first() else { return Err(Error::Missing { path: names.official.clone() }) };
    let mut official = inspect(directory, &names.official, Step::ReadOfficial)?;
    let mut backup = inspect(directory, &names.backup, Step::ReadBackup)?;
    if let Found::NotRegular(kind) = official.found {
        let reason = Unsuitable::NotRegular(kind);
        return Err(error::Error::Unsuitable { path: names.official.clone(), reason }.into());
    }
    if force == Force::No {
        official = official.readable(&names.official, Step::ReadOfficial)?;
        backup = backup.readable(&names.backup, Step::ReadBackup)?;
        // Where only the lock file is left, an earlier `discard` was interrupted.
        refuse(names, &official, &backup, *lowest == Role::Lock)?;
    }
    let theirs = other_session(&official, &backup).filter(|_| force == Force::No);
    let mut files = Vec::new();
    for (role, name) in own {
        let found = directory.stat(&name).map_err(|source| error::Error::failed(Step::List, &name, source))?;
        let fate = match (found, &theirs) {
            (None, _) => continue,
            (Some(found), _) if found.kind != Kind::Regular => Fate::NotRegular,
            (Some(_), Some(session)) if role == Role::Backup => Fate::OtherSession(session.clone()),
            (Some(_), _) => Fate::Goes,
        };
        files.push(File { name, role, fate });
    }
    let version = match official.found {
        Found::Verifiable(version) => Some(version),
        Found::Missing | Found::Defective { .. } | Found::Unreadable(_) | Found::NotRegular(_) => None,
    };
    Ok((Discarded { version, files }, official.metadata))
}

/// Refuses a session that can be continued, restored or examined.
fn refuse(names: &Names, official: &Inspected, backup: &Inspected, only_lock: bool) -> Result<(), Error> {
    let path = names.official.clone();
    match &official.found {
        Found::Verifiable(version) => {
            let status = version.progress.map(|progress| progress.status);
            if status.is_some_and(Status::is_terminal) { Ok(()) } else { Err(Error::Unsealed { status }) }
        }
        Found::Missing if only_lock => Ok(()),
        Found::Missing => {
            let recoverable = matches!(backup.found, Found::Verifiable(_));
            Err(Error::OfficialMissing { path, recoverable })
        }
        Found::Defective { .. } | Found::Unreadable(_) | Found::NotRegular(_) => Err(Error::NotVerifiable { path }),
    }
}

fn role(names: &Names, name: &OsStr) -> Option<Role> {
    let fixed = [
        (&names.official, Role::Official),
        (&names.backup, Role::Backup),
        (&names.rejected, Role::Rejected),
        (&names.lock, Role::Lock),
    ];
    let fixed = fixed.into_iter().find(|(known, _)| *known == name).map(|(_, role)| role);
    fixed
        .or_else(|| names.is_damaged(name).then_some(Role::Damaged))
        .or_else(|| names.is_temporary(name).then_some(Role::Leftover))
}

/// The session of the backup, when it is readably another one than the official file's.
fn other_session(official: &Inspected, backup: &Inspected) -> Option<String> {
    let ours = official.session.as_deref()?;
    backup.session.clone().filter(|theirs| theirs != ours)
}

fn remove<D: Directory>(directory: &D, name: &OsStr) -> Result<(), error::Error> {
    unlinked(directory, name).map_err(|source| error::Error::failed(Step::Remove, name, source))
}

/// Removes a name; one that is gone although the call reports an error was removed.
fn unlinked<D: Directory>(directory: &D, name: &OsStr) -> io::Result<()> {
    match directory.unlink(name) {
        Err(error) if !matches!(directory.stat(name), Ok(None)) => Err(error),
        _ => Ok(()),
    }
}
