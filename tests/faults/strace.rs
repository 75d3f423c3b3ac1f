//! The command under strace: which system calls it makes in the directory, and one of them changed.

use std::collections::HashMap;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitStatus};

use tempfile::NamedTempFile;

use super::scene::{Scenario, Scene};
use crate::sandbox::GUARD;

/// A system call, as strace counts it: the `nth` of its name, from 1.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) nth: usize,
    /// The line of the trace, without the name.
    pub(super) rest: String,
}

/// How a command under strace ended.
pub(super) struct Run {
    pub(super) status: ExitStatus,
    pub(super) stderr: String,
    pub(super) trace: String,
}

impl Run {
    pub(super) fn was_killed(&self) -> bool {
        self.status.signal() == Some(9)
    }
}

impl Call {
    /// The calls of a trace from the one that opens the directory of the transaction.
    fn list(trace: &str) -> Vec<Self> {
        let mut seen: HashMap<&str, usize> = HashMap::new();
        let mut calls = Vec::new();
        for line in trace.lines() {
            let Some((name, rest)) = line.split_once('(') else { continue };
            let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if !is_name {
                continue;
            }
            let nth = seen.entry(name).and_modify(|nth| *nth += 1).or_insert(1);
            if !calls.is_empty() || rest.contains("O_DIRECTORY") {
                calls.push(Self { name: name.to_owned(), nth: *nth, rest: rest.to_owned() });
            }
        }
        calls
    }

    /// An injection into this call; `then` is empty, or `+` for every later call of the name too.
    pub(super) fn inject(&self, what: &str, then: &str) -> String {
        format!("{}:{what}:when={}{then}", self.name, self.nth)
    }

    /// The first argument.
    pub(super) fn handle(&self) -> &str {
        self.rest.split([',', ')']).next().unwrap_or_default()
    }

    /// What the call returned.
    pub(super) fn returned(&self) -> &str {
        self.rest.rsplit_once(" = ").map_or("", |(_, value)| value.trim())
    }
}

/// The calls of a command that nothing happens to.
pub(super) fn calls(scenario: &Scenario) -> Vec<Call> {
    let scene = scenario.build();
    let run = run(scenario, &scene, &[]);
    assert_eq!(run.status.code(), Some(0), "{}: {}", scenario.name, run.stderr);
    assert!(scene.is_new(), "{}", scenario.name);
    let calls = Call::list(&run.trace);
    assert!(calls.len() > 20, "{}: {}", scenario.name, run.trace);
    calls
}

/// Runs a command in its scene with injections. Without any, every call is traced.
pub(super) fn run(scenario: &Scenario, scene: &Scene, injections: &[&str]) -> Run {
    let trace = NamedTempFile::new().unwrap();
    let mut strace = Command::new("strace");
    strace.args(["-qq", "-e", "signal=none", "-E", "PATH=/nowhere", "-o"]).arg(trace.path());
    let all: Vec<&str> = scenario.lacks.iter().chain(injections).copied().collect();
    if !injections.is_empty() {
        let names: Vec<&str> = all.iter().filter_map(|injection| injection.split(':').next()).collect();
        strace.args(["-e", &format!("trace={}", names.join(","))]);
    }
    for injection in &all {
        strace.args(["-e", &format!("inject={injection}")]);
    }
    let output = strace.arg(GUARD).args(scenario.args.split_whitespace()).current_dir(scene.path()).output().unwrap();
    Run {
        status: output.status,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        trace: std::fs::read_to_string(trace.path()).unwrap(),
    }
}
