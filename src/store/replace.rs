//! Writing a version: the first one, or one that follows the official file (PROTOCOL §12).

use std::ffi::{OsStr, OsString};
use std::io;
use std::time::Duration;

use super::candidate::{Replace, Written, accepted};
use super::error::{Error, StaleCause, Step, Unsuitable};
use super::fs::{Directory, Identity, Kind, Metadata, NewAccess, Read};
use super::names::{Names, Temporary};
use crate::check::{Baseline, Verdict, check, session_id, verify};
use crate::diagnostic::Diagnostics;
use crate::protocol::digest::Digest;
use crate::protocol::profile::Profile;
use crate::protocol::status::Status;
use crate::rules::security;
use crate::source::Source;

/// What is to be written, and what the caller knows about the official file.
#[derive(Clone, Copy, Debug)]
pub struct Request<'r> {
    /// The bytes of the new version.
    pub bytes: &'r [u8],
    /// What must be there.
    pub start: Start<'r>,
    /// The digest of the version that the caller based its work on.
    pub expected: Option<Digest>,
    /// How long to wait for another writer.
    pub patience: Duration,
    /// Whether to stop before anything is written.
    pub extent: Extent,
}

/// What must be at the official name.
#[derive(Clone, Copy, Debug)]
pub enum Start<'r> {
    /// Nothing: this is the first version of the session.
    First {
        /// The session that it must belong to.
        session_id: &'r str,
    },
    /// The version that this one follows.
    Follow,
}

/// How far a write goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// To the end.
    Commit,
    /// Everything that can be decided without writing.
    DryRun,
}

/// A write that ended well.
#[derive(Clone, Debug)]
pub struct Receipt {
    /// What happened.
    pub outcome: Success,
    /// The digest of the official file before, when there was one.
    pub before: Option<Digest>,
    /// The digest of the official file now; of a dry run: as it would be.
    pub after: Digest,
    /// State and round before, when there was a version.
    pub from: Option<Progress>,
    /// State and round now.
    pub to: Option<Progress>,
    /// The backup, when this write made or confirmed one.
    pub backup: Option<OsString>,
    /// What the rules advise about the new version.
    pub advice: Diagnostics,
}

/// State and round of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// `handoff_status`.
    pub status: Status,
    /// `interrogation_round`.
    pub round: u32,
}

/// How a write ended well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Success {
    /// The new version is the official one.
    Committed,
    /// The official file held these bytes already; they are durable now.
    Unchanged,
    /// A dry run that would have been committed.
    WouldCommit,
    /// A dry run that would have changed nothing.
    WouldNotChange,
}

/// Writes a version as one transaction.
///
/// # Errors
/// Why it was not written, or is not certain to be; see [`Error::outcome`].
pub fn write<D: Directory>(directory: &D, names: &Names, request: Request<'_>) -> Result<Receipt, Error> {
    let _lock = lock(directory, names, request.patience)?;
    let written = match official(directory, names, request.extent)? {
        None => first(directory, names, request),
        Some(official) => follow(directory, names, request, &official),
    };
    written.map_err(|error| error.keeping(|| keep(directory, names, request)))
}

pub(super) fn lock<D: Directory>(directory: &D, names: &Names, patience: Duration) -> Result<D::Lock, Error> {
    let lock =
        directory.lock(&names.lock, patience).map_err(|source| Error::failed(Step::Lock, &names.lock, source))?;
    lock.ok_or_else(|| Error::Locked { path: names.lock.clone(), waited: patience })
}

/// Reads the official file, which must be a regular file of its own.
fn official<D: Directory>(directory: &D, names: &Names, extent: Extent) -> Result<Option<Read>, Error> {
    let path = &names.official;
    let unsuitable = |reason| Error::Unsuitable { path: path.clone(), reason };
    let failed = |source| Error::failed(Step::ReadOfficial, path, source);
    let Some(metadata) = directory.stat(path).map_err(failed)? else { return Ok(None) };
    match metadata.kind {
        Kind::Regular if metadata.identity.size > Source::MAX_BYTES as u64 => {
            return Err(unsuitable(Unsuitable::TooLarge));
        }
        Kind::Regular => {}
        Kind::Symlink => return Err(unsuitable(Unsuitable::Symlink)),
        kind @ (Kind::Directory | Kind::Special) => return Err(unsuitable(Unsuitable::NotRegular(kind))),
    }
    if metadata.links > 1 {
        let own = own_links(directory, names, metadata.identity.file).map_err(failed)?;
        if own.len() as u64 + 1 != metadata.links {
            return Err(unsuitable(Unsuitable::HardLinks(metadata.links)));
        }
        if extent == Extent::Commit {
            own.iter().try_for_each(|name| directory.unlink(name)).map_err(failed)?;
        }
    }
    match directory.read(path, Source::MAX_BYTES + 1) {
        Ok(read) => Ok(Some(read)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(error)),
    }
}

/// The other names of the official file that are our own: a crash between the link and the unlink of a first version
/// leaves its candidate, one between setting a damaged file aside and replacing it leaves the name it was set aside under.
fn own_links<D: Directory>(directory: &D, names: &Names, file: (u64, u64)) -> io::Result<Vec<OsString>> {
    let mut own = Vec::new();
    for name in directory.list()?.into_iter().filter(|name| names.is_temporary(name) || names.is_damaged(name)) {
        if directory.stat(&name)?.is_some_and(|other| other.identity.file == file) {
            own.push(name);
        }
    }
    Ok(own)
}

/// The bytes of the official file, for who composes the version that follows it. Nothing is locked: the write compares
/// their digest.
///
/// # Errors
/// There is none, or it is none that a write could replace.
pub fn standing<D: Directory>(directory: &D, names: &Names) -> Result<Source, Error> {
    match official(directory, names, Extent::DryRun)? {
        Some(read) => Ok(Source::new(read.bytes)),
        None if backup_is_verifiable(directory, names, None) => {
            Err(Error::BackupLeft { path: names.backup.clone(), verifiable: true })
        }
        None => Err(Error::Missing { path: names.official.clone() }),
    }
}

/// True when the backup is a verifiable version, of the wanted session if one is wanted.
fn backup_is_verifiable<D: Directory>(directory: &D, names: &Names, wanted: Option<&str>) -> bool {
    directory.read(&names.backup, Source::MAX_BYTES + 1).is_ok_and(|read| {
        let source = Source::new(read.bytes);
        let same = wanted.is_none_or(|wanted| session_id(&source).as_deref() == Some(wanted));
        same && verify(&source, Profile::Full).is_ok()
    })
}

/// The first version of a session.
fn first<D: Directory>(directory: &D, names: &Names, request: Request<'_>) -> Result<Receipt, Error> {
    let backup =
        directory.stat(&names.backup).map_err(|source| Error::failed(Step::ReadBackup, &names.backup, source))?;
    // A verifiable backup of the session that is meant is recovery's business; another one is left alone.
    let verifiable = |wanted| backup_is_verifiable(directory, names, wanted);
    let session_id = match request.start {
        Start::Follow if backup.is_some() && verifiable(None) => {
            return Err(Error::BackupLeft { path: names.backup.clone(), verifiable: true });
        }
        Start::Follow => return Err(Error::Missing { path: names.official.clone() }),
        Start::First { session_id } if backup.is_some() => {
            let verifiable = verifiable(Some(session_id));
            return Err(Error::BackupLeft { path: names.backup.clone(), verifiable });
        }
        // Who knows a digest has seen a version, and there is none.
        Start::First { .. } if request.expected.is_some() => {
            return Err(Error::Missing { path: names.official.clone() });
        }
        Start::First { session_id } => session_id,
    };
    let baseline = Baseline::Init { session_id };
    let source = Source::new(request.bytes);
    let valid = accepted(&source, baseline)?;
    let receipt = Receipt {
        outcome: Success::Committed,
        before: None,
        after: valid.version().digest(),
        from: None,
        to: progress(valid.version().document()),
        backup: None,
        advice: valid.advice().clone(),
    };
    if request.extent == Extent::DryRun {
        return Ok(Receipt { outcome: Success::WouldCommit, ..receipt });
    }
    let candidate = Written::create(directory, names, Temporary::Candidate, request.bytes, NewAccess::Default)?;
    let candidate = candidate.validate(directory, request.bytes, baseline)?;
    let committed = candidate.commit(directory, names, Replace::Nothing)?;
    Ok(Receipt { after: committed.digest, ..receipt })
}

/// A version that follows the official file.
fn follow<D: Directory>(directory: &D, names: &Names, request: Request<'_>, official: &Read) -> Result<Receipt, Error> {
    let source = Source::new(official.bytes.clone());
    let previous = match verify(&source, Profile::Full) {
        Ok(previous) => previous,
        Err(_) if matches!(request.start, Start::First { .. }) => {
            return Err(Error::Exists { path: names.official.clone(), kept: None });
        }
        Err(diagnostics) => return Err(Error::NotVerifiable { path: names.official.clone(), diagnostics }),
    };
    let before = previous.digest();
    if request.bytes == official.bytes {
        return unchanged(directory, names, request, official, before);
    }
    if matches!(request.start, Start::First { .. }) {
        return Err(Error::Exists { path: names.official.clone(), kept: None });
    }
    if let Some(expected) = request.expected.filter(|expected| *expected != before) {
        return Err(Error::Stale {
            expected,
            found: before,
            cause: stale_cause(&official.bytes, expected),
            kept: None,
        });
    }
    let baseline = Baseline::Update { previous: &previous };
    let new = Source::new(request.bytes);
    let valid = accepted(&new, baseline)?;
    let receipt = Receipt {
        outcome: Success::Committed,
        before: Some(before),
        after: valid.version().digest(),
        from: progress(previous.document()),
        to: progress(valid.version().document()),
        backup: Some(names.backup.clone()),
        advice: valid.advice().clone(),
    };
    if request.extent == Extent::DryRun {
        return Ok(Receipt { outcome: Success::WouldCommit, backup: None, ..receipt });
    }

    let access = NewAccess::Like(official.metadata.access);
    let candidate = Written::create(directory, names, Temporary::Candidate, request.bytes, access)?;
    let candidate = candidate.validate(directory, request.bytes, baseline)?;
    let unfinished = |error: Error| error.cleaned(directory, candidate.name());
    preserve(directory, names, official).map_err(unfinished)?;
    recheck(directory, names, official.metadata.identity).map_err(unfinished)?;
    let committed = candidate.commit(directory, names, Replace::Existing)?;
    Ok(Receipt { after: committed.digest, ..receipt })
}

/// The same bytes again are rewritten, so that a retry after an indeterminate write becomes durable. The backup is left
/// alone.
fn unchanged<D: Directory>(
    directory: &D,
    names: &Names,
    request: Request<'_>,
    official: &Read,
    digest: Digest,
) -> Result<Receipt, Error> {
    let source = Source::new(request.bytes);
    let baseline = match request.start {
        Start::First { session_id } => Baseline::Session { session_id },
        Start::Follow => Baseline::Standalone,
    };
    let valid = accepted(&source, baseline)?;
    let now = progress(valid.version().document());
    let advice = valid.advice().clone();
    let receipt = Receipt {
        outcome: Success::Unchanged,
        before: Some(digest),
        after: digest,
        from: now,
        to: now,
        backup: None,
        advice,
    };
    if request.extent == Extent::DryRun {
        return Ok(Receipt { outcome: Success::WouldNotChange, ..receipt });
    }
    rewrite(directory, names, request.bytes, official.metadata)?;
    Ok(receipt)
}

/// Puts the bytes of the official file into a fresh one and makes that the official file: after a flush that failed, a
/// second flush of the same file could lie.
pub(super) fn rewrite<D: Directory>(
    directory: &D,
    names: &Names,
    bytes: &[u8],
    official: Metadata,
) -> Result<(), Error> {
    let candidate = Written::create(directory, names, Temporary::Candidate, bytes, NewAccess::Like(official.access))?;
    let candidate = candidate.confirm(directory, bytes, Step::ReadCandidate)?;
    recheck(directory, names, official.identity).map_err(|error| error.cleaned(directory, candidate.name()))?;
    candidate.commit(directory, names, Replace::Existing).map(|_| ())
}

/// Whether only the line ends differ from what the caller expected, as they do after a checkout that converts them.
fn stale_cause(bytes: &[u8], expected: Digest) -> StaleCause {
    let text = String::from_utf8_lossy(bytes);
    let lf = text.replace("\r\n", "\n");
    let twins = [lf.replace('\n', "\r\n"), lf];
    if twins.iter().any(|twin| Digest::of(twin.as_bytes()) == expected) {
        StaleCause::LineEnds
    } else {
        StaleCause::Content
    }
}

/// Makes the verified bytes of the official file the backup, durably.
fn preserve<D: Directory>(directory: &D, names: &Names, official: &Read) -> Result<(), Error> {
    let held = directory.read(&names.backup, Source::MAX_BYTES + 1);
    if held.is_ok_and(|held| held.bytes == official.bytes && held.metadata.access == official.metadata.access) {
        directory
            .flush_existing(&names.backup)
            .map_err(|source| Error::failed(Step::FlushBackup, &names.backup, source))?;
    } else {
        let access = NewAccess::Like(official.metadata.access);
        let backup = Written::create(directory, names, Temporary::Backup, &official.bytes, access)?;
        let backup = backup.confirm(directory, &official.bytes, Step::ReadNewBackup)?;
        directory.rename(backup.name(), &names.backup).map_err(|source| {
            Error::failed(Step::RenameBackup, &names.backup, source).cleaned(directory, backup.name())
        })?;
    }
    directory.flush_directory().map_err(|source| Error::failed(Step::FlushDirectory, OsStr::new("."), source))
}

/// The official file must still be the one that was read. This narrows the race with editors that ignore the lock; it
/// cannot close it.
pub(super) fn recheck<D: Directory>(directory: &D, names: &Names, read: Identity) -> Result<(), Error> {
    let now =
        directory.stat(&names.official).map_err(|source| Error::failed(Step::Recheck, &names.official, source))?;
    match now {
        Some(now) if now.identity == read => Ok(()),
        _ => Err(Error::Changed { path: names.official.clone(), kept: None }),
    }
}

/// Keeps the bytes of a refused candidate for diagnosis, unless they hold a credential.
fn keep<D: Directory>(directory: &D, names: &Names, request: Request<'_>) -> Option<OsString> {
    if request.extent == Extent::DryRun || request.bytes.len() > Source::MAX_BYTES || leaks(request.bytes) {
        return None;
    }
    let kept = Written::create(directory, names, Temporary::Candidate, request.bytes, NewAccess::Default).ok()?;
    let kept = kept.confirm(directory, request.bytes, Step::ReadCandidate).ok()?;
    if directory.rename(kept.name(), &names.rejected).is_err() {
        // What cannot be kept is removed as far as possible; why it was refused is what the caller needs.
        let _ = directory.unlink(kept.name());
        return None;
    }
    Some(names.rejected.clone())
}

fn leaks(bytes: &[u8]) -> bool {
    match check(&Source::new(bytes), Profile::Full, Baseline::Standalone) {
        Verdict::Valid(_) => false,
        Verdict::Invalid(diagnostics) => diagnostics.errors().any(|found| found.rule.family() == security::FAMILY),
    }
}

pub(super) fn progress(document: &crate::document::Document<'_>) -> Option<Progress> {
    Some(Progress { status: document.status()?.value, round: document.round()?.value })
}
