//! What is on the simulated disk: files, names, and which changes of both are not flushed yet.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::hash::{Hash, Hasher};
use std::io;
use std::sync::Arc;

use handoff_guard::store::fs::{Access, Kind};

use super::DEFAULT_ACCESS;

/// The content of a file.
pub(crate) type Bytes = Arc<[u8]>;

/// Which file each name is bound to.
pub(crate) type Bindings = BTreeMap<OsString, u64>;

/// One change of the directory: names and what they are bound to from then on, in the order in which a file system whose
/// rename is not atomic makes them.
pub(crate) type Effect = Vec<(OsString, Option<u64>)>;

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inode {
    pub(crate) kind: Kind,
    pub(crate) content: Bytes,
    /// The content that a crash cannot take away, when there is one.
    pub(crate) stable: Option<Bytes>,
    /// A flush failed: those that follow do nothing.
    pub(crate) poisoned: bool,
    pub(crate) access: Access,
    pub(crate) changed: u64,
}

impl Inode {
    /// An empty file that no crash has to leave in place.
    pub(crate) fn unflushed(access: Access) -> Self {
        let content = Bytes::from([]);
        Self { kind: Kind::Regular, content, stable: None, poisoned: false, access, changed: 0 }
    }

    /// A file that was there for ever.
    pub(crate) fn durable(kind: Kind, content: Bytes) -> Self {
        Self { kind, stable: Some(content.clone()), content, ..Self::unflushed(DEFAULT_ACCESS) }
    }
}

impl Hash for Inode {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.content.len(), self.content.first(), self.stable.is_some(), self.changed).hash(state);
    }
}

/// The whole disk.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Disk {
    pub(crate) files: BTreeMap<u64, Inode>,
    /// The names that a crash cannot take away.
    pub(crate) durable: Bindings,
    /// What happened to the names since the last flush of the directory.
    pub(crate) log: Vec<Effect>,
    visible: Bindings,
    clock: u64,
}

impl Disk {
    /// Durable names bound to durable files.
    pub(crate) fn from_parts(files: BTreeMap<u64, Inode>, names: Bindings) -> Self {
        Self { files, visible: names.clone(), durable: names, log: Vec::new(), clock: 0 }
    }

    /// The same disk with one more durable file.
    pub(crate) fn with(mut self, name: &OsStr, kind: Kind, content: &[u8]) -> Self {
        let number = self.create(Inode::durable(kind, Bytes::from(content)));
        self.durable.insert(name.to_owned(), number);
        self.visible.insert(name.to_owned(), number);
        self
    }

    /// Every visible name.
    pub(crate) fn names(&self) -> impl Iterator<Item = &OsString> {
        self.visible.keys()
    }

    /// The file that `name` is bound to.
    pub(crate) fn number(&self, name: &OsStr) -> Option<u64> {
        self.visible.get(name).copied()
    }

    /// The file that `name` is bound to, with its number.
    pub(crate) fn bound(&self, name: &OsStr) -> Option<(u64, &Inode)> {
        let number = self.number(name)?;
        Some((number, &self.files[&number]))
    }

    /// What `name` holds.
    pub(crate) fn content(&self, name: &OsStr) -> Option<&Bytes> {
        self.bound(name).map(|(_, inode)| &inode.content)
    }

    /// What every visible name holds.
    pub(crate) fn contents(&self) -> BTreeMap<&OsStr, &[u8]> {
        self.visible.iter().map(|(name, number)| (name.as_os_str(), &*self.files[number].content)).collect()
    }

    /// How many visible names a file has.
    pub(crate) fn links(&self, number: u64) -> u64 {
        self.visible.values().filter(|&&other| other == number).count() as u64
    }

    /// A new file; it has no name yet.
    pub(crate) fn create(&mut self, inode: Inode) -> u64 {
        let number = self.files.keys().next_back().map_or(1, |last| last + 1);
        self.files.insert(number, inode);
        self.touch(number);
        number
    }

    /// Changes what names are bound to.
    pub(crate) fn bind(&mut self, effect: Effect) {
        apply(&mut self.visible, &effect);
        self.log.push(effect);
    }

    /// Binds `to` to the file of `from`.
    pub(crate) fn rename(&mut self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        let number = self.number(from).ok_or(io::ErrorKind::NotFound)?;
        if self.bound(to).is_some_and(|(_, inode)| inode.kind == Kind::Directory) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        self.bind(vec![(to.to_owned(), None), (to.to_owned(), Some(number)), (from.to_owned(), None)]);
        self.touch(number);
        Ok(())
    }

    /// Records that a file changed now.
    pub(crate) fn touch(&mut self, number: u64) {
        self.clock += 1;
        let clock = self.clock;
        self.files.entry(number).and_modify(|inode| inode.changed = clock);
    }

    /// Replaces the content of a file; nothing of it is flushed.
    pub(crate) fn set_content(&mut self, number: u64, content: Bytes) {
        self.files.entry(number).and_modify(|inode| inode.content = content);
        self.touch(number);
    }

    /// Makes the content of a file durable, unless an earlier flush of it failed.
    pub(crate) fn flush(&mut self, number: u64) {
        self.files.entry(number).and_modify(|inode| {
            if !inode.poisoned {
                inode.stable = Some(inode.content.clone());
            }
        });
    }

    /// Makes every later flush of a file a lie.
    pub(crate) fn poison(&mut self, number: u64) {
        self.files.entry(number).and_modify(|inode| inode.poisoned = true);
    }

    /// Makes every name durable.
    pub(crate) fn flush_names(&mut self) {
        self.durable = self.visible.clone();
        self.log.clear();
    }
}

/// Applies one change of the directory.
pub(crate) fn apply(names: &mut Bindings, effect: &[(OsString, Option<u64>)]) {
    for (name, number) in effect {
        match number {
            Some(number) => names.insert(name.clone(), *number),
            None => names.remove(name),
        };
    }
}
