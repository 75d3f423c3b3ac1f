//! The two commands: `handoff-guard` and the drop-in `validate_handoff`. This is the only module with a terminal.

mod answer;
mod args;
mod audit;
mod check;
mod clock;
mod discard;
mod document;
mod drop_in;
mod estimate;
mod exit;
mod explain;
mod export;
mod git;
mod history;
mod init;
mod input;
mod next;
mod output;
mod pages;
mod parallel;
mod paths;
mod progress;
mod prompt;
mod receipt;
mod recover;
mod report;
mod report_file;
mod run;
mod schema;
mod seal;
mod search;
mod set;
mod signals;
mod step;
mod stop;
mod target;
mod write;

use std::panic::{self, UnwindSafe};
use std::process::ExitCode;

use args::Command;
use exit::Exit;
use output::complain;

/// Runs `handoff-guard` with the arguments of the process.
pub fn main() -> ExitCode {
    guarded(|| match args::parse() {
        Ok(Command::Check(args)) => check::run(&args),
        Ok(Command::Write(args)) => write::run(&args),
        Ok(Command::Recover(args)) => recover::run(&args),
        Ok(Command::Init(args)) => init::run(&args),
        Ok(Command::Next(args)) => next::run(&args),
        Ok(Command::Audit(args)) => audit::run(&args),
        Ok(Command::Answer(args)) => answer::run(&args),
        Ok(Command::Stop(args)) => stop::run(&args),
        Ok(Command::Seal(args)) => seal::run(&args),
        Ok(Command::Set(args)) => set::run(&args),
        Ok(Command::Prompt(args)) => prompt::run(&args),
        Ok(Command::Estimate(args)) => estimate::run(&args),
        Ok(Command::Export(args)) => export::run(&args),
        Ok(Command::Discard(args)) => discard::run(&args),
        Ok(Command::Explain(args)) => explain::run(&args),
        Ok(Command::Schema(args)) => schema::run(&args),
        Ok(Command::Completions(args)) => pages::completions(&args),
        Ok(Command::Man(args)) => pages::man(&args),
        Err(exit) => exit,
    })
}

/// Runs `validate_handoff` with the arguments of the process.
pub fn drop_in() -> ExitCode {
    guarded(drop_in::run)
}

/// Ends with the outcome of `run`. A panic is said without its text, which may hold parts of a document.
fn guarded(run: impl FnOnce() -> Exit + UnwindSafe) -> ExitCode {
    panic::set_hook(Box::new(|bug| {
        let place = bug.location().map(|place| format!(" at {}:{}", place.file(), place.line())).unwrap_or_default();
        complain(&format!("internal error{place}; there is no verdict, and this is a bug: please report it"));
    }));
    outcome(run).into()
}

fn outcome(run: impl FnOnce() -> Exit + UnwindSafe) -> Exit {
    panic::catch_unwind(run).unwrap_or(Exit::Internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_internal_error_and_never_a_verdict() {
        assert_eq!(outcome(|| panic!("a bug, on purpose")), Exit::Internal);
        assert_eq!(outcome(|| Exit::Defects), Exit::Defects);
    }
}
