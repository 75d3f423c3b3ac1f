//! What happened to handoff files, before anybody asks what it means.

use std::collections::BTreeMap;

use super::scope::Scope;
use super::snapshots::{Place, Snapshot, Sources};
use crate::cli::git::{Change, Entry, Repository};

/// A version of a file.
#[derive(Clone, Debug)]
pub(super) struct Version {
    pub(super) path: Vec<u8>,
    pub(super) place: Place,
    /// Which of the sources.
    pub(super) source: usize,
}

/// A version that differs from one before it at least.
#[derive(Debug)]
pub(super) struct Draft {
    /// Which snapshot has it.
    pub(super) at: usize,
    pub(super) version: Version,
    /// What stood at the same path in the parents that it differs from.
    pub(super) before: Vec<Version>,
    /// A merge took it unchanged from one of its parents.
    pub(super) taken_over: bool,
}

/// A file that is gone.
#[derive(Debug)]
pub(super) struct Removal {
    /// Which snapshot lacks it.
    pub(super) at: usize,
    pub(super) last: Version,
    /// No parent lacks it.
    pub(super) here: bool,
}

/// Something at the path of a document that is none.
#[derive(Debug)]
pub(super) struct Unusable {
    pub(super) path: Vec<u8>,
    pub(super) place: Place,
    pub(super) reason: String,
}

/// Everything that happened, in order.
#[derive(Debug, Default)]
pub(super) struct Drafts {
    pub(super) versions: Vec<Draft>,
    pub(super) removals: Vec<Removal>,
    pub(super) unusable: Vec<Unusable>,
}

impl Drafts {
    /// Reads the changes of the files that matter; those of the working tree from there.
    pub(super) fn read(snapshots: &[Snapshot], scope: &Scope, repository: &Repository, sources: &mut Sources) -> Self {
        let mut drafts = Self::default();
        for (at, snapshot) in snapshots.iter().enumerate() {
            let mut paths: BTreeMap<&[u8], Vec<Option<&Change>>> = BTreeMap::new();
            for (parent, group) in snapshot.changes.iter().enumerate() {
                for change in group.iter().filter(|change| scope.follows(&change.path)) {
                    let changes = paths.entry(&change.path).or_insert_with(|| vec![None; snapshot.changes.len()]);
                    if let Some(slot) = changes.get_mut(parent) {
                        *slot = Some(change);
                    }
                }
            }
            for (path, changes) in paths {
                drafts.add(at, snapshot, path, &changes, repository, sources);
            }
        }
        drafts
    }

    /// `changes` has one element a parent: what changed in it, if anything did.
    fn add(
        &mut self,
        at: usize,
        snapshot: &Snapshot,
        path: &[u8],
        changes: &[Option<&Change>],
        repository: &Repository,
        sources: &mut Sources,
    ) {
        let place = snapshot.place.clone();
        let in_all = changes.iter().all(Option::is_some);
        let parents = snapshot.parents.iter().zip(changes);
        let before = parents.filter_map(|(parent, change)| {
            let source = sources.of(change.as_ref()?.old.as_ref())?;
            Some(Version { path: path.to_owned(), place: Place::Commit(parent.clone()), source })
        });
        let before: Vec<Version> = before.collect();
        let known = || changes.iter().flatten();
        let source = match known().find_map(|change| change.new.as_ref()) {
            _ if known().any(|change| change.conflict) => {
                Err("a merge left it in conflict: resolve the conflict, then add the file".to_owned())
            }
            None => {
                self.removals.extend(before.into_iter().map(|last| Removal { at, last, here: in_all }));
                return;
            }
            Some(Entry::Other(kind)) => Err(format!("{kind}, not a document")),
            Some(entry @ Entry::File(_)) => sources.of(Some(entry)).ok_or_else(|| "it was not read".to_owned()),
            Some(Entry::OnDisk) => match &repository.top {
                Some(top) => sources.read(top, path),
                None => Err("there is no working tree".to_owned()),
            },
        };
        match source {
            Ok(source) => {
                let version = Version { path: path.to_owned(), place, source };
                self.versions.push(Draft { at, version, before, taken_over: !in_all });
            }
            Err(reason) => self.unusable.push(Unusable { path: path.to_owned(), place, reason }),
        }
    }

    /// The paths that anything happened to.
    pub(super) fn paths(&self) -> impl Iterator<Item = &[u8]> {
        let versions = self.versions.iter().map(|draft| draft.version.path.as_slice());
        let removals = self.removals.iter().map(|removal| removal.last.path.as_slice());
        versions.chain(removals).chain(self.unusable.iter().map(|unusable| unusable.path.as_slice()))
    }
}
