//! What holds for every input, however broken or hostile: each property once, for the generated inputs of `cargo test`, for
//! the inputs that fuzzing found, and for the fuzz targets in `fuzz/`, which include this folder.
#![allow(unreachable_pub, reason = "the fuzz targets are another crate")]

pub(crate) mod recovery;
#[cfg(feature = "cli")]
mod rendered;
pub(crate) mod schema;
#[cfg(feature = "lifecycle")]
mod steps;
mod succession;
pub(crate) mod verdict;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The byte between the files of one input; no text has it.
const SEPARATOR: u8 = 0xff;

/// A document with a valid body.
const BODY_OF: &str = include_str!("../../fixtures/valid/initial.handoff.md");

/// What is fuzzed: how an input is used, and where fuzzing starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A document.
    Check,
    /// The front matter of a document whose body is valid.
    Yaml,
    /// Two documents: a verifiable version, and one that may follow it.
    Succession,
    /// A byte that chooses the version before, then what a step of the session reads: a report or answers, perhaps
    /// updates, perhaps a summary.
    #[cfg(feature = "lifecycle")]
    Report,
    /// What recovery finds: the official file, its backup, a leftover. An empty one is not there.
    Recovery,
}

/// Whether an input is one of those that a target is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// It is; everything holds.
    Hit,
    /// It is not: nothing was asked of it.
    Missed,
}

impl Target {
    /// Every target.
    pub const ALL: &[Self] = &[
        Self::Check,
        Self::Yaml,
        Self::Succession,
        #[cfg(feature = "lifecycle")]
        Self::Report,
        Self::Recovery,
    ];

    /// The name of the fuzz target and of its folders.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Yaml => "yaml",
            Self::Succession => "succession",
            #[cfg(feature = "lifecycle")]
            Self::Report => "report",
            Self::Recovery => "recovery",
        }
    }

    /// Panics where something does not hold for `input`.
    pub fn assert_sound(self, input: &[u8]) -> Aim {
        match self {
            Self::Check => verdict::assert_judged(input),
            Self::Yaml => {
                let body = BODY_OF.split_once("\n---\n").map_or("", |(_, body)| body);
                verdict::assert_judged(&[b"---\n", input, b"\n---\n", body.as_bytes()].concat());
            }
            Self::Succession => {
                let [previous, next] = parts(input).collect::<Vec<_>>()[..] else { return Aim::Missed };
                return succession::assert_sound(previous, next);
            }
            #[cfg(feature = "lifecycle")]
            Self::Report => return steps::assert_sound(input),
            Self::Recovery => recovery::assert_sound(&parts(input).collect::<Vec<_>>()),
        }
        Aim::Hit
    }

    /// Where fuzzing starts: inputs made of the fixtures, which are given with their paths.
    pub fn seeds(self, fixtures: &[(PathBuf, Vec<u8>)]) -> BTreeSet<Vec<u8>> {
        let documents = fixtures.iter().filter(|(path, _)| path.to_string_lossy().ends_with(".handoff.md"));
        let documents: Vec<(&Path, &[u8])> =
            documents.map(|(path, bytes)| (path.as_path(), bytes.as_slice())).collect();
        let texts = || documents.iter().filter_map(|(_, bytes)| str::from_utf8(bytes).ok());
        match self {
            Self::Check => documents.iter().map(|(_, bytes)| bytes.to_vec()).collect(),
            Self::Yaml => {
                let front_matter = |text: &str| Some(text.strip_prefix("---\n")?.split_once("\n---\n")?.0.into());
                texts().filter_map(front_matter).collect()
            }
            Self::Succession => succession::pairs(&documents).map(|(before, after)| files([before, after])).collect(),
            #[cfg(feature = "lifecycle")]
            Self::Report => texts().flat_map(steps::recorded).collect(),
            Self::Recovery => recovery::seeds(succession::pairs(&documents)),
        }
    }
}

/// The files of an input.
fn parts(input: &[u8]) -> impl Iterator<Item = &[u8]> {
    input.split(|&byte| byte == SEPARATOR)
}

/// One input of several files.
fn files<const N: usize>(files: [&[u8]; N]) -> Vec<u8> {
    files.join(&SEPARATOR)
}
