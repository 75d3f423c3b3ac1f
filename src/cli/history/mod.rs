//! `check --since` and `check --staged`: the versions of handoff files that a repository keeps. Each must be valid, and able
//! to follow the one before it.

mod drafts;
mod lineage;
mod scope;
mod snapshots;

use std::collections::BTreeSet;
use std::env;
use std::path::Path;

use drafts::{Drafts, Removal, Version};
use lineage::{Book, Lineage, Origin, Step};
use scope::Scope;
use snapshots::{Place, Snapshots, Sources};

use super::args::{CheckArgs, Range, Steps};
use super::check::{Run, as_given};
use super::exit::Exit;
use super::git::Repository;
use super::output::{complain, note, shown};
use crate::check::{Baseline, check};
use crate::protocol::character::visible;
use crate::render::location::Base;
use crate::render::{Named, short};

/// Checks the versions of a range.
pub(crate) fn run(args: &CheckArgs, range: Range<'_>) -> Exit {
    match History::read(args, range) {
        Ok(history) => history.judge(args, range),
        Err(reason) => {
            complain(&reason);
            Exit::Unusable
        }
    }
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

    fn judge(mut self, args: &CheckArgs, range: Range<'_>) -> Exit {
        let profile = args.profile.into();
        let earlier = std::mem::take(&mut self.earlier);
        let book = Book::new(&self.sources, profile);
        let steps = Lineage::new(&book, &self.snapshots, &self.drafts, earlier).steps();
        let wanted = self.wanted(&steps);
        let judged: Vec<&Step> = steps
            .iter()
            .filter(|step| wanted.contains(step.version.path.as_slice()))
            .filter(|step| is_news(step, &book))
            .collect();
        let unusable: Vec<_> =
            self.drafts.unusable.iter().filter(|unusable| wanted.contains(unusable.path.as_slice())).collect();
        let removals: Vec<_> =
            self.drafts.removals.iter().filter(|removal| wanted.contains(removal.last.path.as_slice())).collect();
        if judged.is_empty() && unusable.is_empty() && removals.is_empty() {
            note(&match range {
                Range::Since(revision) => format!("nothing changed since {}", visible(revision)),
                Range::Staged => "no change of a handoff file is staged".to_owned(),
            });
        }
        for removal in removals {
            self.say_deleted(removal, &book, &steps);
        }
        let base = Base::new(env::current_dir().unwrap_or_default());
        let mut run = match Run::over_versions(args, judged.len() + unusable.len(), &base) {
            Ok(run) => run,
            Err(message) => {
                complain(&message);
                return Exit::Unusable;
            }
        };
        for unusable in unusable {
            run.fail_at(&self.path(&unusable.path), unusable.place.revision(), &unusable.reason);
        }
        for step in judged {
            self.judge_step(step, &book, args.history.every_write, &mut run);
        }
        run.finish()
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
    fn judge_step(&self, step: &Step, book: &Book<'_>, steps: Steps, run: &mut Run<'_>) {
        let Some(source) = self.sources.get(step.version.source) else { return };
        let baseline = |before: &Version| match (book.verifiable(before), steps, step.origin) {
            (None, ..) => Baseline::Standalone,
            (Some(previous), Steps::Every, Origin::Written | Origin::Begun) => Baseline::Update { previous },
            (Some(previous), Steps::Commits, _) | (Some(previous), _, Origin::TakenOver) => {
                Baseline::Commit { previous }
            }
        };
        let refused = |before: &&Version| !check(source, run.profile, baseline(before)).is_valid();
        let before = match step.follows.as_slice() {
            [] | [_] => step.follows.first(),
            [first, ..] => step.follows.iter().find(refused).or(Some(first)),
        };
        let baseline = match before {
            Some(before) => baseline(before),
            None if steps == Steps::Every && step.origin == Origin::Begun => Baseline::Initial,
            None => Baseline::Standalone,
        };
        let path = self.path(&step.version.path);
        let document = Named { path: &path, revision: step.version.place.revision(), source };
        let previous = before.map(|before| (before, self.path(&before.path)));
        let previous = previous.as_ref().and_then(|(before, path)| {
            let source = self.sources.get(before.source)?;
            Some(Named { path, revision: before.place.revision(), source })
        });
        run.check_one(document, baseline, previous);
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
