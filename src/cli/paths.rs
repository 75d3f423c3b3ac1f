//! Which documents a run is about: paths as given, directories searched, lists read.

use std::ffi::OsStr;
use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};

/// One thing to read.
#[derive(Debug)]
pub(crate) enum Input {
    /// Standard input.
    Stdin,
    /// A file, whatever it is.
    File(PathBuf),
    /// A directory that cannot be searched.
    Unlisted(PathBuf, io::Error),
}

/// Standard input, where a path can stand.
const STDIN: &str = "-";

/// Says whether `path` means standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new(STDIN)
}

/// What a path on the command line stands for.
pub(crate) fn named(path: &Path) -> Vec<Input> {
    if is_stdin(path) { vec![Input::Stdin] } else { found(path) }
}

/// What a path in a list stands for: itself, or the handoff files below it.
pub(crate) fn found(path: &Path) -> Vec<Input> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => search(path, metadata.file_type()),
        _ => vec![Input::File(path.to_owned())],
    }
}

/// The handoff files below a directory, by name. Links to directories are not followed, so the search ends.
fn search(directory: &Path, kind: FileType) -> Vec<Input> {
    let mut inputs = Vec::new();
    let mut waiting = vec![(directory.to_owned(), kind)];
    while let Some((path, kind)) = waiting.pop() {
        if kind.is_dir() {
            match entries(&path) {
                Ok(entries) => waiting.extend(entries.into_iter().rev()),
                Err(error) => inputs.push(Input::Unlisted(path, error)),
            }
        } else if path.file_name().is_some_and(is_handoff_name) && !path.is_dir() {
            inputs.push(Input::File(path));
        }
    }
    inputs
}

fn entries(directory: &Path) -> io::Result<Vec<(PathBuf, FileType)>> {
    let entries = fs::read_dir(directory)?.map(|entry| entry.and_then(|entry| Ok((entry.path(), entry.file_type()?))));
    let mut entries = entries.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(entries)
}

/// `*.handoff.md` or `handoff-*.md`.
fn is_handoff_name(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.ends_with(b".handoff.md") || (name.starts_with(b"handoff-") && name.ends_with(b".md"))
}

/// The paths of a list: one a line, or NUL-separated when it holds a NUL.
pub(crate) fn listed(list: &[u8]) -> Vec<PathBuf> {
    let paths: Vec<&[u8]> = if list.contains(&0) {
        list.split(|&byte| byte == 0).collect()
    } else {
        list.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect()
    };
    paths.into_iter().filter(|path| !path.is_empty()).map(path_of).collect()
}

/// The path that the system means by these bytes.
#[cfg(unix)]
pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(OsStr::from_bytes(bytes))
}

/// Bytes that no path can have name a file that does not exist.
#[cfg(not(unix))]
pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_by_lines_or_by_nul() {
        assert_eq!(listed(b"a b\n\n-x\r\n"), [Path::new("a b"), Path::new("-x")]);
        assert_eq!(listed(b"a\nb\0c\0"), [Path::new("a\nb"), Path::new("c")]);
        assert!(listed(b"\n").is_empty());
    }

    #[test]
    fn only_two_forms_of_a_name_are_searched_for() {
        for name in ["x.handoff.md", "handoff-x.md", "handoff-.md"] {
            assert!(is_handoff_name(OsStr::new(name)), "{name}");
        }
        for name in ["x.md", "handoff.md", "handoff-x.md.bak", "x.handoff.md.rejected", "Handoff-x.md"] {
            assert!(!is_handoff_name(OsStr::new(name)), "{name}");
        }
    }
}
