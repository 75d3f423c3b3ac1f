//! What a path of the command line or of a list stands for.

use std::collections::HashSet;
#[cfg(unix)]
use std::ffi::OsStr;
use std::path::{self, Path, PathBuf};

/// One thing to read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Input {
    /// Standard input.
    Stdin,
    /// A file, whatever it is.
    File(PathBuf),
    /// A directory, or a file that says what is ignored in one, and why documents may be missing for it.
    Unsearched(PathBuf, String),
}

/// Standard input, where a path can stand.
const STDIN: &str = "-";

/// Says whether `path` means standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new(STDIN)
}

/// The inputs without those that were there before. A path is the same one however it is written: absolute or relative,
/// with or without `.`. A link is another path.
pub(crate) fn each_once(inputs: Vec<Input>) -> Vec<Input> {
    let mut seen = HashSet::new();
    let absolute = |path: &PathBuf| path::absolute(path).unwrap_or_else(|_| path.clone());
    let is_new = |input: &Input| {
        seen.insert(match input {
            Input::Stdin => Input::Stdin,
            Input::File(path) => Input::File(absolute(path)),
            Input::Unsearched(path, why) => Input::Unsearched(absolute(path), why.clone()),
        })
    };
    inputs.into_iter().filter(is_new).collect()
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
}
