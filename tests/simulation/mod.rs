//! A file system in memory that can lose whatever a real one may lose: the calls of a transaction run on it, fail where a
//! test says so, and leave a snapshot of the disk behind each call.

pub(crate) mod crash;
pub(crate) mod disk;
pub(crate) mod enumeration;
pub(crate) mod fault;
pub(crate) mod mutant;
pub(crate) mod scenarios;
pub(crate) mod stage;

use std::cell::{Cell, Ref, RefCell};
use std::ffi::{OsStr, OsString};
use std::io;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use handoff_guard::store::fs::{Access, Directory, Identity, Kind, Metadata, NewAccess, Read};

use disk::{Disk, Inode};
use fault::{Call, Fate, Operation, Plan};

/// More calls than any transaction makes: one that makes them does not end.
const ENDLESS: usize = 500;
/// The first random number; the names in canonical crash states hold smaller ones.
const FIRST_RANDOM: u64 = 0x1000;

/// What a new file gets when nothing else is said.
pub(crate) const DEFAULT_ACCESS: Access = Access { user: 7, group: 7, mode: 0o644 };

/// How the file system differs from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flavour {
    /// It has second names, and a rename that refuses to replace.
    Modern,
    /// It has second names, but no rename that refuses to replace.
    LinkAndUnlink,
    /// It has a rename that refuses to replace, but no second names.
    WithoutLinks,
}

/// The simulated directory.
pub(crate) struct SimDirectory {
    flavour: Flavour,
    plan: Plan,
    disk: RefCell<Disk>,
    calls: RefCell<Vec<Call>>,
    history: RefCell<Vec<Disk>>,
    random: Cell<u64>,
    locked: Rc<Cell<bool>>,
    meddling: RefCell<Option<Meddling>>,
}

/// What another program, which ignores the lock, does before the first call of an operation.
type Meddling = (Operation, Box<dyn FnOnce(&mut Disk)>);

/// Holds the lock of a [`SimDirectory`].
pub(crate) struct SimLock(Rc<Cell<bool>>);

impl Drop for SimLock {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

/// A file that is being written.
#[derive(Debug)]
pub(crate) struct SimFile {
    pub(crate) name: OsString,
    number: u64,
}

impl SimDirectory {
    /// A directory on `disk` whose calls go as `plan` says.
    pub(crate) fn new(disk: Disk, flavour: Flavour, plan: Plan) -> Self {
        Self {
            flavour,
            plan,
            history: RefCell::new(vec![disk.clone()]),
            disk: RefCell::new(disk),
            calls: RefCell::default(),
            random: Cell::new(FIRST_RANDOM),
            locked: Rc::default(),
            meddling: RefCell::default(),
        }
    }

    /// Lets another program change the disk just before the first call of `operation`.
    pub(crate) fn meddled(self, operation: Operation, act: impl FnOnce(&mut Disk) + 'static) -> Self {
        self.meddling.replace(Some((operation, Box::new(act))));
        self
    }

    /// The disk as it is now.
    pub(crate) fn disk(&self) -> Ref<'_, Disk> {
        self.disk.borrow()
    }

    /// The calls that were made.
    pub(crate) fn calls(&self) -> Vec<Call> {
        self.calls.borrow().clone()
    }

    /// The disk at the start and after each call.
    pub(crate) fn history(&self) -> Vec<Disk> {
        self.history.borrow().clone()
    }

    /// Changes the content of the file that `name` is bound to, as an editor that writes in place does.
    pub(crate) fn overwrite(&self, name: &OsStr, bytes: &[u8]) -> io::Result<()> {
        self.call(Operation::Write, name, |disk| {
            let number = disk.number(name).ok_or(io::ErrorKind::NotFound)?;
            disk.set_content(number, Arc::from(bytes));
            Ok(())
        })
    }

    fn call<T>(
        &self,
        operation: Operation,
        name: &OsStr,
        act: impl FnOnce(&mut Disk) -> io::Result<T>,
    ) -> io::Result<T> {
        let at = self.calls.borrow().len();
        assert!(at < ENDLESS, "the transaction does not end: {operation:?} {name:?}");
        let fate = self.plan.fate(at, operation);
        self.calls.borrow_mut().push(Call { operation, name: name.to_owned(), is_hit: !matches!(fate, Fate::Works) });
        let mut disk = self.disk.borrow_mut();
        if let Some((_, act)) = self.meddling.borrow_mut().take_if(|(before, _)| *before == operation) {
            act(&mut disk);
        }
        let outcome = match fate {
            Fate::Works => act(&mut disk),
            Fate::Fails(error) => Err(error),
            Fate::WorksAndFails(error) => act(&mut disk).and(Err(error)),
            Fate::LosesTheTarget(error) => {
                disk.bind(vec![(name.to_owned(), None)]);
                Err(error)
            }
        };
        self.history.borrow_mut().push(disk.clone());
        outcome
    }

    /// A flush that failed once succeeds from then on, and does nothing.
    fn flush_file(&self, operation: Operation, name: &OsStr, number: Option<u64>) -> io::Result<()> {
        let outcome = self.call(operation, name, |disk| {
            disk.flush(number.ok_or(io::ErrorKind::NotFound)?);
            Ok(())
        });
        if let (Err(_), Some(number)) = (&outcome, number) {
            self.disk.borrow_mut().poison(number);
        }
        outcome
    }
}

fn metadata(disk: &Disk, number: u64, inode: &Inode) -> Metadata {
    let size = inode.content.len() as u64;
    let identity = Identity { file: (1, number), size, changed: (inode.changed.into(), inode.changed.into()) };
    Metadata { identity, kind: inode.kind, links: disk.links(number), access: inode.access }
}

impl Directory for SimDirectory {
    type Lock = SimLock;
    type File = SimFile;

    fn lock(&self, name: &OsStr, _: Duration) -> io::Result<Option<SimLock>> {
        self.call(Operation::Lock, name, |_| {
            let free = !self.locked.replace(true);
            Ok(free.then(|| SimLock(Rc::clone(&self.locked))))
        })
    }

    fn stat(&self, name: &OsStr) -> io::Result<Option<Metadata>> {
        self.call(Operation::Stat, name, |disk| {
            Ok(disk.bound(name).map(|(number, inode)| metadata(disk, number, inode)))
        })
    }

    fn read(&self, name: &OsStr, limit: usize) -> io::Result<Read> {
        self.call(Operation::Read, name, |disk| {
            let (number, inode) = disk.bound(name).ok_or(io::ErrorKind::NotFound)?;
            if inode.kind != Kind::Regular {
                return Err(io::ErrorKind::InvalidInput.into());
            }
            let bytes = inode.content.iter().copied().take(limit).collect();
            Ok(Read { bytes, metadata: metadata(disk, number, inode) })
        })
    }

    fn create(&self, name: &OsStr, access: NewAccess) -> io::Result<SimFile> {
        self.call(Operation::Create, name, |disk| {
            if disk.number(name).is_some() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            let access = match access {
                NewAccess::Default => DEFAULT_ACCESS,
                NewAccess::Like(access) => access,
            };
            let number = disk.create(Inode::unflushed(access));
            disk.bind(vec![(name.to_owned(), Some(number))]);
            Ok(SimFile { name: name.to_owned(), number })
        })
    }

    fn write(&self, file: &mut SimFile, bytes: &[u8]) -> io::Result<()> {
        self.call(Operation::Write, &file.name, |disk| {
            disk.set_content(file.number, Arc::from(bytes));
            Ok(())
        })
    }

    fn flush(&self, file: SimFile) -> io::Result<()> {
        self.flush_file(Operation::Flush, &file.name, Some(file.number))
    }

    fn flush_existing(&self, name: &OsStr) -> io::Result<()> {
        let number = self.disk.borrow().number(name);
        self.flush_file(Operation::FlushExisting, name, number)
    }

    fn flush_directory(&self) -> io::Result<()> {
        self.call(Operation::FlushDirectory, OsStr::new("."), |disk| {
            disk.flush_names();
            Ok(())
        })
    }

    fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        self.call(Operation::Rename, to, |disk| disk.rename(from, to))
    }

    fn rename_new(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        if self.flavour == Flavour::LinkAndUnlink {
            self.link(from, to)?;
            return self.unlink(from);
        }
        self.call(Operation::RenameNew, to, |disk| match disk.number(to) {
            Some(_) => Err(io::ErrorKind::AlreadyExists.into()),
            None => disk.rename(from, to),
        })
    }

    fn link(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        self.call(Operation::Link, to, |disk| {
            if self.flavour == Flavour::WithoutLinks {
                return Err(io::ErrorKind::Unsupported.into());
            }
            let number = disk.number(from).ok_or(io::ErrorKind::NotFound)?;
            if disk.number(to).is_some() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            disk.bind(vec![(to.to_owned(), Some(number))]);
            disk.touch(number);
            Ok(())
        })
    }

    fn unlink(&self, name: &OsStr) -> io::Result<()> {
        self.call(Operation::Unlink, name, |disk| {
            let number = disk.number(name).ok_or(io::ErrorKind::NotFound)?;
            disk.bind(vec![(name.to_owned(), None)]);
            disk.touch(number);
            Ok(())
        })
    }

    fn list(&self) -> io::Result<Vec<OsString>> {
        self.call(Operation::List, OsStr::new("."), |disk| Ok(disk.names().cloned().collect()))
    }

    fn random(&self) -> u64 {
        self.random.replace(self.random.get() + 1)
    }
}
