//! Why a version was not written, what is on disk now, and what to do next.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::time::Duration;

use super::fs::{Directory, Kind};
use crate::diagnostic::Diagnostics;
use crate::protocol::character::visible;
use crate::protocol::digest::Digest;

/// The steps that can fail, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Taking the lock.
    Lock,
    /// Reading the official file.
    ReadOfficial,
    /// Reading the backup.
    ReadBackup,
    /// Listing the directory.
    List,
    /// Creating or writing the candidate.
    WriteCandidate,
    /// Flushing the candidate.
    FlushCandidate,
    /// Reading the candidate back.
    ReadCandidate,
    /// Creating or writing the new backup.
    WriteBackup,
    /// Flushing the new backup.
    FlushBackup,
    /// Reading the new backup back.
    ReadNewBackup,
    /// Renaming the new backup.
    RenameBackup,
    /// Flushing the directory before the official file is touched.
    FlushDirectory,
    /// Looking whether the official file is still the one that was read.
    Recheck,
    /// Setting the damaged official file aside.
    SetAside,
    /// Renaming the candidate over the official file.
    Rename,
    /// Flushing the directory after that.
    FlushRename,
    /// Comparing the official file with the candidate.
    Compare,
    /// Reading what stands at the destination of an export.
    ReadDestination,
    /// Removing a file of a session that is discarded.
    Remove,
    /// Flushing the directory before the official file of that session is removed.
    FlushRemoval,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lock => "take the lock",
            Self::ReadOfficial => "read the official file",
            Self::ReadBackup => "read the backup",
            Self::List => "list the directory",
            Self::WriteCandidate => "write the candidate",
            Self::FlushCandidate => "flush the candidate",
            Self::ReadCandidate => "read the candidate back",
            Self::WriteBackup => "write the new backup",
            Self::FlushBackup => "flush the new backup",
            Self::ReadNewBackup => "read the new backup back",
            Self::RenameBackup => "rename the new backup",
            Self::FlushDirectory => "flush the directory",
            Self::Recheck => "look at the official file again",
            Self::SetAside => "set the damaged file aside",
            Self::Rename => "rename the candidate over the official file",
            Self::FlushRename => "flush the directory after the rename",
            Self::Compare => "compare the official file with the candidate",
            Self::ReadDestination => "read the destination",
            Self::Remove => "remove the file",
            Self::FlushRemoval => "flush the directory after the first removals",
        })
    }
}

/// What is certain about the official file after a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The old state, exactly.
    NotCommitted,
    /// The old version or the new one; a power loss may still decide.
    Indeterminate,
}

/// Why a version was not written.
#[derive(Debug)]
pub enum Error {
    /// Another process holds the lock.
    Locked {
        /// The lock file.
        path: OsString,
        /// How long it was waited for.
        waited: Duration,
    },
    /// There is no official file, and the caller did not say that this is a first version.
    Missing {
        /// The official name.
        path: OsString,
    },
    /// A first version, but the official file is there.
    Exists {
        /// The official file.
        path: OsString,
        /// Where the candidate was kept; not at all when it holds a credential.
        kept: Option<OsString>,
    },
    /// A first version, but a backup is there without an official file.
    BackupLeft {
        /// The backup.
        path: OsString,
        /// It is a verifiable version: recovery's business.
        verifiable: bool,
    },
    /// The official file is not verifiable: recovery's business.
    NotVerifiable {
        /// The official file.
        path: OsString,
        /// Its defects.
        diagnostics: Diagnostics,
    },
    /// The official file is not the one that the caller based its work on.
    Stale {
        /// The digest that the caller expected.
        expected: Digest,
        /// The digest of the official file.
        found: Digest,
        /// What differs.
        cause: StaleCause,
        /// Where the candidate was kept; not at all when it holds a credential.
        kept: Option<OsString>,
    },
    /// The official file changed while the write went on.
    Changed {
        /// The official file.
        path: OsString,
        /// Where the candidate was kept; not at all when it holds a credential.
        kept: Option<OsString>,
    },
    /// The candidate breaks rules.
    Rejected {
        /// Its defects.
        diagnostics: Diagnostics,
        /// Where it was kept; not at all when it holds a credential.
        kept: Option<OsString>,
    },
    /// The official file is no regular file of its own.
    Unsuitable {
        /// The official name.
        path: OsString,
        /// Why.
        reason: Unsuitable,
    },
    /// A step failed before the official file was touched.
    Failed {
        /// The step.
        step: Step,
        /// The file that it was about.
        path: OsString,
        /// What the operating system said.
        source: io::Error,
        /// Temporary files that could not be removed.
        left: Vec<OsString>,
    },
    /// A step failed after the rename.
    Indeterminate {
        /// The step.
        step: Step,
        /// The official file.
        path: OsString,
        /// What the operating system said.
        source: io::Error,
        /// The digest of the new version.
        candidate: Digest,
    },
}

/// How the official file differs from the one that the caller expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StaleCause {
    /// It is another version.
    Content,
    /// Only its line ends were converted.
    LineEnds,
}

/// Why an official file cannot be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsuitable {
    /// It is a symbolic link.
    Symlink,
    /// It has other names, which would keep the old content.
    HardLinks(u64),
    /// It is a directory, device, FIFO or socket.
    NotRegular(Kind),
    /// It is larger than a document may be.
    TooLarge,
}

impl Error {
    pub(super) fn failed(step: Step, path: &OsStr, source: io::Error) -> Self {
        Self::Failed { step, path: path.to_owned(), source, left: Vec::new() }
    }

    /// Removes a temporary file, and says so when that fails.
    pub(super) fn cleaned<D: Directory>(mut self, directory: &D, temporary: &OsStr) -> Self {
        let removed = match directory.unlink(temporary) {
            Err(error) => error.kind() == io::ErrorKind::NotFound,
            Ok(()) => true,
        };
        if let (Self::Failed { left, .. }, false) = (&mut self, removed) {
            left.push(temporary.to_owned());
        }
        self
    }

    /// Keeps the candidate of a writer that was refused for what it wrote, or for what another one wrote first.
    pub(super) fn keeping(mut self, keep: impl FnOnce() -> Option<OsString>) -> Self {
        if let Self::Exists { kept, .. }
        | Self::Stale { kept, .. }
        | Self::Changed { kept, .. }
        | Self::Rejected { kept, .. } = &mut self
        {
            *kept = keep();
        }
        self
    }

    /// What is certain about the official file.
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Indeterminate { .. } => Outcome::Indeterminate,
            Self::Locked { .. }
            | Self::Missing { .. }
            | Self::Exists { .. }
            | Self::BackupLeft { .. }
            | Self::NotVerifiable { .. }
            | Self::Stale { .. }
            | Self::Changed { .. }
            | Self::Rejected { .. }
            | Self::Unsuitable { .. }
            | Self::Failed { .. } => Outcome::NotCommitted,
        }
    }

    /// What is on disk now.
    pub fn standing(&self) -> &'static str {
        match self {
            Self::Indeterminate { .. } => {
                "the official file holds the old version or the new one, each of them complete; a power loss may still \
                 decide"
            }
            Self::Changed { .. } => {
                "the official file is what another program made of it; nothing of this write is in it"
            }
            Self::Missing { .. } | Self::BackupLeft { .. } => "there is no official file; nothing was changed",
            Self::Locked { .. }
            | Self::Exists { .. }
            | Self::NotVerifiable { .. }
            | Self::Stale { .. }
            | Self::Rejected { .. }
            | Self::Unsuitable { .. }
            | Self::Failed { .. } => "the official file is as it was",
        }
    }

    /// What to do next.
    pub fn help(&self) -> String {
        match self {
            Self::Locked { .. } => {
                "another writer is at work: try again, or wait longer with --lock-timeout".to_owned()
            }
            Self::Missing { .. } => {
                "for a first version say --expect-session ID; for a lost one run `recover`".to_owned()
            }
            Self::Exists { .. } => {
                "read the official file and write the version that follows it, without --expect-session".to_owned()
            }
            Self::BackupLeft { verifiable: true, .. } => "the official file is lost: run `recover`".to_owned(),
            Self::BackupLeft { verifiable: false, .. } => "move the backup away if it belongs to nothing".to_owned(),
            Self::NotVerifiable { .. } => {
                "run `recover`: it restores the last verifiable version, or says why it cannot".to_owned()
            }
            Self::Stale { cause: StaleCause::LineEnds, .. } => {
                "only the line ends differ: something converted them; take the digest of the file as it is, and mark it \
                 `-text` in .gitattributes"
                    .to_owned()
            }
            Self::Stale { .. } | Self::Changed { .. } => {
                "read the official file again, and base the new version on it".to_owned()
            }
            Self::Rejected { .. } => "repair the defects and write again".to_owned(),
            Self::Unsuitable { reason, .. } => reason.help().to_owned(),
            Self::Failed { source, step, .. } => failed_help(*step, source).to_owned(),
            Self::Indeterminate { candidate, .. } => {
                format!("advance nothing; run `recover --expect-digest {candidate}` to learn which version stands")
            }
        }
    }
}

fn kept_as(f: &mut fmt::Formatter<'_>, kept: Option<&OsStr>) -> fmt::Result {
    kept.map_or(Ok(()), |kept| write!(f, "; the candidate is kept as `{}`", shown(kept)))
}

fn failed_help(step: Step, source: &io::Error) -> &'static str {
    if matches!(step, Step::Remove | Step::FlushRemoval) {
        return "the session stands; remove the cause and discard it again";
    }
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room and write again",
        io::ErrorKind::FileTooLarge => "raise the limit for the size of files and write again",
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "the directory must be writable, because a new version is made beside the old one"
        }
        io::ErrorKind::ResourceBusy if matches!(step, Step::Rename | Step::RenameBackup) => {
            "the file is a mount point of its own: mount its directory instead"
        }
        _ => "remove the cause and write again",
    }
}

impl Unsuitable {
    const fn help(self) -> &'static str {
        match self {
            Self::Symlink => "name the file that it leads to, or say --follow",
            Self::HardLinks(_) => "its other names would keep the old version: make it a file of its own",
            Self::NotRegular(_) => "name a regular file",
            Self::TooLarge => "it is not verifiable: run `recover`",
        }
    }
}

/// A path for a message.
pub(crate) fn shown(path: &OsStr) -> String {
    visible(&path.to_string_lossy())
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Locked { path, waited } => {
                write!(f, "`{}` is still held by another writer after {} s", shown(path), waited.as_secs_f64())
            }
            Self::Missing { path } => write!(f, "`{}` does not exist", shown(path)),
            Self::Exists { path, kept } => {
                write!(f, "`{}` exists; a first version never replaces a file", shown(path))?;
                kept_as(f, kept.as_deref())
            }
            Self::BackupLeft { path, verifiable } => {
                let what = if *verifiable { "a verifiable version" } else { "no verifiable version" };
                write!(f, "the official file is missing, but `{}` is there and is {what}", shown(path))
            }
            Self::NotVerifiable { path, .. } => write!(f, "`{}` is not a verifiable version", shown(path)),
            Self::Stale { expected, found, kept, .. } => {
                write!(f, "the official file has the digest {found}, not {expected}")?;
                kept_as(f, kept.as_deref())
            }
            Self::Changed { path, kept } => {
                write!(f, "`{}` changed while the write went on", shown(path))?;
                kept_as(f, kept.as_deref())
            }
            Self::Rejected { kept: Some(kept), .. } => {
                write!(f, "the candidate was rejected and kept as `{}`", shown(kept))
            }
            Self::Rejected { kept: None, .. } => f.write_str("the candidate was rejected and not kept"),
            Self::Unsuitable { path, reason } => {
                let what = match reason {
                    Unsuitable::Symlink => "a symbolic link".to_owned(),
                    Unsuitable::HardLinks(links) => format!("a file with {links} names"),
                    Unsuitable::NotRegular(Kind::Directory) => "a directory".to_owned(),
                    Unsuitable::NotRegular(_) => "a device, FIFO or socket".to_owned(),
                    Unsuitable::TooLarge => "larger than a handoff may be".to_owned(),
                };
                write!(f, "`{}` is {what}", shown(path))
            }
            Self::Failed { step, path, source, left } => {
                write!(f, "not committed: could not {step}: `{}`: {source}", shown(path))?;
                left.iter().try_for_each(|name| write!(f, "; `{}` could not be removed", shown(name)))
            }
            Self::Indeterminate { step, path, source, .. } => {
                write!(f, "indeterminate: could not {step}: `{}`: {source}", shown(path))
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Failed { source, .. } | Self::Indeterminate { source, .. } => Some(source),
            Self::Locked { .. }
            | Self::Missing { .. }
            | Self::Exists { .. }
            | Self::BackupLeft { .. }
            | Self::NotVerifiable { .. }
            | Self::Stale { .. }
            | Self::Changed { .. }
            | Self::Rejected { .. }
            | Self::Unsuitable { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(step: Step, kind: io::ErrorKind) -> Error {
        Error::failed(step, OsStr::new("a.md"), kind.into())
    }

    #[test]
    fn a_failed_step_says_what_to_do_about_its_cause() {
        use io::ErrorKind::{FileTooLarge, Other, PermissionDenied, QuotaExceeded, ResourceBusy, StorageFull};
        for (step, kind, help) in [
            (Step::WriteCandidate, StorageFull, "make room"),
            (Step::WriteCandidate, QuotaExceeded, "make room"),
            (Step::WriteCandidate, FileTooLarge, "raise the limit"),
            (Step::WriteCandidate, PermissionDenied, "must be writable"),
            (Step::Rename, ResourceBusy, "mount its directory"),
            (Step::RenameBackup, ResourceBusy, "mount its directory"),
            (Step::ReadOfficial, ResourceBusy, "remove the cause and write again"),
            (Step::Rename, Other, "remove the cause and write again"),
            (Step::Remove, StorageFull, "discard it again"),
            (Step::FlushRemoval, ResourceBusy, "discard it again"),
        ] {
            let found = failed(step, kind).help();
            assert!(found.contains(help), "{step:?} {kind:?}: {found}");
        }
    }

    #[test]
    fn what_stands_after_a_failure_is_said() {
        let path = || OsString::from("a.md");
        let candidate = Digest::of(b"");
        let source = io::ErrorKind::Other.into();
        let uncertain = Error::Indeterminate { step: Step::Compare, path: path(), source, candidate };
        for (error, standing) in [
            (uncertain, "holds the old version or the new one"),
            (Error::Changed { path: path(), kept: None }, "what another program made of it"),
            (Error::Missing { path: path() }, "there is no official file"),
            (Error::BackupLeft { path: path(), verifiable: true }, "there is no official file"),
            (Error::Exists { path: path(), kept: None }, "is as it was"),
            (failed(Step::Rename, io::ErrorKind::Other), "is as it was"),
        ] {
            assert!(error.standing().contains(standing), "{error}: {}", error.standing());
        }
    }
}
