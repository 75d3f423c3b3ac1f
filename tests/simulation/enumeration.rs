//! Every crash of a transaction, every disk it may leave, recovery of each, and every crash of that recovery.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use handoff_guard::store::recover::Outcome;

use super::crash::{Model, crash_states, settled};
use super::disk::Disk;
use super::fault::Plan;
use super::mutant::{Mutant, Mutation};
use super::stage::{self, Age, Done, NAMES, Prune, Role, Work};
use super::{Flavour, SimDirectory};

/// A transaction, the disk that it finds, and what it promises.
#[derive(Clone, Debug)]
pub(crate) struct Scenario {
    pub(crate) start: Disk,
    pub(crate) flavour: Flavour,
    pub(crate) work: Work,
    /// What the official name holds, durably, when success is reported.
    pub(crate) after: Role,
    /// What the official name holds once recovery ran.
    pub(crate) recovered: Vec<Role>,
    /// What the backup may hold at any time.
    pub(crate) backups: Vec<Role>,
}

/// A broken promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Violation {
    /// The official name holds something that is no version.
    OfficialTorn,
    /// The official name holds no version of the transaction although it held one before.
    OfficialLost,
    /// The backup holds something that was not verified.
    BackupUnverified,
    /// The backup is gone.
    BackupLost,
    /// Neither the official file nor the backup is the old or the new version.
    NoVersion,
    /// Success was reported, and the crash took it back.
    NotDurable,
    /// Recovery did not end with the version that stands.
    RecoveryWrong,
    /// Recovery lost a file.
    RecoveryLostFile,
    /// Recovery wrote the backup.
    RecoveryWroteBackup,
    /// A second recovery changed something.
    RecoveryUnstable,
    /// After recovery no version can be written.
    WriteImpossible,
    /// The same write, tried again after the crash, does not end with the new version.
    RetryImpossible,
}

/// What was enumerated, and what was found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    /// Calls of the transaction: as many points at which it can crash.
    pub(crate) points: usize,
    /// Different disks that crashes of the transaction leave.
    pub(crate) states: BTreeMap<Model, usize>,
    /// Different disks that crashes of a recovery from those leave.
    pub(crate) second_states: BTreeMap<Model, usize>,
    /// Broken promises.
    pub(crate) violations: BTreeMap<Model, BTreeSet<Violation>>,
}

impl Report {
    /// Every kind of broken promise, in any model.
    pub(crate) fn broken(&self) -> BTreeSet<Violation> {
        self.violations.values().flatten().copied().collect()
    }
}

/// A disk that a crash left, and whether success had been reported.
type State = (Disk, Option<Role>);

pub(crate) struct Run {
    history: Vec<Disk>,
    outcome: Option<Outcome>,
}

/// The disks that a write leaves behind each of its calls when it is tried again, and whether it ended well.
type Retry = (Vec<Disk>, bool);

/// Crashes `scenario` everywhere.
pub(crate) fn enumerate(scenario: &Scenario, mutation: Mutation) -> Report {
    let directory = SimDirectory::new(scenario.start.clone(), scenario.flavour, Plan::Healthy);
    let success = scenario.work.run(&Mutant::new(&directory, mutation)).is_ok().then_some(scenario.after);
    let history = directory.history();
    let mut report = Report { points: history.len() - 1, ..Report::default() };
    let mut recoveries = Recoveries::new(scenario);
    let works = scenario.recoveries();
    for model in Model::ALL {
        let mut found = BTreeSet::new();
        let states = states_of(&history, success, model);
        report.states.insert(model, states.len());
        let before = durable_official(&scenario.start);
        found.extend(states.iter().flat_map(|state| scenario.broken(state, before, model)));

        if mutation != Mutation::None {
            // Recovery is not spoilt: what it would find shows here already.
            report.violations.insert(model, found);
            continue;
        }
        // A process that dies without a power loss leaves everything visible and nothing flushed.
        let killed = history.iter().cloned();
        let starts: HashSet<Disk> = states.into_iter().map(|(disk, _)| disk).chain(killed).collect();
        if model.renames_atomically() {
            found.extend(starts.iter().flat_map(|start| recoveries.broken_by_a_retry(start, model)));
        }
        let mut second: HashSet<State> = HashSet::new();
        for (start, work) in starts.iter().flat_map(|start| works.iter().map(move |work| (start, *work))) {
            let run = recoveries.of(start, work, &mut found);
            let last = run.history.last().unwrap();
            let success = (run.outcome == Some(Outcome::Restored)).then(|| Role::of(last, &NAMES.official));
            let states = states_of(&run.history, success, model);
            let before = durable_official(start);
            found.extend(states.iter().flat_map(|state| scenario.broken(state, before, model)));
            second.extend(states);
        }
        let second: HashSet<Disk> = second.into_iter().map(|(disk, _)| disk).collect();
        for (state, work) in second.iter().flat_map(|state| works.iter().map(move |work| (state, *work))) {
            recoveries.of(state, work, &mut found);
        }
        report.second_states.insert(model, second.len());
        report.violations.insert(model, found);
    }
    report
}

/// The disks that a crash at any point of a run leaves; behind the last call its success was reported.
fn states_of(history: &[Disk], success: Option<Role>, model: Model) -> HashSet<State> {
    let mut states: HashSet<State> = HashSet::new();
    let (last, before) = history.split_last().unwrap();
    for disk in before {
        states.extend(crash_states(disk, model, &NAMES).into_iter().map(|state| (state, None)));
    }
    states.extend(crash_states(last, model, &NAMES).into_iter().map(|state| (state, success)));
    states
}

/// What the official name holds whatever a crash takes away.
fn durable_official(disk: &Disk) -> Role {
    let number = disk.durable.get(&NAMES.official);
    let stable = number.and_then(|number| disk.files[number].stable.as_deref());
    Role::of(&stage::disk(stable, None), &NAMES.official)
}

impl Scenario {
    /// What is broken on a disk that a crash left; `before` is what the official name held, durably, before.
    fn broken(&self, (disk, success): &State, before: Role, model: Model) -> Vec<Violation> {
        let (official, backup) = (Role::of(disk, &NAMES.official), Role::of(disk, &NAMES.backup));
        let is_ours = |role: Role| role.is_version() && self.recovered.contains(&role);
        let mut broken = Vec::new();
        if official == Role::Bad && disk.content(&NAMES.official) != self.start.content(&NAMES.official) {
            broken.push(Violation::OfficialTorn);
        }
        if model.renames_atomically() && is_ours(before) && !is_ours(official) {
            broken.push(Violation::OfficialLost);
        }
        match backup {
            Role::Absent if self.backups.contains(&Role::Absent) || !model.renames_atomically() => {}
            Role::Absent => broken.push(Violation::BackupLost),
            Role::Bad | Role::Version(_) if self.backups.contains(&backup) => {}
            Role::Bad | Role::Version(_) => broken.push(Violation::BackupUnverified),
        }
        let may_be_nothing = self.recovered.contains(&Role::Absent);
        if !(is_ours(official) || is_ours(backup) || (may_be_nothing && official == Role::Absent)) {
            broken.push(Violation::NoVersion);
        }
        if success.is_some_and(|promised| official != promised) {
            broken.push(Violation::NotDurable);
        }
        if self.has_lost_evidence(disk) {
            broken.push(Violation::RecoveryLostFile);
        }
        broken
    }

    /// Recovery replaced the official file, and what it held before is nowhere.
    fn has_lost_evidence(&self, disk: &Disk) -> bool {
        let is_recovery = matches!(self.work, Work::Recover { .. });
        let found = self.start.content(&NAMES.official);
        is_recovery && found.is_some_and(|found| !disk.contents().values().any(|content| *content == &**found))
    }

    /// How it is recovered from: plainly; where damage was reported, also reporting it again.
    pub(crate) fn recoveries(&self) -> Vec<Work> {
        match self.work {
            Work::Recover { is_damaged: true, .. } => vec![Work::RECOVER, self.work],
            Work::Recover { leftovers: Prune::Yes, .. } => vec![self.work],
            Work::Recover { .. } | Work::First(_) | Work::Follow(_) | Work::Reject => vec![Work::RECOVER],
        }
    }
}

/// Recovery of every disk, remembered.
pub(crate) struct Recoveries<'s> {
    scenario: &'s Scenario,
    runs: HashMap<(Disk, Work), (Rc<Run>, BTreeSet<Violation>)>,
    retries: HashMap<Disk, Retry>,
    ends: HashMap<(Disk, Work), BTreeSet<Violation>>,
}

impl<'s> Recoveries<'s> {
    pub(crate) fn new(scenario: &'s Scenario) -> Self {
        Self { scenario, runs: HashMap::new(), retries: HashMap::new(), ends: HashMap::new() }
    }

    /// Recovers `start`, and adds what was broken by it to `found`.
    fn of(&mut self, start: &Disk, work: Work, found: &mut BTreeSet<Violation>) -> Rc<Run> {
        let key = (start.clone(), work);
        if !self.runs.contains_key(&key) {
            let fresh = self.recover(start, work);
            self.runs.insert(key.clone(), fresh);
        }
        let (run, broken) = &self.runs[&key];
        found.extend(broken);
        Rc::clone(run)
    }

    /// What recovery breaks on a disk on which everything that is visible is durable.
    pub(crate) fn broken_on(&mut self, disk: &Disk, work: Work) -> BTreeSet<Violation> {
        let mut found = BTreeSet::new();
        self.of(&settled(disk, &NAMES), work, &mut found);
        found
    }

    fn recover(&mut self, start: &Disk, work: Work) -> (Rc<Run>, BTreeSet<Violation>) {
        let directory = SimDirectory::new(start.clone(), self.scenario.flavour, Plan::Healthy);
        let outcome = work.run(&directory).ok().as_ref().and_then(Done::recovery);
        let end = directory.disk().clone();
        let standing = Role::of(&end, &NAMES.official);

        let mut broken = BTreeSet::new();
        let is_right = outcome.is_some() && standing == standing_version(start, work);
        if !is_right || !self.scenario.recovered.contains(&standing) {
            broken.insert(Violation::RecoveryWrong);
        }
        if start.number(&NAMES.backup) != end.number(&NAMES.backup) {
            broken.insert(Violation::RecoveryWroteBackup);
        }
        let (held, holds) = (start.contents(), end.contents());
        let is_kept = |(name, content): (_, &&[u8])| {
            let is_pruned = work.prunes() && NAMES.is_temporary(name);
            is_pruned || holds.values().any(|other| other == content)
        };
        if !held.iter().all(|(name, content)| is_kept((*name, content))) {
            broken.insert(Violation::RecoveryLostFile);
        }
        broken.extend(self.broken_after(&end, work));
        (Rc::new(Run { history: directory.history(), outcome }), broken)
    }

    /// What is broken when the write is tried again after a crash, without recovery, and crashes again.
    fn broken_by_a_retry(&mut self, start: &Disk, model: Model) -> Vec<Violation> {
        let Scenario { flavour, work, after, .. } = *self.scenario;
        if !matches!(work, Work::First(_) | Work::Follow(_)) {
            return Vec::new();
        }
        let (history, is_done) = self.retries.entry(start.clone()).or_insert_with_key(|start| {
            let directory = SimDirectory::new(start.clone(), flavour, Plan::Healthy);
            let is_done = work.run(&directory).is_ok() && Role::of(&directory.disk(), &NAMES.official) == after;
            (directory.history(), is_done)
        });
        let impossible = (!*is_done).then_some(Violation::RetryImpossible);
        let states = states_of(history, is_done.then_some(after), model);
        let before = durable_official(start);
        states.iter().flat_map(|state| self.scenario.broken(state, before, model)).chain(impossible).collect()
    }

    /// What is broken on a disk that recovery left: recovery again changes nothing, and a version can be written.
    fn broken_after(&mut self, end: &Disk, work: Work) -> BTreeSet<Violation> {
        let flavour = self.scenario.flavour;
        let check = |disk: &Disk| {
            let again = SimDirectory::new(disk.clone(), flavour, Plan::Healthy);
            let is_stable = work.run(&again).is_ok() && again.disk().contents() == disk.contents();
            let next = match Role::of(disk, &NAMES.official) {
                Role::Version(_) => Work::Follow(Age::Later),
                Role::Absent | Role::Bad => Work::First(Age::Later),
            };
            let can_write = next.run(&SimDirectory::new(disk.clone(), flavour, Plan::Healthy)).is_ok();
            let unstable = (!is_stable).then_some(Violation::RecoveryUnstable);
            unstable.into_iter().chain((!can_write).then_some(Violation::WriteImpossible)).collect()
        };
        let key = (settled(end, &NAMES), work);
        self.ends.entry(key).or_insert_with_key(|(disk, _)| check(disk)).clone()
    }
}

/// Which version stands, by the table of PROTOCOL §13; every version here is of one session, and the later one is better.
pub(crate) fn standing_version(disk: &Disk, work: Work) -> Role {
    let (official, backup) = (Role::of(disk, &NAMES.official), Role::of(disk, &NAMES.backup));
    let is_damaged = matches!(work, Work::Recover { is_damaged: true, .. });
    match (official, backup) {
        (Role::Version(official), Role::Version(backup)) if is_damaged => Role::Version(official.max(backup)),
        (Role::Version(_), _) => official,
        (_, Role::Version(_)) => backup,
        _ => official,
    }
}

impl Work {
    fn prunes(self) -> bool {
        matches!(self, Self::Recover { leftovers: Prune::Yes, .. })
    }
}
