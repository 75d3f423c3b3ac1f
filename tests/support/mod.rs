//! What several test modules need: the fixtures, and property tests that never vary.

mod files;
pub(crate) mod front_matter;

use std::path::{Path, PathBuf};

use proptest::test_runner::{Config, RngSeed};

pub(crate) use files::files_below;

/// A property test of `cases` inputs: the same ones on every run, and no file remembers a failure.
pub(crate) fn config(cases: u32) -> Config {
    Config { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(2), ..Config::default() }
}

/// The path and the bytes of every file below `fixtures/`, in the order of the paths.
pub(crate) fn fixtures() -> Vec<(PathBuf, Vec<u8>)> {
    files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"))
}

/// The valid documents of one session.
pub(crate) fn valid_fixtures() -> Vec<(PathBuf, Vec<u8>)> {
    files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/valid"))
}
