//! Every integration test, in one binary.
#![cfg(test)]
#![allow(clippy::needless_raw_string_hashes, reason = "snapbox writes its snapshots so")]

mod architecture;
#[cfg(feature = "cli")]
mod cli;
mod conformance;
mod crash_points;
mod discard;
#[cfg(feature = "cli")]
mod docs_in_sync;
#[cfg(feature = "cli")]
mod drop_in;
mod error_injection;
mod export;
#[cfg(all(target_os = "linux", feature = "cli"))]
mod faults;
mod mutation;
#[cfg(feature = "lifecycle")]
mod next;
#[cfg(feature = "lifecycle")]
mod prompts;
mod properties;
#[cfg(unix)]
mod real_directory;
mod recovery;
mod recovery_disturbed;
mod replay;
mod report_file;
mod resources;
mod rules_meta;
#[cfg(feature = "cli")]
mod sandbox;
mod schema_agrees;
#[cfg(feature = "cli")]
mod sessions;
mod simulation;
mod soundness;
mod support;
mod writes;

use std::fs;

#[test]
fn every_file_beside_this_one_is_a_module_of_it() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let listed = fs::read_to_string(format!("{folder}/main.rs")).unwrap();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let module = format!("mod {stem};");
        let has_rust = path.extension().is_some_and(|end| end == "rs") || path.join("mod.rs").exists();
        let is_forgotten = has_rust && stem != "main" && !listed.lines().any(|line| line == module);
        assert!(!is_forgotten, "tests/main.rs does not say `{module}`, so {} never runs", path.display());
    }
}
