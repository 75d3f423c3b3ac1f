//! Which files of a repository a run is about.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::cli::git::{Repository, exactly, pattern};
use crate::cli::output::shown;
use crate::cli::search::{HANDOFF_NAMES, is_handoff_name};

/// All handoff files, or some paths: files whatever their names, and the handoff files below folders.
#[derive(Debug)]
pub(super) struct Scope {
    /// As given, and below the top of the repository.
    named: Vec<(PathBuf, Vec<u8>)>,
}

impl Scope {
    /// The files that `paths` mean; all, when there is none.
    ///
    /// # Errors
    /// A path lies outside of the repository.
    pub(super) fn new(paths: &[PathBuf], repository: &Repository) -> Result<Self, String> {
        let inside = |path: &PathBuf| match repository.inside(path) {
            Some(inside) => Ok((path.clone(), inside)),
            None => Err(format!("{}: it lies outside of the repository", shown(path))),
        };
        Ok(Self { named: paths.iter().map(inside).collect::<Result<_, _>>()? })
    }

    /// What git is asked for: every handoff file, because any of them may have become one of these, and these.
    pub(super) fn specs(&self) -> Vec<OsString> {
        let named = self.named.iter().map(|(_, path)| path).filter(|path| !path.is_empty());
        HANDOFF_NAMES.iter().map(|glob| pattern(glob)).chain(named.map(|path| exactly(path))).collect()
    }

    /// True for the files whose history matters.
    pub(super) fn follows(&self, path: &[u8]) -> bool {
        has_handoff_name(path) || self.named.iter().any(|(_, named)| named == path)
    }

    /// True for the files that are asked for.
    pub(super) fn wants(&self, path: &[u8]) -> bool {
        self.named.is_empty() || self.named.iter().any(|(_, named)| means(named, path))
    }

    /// The paths, as given, that mean none of `found`.
    pub(super) fn unmatched(&self, found: &[&[u8]]) -> Vec<(&PathBuf, &[u8])> {
        let unmatched = self.named.iter().filter(|(_, named)| !found.iter().any(|path| means(named, path)));
        unmatched.map(|(given, path)| (given, path.as_slice())).collect()
    }
}

/// True when `named` is this file, or a folder that this handoff file is in.
pub(super) fn means(named: &[u8], path: &[u8]) -> bool {
    let below = named.is_empty() || path.strip_prefix(named).is_some_and(|rest| rest.starts_with(b"/"));
    path == named || (below && has_handoff_name(path))
}

fn has_handoff_name(path: &[u8]) -> bool {
    path.rsplit(|&byte| byte == b'/').next().is_some_and(is_handoff_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_means_itself_or_the_handoff_files_below_it() {
        for (named, path, expected) in [
            ("a.md", "a.md", true),
            ("a.md", "b/a.md", false),
            ("d", "d/e/handoff-1.md", true),
            ("d", "d/notes.md", false),
            ("d", "dd/handoff-1.md", false),
            ("", "handoff-1.md", true),
            ("", "d/1.handoff.md", true),
            ("", "d/notes.md", false),
        ] {
            assert_eq!(means(named.as_bytes(), path.as_bytes()), expected, "{named} {path}");
        }
    }
}
