//! The states that a repository's files go through: each commit of a range, or the index, or the working tree.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::scope::Scope;
use crate::check::session_id;
use crate::cli::args::Range;
use crate::cli::git::{Change, Commit, Entry, Id, Only, Repository};
use crate::cli::input::read_file;
use crate::cli::paths::path_of;
use crate::render::Revision;
use crate::source::Source;

/// Where a version stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Commit(Id),
    Index,
    WorkingTree,
}

impl Place {
    pub(super) fn revision(&self) -> Option<Revision<'_>> {
        match self {
            Self::Commit(id) => Some(Revision::Commit(id.as_str())),
            Self::Index => Some(Revision::Index),
            Self::WorkingTree => None,
        }
    }
}

/// A state of all files.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub(super) place: Place,
    /// The commits that it comes from; none where everything begins.
    pub(super) parents: Vec<Id>,
    /// What it changed in each parent, or in nothing.
    pub(super) changes: Vec<Vec<Change>>,
}

impl Snapshot {
    /// The id of the commit, when it is one.
    pub(super) fn commit(&self) -> Option<&str> {
        match &self.place {
            Place::Commit(id) => Some(id.as_str()),
            Place::Index | Place::WorkingTree => None,
        }
    }
}

/// The states in order, each behind those that it comes from.
#[derive(Debug)]
pub(super) struct Snapshots {
    pub(super) list: Vec<Snapshot>,
    /// The commit that stands last, if there is one.
    pub(super) head: Option<Id>,
    /// The commit that everything in `list` begins at, if there is one.
    pub(super) base: Option<Id>,
}

impl Snapshots {
    /// Reads the states of a range.
    ///
    /// # Errors
    /// Why they cannot be had, and what to do.
    pub(super) fn read(repository: &mut Repository, range: Range<'_>, scope: &Scope) -> Result<Self, String> {
        match range {
            Range::Since(revision) => Self::since(repository, revision, scope),
            Range::Staged => Self::staged(repository, scope),
        }
    }

    fn since(repository: &Repository, revision: &str, scope: &Scope) -> Result<Self, String> {
        const FETCH: &str =
            "fetch the whole history: `fetch-depth: 0` for a checkout action, `git fetch --unshallow` by hand";
        if repository.shallow {
            return Err(format!("the repository is a shallow clone, a part of its history is missing; {FETCH}"));
        }
        let since = repository.commit(revision)?.ok_or_else(|| {
            let zeros = !revision.is_empty() && revision.bytes().all(|byte| byte == b'0');
            let hint = if zeros { "a new branch has no earlier commit; name the branch that it left" } else { FETCH };
            format!("`{revision}` names no commit of this repository; {hint}")
        })?;
        let head = repository.commit("HEAD")?.ok_or("there is no commit yet: HEAD names none")?;
        let specs = scope.specs();
        let commits = repository.commits(Some(&since), &head)?;
        let changes = repository.changes(&commits, Only::Everything, &specs)?;
        let snapshot = |(Commit { id, parents }, changes)| Snapshot { place: Place::Commit(id), parents, changes };
        let mut list: Vec<Snapshot> = commits.into_iter().zip(changes).map(snapshot).collect();
        if repository.top.is_some() {
            let changes = vec![repository.unstaged(&head, &specs)?];
            list.push(Snapshot { place: Place::WorkingTree, parents: vec![head.clone()], changes });
        }
        let base = repository.merge_base(&since, &head)?;
        Ok(Self { list, head: Some(head), base })
    }

    fn staged(repository: &mut Repository, scope: &Scope) -> Result<Self, String> {
        if repository.top.is_none() {
            return Err("a bare repository has no index that could be committed".to_owned());
        }
        repository.use_index_of_hook();
        let head = repository.commit("HEAD")?;
        let merged = repository.commit("MERGE_HEAD")?;
        let parents: Vec<Id> = head.iter().cloned().chain(merged).collect();
        let specs = scope.specs();
        let changes = if parents.is_empty() {
            vec![repository.staged(None, &specs)?]
        } else {
            let changes = parents.iter().map(|parent| repository.staged(Some(parent), &specs));
            changes.collect::<Result<_, _>>()?
        };
        let list = vec![Snapshot { place: Place::Index, parents, changes }];
        Ok(Self { list, base: head.clone(), head })
    }
}

/// Versions that stood in the history before the first state: the ones that the base has, and the last ones of files that
/// were deleted before.
///
/// # Errors
/// Git cannot be asked.
pub(super) fn before(repository: &Repository, base: &Id, scope: &Scope) -> Result<Vec<(Vec<u8>, Id, Entry)>, String> {
    let specs = scope.specs();
    let commits = repository.commits(None, base)?;
    let deleted = repository.changes(&commits, Only::Deletions, &specs)?;
    let mut found = Vec::new();
    for (commit, groups) in commits.iter().zip(deleted) {
        for (parent, changes) in commit.parents.iter().zip(groups) {
            found.extend(changes.into_iter().filter_map(|change| Some((change.path, parent.clone(), change.old?))));
        }
    }
    let living = repository.tree(base, &specs)?;
    found.extend(living.into_iter().filter_map(|change| Some((change.path, base.clone(), change.new?))));
    Ok(found)
}

/// The bytes of versions, each once.
#[derive(Debug, Default)]
pub(super) struct Sources {
    list: Vec<Source>,
    /// The session of each, as far as its front matter can be read.
    sessions: Vec<Option<String>>,
    known: HashMap<Id, usize>,
}

impl Sources {
    /// Which of the bytes are those of `entry`; `None` when they are none, or were not read.
    pub(super) fn of(&self, entry: Option<&Entry>) -> Option<usize> {
        match entry? {
            Entry::File(id) => self.known.get(id).copied(),
            Entry::OnDisk | Entry::Other(_) => None,
        }
    }

    /// The session of a version.
    pub(super) fn session(&self, at: usize) -> Option<&str> {
        self.sessions.get(at)?.as_deref()
    }

    pub(super) fn get(&self, at: usize) -> Option<&Source> {
        self.list.get(at)
    }

    pub(super) fn all(&self) -> &[Source] {
        &self.list
    }

    /// Reads what the repository has.
    ///
    /// # Errors
    /// Git cannot be asked, or does not have it.
    pub(super) fn load<'e>(
        &mut self,
        repository: &Repository,
        entries: impl Iterator<Item = &'e Entry>,
    ) -> Result<(), String> {
        let mut ids = Vec::new();
        for entry in entries {
            if let Entry::File(id) = entry
                && !self.known.contains_key(id)
            {
                self.known.insert(id.clone(), self.list.len() + ids.len());
                ids.push(id.clone());
            }
        }
        if !ids.is_empty() {
            for source in repository.files(&ids)? {
                self.push(source);
            }
        }
        Ok(())
    }

    /// Reads a file of the working tree.
    ///
    /// # Errors
    /// Why that is impossible.
    pub(super) fn read(&mut self, top: &Path, path: &[u8]) -> Result<usize, String> {
        let file: PathBuf = top.join(path_of(path));
        if file.is_symlink() {
            return Err("a symbolic link, not a regular file".to_owned());
        }
        self.push(read_file(&file).map_err(|error| error.to_string())?);
        Ok(self.list.len() - 1)
    }

    fn push(&mut self, source: Source) {
        self.sessions.push(session_id(&source));
        self.list.push(source);
    }
}
