//! What git says about a directory, asked in a way that neither the environment nor the repository's
//! hooks can change. A filter that the repository's own configuration names may still run; git has no switch for that.

use std::env;
use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::paths::path_of;
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
    let Some(top) = ask(directory, &["rev-parse", "--show-toplevel"]) else { return nothing };
    let top = path_of(top.strip_suffix(b"\n").unwrap_or(&top));
    match ask(directory, &["status", "--porcelain=v2", "-z", "--branch", "--untracked-files=normal"]) {
        Some(status) => Facts { top: Some(top), ..read(&status) },
        None => Facts { top: Some(top), ..nothing },
    }
}

/// Runs git; nothing when it is not there or fails.
fn ask(directory: &Path, args: &[&str]) -> Option<Vec<u8>> {
    let mut git = Command::new("git");
    let inherited = env::vars_os().map(|(name, _)| name);
    for name in inherited.filter(|name: &OsString| name.as_encoded_bytes().starts_with(b"GIT_")) {
        git.env_remove(name);
    }
    git.env("LC_ALL", "C").env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0");
    git.args(["--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-C"]).arg(directory);
    let mut child = git.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let mut answer = child.stdout.take()?;
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        answer.read_to_end(&mut bytes).map(|_| bytes)
    });
    let deadline = Instant::now() + PATIENCE;
    let status = loop {
        match child.try_wait().ok()? {
            Some(status) => break status,
            None if Instant::now() < deadline => thread::sleep(PAUSE),
            None => {
                // A filter that the repository configures may hang; what it started may keep the pipe open.
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    };
    let bytes = reader.join().ok()?.ok()?;
    status.success().then_some(bytes)
}

/// How long git may take; then it says nothing.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long to wait between two looks.
const PAUSE: Duration = Duration::from_millis(2);

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
