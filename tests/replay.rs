//! Every property over every seed of the fuzz targets, and over every input that fuzzing found. An input that was found
//! lies in the folder of its target below `tests/regressions/`; its name says what was wrong.

use std::path::{Path, PathBuf};

use crate::soundness::{Aim, Target};
use crate::support::{files_below, fixtures};

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn assert_sound(target: Target) {
    let seeds = target.seeds(&fixtures());
    assert!(seeds.len() > 80, "{} seeds of {target:?}", seeds.len());
    for seed in seeds {
        assert_eq!(target.assert_sound(&seed), Aim::Hit);
    }
    let found = folder("tests/regressions").join(target.name());
    let found = if found.exists() { files_below(&found) } else { Vec::new() };
    for (path, input) in found {
        assert_eq!(target.assert_sound(&input), Aim::Hit, "{}", path.display());
    }
}

#[test]
fn documents_are_judged_soundly() {
    assert_sound(Target::Check);
}

#[test]
fn front_matter_is_judged_soundly() {
    assert_sound(Target::Yaml);
}

#[test]
fn a_version_is_soundly_held_against_the_one_before() {
    assert_sound(Target::Succession);
}

#[cfg(feature = "lifecycle")]
#[test]
fn what_a_step_is_told_is_composed_or_refused_soundly() {
    assert_sound(Target::Report);
}

#[test]
fn recovery_of_any_files_is_sound() {
    assert_sound(Target::Recovery);
}

#[test]
fn every_target_is_fuzzed_and_no_input_that_was_found_is_forgotten() {
    // The published package has no `fuzz`.
    let is_fuzzed =
        |name: &Path| !folder("fuzz").exists() || folder("fuzz/fuzz_targets").join(name).with_extension("rs").exists();
    for target in Target::ALL {
        assert!(is_fuzzed(target.name().as_ref()), "{target:?}");
    }
    for entry in folder("tests/regressions").read_dir().into_iter().flatten() {
        let name = entry.unwrap().file_name();
        assert!(is_fuzzed(name.as_ref()), "{name:?} is no target");
    }
}
