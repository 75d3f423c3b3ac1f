//! A directory that spoils one step of the transaction, to see that the enumeration notices.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::time::Duration;

use handoff_guard::store::fs::{Directory, Metadata, NewAccess, Read};

use super::stage::NAMES;
use super::{SimDirectory, SimFile, SimLock};

/// What is spoilt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutation {
    /// Nothing.
    None,
    /// F1: the candidate is not flushed.
    CandidateNotFlushed,
    /// F2: the new backup is not flushed.
    BackupNotFlushed,
    /// F3: the directory is not flushed before the rename.
    NamesNotFlushedBefore,
    /// F4: the directory is not flushed after the rename.
    NamesNotFlushedAfter,
    /// The official file is moved aside before the rename.
    OfficialMovedAside,
    /// The official file is overwritten in place instead of the rename.
    WrittenInPlace,
    /// Half of the new backup is written, and reading it back is skipped.
    BackupHalfWritten,
}

/// A [`SimDirectory`] with a spoilt step.
pub(crate) struct Mutant<'d> {
    inner: &'d SimDirectory,
    mutation: Mutation,
    /// The official name was renamed over.
    is_renamed: Cell<bool>,
    /// What the writer believes to have written.
    believed: RefCell<HashMap<OsString, Vec<u8>>>,
}

impl<'d> Mutant<'d> {
    pub(crate) fn new(inner: &'d SimDirectory, mutation: Mutation) -> Self {
        Self { inner, mutation, is_renamed: Cell::new(false), believed: RefCell::default() }
    }

    /// What happens instead of a rename over the official file.
    fn replace_official(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        self.is_renamed.set(true);
        match self.mutation {
            Mutation::OfficialMovedAside if self.inner.disk().number(to).is_some() => {
                self.inner.rename(to, OsStr::new("aside"))?;
                self.inner.rename(from, to)
            }
            Mutation::WrittenInPlace => {
                let bytes = self.inner.read(from, usize::MAX)?.bytes;
                self.inner.overwrite(to, &[])?;
                self.inner.overwrite(to, &bytes)?;
                self.inner.unlink(from)
            }
            _ => self.inner.rename(from, to),
        }
    }
}

fn is_new_backup(name: &OsStr) -> bool {
    NAMES.is_temporary(name) && name.as_encoded_bytes().ends_with(b".bak")
}

impl Directory for Mutant<'_> {
    type Lock = SimLock;
    type File = SimFile;

    fn lock(&self, name: &OsStr, patience: Duration) -> io::Result<Option<SimLock>> {
        self.inner.lock(name, patience)
    }

    fn stat(&self, name: &OsStr) -> io::Result<Option<Metadata>> {
        self.inner.stat(name)
    }

    fn read(&self, name: &OsStr, limit: usize) -> io::Result<Read> {
        let mut read = self.inner.read(name, limit)?;
        if let Some(bytes) = self.believed.borrow().get(name) {
            read.bytes.clone_from(bytes);
        }
        Ok(read)
    }

    fn create(&self, name: &OsStr, access: NewAccess) -> io::Result<SimFile> {
        self.inner.create(name, access)
    }

    fn write(&self, file: &mut SimFile, bytes: &[u8]) -> io::Result<()> {
        if self.mutation == Mutation::BackupHalfWritten && is_new_backup(&file.name) {
            self.believed.borrow_mut().insert(file.name.clone(), bytes.to_vec());
            return self.inner.write(file, &bytes[..bytes.len() / 2]);
        }
        self.inner.write(file, bytes)
    }

    fn flush(&self, file: SimFile) -> io::Result<()> {
        match (self.mutation, is_new_backup(&file.name)) {
            (Mutation::CandidateNotFlushed, false) | (Mutation::BackupNotFlushed, true) => Ok(()),
            _ => self.inner.flush(file),
        }
    }

    fn flush_existing(&self, name: &OsStr) -> io::Result<()> {
        self.inner.flush_existing(name)
    }

    fn flush_directory(&self) -> io::Result<()> {
        match (self.mutation, self.is_renamed.get()) {
            (Mutation::NamesNotFlushedBefore, false) | (Mutation::NamesNotFlushedAfter, true) => Ok(()),
            _ => self.inner.flush_directory(),
        }
    }

    fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        if to == NAMES.official { self.replace_official(from, to) } else { self.inner.rename(from, to) }
    }

    fn rename_new(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        self.is_renamed.set(true);
        self.inner.rename_new(from, to)
    }

    fn link(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        self.inner.link(from, to)
    }

    fn unlink(&self, name: &OsStr) -> io::Result<()> {
        self.inner.unlink(name)
    }

    fn list(&self) -> io::Result<Vec<OsString>> {
        self.inner.list()
    }

    fn random(&self) -> u64 {
        self.inner.random()
    }
}
