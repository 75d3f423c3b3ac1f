//! Reading test data.

use std::fs;
use std::path::{Path, PathBuf};

/// The path and the bytes of every file below `folder`, in the order of the paths.
pub(crate) fn files_below(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let files = |path: PathBuf| {
        if path.is_dir() {
            return files_below(&path);
        }
        let bytes = fs::read(&path).unwrap();
        vec![(path, bytes)]
    };
    paths.into_iter().flat_map(files).collect()
}
