//! Which version each version follows. A path continues what stood there, as long as the session is the same. A session
//! that appears at a path continues its newest version elsewhere: moving, copying, or deleting and adding a file again
//! does not make its past go away. A version that is not verifiable is passed over, as PROTOCOL §10 wants it.

use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use super::drafts::{Draft, Drafts, Version};
use super::snapshots::{Snapshots, Sources};
use crate::check::{Verifiable, verify};
use crate::protocol::keys::Key;
use crate::protocol::profile::Profile;
use crate::protocol::timestamp::Timestamp;

/// A version and the ones that it must be able to follow.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) version: Version,
    pub(super) follows: Vec<Version>,
    pub(super) origin: Origin,
}

/// How a version came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// Somebody wrote it.
    Written,
    /// A merge took it unchanged from one of its parents.
    TakenOver,
    /// Somebody wrote it as the first version of a session.
    Begun,
}

/// The versions as documents; each is parsed once.
pub(super) struct Book<'s> {
    sources: &'s Sources,
    pub(super) profile: Profile,
    versions: Vec<OnceLock<Option<Verifiable<'s>>>>,
}

impl<'s> Book<'s> {
    pub(super) fn new(sources: &'s Sources, profile: Profile) -> Self {
        let versions = sources.all().iter().map(|_| OnceLock::new()).collect();
        Self { sources, profile, versions }
    }

    /// The version, when another one can follow it.
    pub(super) fn verifiable(&self, version: &Version) -> Option<&Verifiable<'s>> {
        let cell = self.versions.get(version.source)?;
        cell.get_or_init(|| verify(self.sources.get(version.source)?, self.profile).ok()).as_ref()
    }

    fn updated_at(&self, version: &Version) -> Option<Timestamp> {
        let front_matter = self.verifiable(version)?.document().front_matter()?;
        front_matter.timestamp(Key::UpdatedAt).map(|updated| updated.value)
    }
}

/// A verifiable version of a session, and the snapshot that has it; `None` before all of them.
struct Known {
    version: Version,
    at: Option<usize>,
}

/// Finds what each version follows.
pub(super) struct Lineage<'l, 's> {
    book: &'l Book<'s>,
    snapshots: &'l Snapshots,
    drafts: &'l Drafts,
    /// The snapshots by their commits.
    places: HashMap<&'l str, usize>,
    /// By session.
    known: HashMap<&'l str, Vec<Known>>,
    /// What stood behind versions that are not verifiable, by path and source.
    behind: HashMap<(&'l [u8], usize), Vec<Version>>,
}

impl<'l, 's> Lineage<'l, 's> {
    /// `earlier` are versions from before the first snapshot.
    pub(super) fn new(book: &'l Book<'s>, snapshots: &'l Snapshots, drafts: &'l Drafts, earlier: Vec<Version>) -> Self {
        let ids = snapshots.list.iter().enumerate();
        let ids = ids.filter_map(|(at, snapshot)| Some((snapshot.commit()?, at)));
        let (known, behind) = (HashMap::new(), HashMap::new());
        let mut lineage = Self { book, snapshots, drafts, places: ids.collect(), known, behind };
        for version in earlier {
            lineage.learn(version, None);
        }
        lineage
    }

    /// What each of the drafts follows, in their order.
    pub(super) fn steps(mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut rest = self.drafts.versions.as_slice();
        while let Some(first) = rest.first() {
            let (together, later) = rest.split_at(rest.partition_point(|draft| draft.at == first.at));
            steps.extend(together.iter().map(|draft| self.step(draft)));
            // What happened at once has no order.
            for draft in together {
                self.learn(draft.version.clone(), Some(draft.at));
            }
            rest = later;
        }
        steps
    }

    fn step(&mut self, draft: &'l Draft) -> Step {
        let session = self.book.sources.session(draft.version.source);
        let before: Vec<Version> = draft.before.iter().flat_map(|version| self.last_verifiable(version)).collect();
        if self.book.verifiable(&draft.version).is_none() {
            let key = (draft.version.path.as_slice(), draft.version.source);
            self.behind.entry(key).or_default().extend(before.iter().cloned());
        }
        let same = |version: &Version| session.is_some() && self.book.sources.session(version.source) == session;
        let mut follows: Vec<Version> = before.into_iter().filter(same).collect();
        if follows.is_empty() && !draft.taken_over {
            follows.extend(session.and_then(|session| self.elsewhere(draft, session)));
        }
        let other = |version: &Version| self.book.sources.session(version.source).is_some_and(|id| Some(id) != session);
        let origin = match (draft.taken_over, follows.is_empty() && draft.before.iter().all(other)) {
            (true, _) => Origin::TakenOver,
            (false, true) => Origin::Begun,
            (false, false) => Origin::Written,
        };
        Step { version: draft.version.clone(), follows, origin }
    }

    fn last_verifiable(&self, version: &Version) -> Vec<Version> {
        if self.book.verifiable(version).is_some() {
            return vec![version.clone()];
        }
        self.behind.get(&(version.path.as_slice(), version.source)).cloned().unwrap_or_default()
    }

    /// The version of a session that one at a new path continues: the file that was moved, else the newest one.
    fn elsewhere(&self, draft: &Draft, session: &str) -> Option<Version> {
        let gone = self.drafts.removals.iter().filter(|removal| removal.at == draft.at);
        if let Some(moved) = gone.map(|removal| &removal.last).find(|last| last.source == draft.version.source) {
            return Some(moved.clone());
        }
        let known = self.known.get(session)?;
        let ancestors = self.ancestors(draft.at);
        let known = known.iter().filter(|known| known.at.is_none_or(|at| ancestors.contains(&at)));
        known.map(|known| &known.version).max_by_key(|version| self.book.updated_at(version)).cloned()
    }

    fn ancestors(&self, at: usize) -> BTreeSet<usize> {
        let (mut found, mut open) = (BTreeSet::new(), vec![at]);
        while let Some(snapshot) = open.pop().and_then(|at| self.snapshots.list.get(at)) {
            let parents = snapshot.parents.iter().filter_map(|parent| self.places.get(parent.as_str()).copied());
            open.extend(parents.filter(|parent| found.insert(*parent)));
        }
        found
    }

    fn learn(&mut self, version: Version, at: Option<usize>) {
        if self.book.verifiable(&version).is_some()
            && let Some(session) = self.book.sources.session(version.source)
        {
            self.known.entry(session).or_default().push(Known { version, at });
        }
    }
}
