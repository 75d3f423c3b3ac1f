//! The official file of a command: its directory, opened once, and the names in it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::args::{Links, RepositoryRoot};
use super::paths::is_stdin;
use crate::render::receipt::Refusal;
use crate::store::Names;
use crate::store::fs::RealDirectory;

/// Where an official file is, or will be.
pub(crate) struct Target {
    /// The open directory.
    pub(crate) directory: RealDirectory,
    /// The directory's path.
    pub(crate) folder: PathBuf,
    /// The names in it.
    pub(crate) names: Names,
}

/// Opens the directory of the file at `path`.
///
/// # Errors
/// Why nothing can be written there.
pub(crate) fn open(path: &Path, links: Links) -> Result<Target, Refusal> {
    let names = names(path)?;
    let target = match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => match links {
            Links::Refuse => return Err(refused_link(path)),
            Links::Follow => Some(fs::canonicalize(path).map_err(|error| dangling(path, &error))?),
        },
        _ => None,
    };
    let (path, names) = match &target {
        Some(target) => (target.as_path(), self::names(target)?),
        None => (path, names),
    };
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let directory = RealDirectory::open(folder).map_err(|error| unopened(folder, &error))?;
    Ok(Target { directory, folder: folder.to_owned(), names })
}

/// Refuses a file in the root of a git working tree, unless it is allowed.
///
/// # Errors
/// The file would lie there.
pub(crate) fn outside_root(target: &Target, here: RepositoryRoot) -> Result<(), Refusal> {
    if here == RepositoryRoot::Allow || target.folder.join(".git").symlink_metadata().is_err() {
        return Ok(());
    }
    Err(Refusal::new(
        "the directory is the root of a git repository, where a temporary file does not belong",
        "name a file in a directory for temporary files, or say --here",
    ))
}

fn names(path: &Path) -> Result<Names, Refusal> {
    let named = path.file_name().filter(|name| {
        let (whole, name) = (path.as_os_str().as_encoded_bytes(), name.as_encoded_bytes());
        whole.ends_with(name)
    });
    let Some(name) = named else {
        return Err(Refusal::new("the path names no file", "name the handoff file, not a directory"));
    };
    if is_stdin(path) {
        return Err(Refusal::new("`-` is no file here", "name the handoff file; `./-` is a file named `-`"));
    }
    if Names::is_reserved(name) {
        let failure = "the name is one that this tool gives to backups, locks and other files beside a handoff";
        return Err(Refusal::new(failure, "name the handoff file itself"));
    }
    Names::new(name).ok_or_else(|| {
        let (length, longest) = (name.len(), Names::LONGEST_OFFICIAL);
        Refusal::new(
            format!("the file name has {length} bytes; it may have {longest}, because names beside it are longer"),
            "choose a shorter name",
        )
    })
}

fn refused_link(path: &Path) -> Refusal {
    let leads = fs::read_link(path).map(|target| format!(" to `{}`", target.display())).unwrap_or_default();
    Refusal::new(
        format!("it is a symbolic link{leads}, and a rename would replace the link, not the file"),
        "name the file that it leads to; `write` and `recover` follow it with --follow",
    )
}

fn dangling(path: &Path, error: &io::Error) -> Refusal {
    let leads = fs::read_link(path).map(|target| target.display().to_string()).unwrap_or_default();
    Refusal::new(format!("it is a symbolic link to `{leads}`, which cannot be resolved: {error}"), "repair the link")
}

fn unopened(folder: &Path, error: &io::Error) -> Refusal {
    let folder = folder.display();
    match error.kind() {
        io::ErrorKind::NotFound => {
            Refusal::new(format!("the directory `{folder}` does not exist"), "make it, or name another one")
        }
        io::ErrorKind::NotADirectory => {
            Refusal::new(format!("`{folder}` is not a directory"), "name a file in a directory")
        }
        _ => Refusal::new(format!("the directory `{folder}` cannot be opened: {error}"), "make it readable"),
    }
}
