//! A directory, a command that is to change it, and what must hold whatever happens to the command.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::Duration;

use handoff_guard::check::verify;
use handoff_guard::protocol::profile::Profile;
use handoff_guard::source::Source;
use handoff_guard::store::Names;
use handoff_guard::store::error::Error;
use handoff_guard::store::fs::RealDirectory;
use handoff_guard::store::recover::{self, Damage, Leftovers, Outcome, Recovery, recover};
use handoff_guard::store::replace::{self, Extent, Receipt, Start, Success, write};
use tempfile::TempDir;

use crate::sandbox::{INITIAL, digest};

pub(super) const SESSION: &str = "importer-4c81";
const OFFICIAL: &str = "h.md";
const BACKUP: &str = "h.md.bak";
const CANDIDATE: &str = "next.md";

/// Longer than a child of another test, between its fork and its exec, holds what this process has open.
const PATIENCE: Duration = Duration::from_secs(10);

/// A command, the files that it finds, and the faults that are always there.
#[derive(Clone)]
pub(super) struct Scenario {
    pub(super) name: &'static str,
    pub(super) args: String,
    official: Option<String>,
    backup: Option<String>,
    new: New,
    /// What the file system cannot do, as injections.
    pub(super) lacks: &'static [&'static str],
}

/// What the official file holds when the command succeeds.
#[derive(Clone)]
enum New {
    /// These bytes.
    Bytes(String),
    /// A first version, which holds the time.
    First,
}

/// A version of the session that differs from every other one by `mark`.
pub(super) fn version(mark: &str) -> String {
    INITIAL.replacen("nothing audited yet", mark, 1)
}

/// A version that was updated after every other one.
fn later() -> String {
    version("later").replacen("updated_at: \"2026-03-02T09", "updated_at: \"2026-03-02T10", 1)
}

/// What a lost write leaves.
fn torn() -> String {
    INITIAL.split_once("# Handoff Details").unwrap().0.to_owned()
}

const WRITE: &str = "write h.md --from next.md --lock-timeout 0";

impl Scenario {
    pub(super) fn init() -> Self {
        let args = format!("init h.md --session-id {SESSION} --objective o --next-action n --acceptance a");
        Self { name: "init", args, official: None, backup: None, new: New::First, lacks: &[] }
    }

    /// `init` where no rename refuses to replace: the candidate is linked, then its other name removed.
    pub(super) fn init_by_link() -> Self {
        Self { name: "init by link", lacks: &["renameat2:error=EINVAL"], ..Self::init() }
    }

    pub(super) fn update() -> Self {
        let (official, new) = (Some(version("one")), New::Bytes(version("two")));
        Self { name: "update", args: WRITE.to_owned(), official, backup: None, new, lacks: &[] }
    }

    pub(super) fn update_with_backup() -> Self {
        Self { name: "update with backup", backup: Some(version("zero")), ..Self::update() }
    }

    /// The bytes that are official already.
    pub(super) fn again() -> Self {
        Self { name: "identical rewrite", new: New::Bytes(version("one")), ..Self::update_with_backup() }
    }

    pub(super) fn restore() -> Self {
        let (official, backup) = (Some(torn()), Some(version("one")));
        let args = "recover h.md --lock-timeout 0".to_owned();
        Self { name: "restore", args, official, backup, new: New::Bytes(version("one")), lacks: &[] }
    }

    pub(super) fn restore_missing() -> Self {
        Self { name: "restore a missing file", official: None, ..Self::restore() }
    }

    /// A restore where no file has two names.
    pub(super) fn restore_by_copy() -> Self {
        Self { name: "restore by copy", lacks: &["linkat:error=EPERM"], ..Self::restore() }
    }

    /// Damage that only the caller sees: the backup is later.
    pub(super) fn restore_reported() -> Self {
        let (official, backup) = (Some(version("one")), Some(later()));
        let args = "recover h.md --lock-timeout 0 --damaged".to_owned();
        Self { name: "restore after a report", args, official, backup, new: New::Bytes(later()), lacks: &[] }
    }

    /// The version that was hoped for stands and is made durable.
    pub(super) fn confirm() -> Self {
        let args = format!("recover h.md --lock-timeout 0 --expect-digest {}", digest(version("one")));
        Self { name: "confirm", args, ..Self::again() }
    }

    /// Another command that finds the same files.
    pub(super) fn with_args(self, args: &str) -> Self {
        Self { args: args.to_owned(), ..self }
    }

    pub(super) fn recovers(&self) -> bool {
        self.args.starts_with("recover")
    }

    fn is_new(&self, bytes: &[u8]) -> bool {
        match &self.new {
            New::Bytes(new) => new.as_bytes() == bytes,
            New::First => session(bytes).as_deref() == Some(SESSION),
        }
    }

    #[expect(clippy::disallowed_methods, reason = "a test makes its own files")]
    pub(super) fn build(&self) -> Scene {
        let scene = Scene { scenario: self.clone(), folder: TempDir::new_in(fast_folder()).unwrap() };
        let candidate = match &self.new {
            New::Bytes(new) => Some(new),
            New::First => None,
        };
        let files = [(OFFICIAL, self.official.as_ref()), (BACKUP, self.backup.as_ref()), (CANDIDATE, candidate)];
        for (name, content) in files {
            if let Some(content) = content {
                std::fs::write(scene.path().join(name), content).unwrap();
            }
        }
        scene
    }
}

/// Where flushes cost nothing: these tests ask which calls are made, not what a disk makes of them.
fn fast_folder() -> std::path::PathBuf {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() }
}

fn session(bytes: &[u8]) -> Option<String> {
    let source = Source::new(bytes);
    verify(&source, Profile::Full).is_ok().then(|| handoff_guard::check::session_id(&source)).flatten()
}

/// The directory of a scenario.
pub(super) struct Scene {
    scenario: Scenario,
    folder: TempDir,
}

/// What a scene holds: each name with its file and its bytes.
type State = BTreeMap<String, (u64, Vec<u8>)>;

/// What a scene holds, without what is random.
type Shape = Vec<(String, u64, Vec<u8>)>;

/// The scenes of a sweep that went on already: many faults leave the same files.
#[derive(Default)]
pub(super) struct Aftermath(HashSet<Shape>);

impl Aftermath {
    pub(super) fn goes_on(&mut self, scene: &Scene, fault: &str) {
        if self.0.insert(scene.shape()) {
            scene.goes_on(fault);
        }
    }
}

impl Scene {
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    fn state(&self) -> State {
        let file = |entry: std::io::Result<std::fs::DirEntry>| {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            (name, (entry.metadata().unwrap().ino(), std::fs::read(entry.path()).unwrap()))
        };
        std::fs::read_dir(self.path()).unwrap().map(file).collect()
    }

    fn content(&self, name: &str) -> Option<Vec<u8>> {
        std::fs::read(self.path().join(name)).ok()
    }

    /// Adds the candidate of a dead writer.
    #[expect(clippy::disallowed_methods, reason = "a test makes its own files")]
    pub(super) fn leave_a_candidate(&self) {
        let name = format!(".handoff-{:.8}-00000000deadbeef.cand", digest(OFFICIAL));
        std::fs::write(self.path().join(name), torn()).unwrap();
        assert_eq!(self.leftovers().len(), 1);
    }

    /// True when the official file is exactly what it was.
    pub(super) fn is_old(&self) -> bool {
        self.content(OFFICIAL).as_deref() == self.scenario.official.as_deref().map(str::as_bytes)
    }

    /// True when the official file is what the command was to make of it.
    pub(super) fn is_new(&self) -> bool {
        self.content(OFFICIAL).is_some_and(|bytes| self.scenario.is_new(&bytes))
    }

    /// Temporary files that are there, and half-made copies of a damaged file.
    pub(super) fn leftovers(&self) -> Vec<String> {
        let names = Names::new(OsStr::new(OFFICIAL)).unwrap();
        let damaged = self.scenario.official.as_deref().map(str::as_bytes);
        let is_left = |(name, (_, bytes)): (String, (u64, Vec<u8>))| {
            let name_of = OsStr::new(&name);
            let is_half = names.is_damaged(name_of) && Some(bytes.as_slice()) != damaged;
            (names.is_temporary(name_of) || is_half).then_some(name)
        };
        self.state().into_iter().filter_map(is_left).collect()
    }

    /// PROTOCOL §12: the official file is the old one or the new one, the backup is a verified version, and one of the
    /// two is verifiable.
    pub(super) fn holds(&self, fault: &str) {
        let (official, backup) = (self.content(OFFICIAL), self.content(BACKUP));
        assert!(self.is_old() || self.is_new(), "{fault}: the official file is neither old nor new: {official:?}");
        let verifiable = |file: &Option<Vec<u8>>| file.as_deref().is_some_and(|bytes| session(bytes).is_some());
        if let Some(backup) = &backup {
            let known = [&self.scenario.backup, &self.scenario.official];
            let is_known = known.iter().any(|file| file.as_deref().map(str::as_bytes) == Some(backup));
            assert!(is_known && verifiable(&Some(backup.clone())), "{fault}: the backup is not verified");
            let is_kept = self.scenario.backup.as_deref().map(str::as_bytes) == Some(backup);
            assert!(is_kept || !self.scenario.recovers(), "{fault}: recovery wrote the backup");
        }
        assert!(backup.is_some() || self.scenario.backup.is_none(), "{fault}: the backup is gone");
        let is_empty = official.is_none() && backup.is_none() && self.scenario.official.is_none();
        assert!(is_empty || verifiable(&official) || verifiable(&backup), "{fault}: nothing is verifiable");
    }

    /// What the directory holds, without what is random: names, bytes, how many names each file has.
    fn shape(&self) -> Shape {
        let names = Names::new(OsStr::new(OFFICIAL)).unwrap();
        let without_random = |name: &str| {
            let is_random = names.is_temporary(OsStr::new(name)) || names.is_damaged(OsStr::new(name));
            let random = |part: char| part.is_ascii_hexdigit();
            if is_random { name.replace(random, "") } else { name.to_owned() }
        };
        let file = |(name, (_, bytes)): (String, (u64, Vec<u8>))| {
            let links = std::fs::metadata(self.path().join(&name)).unwrap().nlink();
            (without_random(&name), links, bytes)
        };
        self.state().into_iter().map(file).collect()
    }

    /// What comes after a fault: no writer is blocked, recovery ends well, once more changes nothing, and the next
    /// version is written.
    pub(super) fn goes_on(&self, fault: &str) {
        let before = self.content(OFFICIAL).filter(|bytes| session(bytes).is_some());
        let is_empty = self.content(OFFICIAL).is_none() && self.content(BACKUP).is_none();
        match self.write(Extent::DryRun) {
            Ok(receipt) => assert_eq!(receipt.outcome, Success::WouldCommit, "{fault}"),
            Err(Error::NotVerifiable { .. } | Error::BackupLeft { verifiable: true, .. }) if before.is_none() => {}
            Err(error) => panic!("{fault}: the next writer is refused: {error}"),
        }
        let first = self.recover(fault);
        let expected = match (&before, is_empty) {
            (Some(_), _) => Outcome::Healthy,
            (None, true) => Outcome::Nothing,
            (None, false) => Outcome::Restored,
        };
        assert_eq!(first.outcome, expected, "{fault}");
        let now = self.content(OFFICIAL);
        assert!(is_empty || now.as_deref().is_some_and(|bytes| session(bytes).is_some()), "{fault}: not recovered");
        assert!(before.is_none() || before == now, "{fault}: recovery replaced a verifiable version");

        let state = self.state();
        let second = self.recover(fault);
        assert_eq!(second.outcome, if is_empty { Outcome::Nothing } else { Outcome::Healthy }, "{fault}");
        assert_eq!(self.state(), state, "{fault}: a second recovery changed something");

        let written = self.write(Extent::Commit);
        assert!(written.is_ok(), "{fault}: the next write failed: {written:?}");
    }

    fn open(&self) -> (RealDirectory, Names) {
        (RealDirectory::open(self.path()).unwrap(), Names::new(OsStr::new(OFFICIAL)).unwrap())
    }

    /// Writes the version that follows the one that stands, or a first one where none stands.
    fn write(&self, extent: Extent) -> Result<Receipt, Error> {
        let (directory, names) = self.open();
        let (start, next) = match self.content(OFFICIAL) {
            Some(bytes) => (Start::Follow, successor(&String::from_utf8(bytes).unwrap())),
            None => (Start::First { session_id: SESSION }, INITIAL.to_owned()),
        };
        let bytes = next.as_bytes();
        write(&directory, &names, replace::Request { bytes, start, expected: None, patience: PATIENCE, extent })
    }

    fn recover(&self, fault: &str) -> Recovery {
        let (directory, names) = self.open();
        let request = recover::Request {
            session_id: None,
            damage: Damage::NotReported,
            expected: None,
            leftovers: Leftovers::Keep,
            patience: PATIENCE,
            extent: Extent::Commit,
        };
        recover(&directory, &names, request).unwrap_or_else(|error| panic!("{fault}: recovery failed: {error}"))
    }
}

/// The same version with another reason for its state.
fn successor(text: &str) -> String {
    let line = text.lines().find(|line| line.starts_with("status_reason: ")).unwrap_or_default();
    text.replacen(line, "status_reason: \"the next version\"", 1)
}
