//! Searching directories for handoff files, as users of git expect it.

use std::cell::OnceCell;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{self, Path, PathBuf};
use std::sync::mpsc;

use ignore::gitignore::Gitignore;
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, Error, WalkBuilder};

use super::paths::{Input, is_stdin};
use crate::store::Names;

/// The names of handoff files, as patterns with one `*`.
pub(crate) const HANDOFF_NAMES: [&str; 2] = ["handoff-*.md", "*.handoff.md"];

/// True for one of [`HANDOFF_NAMES`].
pub(crate) fn is_handoff_name(name: &[u8]) -> bool {
    HANDOFF_NAMES
        .iter()
        .filter_map(|pattern| pattern.split_once('*'))
        .any(|(start, end)| name.strip_prefix(start.as_bytes()).is_some_and(|rest| rest.ends_with(end.as_bytes())))
}

/// The files that say which others are ignored, below the directory that they are about.
const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", ".git/info/exclude"];

/// How much they may say about one directory, those above it included, in bytes: what matches takes a thousand times as
/// much memory.
const MOST_IGNORED: u64 = 128 * 1024;

/// What becomes of files that git ignores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ignored {
    /// They are not found.
    LeftOut,
    /// They are found like all others.
    Found,
}

/// Which files a search finds.
pub(crate) struct Search {
    patterns: Vec<String>,
    /// The patterns as one matcher, made when it is needed: that takes longer than to check a document.
    wanted: OnceCell<Result<Override, String>>,
    ignored: Ignored,
}

impl Search {
    /// A search for files that match one of `globs`, of which `!` excludes; for handoff names where none includes.
    ///
    /// # Errors
    /// Which glob is none, and why.
    pub(crate) fn new(globs: &[String], ignored: Ignored) -> Result<Self, String> {
        let excludes = |glob: &String| glob.starts_with('!');
        let names = HANDOFF_NAMES.map(str::to_owned);
        let default: &[String] = if globs.iter().all(excludes) { &names } else { &[] };
        let patterns = [default, globs].concat();
        let search = Self { patterns, wanted: OnceCell::new(), ignored };
        if !globs.is_empty() {
            search.wanted()?;
        }
        Ok(search)
    }

    fn wanted(&self) -> Result<&Override, String> {
        let make = || matcher(&self.patterns).map_err(|error| format!("`--glob`: {error}"));
        self.wanted.get_or_init(make).as_ref().map_err(Clone::clone)
    }

    /// What a path on the command line stands for.
    pub(crate) fn named(&self, path: &Path) -> Vec<Input> {
        if is_stdin(path) { vec![Input::Stdin] } else { self.listed(path) }
    }

    /// What a path in a list stands for: itself, or the handoff files below it.
    pub(crate) fn listed(&self, path: &Path) -> Vec<Input> {
        if path.is_dir() { self.below(path) } else { vec![Input::File(path.to_owned())] }
    }

    /// The wanted files below a directory, by name. Links to directories are not followed, so the search ends. What
    /// cannot be searched, or may be left out for a reason that cannot be read, stands among the files.
    fn below(&self, directory: &Path) -> Vec<Input> {
        // The walker takes `-` for standard input.
        let root = if is_stdin(directory) { Path::new("./-") } else { directory };
        let wanted = match self.wanted() {
            Ok(wanted) => wanted,
            Err(why) => return vec![Input::Unsearched(root.to_owned(), why)],
        };
        let left_out = self.ignored == Ignored::LeftOut;
        let mut walk = WalkBuilder::new(root);
        walk.standard_filters(left_out).hidden(false).sort_by_file_name(OsStr::cmp);
        let (trapped, traps) = mpsc::channel();
        walk.filter_entry(move |entry| {
            let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
            let trap = if left_out && is_directory { trap(entry.path()) } else { None };
            let searched = trap.is_none() && entry.file_name() != ".git";
            // It cannot fail: the other end lives longer.
            let _ = trapped.send(trap);
            searched
        });
        let above = path::absolute(root).unwrap_or_else(|_| root.to_owned());
        if let Some(trap) = above.ancestors().filter(|_| left_out).find_map(trap) {
            return vec![trap];
        }
        let global = if left_out { Gitignore::global().1 } else { None };
        let mut inputs: Vec<Input> = global.iter().flat_map(|error| faults(error, root)).collect();
        for entry in walk.build() {
            inputs.extend(traps.try_iter().flatten());
            match entry {
                Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_dir()) => {
                    inputs.extend(entry.error().into_iter().flat_map(|error| faults(error, entry.path())));
                    if left_out {
                        inputs.extend(unreadable_ignore_files(entry.path()));
                    }
                }
                Ok(entry) if is_wanted(wanted, root, &entry) => inputs.push(input(root, entry)),
                Ok(_) => {}
                Err(error) => inputs.extend(faults(&error, root)),
            }
        }
        inputs.extend(traps.try_iter().flatten());
        inputs
    }

    /// What was looked for, and where it was not.
    pub(crate) fn found_nothing(&self) -> String {
        let patterns: Vec<String> = self.patterns.iter().map(|pattern| format!("`{pattern}`")).collect();
        let patterns = patterns.join(", ");
        match self.ignored {
            Ignored::LeftOut => {
                format!("no file matches {patterns}; ignored files were left out, `--no-ignore` includes them")
            }
            Ignored::Found => format!("no file matches {patterns}"),
        }
    }
}

fn is_wanted(wanted: &Override, root: &Path, entry: &DirEntry) -> bool {
    let path = entry.path();
    wanted.matched(path.strip_prefix(root).unwrap_or(path), false).is_whitelist()
        && !Names::is_reserved(entry.file_name())
        && !(entry.path_is_symlink() && path.is_dir())
}

/// What a wanted file stands for. A link that leads out of the directory would show what somebody else chose.
fn input(root: &Path, entry: DirEntry) -> Input {
    let below = |(file, root): (PathBuf, PathBuf)| file.starts_with(root);
    let resolved = || fs::canonicalize(entry.path()).and_then(|file| Ok((file, fs::canonicalize(root)?)));
    // One that leads nowhere is said to do so when it is read.
    if entry.path_is_symlink() && !resolved().map_or(true, below) {
        let why = "a symbolic link that leads out of the directory that is searched; name it to check it all the same";
        return Input::Unsearched(entry.into_path(), why.to_owned());
    }
    Input::File(entry.into_path())
}

fn matcher(patterns: &[String]) -> Result<Override, Error> {
    let mut builder = OverrideBuilder::new("");
    for pattern in patterns {
        builder.add(pattern)?;
    }
    builder.build()
}

/// Everything that an error of the walker is about.
fn faults(error: &Error, path: &Path) -> Vec<Input> {
    let fault = |message| vec![Input::Unsearched(path.to_owned(), message)];
    match error {
        Error::Partial(errors) => errors.iter().flat_map(|error| faults(error, path)).collect(),
        Error::WithPath { path, err } => faults(err, path),
        Error::WithDepth { err, .. } => faults(err, path),
        Error::Io(error) => fault(format!("the directory cannot be searched: {error}")),
        Error::WithLineNumber { .. }
        | Error::Glob { .. }
        | Error::Loop { .. }
        | Error::UnrecognizedFileType(_)
        | Error::InvalidDefinition => fault(unfollowed(error)),
    }
}

/// An ignore file of a directory that the walker must not read: it could wait for ever, or take all memory.
fn trap(directory: &Path) -> Option<Input> {
    let refused = |path, why: &str| Some(Input::Unsearched(path, unfollowed(&why)));
    let mut last = None;
    for (path, found) in ignore_files(directory) {
        if !found.is_file() {
            return refused(path, "it is no regular file");
        }
        last = Some(path);
    }
    let last = last?;
    let directory = path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
    let bytes: u64 = directory.ancestors().flat_map(ignore_files).map(|(_, found)| found.len()).sum();
    if bytes > MOST_IGNORED { refused(last, "with those above it, it has more than 128 KiB") } else { None }
}

fn ignore_files(directory: &Path) -> impl Iterator<Item = (PathBuf, fs::Metadata)> {
    let paths = IGNORE_FILES.into_iter().map(|name| directory.join(name));
    paths.filter_map(|path| fs::metadata(&path).ok().map(|found| (path, found)))
}

/// The files of a directory that say what is ignored and that the walker passes over in silence.
fn unreadable_ignore_files(directory: &Path) -> impl Iterator<Item = Input> {
    IGNORE_FILES.into_iter().filter_map(|name| {
        let path = directory.join(name);
        let missing = [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory];
        let error = fs::read_to_string(&path).err().filter(|error| !missing.contains(&error.kind()))?;
        Some(Input::Unsearched(path, unfollowed(&error)))
    })
}

fn unfollowed(error: &impl ToString) -> String {
    format!("what it ignores cannot be told: {}; `--no-ignore` does without it", error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(globs: &[&str], path: &str) -> bool {
        let globs: Vec<String> = globs.iter().map(|glob| (*glob).to_owned()).collect();
        Search::new(&globs, Ignored::LeftOut).unwrap().wanted().unwrap().matched(path, false).is_whitelist()
    }

    #[test]
    fn only_two_forms_of_a_name_are_searched_for() {
        for name in ["x.handoff.md", "a/handoff-x.md", "handoff-.md", ".handoff.md"] {
            assert!(finds(&[], name), "{name}");
            assert!(is_handoff_name(name.trim_start_matches("a/").as_bytes()), "{name}");
        }
        for name in ["x.md", "handoff.md", "handoff-x.md.bak", "x.handoff.md.rejected", "Handoff-x.md"] {
            assert!(!finds(&[], name) && !is_handoff_name(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn globs_replace_the_names_unless_all_of_them_exclude() {
        assert!(finds(&["*.txt"], "a/x.txt") && !finds(&["*.txt"], "x.handoff.md"));
        assert!(finds(&["docs/*.md"], "docs/x.md") && !finds(&["docs/*.md"], "a/docs/x.md"));
        assert!(finds(&["!old/**"], "x.handoff.md") && !finds(&["!old/**"], "old/x.handoff.md"));
        assert!(finds(&["*.md", "!x.md"], "y.md") && !finds(&["*.md", "!x.md"], "x.md"));
        assert!(Search::new(&["[z-a]".to_owned()], Ignored::Found).is_err());
    }
}
