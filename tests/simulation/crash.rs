//! What a crash may leave of a disk, in three models of what a file system does with changes that are not flushed.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::{OsStr, OsString};

use handoff_guard::store::Names;
use handoff_guard::store::fs::Kind;

use super::disk::{Bindings, Bytes, Disk, Effect, Inode, apply};

/// What a file system does with changes of the directory that are not flushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Model {
    /// It keeps the first so many of them, whole.
    Journal,
    /// It keeps any of them, in any order, each whole.
    Reorder,
    /// It keeps any of the steps that they consist of, in any order: a rename may leave the target without a file.
    Nonatomic,
}

impl Model {
    pub(crate) const ALL: [Self; 3] = [Self::Journal, Self::Reorder, Self::Nonatomic];

    /// Whether a name that had a file before a rename over it has one after a crash.
    pub(crate) const fn renames_atomically(self) -> bool {
        matches!(self, Self::Journal | Self::Reorder)
    }
}

/// Every disk that a crash may leave of `disk`, each in its canonical form: nothing is pending, and files and random names
/// are numbered by what they hold.
pub(crate) fn crash_states(disk: &Disk, model: Model, names: &Names) -> HashSet<Disk> {
    let bindings = match model {
        Model::Journal => prefixes(disk),
        Model::Reorder => arrangements(disk),
        Model::Nonatomic => products(disk),
    };
    bindings.iter().flat_map(|bindings| contents(disk, bindings)).map(|state| canonical(&state, names)).collect()
}

/// The canonical form of `disk` when everything that is visible was flushed.
pub(crate) fn settled(disk: &Disk, names: &Names) -> Disk {
    let mut disk = disk.clone();
    disk.flush_names();
    for inode in disk.files.values_mut() {
        *inode = Inode { access: inode.access, ..Inode::durable(inode.kind, inode.content.clone()) };
    }
    canonical(&disk, names)
}

fn prefixes(disk: &Disk) -> BTreeSet<Bindings> {
    let mut names = disk.durable.clone();
    let mut all = BTreeSet::from([names.clone()]);
    for effect in &disk.log {
        apply(&mut names, effect);
        all.insert(names.clone());
    }
    all
}

/// Any subset of the effects in any order.
fn arrangements(disk: &Disk) -> BTreeSet<Bindings> {
    assert!(disk.log.len() <= 16, "too many effects to arrange: {}", disk.log.len());
    let mut seen = BTreeSet::new();
    let mut open: Vec<(Bindings, u32)> = vec![(disk.durable.clone(), 0)];
    while let Some((names, applied)) = open.pop() {
        if !seen.insert((names.clone(), applied)) {
            continue;
        }
        for (at, effect) in disk.log.iter().enumerate().filter(|(at, _)| applied & (1 << at) == 0) {
            let mut next = names.clone();
            apply(&mut next, effect);
            open.push((next, applied | (1 << at)));
        }
    }
    seen.into_iter().map(|(names, _)| names).collect()
}

/// Every step concerns one name, so that each name is bound to what it was bound to before or to what any step binds it to,
/// whatever the others are bound to.
fn products(disk: &Disk) -> BTreeSet<Bindings> {
    let steps: Effect = disk.log.iter().flatten().cloned().collect();
    let mut choices: BTreeMap<&OsStr, BTreeSet<Option<u64>>> = BTreeMap::new();
    for (name, number) in &steps {
        let before = disk.durable.get(name).copied();
        choices.entry(name).or_default().extend([before, *number]);
    }
    let mut all = BTreeSet::from([disk.durable.clone()]);
    for (name, numbers) in choices {
        all = all
            .iter()
            .flat_map(|names| {
                numbers.iter().map(|number| {
                    let mut names = names.clone();
                    apply(&mut names, &[(name.to_owned(), *number)]);
                    names
                })
            })
            .collect();
    }
    all
}

/// The files that `names` are bound to, each with every content that a crash may leave in it.
fn contents(disk: &Disk, names: &Bindings) -> Vec<Disk> {
    let mut all: Vec<BTreeMap<u64, Inode>> = vec![BTreeMap::new()];
    for number in names.values().copied().collect::<BTreeSet<u64>>() {
        let inode = &disk.files[&number];
        let left = left_of(inode);
        all = all
            .iter()
            .flat_map(|files| {
                left.iter().map(|content| {
                    let left = Inode { access: inode.access, ..Inode::durable(inode.kind, content.clone()) };
                    let mut files = files.clone();
                    files.insert(number, left);
                    files
                })
            })
            .collect();
    }
    all.into_iter().map(|files| Disk::from_parts(files, names.clone())).collect()
}

/// What a crash may leave in one file: what was flushed; else nothing, the first half, or everything.
fn left_of(inode: &Inode) -> BTreeSet<Bytes> {
    match &inode.stable {
        Some(stable) if *stable == inode.content => BTreeSet::from([stable.clone()]),
        stable => {
            let half = inode.content.len() / 2;
            let torn = [Bytes::from([]), Bytes::from(&inode.content[..half]), inode.content.clone()];
            torn.into_iter().chain(stable.clone()).collect()
        }
    }
}

/// The same disk with its files numbered by their names, and its random names numbered by what they hold.
fn canonical(disk: &Disk, names: &Names) -> Disk {
    let mut random: Vec<(&[u8], Kind, u64, &OsString)> = Vec::new();
    let mut renamed: Vec<(OsString, u64)> = Vec::new();
    for name in disk.names() {
        let (number, inode) = disk.bound(name).unwrap();
        if names.is_temporary(name) || names.is_damaged(name) {
            random.push((&inode.content, inode.kind, number, name));
        } else {
            renamed.push((name.clone(), number));
        }
    }
    random.sort_by_key(|(content, _, number, name)| (*content, *number, *name));
    for (at, (_, _, number, name)) in random.into_iter().enumerate() {
        renamed.push((numbered(name, at), number));
    }

    let mut numbers: BTreeMap<u64, u64> = BTreeMap::new();
    let mut files = BTreeMap::new();
    let mut bindings = Bindings::new();
    for (name, old) in renamed {
        let fresh = numbers.len() as u64 + 1;
        let number = *numbers.entry(old).or_insert(fresh);
        files.entry(number).or_insert_with(|| Inode { changed: number, ..disk.files[&old].clone() });
        bindings.insert(name, number);
    }
    Disk::from_parts(files, bindings)
}

/// A random name with another number in it.
fn numbered(name: &OsStr, at: usize) -> OsString {
    let name = name.to_str().unwrap();
    let (before, rest) = name.rsplit_once('-').unwrap();
    let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
    let (number, suffix) = rest.split_at(digits);
    OsString::from(format!("{before}-{at:0width$x}{suffix}", width = number.len()))
}
