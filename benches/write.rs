//! What a transaction costs beside the same flushes and renames without any validation: the library call beside bare
//! calls, and the command beside a bare process. Pairs run alternately, so that what else the disk does meets both.
//!
//! `cargo bench --bench write -- [PAIRS]`; the files lie in the directory for temporary files.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench makes its own files, ends on any failure, and prints its result"
)]

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::hint::black_box;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use handoff_guard::store::Names;
use handoff_guard::store::fs::RealDirectory;
use handoff_guard::store::replace::{Extent, Request, Start, write};

const OFFICIAL: &str = "h.md";
const VERSION: &str = include_str!("../fixtures/valid/initial.handoff.md");

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    if let [mode, folder, candidate] = args.as_slice()
        && mode == "--bare"
    {
        bare(Path::new(folder), &fs::read(candidate).unwrap());
        return;
    }
    let pairs = args.iter().find_map(|arg| arg.parse().ok()).unwrap_or(200);
    compare("library", pairs, library, bare);
    compare("process", pairs, process, bare_process);
}

/// The same durable sequence with no lock, no validation and no reading back.
fn bare(folder: &Path, new: &[u8]) {
    let (official, backup) = (folder.join(OFFICIAL), folder.join("h.md.bak"));
    let (candidate, preserved) = (folder.join(".new"), folder.join(".old"));
    let directory = File::open(folder).unwrap();
    let old = fs::read(&official).unwrap();
    for (path, bytes) in [(&candidate, new), (&preserved, old.as_slice())] {
        let mut file = OpenOptions::new().write(true).create_new(true).open(path).unwrap();
        file.write_all(bytes).unwrap();
        file.sync_all().unwrap();
    }
    fs::rename(preserved, backup).unwrap();
    directory.sync_all().unwrap();
    fs::rename(candidate, official).unwrap();
    directory.sync_all().unwrap();
}

fn library(folder: &Path, new: &[u8]) {
    let directory = RealDirectory::open(folder).unwrap();
    let names = Names::new(OsStr::new(OFFICIAL)).unwrap();
    let (start, extent, patience) = (Start::Follow, Extent::Commit, Duration::ZERO);
    let request = Request { bytes: new, start, expected: None, patience, extent };
    black_box(write(&directory, &names, request).unwrap());
}

fn process(folder: &Path, new: &[u8]) {
    let candidate = folder.join("next.md");
    fs::write(&candidate, new).unwrap();
    let guard = env!("CARGO_BIN_EXE_handoff-guard");
    succeed(Command::new(guard).arg("write").arg(folder.join(OFFICIAL)).arg("--from").arg(candidate));
}

fn bare_process(folder: &Path, new: &[u8]) {
    let candidate = folder.join("next.md");
    fs::write(&candidate, new).unwrap();
    succeed(Command::new(env::current_exe().unwrap()).arg("--bare").arg(folder).arg(candidate));
}

fn succeed(command: &mut Command) {
    assert!(command.stdout(Stdio::null()).status().unwrap().success());
}

type Writer = fn(&Path, &[u8]);

fn compare(name: &str, pairs: u32, ours: Writer, bare: Writer) {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for folder in [&folder, &other] {
        fs::write(folder.path().join(OFFICIAL), VERSION).unwrap();
    }
    let (mut our_times, mut bare_times) = (Vec::new(), Vec::new());
    for pair in 0..pairs {
        let new = VERSION.replacen("nothing audited yet", &format!("version {pair}"), 1);
        let run = |writer: Writer, folder: &Path, times: &mut Vec<Duration>| {
            let start = Instant::now();
            writer(folder, new.as_bytes());
            times.push(start.elapsed());
        };
        if pair % 2 == 0 {
            run(ours, folder.path(), &mut our_times);
            run(bare, other.path(), &mut bare_times);
        } else {
            run(bare, other.path(), &mut bare_times);
            run(ours, folder.path(), &mut our_times);
        }
    }
    let (ours, bare) = (median(our_times), median(bare_times));
    let ratio = ours.as_secs_f64() / bare.as_secs_f64();
    println!(
        "{name}: write {} µs, bare {} µs, ratio {ratio:.2}, medians of {pairs} interleaved pairs",
        ours.as_micros(),
        bare.as_micros()
    );
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
