//! A version on its way to the official name, as far as it has come: written, validated, committed.
//!
//! Each step consumes the one before, so that a file which was not flushed, read back and validated cannot be renamed.

use std::ffi::{OsStr, OsString};
use std::io;

use super::error::{Error, Step};
use super::fs::{Directory, Identity, NewAccess};
use super::names::{Names, Temporary};
use crate::check::{self, Baseline, Verdict, check};
use crate::protocol::digest::Digest;
use crate::protocol::profile::Profile;
use crate::source::Source;

/// How often a name that another writer just took is replaced by a fresh one.
pub(super) const NAME_ATTEMPTS: usize = 8;

/// A temporary file that is complete and flushed, but not read back.
#[derive(Debug)]
#[must_use = "a written candidate is only a temporary file: validate it, or remove it"]
pub struct Written {
    name: OsString,
}

/// A temporary file whose bytes, as they are on disk, were read back.
#[derive(Debug)]
#[must_use = "a validated candidate changes nothing until it is committed"]
pub struct Validated {
    name: OsString,
    identity: Identity,
    digest: Digest,
}

/// The official name is bound to the candidate.
#[derive(Debug)]
pub struct Committed {
    /// SHA-256 of what the official file holds.
    pub digest: Digest,
    /// The file.
    pub identity: Identity,
}

impl Written {
    /// Writes `bytes` under a fresh name and flushes them. What a failure leaves is removed as far as possible.
    pub(super) fn create<D: Directory>(
        directory: &D,
        names: &Names,
        kind: Temporary,
        bytes: &[u8],
        access: NewAccess,
    ) -> Result<Self, Error> {
        let (step, flush) = match kind {
            Temporary::Candidate => (Step::WriteCandidate, Step::FlushCandidate),
            Temporary::Backup => (Step::WriteBackup, Step::FlushBackup),
        };
        let (name, mut file) = fresh(directory, names, kind, access, step)?;
        let written = directory.write(&mut file, bytes).map_err(|source| (step, source));
        let flushed = written.and_then(|()| directory.flush(file).map_err(|source| (flush, source)));
        match flushed {
            Ok(()) => Ok(Self { name }),
            Err((step, source)) => Err(Error::failed(step, &name, source).cleaned(directory, &name)),
        }
    }

    /// Reads the file back; its bytes must be `bytes`.
    fn read_back<D: Directory>(self, directory: &D, bytes: &[u8], step: Step) -> Result<(Self, Identity), Error> {
        match directory.read(&self.name, bytes.len() + 1) {
            Ok(read) if read.bytes == bytes => Ok((self, read.metadata.identity)),
            Ok(_) => {
                let source =
                    io::Error::new(io::ErrorKind::InvalidData, "the bytes read back are not the bytes written");
                Err(Error::failed(step, &self.name, source).cleaned(directory, &self.name))
            }
            Err(source) => Err(Error::failed(step, &self.name, source).cleaned(directory, &self.name)),
        }
    }

    /// Reads the candidate back, compares it with `bytes` and validates exactly what was read.
    pub(super) fn validate<D: Directory>(
        self,
        directory: &D,
        bytes: &[u8],
        baseline: Baseline<'_>,
    ) -> Result<Validated, Error> {
        let (written, identity) = self.read_back(directory, bytes, Step::ReadCandidate)?;
        let source = Source::new(bytes);
        match accepted(&source, baseline) {
            Ok(valid) => Ok(Validated { name: written.name, identity, digest: valid.version().digest() }),
            Err(rejected) => Err(rejected.cleaned(directory, &written.name)),
        }
    }

    /// Reads the file back and compares it with bytes that were verified before.
    pub(super) fn confirm<D: Directory>(self, directory: &D, bytes: &[u8], step: Step) -> Result<Validated, Error> {
        let (written, identity) = self.read_back(directory, bytes, step)?;
        Ok(Validated { name: written.name, identity, digest: Digest::of(bytes) })
    }
}

impl Validated {
    /// The temporary name.
    pub(super) fn name(&self) -> &OsStr {
        &self.name
    }

    /// The digest of the bytes that were read back.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// Binds the official name to the candidate, makes that durable, and compares what the official file holds.
    pub(super) fn commit<D: Directory>(self, directory: &D, names: &Names, how: Replace) -> Result<Committed, Error> {
        let indeterminate =
            |step, source| Error::Indeterminate { step, path: names.official.clone(), source, candidate: self.digest };
        let renamed = match how {
            Replace::Existing | Replace::Either => directory.rename(&self.name, &names.official),
            Replace::Nothing => directory.rename_new(&self.name, &names.official),
        };
        if let Err(source) = renamed {
            // A rename that reports an error although the name is bound to the candidate did happen.
            let now = directory
                .stat(&names.official)
                .map_err(|unknown| indeterminate(Step::Rename, unknown).cleaned(directory, &self.name))?;
            if now.is_none() && how == Replace::Existing {
                // Where a rename is not atomic, a failed one may cost the official name; the candidate is kept then.
                return Err(indeterminate(Step::Rename, source));
            }
            if now.is_none_or(|now| now.identity.file != self.identity.file) {
                let failed = match source.kind() {
                    io::ErrorKind::AlreadyExists if how == Replace::Nothing => {
                        Error::Exists { path: names.official.clone(), kept: None }
                    }
                    _ => Error::failed(Step::Rename, &names.official, source),
                };
                return Err(failed.cleaned(directory, &self.name));
            }
            // Where a rename is a link and an unlink, the candidate's own name may be left: it is removed if it can be.
            let _ = directory.unlink(&self.name);
        }
        directory.flush_directory().map_err(|source| indeterminate(Step::FlushRename, source))?;
        let size = usize::try_from(self.identity.size).unwrap_or(usize::MAX);
        let read = directory.read(&names.official, size.saturating_add(1));
        let read = read.map_err(|source| indeterminate(Step::Compare, source))?;
        let digest = Digest::of(&read.bytes);
        if read.metadata.identity.file != self.identity.file || digest != self.digest {
            let source = io::Error::new(io::ErrorKind::InvalidData, "the official file is not the candidate");
            return Err(indeterminate(Step::Compare, source));
        }
        Ok(Committed { digest, identity: read.metadata.identity })
    }
}

/// What the official name may be bound to before the rename.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Replace {
    /// The last version.
    Existing,
    /// Nothing: a first version never replaces a file.
    Nothing,
    /// Nothing, or a file that came meanwhile and may go.
    Either,
}

/// Judges what is to become a version.
pub(super) fn accepted<'s>(source: &'s Source, baseline: Baseline<'_>) -> Result<Box<check::Validated<'s>>, Error> {
    match check(source, Profile::Full, baseline) {
        Verdict::Valid(valid) => Ok(valid),
        Verdict::Invalid(diagnostics) => Err(Error::Rejected { diagnostics, kept: None }),
    }
}

fn fresh<D: Directory>(
    directory: &D,
    names: &Names,
    kind: Temporary,
    access: NewAccess,
    step: Step,
) -> Result<(OsString, D::File), Error> {
    let mut attempts = 0;
    loop {
        let name = names.temporary(kind, directory.random());
        attempts += 1;
        match directory.create(&name, access) {
            Ok(file) => return Ok((name, file)),
            Err(source) if source.kind() != io::ErrorKind::AlreadyExists => {
                // It may be there all the same, with the wrong owner or mode.
                return Err(Error::failed(step, &name, source).cleaned(directory, &name));
            }
            Err(_) if attempts < NAME_ATTEMPTS => {}
            Err(source) => return Err(Error::failed(step, &name, source)),
        }
    }
}
