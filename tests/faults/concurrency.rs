//! Many writers and readers of one file, some of the writers killed: no update is lost, no reader sees a torn file or
//! none, each version has at most one successor, and a dead writer blocks nobody.
//!
//! `HANDOFF_GUARD_WRITERS` and `HANDOFF_GUARD_UPDATES` (of each writer) make a longer run.

use std::collections::{HashMap, HashSet};
use std::env;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, RwLock};
use std::thread;
use std::time::Duration;

use handoff_guard::check::verify;
use handoff_guard::protocol::digest::Digest;
use handoff_guard::protocol::profile::Profile;
use handoff_guard::source::Source;

use super::scene::version;
use super::strace_works;
use crate::sandbox::{GUARD, Sandbox, receipt};

/// How a writer ended that wanted to follow a version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ended {
    Won,
    Lost,
    Killed,
}

/// Every version that somebody tried to write: what it was to follow, and how that ended.
type Attempts = Mutex<HashMap<String, (String, Ended)>>;

/// Numbers that look random and are the same in every run.
struct Seeded(u64);

impl Seeded {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

fn number(variable: &str, default: usize) -> usize {
    env::var_os(variable).and_then(|value| value.to_str()?.parse().ok()).unwrap_or(default)
}

/// How a writer is made to die, when it gets that far.
enum Death {
    /// After a time: mostly before it holds the lock, or while it waits for it.
    After(Duration),
    /// Before a system call that it makes while it holds the lock, or with its version in place.
    Before(&'static str),
}

/// A writer after one that died with its backup in place finds that backup, and renames once only.
const DEATHS: [&str; 7] = [
    "fsync:signal=SIGKILL:when=1",
    "fsync:signal=SIGKILL:when=2",
    "renameat:signal=SIGKILL:when=1",
    "fsync:signal=SIGKILL:when=3",
    "fsync:signal=SIGKILL:when=4",
    "ioctl:signal=SIGKILL:when=1",
    "exit_group:signal=SIGKILL:when=1",
];

impl Death {
    fn draw(seeded: &mut Seeded) -> Option<Self> {
        match seeded.below(6) {
            0 => Some(Self::After(Duration::from_micros(seeded.below(20_000)))),
            1 => Some(Self::Before(DEATHS[usize::try_from(seeded.below(7)).unwrap()])),
            _ => None,
        }
    }
}

/// One writer that tries to follow `base`.
fn attempt(sandbox: &Sandbox, candidate: &str, base: &str, death: Option<&Death>) -> Ended {
    let mut command = match death {
        Some(Death::Before(call)) => {
            let mut strace = Command::new("strace");
            let trace = format!("trace={}", call.split(':').next().unwrap());
            strace.args(["-qq", "-o", "/dev/null", "-e", &trace, "-e", &format!("inject={call}"), GUARD]);
            strace
        }
        Some(Death::After(_)) | None => Command::new(GUARD),
    };
    command.args(["write", "h.md", "--from", candidate, "--expect-digest", base, "--lock-timeout", "60"]);
    command.current_dir(sandbox.path("")).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    if let Some(Death::After(life)) = death {
        thread::sleep(*life);
        child.kill().unwrap();
    }
    let output = child.wait_with_output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        None if death.is_some() => Ended::Killed,
        _ if matches!(death, Some(Death::Before(_))) => panic!("a writer did not die: {message}"),
        Some(0) => Ended::Won,
        Some(4) if !message.contains("still held") => Ended::Lost,
        code => panic!("a writer ended with {code:?}: {message}"),
    }
}

/// A writer that is to die before a call gets there only when nobody overtakes it: strace is slow. No other attempt
/// begins meanwhile.
type Gate = RwLock<()>;

fn write_until(sandbox: &Sandbox, gate: &Gate, attempts: &Attempts, writer: usize, updates: usize) {
    let candidate = format!("candidate-{writer}.md");
    let mut seeded = Seeded(0x9e37_79b9_7f4a_7c15 ^ (writer as u64 + 1));
    let (mut won, mut tried) = (0, 0);
    while won < updates {
        let death = Death::draw(&mut seeded);
        let alone = matches!(death, Some(Death::Before(_))).then(|| gate.write().unwrap());
        let together = alone.is_none().then(|| gate.read().unwrap());
        let base = Digest::of(&sandbox.read("h.md")).to_string();
        let text = version(&format!("try {tried} of writer {writer}"));
        sandbox.write(&candidate, &text);
        let ended = attempt(sandbox, &candidate, &base, death.as_ref());
        drop((alone, together));
        attempts.lock().unwrap().insert(Digest::of(text.as_bytes()).to_string(), (base, ended));
        won += usize::from(ended == Ended::Won);
        tried += 1;
    }
}

fn read_until(sandbox: &Sandbox, done: &AtomicBool, reads: &AtomicUsize) {
    let mut verified = HashSet::new();
    while !done.load(Ordering::Relaxed) {
        for name in ["h.md", "h.md.bak"] {
            let Ok(bytes) = std::fs::read(sandbox.path(name)) else {
                assert_ne!(name, "h.md", "the official file was missing");
                continue;
            };
            reads.fetch_add(1, Ordering::Relaxed);
            let source = Source::new(bytes);
            let digest = Digest::of(source.bytes()).to_string();
            if verified.insert(digest) {
                assert!(verify(&source, Profile::Full).is_ok(), "{name} was torn");
            }
        }
    }
}

#[test]
fn writers_and_readers_and_dead_writers_lose_nothing() {
    if !strace_works() {
        return;
    }
    let (writers, updates) = (number("HANDOFF_GUARD_WRITERS", 4), number("HANDOFF_GUARD_UPDATES", 8));
    let (sandbox, gate, attempts) = (Sandbox::new(), Gate::default(), Attempts::default());
    let (done, reads) = (AtomicBool::new(false), AtomicUsize::new(0));
    let first = version("the first");
    sandbox.write("h.md", &first);
    thread::scope(|scope| {
        let reader = scope.spawn(|| read_until(&sandbox, &done, &reads));
        let writers: Vec<_> = (0..writers)
            .map(|writer| {
                let (sandbox, gate, attempts) = (&sandbox, &gate, &attempts);
                scope.spawn(move || write_until(sandbox, gate, attempts, writer, updates))
            })
            .collect();
        let ended: Vec<_> = writers.into_iter().map(thread::ScopedJoinHandle::join).collect();
        done.store(true, Ordering::Relaxed);
        for writer in ended {
            writer.unwrap();
        }
        reader.join().unwrap();
    });

    let attempts = attempts.into_inner().unwrap();
    let mut standing = Digest::of(&sandbox.read("h.md")).to_string();
    let (mut won, mut killed) = (0, 0);
    while standing != Digest::of(first.as_bytes()).to_string() {
        let (base, ended) = attempts.get(&standing).expect("a version that nobody wrote stands");
        match ended {
            Ended::Won => won += 1,
            Ended::Killed => killed += 1,
            Ended::Lost => panic!("a version stands that was refused"),
        }
        standing.clone_from(base);
    }
    let count = |wanted| attempts.values().filter(|(_, ended)| *ended == wanted).count();
    assert_eq!(won, count(Ended::Won), "an update was lost");
    assert_eq!(won, writers * updates);
    let (lost, dead, reads) = (count(Ended::Lost), count(Ended::Killed), reads.into_inner());
    eprintln!("{won} updates, {lost} refused, {dead} killed ({killed} of them after the rename), {reads} reads");

    let found = receipt(&sandbox.guard("recover h.md --prune --output-format json").assert().code(0));
    assert_eq!(found["outcome"], "healthy");
    let names = sandbox.names("");
    assert!(!names.iter().any(|name| name.starts_with('.')), "{names:?}");
}
