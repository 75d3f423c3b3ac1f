//! What a handoff records about the repository that it is about.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Git;
use crate::cli::paths::path_of;
use crate::protocol::evidence::WorkingTree;

/// What a handoff records about a repository. Where git says nothing, nothing is recorded.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    /// The top level of the working tree.
    pub(crate) top: Option<PathBuf>,
    /// The branch; not of a detached or unborn head.
    pub(crate) branch: Option<String>,
    /// The commit; not of a detached or unborn head.
    pub(crate) commit: Option<String>,
    /// The working tree.
    pub(crate) tree: WorkingTree,
}

/// Asks about the repository around `directory`.
pub(crate) fn facts(directory: &Path) -> Facts {
    let nothing = Facts { top: None, branch: None, commit: None, tree: WorkingTree::Unavailable };
    let git = Git::new(directory, PATIENCE);
    let Ok(top) = git.ask(&["rev-parse", "--show-toplevel"]) else { return nothing };
    let top = path_of(top.strip_suffix(b"\n").unwrap_or(&top));
    let status =
        ["status", "--porcelain=v2", "-z", "--branch", "--untracked-files=normal", "--ignore-submodules=dirty"];
    match git.ask_about_files(&status) {
        Ok(status) => Facts { top: Some(top), ..read(&status) },
        Err(_) => Facts { top: Some(top), ..nothing },
    }
}

/// How long git may take; then it says nothing.
const PATIENCE: Duration = Duration::from_secs(10);

/// Reads NUL-separated records: headers begin with `# `, every other record is a change.
fn read(status: &[u8]) -> Facts {
    let records = || status.split(|&byte| byte == 0).filter(|record| !record.is_empty());
    let header = |name: &str| {
        let value = records().find_map(|record| record.strip_prefix(name.as_bytes()))?;
        Some(String::from_utf8_lossy(value).into_owned())
    };
    let branch = header("# branch.head ").filter(|branch| branch != "(detached)");
    let commit = header("# branch.oid ").filter(|commit| commit != "(initial)");
    let changed = records().any(|record| !record.starts_with(b"# "));
    let (branch, commit) = branch.zip(commit).unzip();
    let tree = if changed { WorkingTree::Dirty } else { WorkingTree::Clean };
    Facts { top: None, branch, commit, tree }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(branch: Option<&str>, commit: Option<&str>, tree: WorkingTree) -> Facts {
        Facts { top: None, branch: branch.map(str::to_owned), commit: commit.map(str::to_owned), tree }
    }

    #[test]
    fn branch_and_commit_are_read_together_or_not_at_all() {
        let clean = b"# branch.oid 8f3ab12c\0# branch.head a b\0# branch.ab +0 -0\0";
        assert_eq!(read(clean), facts(Some("a b"), Some("8f3ab12c"), WorkingTree::Clean));
        let detached = b"# branch.oid 8f3ab12c\0# branch.head (detached)\0";
        assert_eq!(read(detached), facts(None, None, WorkingTree::Clean));
        let unborn = b"# branch.oid (initial)\0# branch.head main\0? a file\0";
        assert_eq!(read(unborn), facts(None, None, WorkingTree::Dirty));
    }
}
