//! Getting back whatever can be had (PROTOCOL §13): a decision over the official file and its backup that is total, never
//! guesses, and changes nothing when it is run again.

use std::ffi::{OsStr, OsString};
use std::io;
use std::time::Duration;

use super::candidate::{NAME_ATTEMPTS, Replace, Written};
use super::error::Outcome::NotCommitted;
use super::error::{Error, Step, Unsuitable};
use super::fs::{Directory, Kind, Metadata, NewAccess};
use super::names::{Names, Temporary};
use super::replace::{Extent, Progress, lock, progress, recheck, rewrite};
use crate::check::{Verifiable, session_id, verify};
use crate::diagnostic::Diagnostics;
use crate::protocol::digest::Digest;
use crate::protocol::keys::Key;
use crate::protocol::profile::Profile;
use crate::protocol::timestamp::Timestamp;
use crate::source::Source;

/// What the caller knows and wants.
#[derive(Clone, Copy, Debug)]
pub struct Request<'r> {
    /// The session to recover; without it, the official file's, else the backup's.
    pub session_id: Option<&'r str>,
    /// Whether the caller saw damage that a validator cannot see.
    pub damage: Damage,
    /// The version that the caller hopes for: recovery says whether it stands, and makes it durable.
    pub expected: Option<Digest>,
    /// What to do with temporary files of dead writers.
    pub leftovers: Leftovers,
    /// How long to wait for another writer.
    pub patience: Duration,
    /// Whether to stop before anything is written.
    pub extent: Extent,
}

/// Whether the caller reports damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// It does.
    Reported,
    /// It does not.
    NotReported,
}

/// What to do with temporary files of dead writers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leftovers {
    /// Report them.
    Keep,
    /// Remove them.
    Remove,
}

/// What recovery found and did.
#[derive(Debug)]
pub struct Recovery {
    /// What it did, or why it stopped.
    pub outcome: Outcome,
    /// The session that it was about, when one could be told.
    pub session: Option<Session>,
    /// The official file, as it was found.
    pub official: Found,
    /// The backup, as it was found.
    pub backup: Found,
    /// Where the damaged official file was set aside.
    pub set_aside: Option<OsString>,
    /// Temporary files of dead writers that were found.
    pub leftovers: Vec<OsString>,
    /// Those of them that were removed: only on request, and only where a version stands.
    pub removed: Vec<OsString>,
    /// Other files that look like copies which a synchronisation service made of this one.
    pub conflicts: Vec<OsString>,
    /// Whether the version that the caller hoped for stands, when it hoped for one.
    pub expected_stands: Option<bool>,
}

/// What recovery did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The official file stands.
    Healthy,
    /// The official file was restored from the backup.
    Restored,
    /// A dry run that would have restored it.
    WouldRestore,
    /// The name belongs to another session.
    OtherSession,
    /// No verifiable version of the session is there.
    Nothing,
}

/// A session and how it was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The `session_id`.
    pub id: String,
    /// Where it was taken from.
    pub origin: Origin,
}

/// Where the session was taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The caller gave it.
    Caller,
    /// The official file's front matter.
    Official,
    /// The backup's front matter.
    Backup,
}

/// What one of the two files holds.
#[derive(Debug)]
pub enum Found {
    /// There is no such file.
    Missing,
    /// A verifiable version.
    Verifiable(Version),
    /// A file that is not verifiable.
    Defective {
        /// Its bytes.
        source: Source,
        /// Its defects.
        diagnostics: Diagnostics,
        /// Every byte is zero: the file system lost a write.
        zeros: bool,
    },
    /// A file that cannot be read.
    Unreadable(io::Error),
    /// No regular file.
    NotRegular(Kind),
}

/// A verifiable version, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// Its session.
    pub session_id: String,
    /// SHA-256 over its bytes.
    pub digest: Digest,
    /// Its state and round.
    pub progress: Option<Progress>,
    /// Its `updated_at`, as it is written.
    pub updated_at: String,
}

/// A file as it was found, with what deciding needs.
pub(super) struct Inspected {
    pub(super) found: Found,
    pub(super) metadata: Option<Metadata>,
    bytes: Vec<u8>,
    pub(super) session: Option<String>,
    updated: Option<Timestamp>,
}

impl Inspected {
    /// Refuses a file that is there and cannot be read: what it holds would decide.
    pub(super) fn readable(self, name: &OsStr, step: Step) -> Result<Self, Error> {
        match self.found {
            Found::Unreadable(source) => Err(Error::failed(step, name, source)),
            found => Ok(Self { found, ..self }),
        }
    }
}

/// Decides which version stands, and restores it where it has to be restored.
///
/// # Errors
/// What failed on the way; the outcome of an error is what it is for a write.
pub fn recover<D: Directory>(directory: &D, names: &Names, request: Request<'_>) -> Result<Recovery, Error> {
    let _lock = lock(directory, names, request.patience)?;
    let official = inspect(directory, &names.official, Step::ReadOfficial)?;
    let backup = inspect(directory, &names.backup, Step::ReadBackup)?;
    if let Found::NotRegular(kind) = official.found {
        let reason = if kind == Kind::Symlink { Unsuitable::Symlink } else { Unsuitable::NotRegular(kind) };
        return Err(Error::Unsuitable { path: names.official.clone(), reason });
    }
    // A version that cannot be read now may stand all the same; only the caller can say that it is lost.
    let official = match request.damage {
        Damage::NotReported => official.readable(&names.official, Step::ReadOfficial)?,
        Damage::Reported => official,
    };
    let listed = directory.list().map_err(|source| Error::failed(Step::List, OsStr::new("."), source))?;
    let session = session(request.session_id, &official, &backup);
    let decision = decide(session.as_ref(), request.damage, &official, &backup);
    // Nothing is there only where both could be read.
    let (official, backup) = if decision == Outcome::Nothing {
        (official.readable(&names.official, Step::ReadOfficial)?, backup.readable(&names.backup, Step::ReadBackup)?)
    } else {
        (official, backup)
    };

    let mut recovery = Recovery {
        outcome: decision,
        session,
        official: Found::Missing,
        backup: Found::Missing,
        set_aside: None,
        leftovers: listed.iter().filter(|name| is_leftover(directory, names, name)).cloned().collect(),
        removed: Vec::new(),
        conflicts: listed.iter().filter(|name| is_conflict_copy(name, &names.official)).cloned().collect(),
        expected_stands: None,
    };
    match decision {
        Outcome::WouldRestore if request.extent == Extent::Commit => {
            recovery.set_aside = restore(directory, names, &official, &backup, &listed)?;
            recovery.outcome = Outcome::Restored;
        }
        Outcome::Healthy => make_durable(directory, names, request, &official)?,
        Outcome::Restored | Outcome::WouldRestore | Outcome::OtherSession | Outcome::Nothing => {}
    }
    let standing = match recovery.outcome {
        Outcome::Healthy => digest(&official),
        Outcome::Restored | Outcome::WouldRestore => digest(&backup),
        Outcome::OtherSession | Outcome::Nothing => None,
    };
    let stands = matches!(recovery.outcome, Outcome::Healthy | Outcome::Restored);
    if stands && request.leftovers == Leftovers::Remove && request.extent == Extent::Commit {
        let removed = recovery.leftovers.iter().filter(|name| directory.unlink(name).is_ok());
        recovery.removed = removed.cloned().collect();
    }
    recovery.expected_stands = request.expected.map(|expected| standing == Some(expected));
    recovery.official = official.found;
    recovery.backup = backup.found;
    Ok(recovery)
}

pub(super) fn inspect<D: Directory>(directory: &D, name: &OsStr, step: Step) -> Result<Inspected, Error> {
    let nothing = |found, metadata| Inspected { found, metadata, bytes: Vec::new(), session: None, updated: None };
    let Some(metadata) = directory.stat(name).map_err(|source| Error::failed(step, name, source))? else {
        return Ok(nothing(Found::Missing, None));
    };
    if metadata.kind != Kind::Regular {
        return Ok(nothing(Found::NotRegular(metadata.kind), Some(metadata)));
    }
    let bytes = match directory.read(name, Source::MAX_BYTES + 1) {
        Ok(read) => read.bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(nothing(Found::Missing, None)),
        Err(error) => return Ok(nothing(Found::Unreadable(error), Some(metadata))),
    };
    let source = Source::new(bytes);
    let session = session_id(&source);
    let bytes = source.bytes().to_vec();
    let verified = verify(&source, Profile::Full).map(|version| {
        let front_matter = version.document().front_matter();
        let updated = front_matter.and_then(|front_matter| front_matter.timestamp(Key::UpdatedAt));
        (Found::Verifiable(described(&version)), updated.map(|updated| updated.value))
    });
    let (found, updated) = verified.unwrap_or_else(|diagnostics| {
        let zeros = !bytes.is_empty() && bytes.iter().all(|&byte| byte == 0);
        (Found::Defective { source, diagnostics, zeros }, None)
    });
    Ok(Inspected { found, metadata: Some(metadata), bytes, session, updated })
}

fn described(version: &Verifiable<'_>) -> Version {
    let text = |key| {
        let front_matter = version.document().front_matter();
        front_matter
            .and_then(|front_matter| front_matter.string(key))
            .map_or_else(String::new, |text| text.value.to_owned())
    };
    Version {
        session_id: text(Key::SessionId),
        digest: version.digest(),
        progress: progress(version.document()),
        updated_at: text(Key::UpdatedAt),
    }
}

fn digest(file: &Inspected) -> Option<Digest> {
    match &file.found {
        Found::Verifiable(version) => Some(version.digest),
        Found::Missing | Found::Defective { .. } | Found::Unreadable(_) | Found::NotRegular(_) => None,
    }
}

fn session(given: Option<&str>, official: &Inspected, backup: &Inspected) -> Option<Session> {
    let from = |id: Option<&str>, origin| id.map(|id| Session { id: id.to_owned(), origin });
    from(given, Origin::Caller)
        .or_else(|| from(official.session.as_deref(), Origin::Official))
        .or_else(|| from(backup.session.as_deref(), Origin::Backup))
}

/// The table of PROTOCOL §13; a restore is only announced.
fn decide(session: Option<&Session>, damage: Damage, official: &Inspected, backup: &Inspected) -> Outcome {
    let verifiable = |file: &Inspected| matches!(file.found, Found::Verifiable(_));
    let ours =
        |file: &Inspected| verifiable(file) && file.session.as_deref() == session.map(|session| session.id.as_str());
    match (ours(official), ours(backup)) {
        (true, true) if damage == Damage::Reported && is_better(backup, official) => Outcome::WouldRestore,
        (true, _) => Outcome::Healthy,
        (false, _) if verifiable(official) => Outcome::OtherSession,
        (false, true) => Outcome::WouldRestore,
        (false, false) => Outcome::Nothing,
    }
}

/// The later `updated_at`; the same instant: the lower round; the same too: the official file.
fn is_better(backup: &Inspected, official: &Inspected) -> bool {
    let round = |file: &Inspected| match &file.found {
        Found::Verifiable(version) => version.progress.map(|progress| progress.round),
        Found::Missing | Found::Defective { .. } | Found::Unreadable(_) | Found::NotRegular(_) => None,
    };
    match backup.updated.cmp(&official.updated) {
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => round(backup) < round(official),
    }
}

/// Makes the backup's bytes the official file. What stood there is set aside first, under a second name, so that one
/// rename replaces it and the official name is never without a file because of recovery.
fn restore<D: Directory>(
    directory: &D,
    names: &Names,
    official: &Inspected,
    backup: &Inspected,
    listed: &[OsString],
) -> Result<Option<OsString>, Error> {
    let like =
        official.metadata.or(backup.metadata).map_or(NewAccess::Default, |metadata| NewAccess::Like(metadata.access));
    let candidate = Written::create(directory, names, Temporary::Candidate, &backup.bytes, like)?;
    let candidate = candidate.confirm(directory, &backup.bytes, Step::ReadCandidate)?;
    let set_aside = match official.metadata {
        Some(metadata) => {
            let unchanged = recheck(directory, names, metadata.identity);
            let name = unchanged.and_then(|()| set_aside(directory, names, metadata, listed)).and_then(|name| {
                // Else a power loss may keep the rename that follows and lose this name, and the damaged file with it.
                directory.flush_directory().map_err(|source| Error::failed(Step::SetAside, &name, source))?;
                Ok(name)
            });
            Some(name.map_err(|error| error.cleaned(directory, candidate.name()))?)
        }
        None => None,
    };
    let replace = if official.metadata.is_some() { Replace::Existing } else { Replace::Nothing };
    match (candidate.commit(directory, names, replace), set_aside) {
        (Ok(_), set_aside) => Ok(set_aside),
        // While the damaged file is still the official one, its other name would only gather; else it is all that is left.
        (Err(error), Some(name)) if error.outcome() == NotCommitted && is_official(directory, names, official) => {
            Err(error.cleaned(directory, &name))
        }
        (Err(error), _) => Err(error),
    }
}

fn set_aside<D: Directory>(
    directory: &D,
    names: &Names,
    official: Metadata,
    listed: &[OsString],
) -> Result<OsString, Error> {
    // A recovery that was interrupted may have set this very file aside already.
    for name in listed.iter().filter(|name| names.is_damaged(name)) {
        if is_file(directory, name, official) {
            return Ok(name.clone());
        }
    }
    let mut attempts = 0;
    loop {
        let name = names.damaged(directory.random());
        attempts += 1;
        match directory.link(&names.official, &name) {
            Ok(()) => return Ok(name),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempts < NAME_ATTEMPTS => {}
            Err(_) => return copy_aside(directory, names, official, &name).map(|()| name),
        }
    }
}

/// Where the file system has no second names, or refuses one, the damaged bytes are copied.
fn copy_aside<D: Directory>(directory: &D, names: &Names, official: Metadata, name: &OsStr) -> Result<(), Error> {
    let failed = |source| Error::failed(Step::SetAside, name, source);
    let size = usize::try_from(official.identity.size).unwrap_or(usize::MAX);
    let damaged = directory.read(&names.official, size).map_err(failed)?;
    let mut file = directory.create(name, NewAccess::Like(official.access)).map_err(failed)?;
    let copied = directory.write(&mut file, &damaged.bytes).and_then(|()| {
        directory.flush(file)?;
        let whole = directory.read(name, damaged.bytes.len() + 1)?.bytes == damaged.bytes;
        if whole { Ok(()) } else { Err(io::Error::new(io::ErrorKind::InvalidData, "the copy is not the original")) }
    });
    copied.map_err(|source| failed(source).cleaned(directory, name))
}

/// A version that the caller hopes for may stand without being durable.
fn make_durable<D: Directory>(
    directory: &D,
    names: &Names,
    request: Request<'_>,
    official: &Inspected,
) -> Result<(), Error> {
    let hoped_for = request.expected.is_some() && request.expected == digest(official);
    let Some(metadata) = official.metadata.filter(|_| hoped_for && request.extent == Extent::Commit) else {
        return Ok(());
    };
    rewrite(directory, names, &official.bytes, metadata)
}

fn is_official<D: Directory>(directory: &D, names: &Names, inspected: &Inspected) -> bool {
    inspected.metadata.is_some_and(|metadata| is_file(directory, &names.official, metadata))
}

/// Whether the name is bound to the file, whatever became of its content and its other names.
fn is_file<D: Directory>(directory: &D, name: &OsStr, file: Metadata) -> bool {
    directory.stat(name).ok().flatten().is_some_and(|other| other.identity.file == file.identity.file)
}

/// A regular file under a temporary name.
fn is_leftover<D: Directory>(directory: &D, names: &Names, name: &OsStr) -> bool {
    let regular = || matches!(directory.stat(name), Ok(Some(found)) if found.kind == Kind::Regular);
    names.is_temporary(name) && regular()
}

/// A name that holds the official name's stem and a word that synchronisation services put into copies.
fn is_conflict_copy(name: &OsStr, official: &OsStr) -> bool {
    let (name, official) = (name.to_string_lossy().to_lowercase(), official.to_string_lossy().to_lowercase());
    let stem = official.split('.').next().unwrap_or_default();
    let marked = ["conflict", "safebackup", "case conflict"].iter().any(|word| name.contains(word));
    marked && name != official && !stem.is_empty() && name.starts_with(stem)
}
