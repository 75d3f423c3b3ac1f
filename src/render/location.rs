//! Where a document lies, as other tools name it: relative to the directory of the run where it lies below that, with `/`
//! between the names.

use std::path::{Component, Path, PathBuf};

/// The directory that a run was started in.
#[derive(Clone, Debug)]
pub struct Base(PathBuf);

/// A document as a URI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Uri {
    /// Below the directory of the run.
    Relative(String),
    /// Anywhere else: `file:///…`.
    Absolute(String),
}

impl Base {
    /// `directory` is absolute; an empty one leaves relative paths as they are.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self(directory.into())
    }

    /// The path for a tool that wants one.
    pub(super) fn path(&self, given: &str) -> String {
        slashes(self.below(&self.normal(given)).as_path())
    }

    /// The path as a URI. Bytes of a name that are no text were replaced before, so that every reader can decode it.
    pub(super) fn uri(&self, given: &str) -> Uri {
        let path = self.below(&self.normal(given));
        let text = slashes(&path);
        if path.is_absolute() {
            let root = if text.starts_with('/') { "" } else { "/" };
            Uri::Absolute(format!("file://{root}{}", percent_encoded(&text, "/:")))
        } else {
            Uri::Relative(percent_encoded(&text, "/"))
        }
    }

    /// The absolute path without `.` and `..`.
    fn normal(&self, given: &str) -> PathBuf {
        let mut path = PathBuf::new();
        for component in self.0.join(given).components() {
            match component {
                Component::CurDir => {}
                Component::ParentDir => {
                    path.pop();
                }
                Component::Prefix(_) | Component::RootDir | Component::Normal(_) => path.push(component),
            }
        }
        path
    }

    fn below(&self, path: &Path) -> PathBuf {
        match path.strip_prefix(&self.0) {
            Ok(rest) if rest == Path::new("") => PathBuf::from("."),
            Ok(rest) => rest.to_owned(),
            Err(_) => path.to_owned(),
        }
    }
}

fn slashes(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}

/// `text` with every byte that is neither unreserved in a URI nor one of `kept` as `%XX`.
fn percent_encoded(text: &str, kept: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || kept.as_bytes().contains(&byte);
    let encoded = |byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(encoded).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_path_below_the_directory_of_the_run_is_relative_to_it() {
        let base = Base::new("/srv/project");
        for given in ["a/b.md", "./a/b.md", "/srv/project/a/b.md", "../project/a/./c/../b.md"] {
            assert_eq!(base.path(given), "a/b.md", "{given}");
        }
        assert_eq!(base.path("/srv/projects/b.md"), "/srv/projects/b.md");
        assert_eq!(base.path("../b.md"), "/srv/b.md");
        assert_eq!(base.path("."), ".");
        assert_eq!(Base::new("").path("./a/b.md"), "a/b.md");
    }

    #[test]
    fn a_uri_has_no_character_that_means_something_to_its_reader() {
        let base = Base::new("/srv/a b");
        assert_eq!(base.uri("x:y #?%\\\n任.md"), Uri::Relative("x%3Ay%20%23%3F%25%5C%0A%E4%BB%BB.md".to_owned()));
        assert_eq!(base.uri("/tmp/it's.md"), Uri::Absolute("file:///tmp/it%27s.md".to_owned()));
    }
}
