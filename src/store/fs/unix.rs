//! The real calls on Unix, relative to one open directory.

use std::collections::hash_map::RandomState;
use std::ffi::{OsStr, OsString};
use std::fs::{File, TryLockError};
use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, FileType, Gid, Mode, OFlags, RenameFlags, Stat, Uid};
use rustix::io::Errno;

use super::{Access, Directory, Identity, Kind, Metadata, NewAccess, Read};

/// An open directory. The path is walked once; what happens to it afterwards does not matter.
#[derive(Debug)]
pub struct RealDirectory {
    handle: OwnedFd,
}

/// What a file is given of the mode of another: not the bits that lend the owner's rights to whoever runs it.
const PERMISSIONS: u32 = 0o777;

/// How long to wait between two attempts to take a lock.
const LOCK_PAUSE: Duration = Duration::from_millis(5);

impl RealDirectory {
    /// Opens the directory at `path`.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self { handle: rustix::fs::open(path, flags, Mode::empty())? })
    }

    fn open_file(&self, name: &OsStr, flags: OFlags, mode: Mode) -> io::Result<File> {
        let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(File::from(rustix::fs::openat(&self.handle, name, flags, mode)?))
    }

    fn stat_file(file: &File) -> io::Result<Metadata> {
        Ok(metadata(&rustix::fs::fstat(file)?))
    }
}

#[allow(
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    clippy::unnecessary_cast,
    clippy::useless_conversion,
    reason = "the types of these fields differ between platforms; numbers and times only have to differ"
)]
fn metadata(stat: &Stat) -> Metadata {
    let kind = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Kind::Regular,
        FileType::Symlink => Kind::Symlink,
        FileType::Directory => Kind::Directory,
        _ => Kind::Special,
    };
    let nanoseconds = |seconds: i64, nanoseconds: i64| i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds);
    Metadata {
        identity: Identity {
            file: (stat.st_dev as u64, stat.st_ino as u64),
            size: stat.st_size as u64,
            changed: (
                nanoseconds(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
                nanoseconds(stat.st_ctime as i64, stat.st_ctime_nsec as i64),
            ),
        },
        kind,
        links: stat.st_nlink as u64,
        access: Access { user: stat.st_uid, group: stat.st_gid, mode: u32::from(stat.st_mode) & PERMISSIONS },
    }
}

impl Directory for RealDirectory {
    type Lock = File;
    type File = File;

    fn lock(&self, name: &OsStr, patience: Duration) -> io::Result<Option<File>> {
        // A wait that the clock cannot express has no end.
        let deadline = Instant::now().checked_add(patience);
        loop {
            let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NONBLOCK;
            let file = match self.open_file(name, flags, Mode::from_raw_mode(0o666)) {
                // The lock file of another user can be locked all the same.
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                    self.open_file(name, OFlags::RDONLY | OFlags::NONBLOCK, Mode::empty()).map_err(|_| error)?
                }
                file => file?,
            };
            let opened = Self::stat_file(&file)?;
            if opened.kind != Kind::Regular {
                return Err(not_regular());
            }
            match file.try_lock() {
                Ok(()) => {
                    // The name may have been bound to another file since it was opened.
                    if self.stat(name)?.is_some_and(|now| now.identity.file == opened.identity.file) {
                        return Ok(Some(file));
                    }
                }
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Ok(None);
            }
            std::thread::sleep(LOCK_PAUSE);
        }
    }

    fn stat(&self, name: &OsStr) -> io::Result<Option<Metadata>> {
        match rustix::fs::statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(metadata(&stat))),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn read(&self, name: &OsStr, limit: usize) -> io::Result<Read> {
        let file = self.open_file(name, OFlags::RDONLY | OFlags::NONBLOCK, Mode::empty())?;
        let metadata = Self::stat_file(&file)?;
        if metadata.kind != Kind::Regular {
            return Err(not_regular());
        }
        let expected = usize::try_from(metadata.identity.size).unwrap_or(limit).min(limit);
        let mut bytes = Vec::with_capacity(expected.saturating_add(1));
        file.take(limit as u64).read_to_end(&mut bytes)?;
        Ok(Read { bytes, metadata })
    }

    fn create(&self, name: &OsStr, access: NewAccess) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        match access {
            NewAccess::Default => self.open_file(name, flags, Mode::from_raw_mode(0o666)),
            NewAccess::Like(access) => {
                let file = self.open_file(name, flags, Mode::RUSR | Mode::WUSR)?;
                match imitate(&file, access) {
                    Ok(()) => Ok(file),
                    Err(error) => {
                        // The caller has no file to remove: the error is what counts.
                        let _ = self.unlink(name);
                        Err(error)
                    }
                }
            }
        }
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }

    fn flush(&self, file: File) -> io::Result<()> {
        file.sync_all()
    }

    fn flush_existing(&self, name: &OsStr) -> io::Result<()> {
        self.open_file(name, OFlags::RDONLY | OFlags::NONBLOCK, Mode::empty())?.sync_all()
    }

    fn flush_directory(&self) -> io::Result<()> {
        Ok(flush_handle(&self.handle)?)
    }

    fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.handle, from, &self.handle, to)?)
    }

    fn rename_new(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        match rename_no_replace(&self.handle, from, to) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                self.link(from, to)?;
                self.unlink(from)
            }
            outcome => Ok(outcome?),
        }
    }

    fn link(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::linkat(&self.handle, from, &self.handle, to, AtFlags::empty())?)
    }

    fn unlink(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.handle, name, AtFlags::empty())?)
    }

    fn list(&self) -> io::Result<Vec<OsString>> {
        let entries = rustix::fs::Dir::read_from(&self.handle)?;
        let names = entries.map(|entry| Ok(OsString::from_vec(entry?.file_name().to_bytes().to_vec())));
        let names: Vec<OsString> = names.collect::<io::Result<_>>()?;
        Ok(names.into_iter().filter(|name| !matches!(name.as_bytes(), b"." | b"..")).collect())
    }

    fn random(&self) -> u64 {
        RandomState::new().build_hasher().finish()
    }
}

fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn rename_no_replace(directory: &OwnedFd, from: &OsStr, to: &OsStr) -> Result<(), Errno> {
    rustix::fs::renameat_with(directory, from, directory, to, RenameFlags::NOREPLACE)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn rename_no_replace(_: &OwnedFd, _: &OsStr, _: &OsStr) -> Result<(), Errno> {
    Err(Errno::NOSYS)
}

/// On Apple systems only a full flush reaches the disk; where a file system refuses one, the plain flush is all there is.
#[cfg(target_vendor = "apple")]
fn flush_handle(directory: &OwnedFd) -> Result<(), Errno> {
    match rustix::fs::fcntl_fullfsync(directory) {
        Err(Errno::NOTSUP | Errno::INVAL | Errno::NOTTY) => rustix::fs::fsync(directory),
        outcome => outcome,
    }
}

#[cfg(not(target_vendor = "apple"))]
fn flush_handle(directory: &OwnedFd) -> Result<(), Errno> {
    rustix::fs::fsync(directory)
}

/// Gives a file the owner, group and mode of another, as far as the process may. Access is never widened: where the group
/// cannot be kept, the new group gets nothing.
#[allow(
    clippy::unnecessary_cast,
    clippy::cast_possible_truncation,
    reason = "the type of a mode differs between platforms"
)]
fn imitate(file: &File, access: Access) -> io::Result<()> {
    let now = RealDirectory::stat_file(file)?.access;
    let user = (now.user != access.user).then(|| Uid::from_raw(access.user));
    let group = (now.group != access.group).then(|| Gid::from_raw(access.group));
    if user.is_some() {
        // Only a privileged process may give a file away; any other owns what it writes.
        let _ = rustix::fs::fchown(file, user, None);
    }
    let kept = group.is_none() || rustix::fs::fchown(file, None, group).is_ok();
    let mode = if kept { access.mode } else { access.mode & !0o070 };
    Ok(rustix::fs::fchmod(file, Mode::from_bits_truncate(mode as rustix::fs::RawMode))?)
}
