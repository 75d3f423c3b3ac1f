//! The `handoff-guard` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    handoff_guard::cli::main()
}
