//! Real faults on the real file system: every system call of a transaction is a place to die, to fail or to lie. strace
//! makes the faults; the library judges what they leave. Each sweep prints how many faults it made.

mod concurrency;
mod counts;
mod errors;
mod kills;
mod lies;
mod media;
mod scene;
mod strace;

use std::env;
use std::process::{Command, Stdio};

/// Whether `program` with `args` works here. If not, the test is skipped, and says so.
fn works(program: &str, args: &[&str]) -> bool {
    let run = Command::new(program).args(args).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let works = run.is_ok_and(|status| status.success());
    if !works {
        eprintln!("skipped: `{program} {}` does not work here", args.join(" "));
    }
    works
}

/// Whether strace works here; where `CI` is `true`, it must.
fn strace_works() -> bool {
    let works = works("strace", &["-qq", "-o", "/dev/null", "true"]);
    assert!(works || env::var_os("CI").is_none_or(|value| value != "true"), "strace is missing or not allowed");
    works
}
