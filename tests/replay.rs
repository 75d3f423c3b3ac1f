//! Every property over every seed of the fuzz targets, and over every input that fuzzing found. An input that was found
//! lies in the folder of its target below `tests/regressions/`; its name says what was wrong.

#[cfg(feature = "lifecycle")]
use std::collections::BTreeSet;
#[cfg(feature = "lifecycle")]
use std::fs;
use std::path::Path;

use crate::soundness::{Aim, Target};
use crate::support::{files_below, fixtures};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_seed_and_every_input_that_was_found_is_sound() {
    let fixtures = fixtures();
    for target in Target::ALL {
        let seeds = target.seeds(&fixtures);
        assert!(seeds.len() > 40, "{} seeds of {}", seeds.len(), target.name());
        for seed in seeds {
            target.assert_sound(&seed);
        }
        let found = root().join("tests/regressions").join(target.name());
        let found = if found.exists() { files_below(&found) } else { Vec::new() };
        for (path, input) in found {
            assert_eq!(target.assert_sound(&input), Aim::Hit, "{}", path.display());
        }
    }
}

#[cfg(feature = "lifecycle")]
#[test]
fn every_target_is_fuzzed() {
    let names: BTreeSet<String> = Target::ALL.iter().map(|target| target.name().to_owned()).collect();
    let folder = |path: &str| {
        let entries = fs::read_dir(root().join(path)).into_iter().flatten().map(|entry| entry.unwrap().path());
        entries.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect::<BTreeSet<_>>()
    };
    assert_eq!(folder("fuzz/fuzz_targets"), names);
    assert!(folder("tests/regressions").is_subset(&names));
}
