//! The properties of `tests/soundness` for the fuzz targets, which are another crate.

#[path = "../../tests/support/files.rs"]
mod files;
#[allow(dead_code, reason = "crashes are enumerated by `cargo test`; here only a healthy disk is needed")]
#[path = "../../tests/simulation/mod.rs"]
mod simulation;
#[allow(dead_code, reason = "`cargo test` asks for more")]
#[path = "../../tests/soundness/mod.rs"]
mod soundness;

use std::collections::BTreeSet;
use std::path::Path;

use libfuzzer_sys::Corpus;

pub use soundness::{Aim, Target};

/// Holds one input to its properties; only those that a target is about go into its corpus.
pub fn fuzz(target: Target, input: &[u8]) -> Corpus {
    match target.assert_sound(input) {
        Aim::Hit => Corpus::Keep,
        Aim::Missed => Corpus::Reject,
    }
}

/// Where the fuzzing of a target starts.
pub fn seeds(target: Target) -> BTreeSet<Vec<u8>> {
    target.seeds(&files::files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")))
}
