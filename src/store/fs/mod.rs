//! The calls that a transaction makes: one directory, about a dozen operations, every name relative to it. The real ones
//! are in this file and its children; tests put a simulated file system in their place.

use std::ffi::OsStr;
use std::ffi::OsString;
use std::io;
use std::time::Duration;

#[cfg(any(not(unix), test))]
mod portable;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use portable::RealDirectory;
#[cfg(unix)]
pub use unix::RealDirectory;

/// Which file a name is bound to, and what the file looked like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The file: device and inode, or what the platform has.
    pub file: (u64, u64),
    /// Bytes.
    pub size: u64,
    /// Last change of the content and of the file's data, in nanoseconds.
    pub changed: (i128, i128),
}

/// What a name is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// Which file.
    pub identity: Identity,
    /// What kind of file.
    pub kind: Kind,
    /// How many names it has.
    pub links: u64,
    /// Who may do what.
    pub access: Access,
}

/// Kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    Regular,
    /// A symbolic link.
    Symlink,
    /// A directory.
    Directory,
    /// A device, FIFO or socket.
    Special,
}

/// Owner, group and mode, as far as the platform has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Owner.
    pub user: u32,
    /// Group.
    pub group: u32,
    /// Permission bits.
    pub mode: u32,
}

/// The access of a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewAccess {
    /// What the process gives to new files.
    Default,
    /// That of another file; where the group cannot be kept, the group gets nothing.
    Like(Access),
}

/// What a name held when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The content.
    pub bytes: Vec<u8>,
    /// The file.
    pub metadata: Metadata,
}

/// One directory and what can be done in it. No call follows a symbolic link in its last component.
///
/// # Errors
/// Every call reports what the operating system says.
#[allow(clippy::missing_errors_doc, reason = "said once, above")]
pub trait Directory {
    /// Holds the lock until it is dropped.
    type Lock;
    /// A file that is being written.
    type File;

    /// Opens `name`, creating it if needed, and locks it, waiting at most `patience`; `None` when another holds it.
    fn lock(&self, name: &OsStr, patience: Duration) -> io::Result<Option<Self::Lock>>;
    /// What `name` is bound to; `None` when there is nothing.
    fn stat(&self, name: &OsStr) -> io::Result<Option<Metadata>>;
    /// Opens `name` afresh and reads it, at most `limit` bytes; never waits for a writer at the other end.
    fn read(&self, name: &OsStr, limit: usize) -> io::Result<Read>;
    /// Creates `name`, which must not exist.
    fn create(&self, name: &OsStr, access: NewAccess) -> io::Result<Self::File>;
    /// Writes all of `bytes`.
    fn write(&self, file: &mut Self::File, bytes: &[u8]) -> io::Result<()>;
    /// Makes the content durable and closes the file. Never tried again on the same file.
    fn flush(&self, file: Self::File) -> io::Result<()>;
    /// Makes the content of an existing file durable.
    fn flush_existing(&self, name: &OsStr) -> io::Result<()>;
    /// Makes the names durable.
    fn flush_directory(&self) -> io::Result<()>;
    /// Binds `to` to the file of `from`, atomically replacing what was there.
    fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()>;
    /// Binds `to` to the file of `from`; fails with `AlreadyExists` when there is one.
    fn rename_new(&self, from: &OsStr, to: &OsStr) -> io::Result<()>;
    /// Gives the file of `from` a second name; fails with `AlreadyExists` when there is one.
    fn link(&self, from: &OsStr, to: &OsStr) -> io::Result<()>;
    /// Removes a name.
    fn unlink(&self, name: &OsStr) -> io::Result<()>;
    /// Every name, in no order.
    fn list(&self) -> io::Result<Vec<OsString>>;
    /// A number that no other writer has.
    fn random(&self) -> u64;
}
