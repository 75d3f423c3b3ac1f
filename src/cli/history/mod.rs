//! `check --since` and `check --staged`: the versions of handoff files that a repository keeps. Each must be valid, and able
//! to follow the one before it.

mod drafts;
mod lineage;
mod scope;
mod snapshots;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use drafts::{Drafts, Removal, Unusable, Version};
use lineage::{Book, Lineage, Origin, Step};
use scope::Scope;
use snapshots::{Place, Snapshots, Sources};

use super::args::{CheckArgs, Range, Steps};
use super::exit::Exit;
use super::git::Repository;
use super::input::as_given;
use super::output::{complain, note, shown};
use super::run::{self, Judge, Outcome};
use crate::check::{Baseline, check};
use crate::protocol::character::visible;
use crate::render::{Named, short};

/// Checks the versions of a range, in a run that began at `begun`.
pub(crate) fn run(args: &CheckArgs, range: Range<'_>, begun: Instant) -> Exit {
    match History::read(args, range) {
        Ok(history) => history.judge(args, range, begun),
        Err(reason) => {
            complain(&reason);
            Exit::Unusable
        }
    }
}

/// One thing to report about.
enum Item<'h> {
    Unusable(&'h Unusable),
    Version(&'h Step),
}

/// What happened to the handoff files of a repository.
struct History {
    repository: Repository,
    scope: Scope,
    snapshots: Snapshots,
    sources: Sources,
    drafts: Drafts,
    /// Versions from before the first snapshot.
    earlier: Vec<Version>,
}

impl History {
    fn read(args: &CheckArgs, range: Range<'_>) -> Result<Self, String> {
        let mut repository = Repository::around(Path::new("."))?;
        let scope = Scope::new(&args.paths, &repository)?;
        let snapshots = Snapshots::read(&mut repository, range, &scope)?;
        let mut sources = Sources::default();
        let changes = snapshots.list.iter().flat_map(|snapshot| snapshot.changes.iter().flatten());
        let changes = changes.filter(|change| scope.follows(&change.path));
        sources.load(&repository, changes.flat_map(|change| change.old.iter().chain(&change.new)))?;
        let drafts = Drafts::read(&snapshots.list, &scope, &repository, &mut sources);
        require_matches(&scope, &drafts, &snapshots, &repository)?;
        let mut history = Self { repository, scope, snapshots, sources, drafts, earlier: Vec::new() };
        history.read_earlier()?;
        Ok(history)
    }

    /// Reads what the history had before, when a session appears at a path: it may be an old one.
    fn read_earlier(&mut self) -> Result<(), String> {
        let session = |version: &Version| self.sources.session(version.source);
        let appears = |draft: &drafts::Draft| {
            let now = session(&draft.version);
            now.is_some() && !draft.taken_over && !draft.before.iter().any(|before| session(before) == now)
        };
        let Some(base) = self.snapshots.base.clone().filter(|_| self.drafts.versions.iter().any(appears)) else {
            return Ok(());
        };
        let mut before = snapshots::before(&self.repository, &base, &self.scope)?;
        before.retain(|(path, ..)| self.scope.follows(path));
        self.sources.load(&self.repository, before.iter().map(|(.., entry)| entry))?;
        let version = |(path, commit, entry)| {
            let source = self.sources.of(Some(&entry))?;
            Some(Version { path, place: Place::Commit(commit), source })
        };
        self.earlier = before.into_iter().filter_map(version).collect();
        Ok(())
    }

    fn judge(mut self, args: &CheckArgs, range: Range<'_>, begun: Instant) -> Exit {
        let profile = args.profile.into();
        let earlier = std::mem::take(&mut self.earlier);
        let book = Book::new(&self.sources, profile);
        let steps = Lineage::new(&book, &self.snapshots, &self.drafts, earlier).steps();
        let wanted = self.wanted(&steps);
        let unusable = self.drafts.unusable.iter().filter(|unusable| wanted.contains(unusable.path.as_slice()));
        let versions = steps.iter().filter(|step| wanted.contains(step.version.path.as_slice()));
        let versions = versions.filter(|step| is_news(step, &book));
        let items: Vec<Item<'_>> = unusable.map(Item::Unusable).chain(versions.map(Item::Version)).collect();
        let removals: Vec<_> =
            self.drafts.removals.iter().filter(|removal| wanted.contains(removal.last.path.as_slice())).collect();
        if items.is_empty() && removals.is_empty() {
            note(&match range {
                Range::Since(revision) => format!("nothing changed since {}", visible(revision)),
                Range::Staged => "no change of a handoff file is staged".to_owned(),
            });
        }
        for removal in removals {
            self.say_deleted(removal, &book, &steps);
        }
        let report = args.output_file.as_deref().and_then(|path| self.followed(path));
        run::over(args, items.len(), report.as_deref().into_iter(), begun, |run| {
            run.judge_all(&items, |judge, item| match item {
                Item::Unusable(Unusable { path, place, reason }) => {
                    Outcome::failed(self.path(path), place.revision(), reason.clone())
                }
                Item::Version(step) => self.judge_step(step, &book, args.history.every_write, judge),
            });
        })
    }

    /// The file at `path`, when it is one whose history matters.
    fn followed(&self, path: &Path) -> Option<PathBuf> {
        let file = fs::canonicalize(path).ok()?;
        let inside = self.repository.inside(&file)?;
        self.scope.follows(&inside).then_some(file)
    }

    /// The paths that are asked for, and those that their files had before or have later.
    fn wanted<'v>(&'v self, steps: &'v [Step]) -> BTreeSet<&'v [u8]> {
        let mut wanted: BTreeSet<&[u8]> = self.drafts.paths().filter(|path| self.scope.wants(path)).collect();
        let pairs = steps.iter().flat_map(|step| step.follows.iter().map(|before| (before, &step.version)));
        let moves: Vec<(&[u8], &[u8])> =
            pairs.map(|(before, now)| (&*before.path, &*now.path)).filter(|(before, now)| before != now).collect();
        let mut known = 0;
        while wanted.len() > known {
            known = wanted.len();
            for (before, now) in &moves {
                if wanted.contains(before) || wanted.contains(now) {
                    wanted.extend([before, now]);
                }
            }
        }
        wanted
    }

    /// Judges a version against the one before it; where a merge has several, against the first that it cannot follow.
    fn judge_step(&self, step: &Step, book: &Book<'_>, steps: Steps, judge: &Judge<'_>) -> Outcome {
        let (path, revision) = (self.path(&step.version.path), step.version.place.revision());
        let Some(source) = self.sources.get(step.version.source) else {
            return Outcome::failed(path, revision, "it was not read".to_owned());
        };
        let baseline = |before: &Version| match (book.verifiable(before), steps, step.origin) {
            (None, ..) => Baseline::Standalone,
            (Some(previous), Steps::Every, Origin::Written | Origin::Begun) => Baseline::Update { previous },
            (Some(previous), Steps::Commits, _) | (Some(previous), _, Origin::TakenOver) => {
                Baseline::Commit { previous }
            }
        };
        let refused = |before: &&Version| !check(source, book.profile, baseline(before)).is_valid();
        let before = match step.follows.as_slice() {
            [] | [_] => step.follows.first(),
            [first, ..] => step.follows.iter().find(refused).or(Some(first)),
        };
        let baseline = match before {
            Some(before) => baseline(before),
            None if steps == Steps::Every && step.origin == Origin::Begun => Baseline::Initial,
            None => Baseline::Standalone,
        };
        let document = Named { path: &path, revision, source };
        let previous = before.map(|before| (before, self.path(&before.path)));
        let previous = previous.as_ref().and_then(|(before, path)| {
            let source = self.sources.get(before.source)?;
            Some(Named { path, revision: before.place.revision(), source })
        });
        judge.document(document, baseline, previous)
    }

    /// A deletion is no defect: a package is discarded after it was taken over. Of another one somebody should know.
    fn say_deleted(&self, Removal { at, last, here }: &Removal, book: &Book<'_>, steps: &[Step]) {
        let Some(snapshot) = self.snapshots.list.get(*at).filter(|_| *here) else { return };
        let goes_on = steps.iter().any(|step| {
            step.version.place == snapshot.place && step.follows.iter().any(|before| before.path == last.path)
        });
        let status = book.verifiable(last).and_then(|version| version.document().status());
        if let Some(status) = status.filter(|status| !goes_on && !status.value.is_terminal()) {
            let place = match &snapshot.place {
                Place::Commit(id) => format!("commit {} deletes it", short(id.as_str())),
                Place::Index => "the index deletes it".to_owned(),
                Place::WorkingTree => "the working tree lacks it".to_owned(),
            };
            note(&format!(
                "{}: {place} in the state {}, before it was sealed",
                visible(&self.path(&last.path)),
                status.value
            ));
        }
    }

    fn path(&self, path: &[u8]) -> String {
        as_given(&self.repository.as_seen(path))
    }
}

/// A version that a merge took over was judged where it was written; new is only that it must follow the other parents.
fn is_news(step: &Step, book: &Book<'_>) -> bool {
    step.origin != Origin::TakenOver || (!step.follows.is_empty() && book.verifiable(&step.version).is_some())
}

/// Nobody may believe that something was checked because its name was wrong.
fn require_matches(
    scope: &Scope,
    drafts: &Drafts,
    snapshots: &Snapshots,
    repository: &Repository,
) -> Result<(), String> {
    let paths: Vec<_> = drafts.paths().collect();
    // The whole working tree is no path that could be wrong.
    for (given, path) in scope.unmatched(&paths).into_iter().filter(|(_, path)| !path.is_empty()) {
        let specs = vec![super::git::exactly(path)];
        let tree = snapshots.head.as_ref().map(|head| repository.tree(head, &specs)).transpose()?.unwrap_or_default();
        if !tree.iter().any(|file| scope::means(path, &file.path)) {
            return Err(format!(
                "{}: git knows no version of it; a file that git ignores has no history: check it without --since and \
                 --staged",
                shown(given)
            ));
        }
    }
    Ok(())
}
