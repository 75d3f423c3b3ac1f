//! The drop-in for the two reference scripts (PROTOCOL §14).

use std::process::ExitCode;

fn main() -> ExitCode {
    handoff_guard::cli::drop_in()
}
