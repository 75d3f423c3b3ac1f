//! The calls with the standard library alone, by path, for platforms without directory handles. A directory cannot be
//! flushed here, so a power loss may undo the newest rename; every name still holds a complete version.
#![expect(clippy::disallowed_methods, reason = "only `store::fs` writes, and this is it")]
#![cfg_attr(unix, expect(unreachable_pub, reason = "on Unix it is compiled for its tests only"))]

use std::collections::hash_map::RandomState;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, UNIX_EPOCH};

use super::{Access, Directory, Identity, Kind, Metadata, NewAccess, Read};

/// A directory by its path.
#[derive(Debug)]
pub struct RealDirectory {
    path: PathBuf,
}

/// How long to wait between two attempts to take a lock, or to rename a file that a scanner holds open.
const PAUSE: Duration = Duration::from_millis(5);
/// How long a rename waits for a scanner or a synchronisation service.
const SHARING_PATIENCE: Duration = Duration::from_millis(200);
/// What Windows says while another program holds a file open: access denied, sharing violation.
const SHARING_ERRORS: [i32; 2] = [5, 32];

impl RealDirectory {
    /// Opens the directory at `path`.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = fs::canonicalize(path)?;
        if !fs::metadata(&path)?.is_dir() {
            return Err(io::Error::from(io::ErrorKind::NotADirectory));
        }
        Ok(Self { path })
    }

    fn at(&self, name: &OsStr) -> PathBuf {
        self.path.join(name)
    }
}

fn metadata(metadata: &fs::Metadata) -> io::Result<Metadata> {
    let kind = match metadata.file_type() {
        kind if kind.is_file() => Kind::Regular,
        kind if kind.is_symlink() => Kind::Symlink,
        kind if kind.is_dir() => Kind::Directory,
        _ => Kind::Special,
    };
    let modified = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    let modified = i128::try_from(modified).unwrap_or(i128::MAX);
    // A rename keeps the time of the last change, and two versions are not made in the same instant.
    let file = (u64::try_from(modified).unwrap_or(u64::MAX), metadata.len());
    let identity = Identity { file, size: metadata.len(), changed: (modified, modified) };
    Ok(Metadata { identity, kind, links: 1, access: Access { user: 0, group: 0, mode: 0 } })
}

/// Repeats a call while another program holds the file open, for a short time.
fn patiently(call: impl Fn() -> io::Result<()>) -> io::Result<()> {
    let deadline = Instant::now() + SHARING_PATIENCE;
    loop {
        let outcome = call();
        let shared =
            outcome.as_ref().err().and_then(io::Error::raw_os_error).is_some_and(|code| SHARING_ERRORS.contains(&code));
        if !(cfg!(windows) && shared) || Instant::now() >= deadline {
            return outcome;
        }
        std::thread::sleep(PAUSE);
    }
}

impl Directory for RealDirectory {
    type Lock = File;
    type File = File;

    fn lock(&self, name: &OsStr, patience: Duration) -> io::Result<Option<File>> {
        // A wait that the clock cannot express has no end.
        let deadline = Instant::now().checked_add(patience);
        loop {
            let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(self.at(name))?;
            match file.try_lock() {
                Ok(()) => {
                    // The name may have been bound to another file since it was opened.
                    let held = metadata(&file.metadata()?)?.identity.file;
                    if self.stat(name)?.is_some_and(|now| now.identity.file == held) {
                        return Ok(Some(file));
                    }
                }
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Ok(None);
            }
            std::thread::sleep(PAUSE);
        }
    }

    fn stat(&self, name: &OsStr) -> io::Result<Option<Metadata>> {
        match fs::symlink_metadata(self.at(name)) {
            Ok(found) => Ok(Some(metadata(&found)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn read(&self, name: &OsStr, limit: usize) -> io::Result<Read> {
        if self.stat(name)?.is_some_and(|found| found.kind != Kind::Regular) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        let file = File::open(self.at(name))?;
        let metadata = metadata(&file.metadata()?)?;
        let mut bytes = Vec::new();
        file.take(limit as u64).read_to_end(&mut bytes)?;
        Ok(Read { bytes, metadata })
    }

    fn create(&self, name: &OsStr, _: NewAccess) -> io::Result<File> {
        OpenOptions::new().write(true).create_new(true).open(self.at(name))
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }

    fn flush(&self, file: File) -> io::Result<()> {
        file.sync_all()
    }

    fn flush_existing(&self, name: &OsStr) -> io::Result<()> {
        OpenOptions::new().write(true).open(self.at(name))?.sync_all()
    }

    fn flush_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        patiently(|| fs::rename(self.at(from), self.at(to)))
    }

    fn rename_new(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        self.link(from, to)?;
        self.unlink(from)
    }

    fn link(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        fs::hard_link(self.at(from), self.at(to))
    }

    fn unlink(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_file(self.at(name))
    }

    fn list(&self) -> io::Result<Vec<OsString>> {
        fs::read_dir(&self.path)?.map(|entry| Ok(entry?.file_name())).collect()
    }

    fn random(&self) -> u64 {
        RandomState::new().build_hasher().finish()
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::store::Names;
    use crate::store::replace::{Extent, Request, Start, Success, write};

    const FIRST: &[u8] = include_bytes!("../../../fixtures/valid/initial.handoff.md");
    const SECOND: &[u8] = include_bytes!("../../../fixtures/valid/needs-answers.handoff.md");

    #[test]
    fn a_session_is_begun_and_continued_by_path() {
        let folder = TempDir::new().unwrap();
        let directory = RealDirectory::open(folder.path()).unwrap();
        let names = Names::new(OsStr::new("x.md")).unwrap();
        let request = |bytes, start| {
            let patience = Duration::ZERO;
            Request { bytes, start, expected: None, patience, extent: Extent::Commit }
        };
        let first = write(&directory, &names, request(FIRST, Start::First { session_id: "importer-4c81" })).unwrap();
        let second = write(&directory, &names, request(SECOND, Start::Follow)).unwrap();
        let again = write(&directory, &names, request(SECOND, Start::Follow)).unwrap();
        assert_eq!(
            [first.outcome, second.outcome, again.outcome],
            [Success::Committed, Success::Committed, Success::Unchanged]
        );
        assert_eq!(directory.read(&names.backup, usize::MAX).unwrap().bytes, FIRST);
        assert_eq!(directory.list().unwrap().len(), 3);
    }
}
