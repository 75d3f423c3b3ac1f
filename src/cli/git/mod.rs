//! Git, asked in a way that the environment cannot change, and so that it runs nothing that a repository configures.

mod facts;
mod repository;

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

pub(crate) use facts::facts;
pub(crate) use repository::{Change, Commit, Entry, Id, Only, Repository, exactly, pattern};

use super::paths::path_of;
use crate::protocol::character::visible;
use crate::protocol::credential::without_credentials;

/// Git in a directory.
#[derive(Debug)]
pub(crate) struct Git {
    directory: PathBuf,
    /// Another index than the repository's own, as in a hook of a partial commit.
    index: Option<OsString>,
    patience: Duration,
}

/// Why git did not answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It could not be started.
    Missing(io::Error),
    /// It took too long, and was ended.
    TimedOut(Duration),
    /// It ended with an error; what it said.
    Refused(String),
    /// What it said cannot be read.
    Unreadable(io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(error) => write!(f, "git cannot be run: {error}"),
            Self::TimedOut(patience) => write!(f, "git did not answer within {} seconds", patience.as_secs()),
            Self::Refused(said) if said.is_empty() => f.write_str("git failed and said nothing"),
            Self::Refused(said) => write!(f, "git failed: {said}"),
            Self::Unreadable(error) => write!(f, "git's answer cannot be read: {error}"),
        }
    }
}

impl From<Failure> for String {
    fn from(failure: Failure) -> Self {
        failure.to_string()
    }
}

/// How long to wait between two looks at a process that has closed its output.
const PAUSE: Duration = Duration::from_millis(2);

/// How much of what git complains about is kept, in bytes.
const LONGEST_COMPLAINT: u64 = 4096;

impl Git {
    /// Git in `directory`, which may take `patience` for an answer.
    pub(crate) fn new(directory: &Path, patience: Duration) -> Self {
        Self { directory: directory.to_owned(), index: None, patience }
    }

    /// Runs git.
    ///
    /// # Errors
    /// It cannot be run, fails, or takes too long.
    pub(crate) fn ask<A: AsRef<OsStr>>(&self, args: &[A]) -> Result<Vec<u8>, Failure> {
        self.run(args, Vec::new(), read_to_end)
    }

    /// Runs a command that may read files of the working tree, which would go through the filters that the repository
    /// configures. Git has no switch for all of them, so each is switched off by its name.
    ///
    /// # Errors
    /// Git cannot be run, fails, or takes too long; a filter has a name that cannot be said.
    pub(crate) fn ask_about_files<A: AsRef<OsStr>>(&self, args: &[A]) -> Result<Vec<u8>, Failure> {
        let configured = ["config", "--null", "--name-only", "--get-regexp", r"^filter\..*\.(clean|smudge|process)$"];
        let keys = match self.ask(&configured) {
            Ok(keys) => keys,
            Err(Failure::Refused(said)) if said.is_empty() => Vec::new(),
            Err(failure) => return Err(failure),
        };
        let mut all = Vec::new();
        for key in keys.split(|&byte| byte == 0).filter(|key| !key.is_empty()) {
            let filter = key.rsplitn(2, |&byte| byte == b'.').last().unwrap_or_default();
            if filter.contains(&b'=') {
                let name = visible(&String::from_utf8_lossy(filter));
                return Err(Failure::Refused(format!("the configured `{name}` cannot be switched off")));
            }
            for off in [".clean=", ".smudge=", ".process=", ".required=false"] {
                all.extend(["-c".into(), path_of(&[filter, off.as_bytes()].concat()).into_os_string()]);
            }
        }
        all.extend(args.iter().map(|arg| arg.as_ref().to_owned()));
        self.ask(&all)
    }

    /// Runs git with `input` as its standard input, and reads its answer while it comes.
    ///
    /// # Errors
    /// It cannot be run, fails, takes too long, or `read` refuses its answer.
    pub(crate) fn run<A: AsRef<OsStr>, T: Send + 'static>(
        &self,
        args: &[A],
        input: Vec<u8>,
        read: impl FnOnce(BufReader<ChildStdout>) -> io::Result<T> + Send + 'static,
    ) -> Result<T, Failure> {
        let deadline = Instant::now() + self.patience;
        let mut child = self.command(args).spawn().map_err(Failure::Missing)?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // A process that wants no more input is not at fault.
        thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
        let (answered, answer) = mpsc::channel();
        thread::spawn(move || stdout.map(|stdout| answered.send(read(BufReader::new(stdout)))));
        let (complained, complaint) = mpsc::channel();
        thread::spawn(move || stderr.map(|stderr| complained.send(first_part(stderr))));

        let answer = answer.recv_timeout(deadline.saturating_duration_since(Instant::now()));
        let (Ok(answer), Some(status)) = (answer, ended(&mut child, deadline)) else {
            // A filter that the repository configures may hang; what it started may keep the pipes open.
            let _ = child.kill();
            let _ = child.wait();
            return Err(Failure::TimedOut(self.patience));
        };
        let answer = answer.map_err(Failure::Unreadable)?;
        if status.success() {
            return Ok(answer);
        }
        let said = complaint.recv_timeout(deadline.saturating_duration_since(Instant::now())).unwrap_or_default();
        Err(Failure::Refused(visible(&without_credentials(said.trim()))))
    }

    fn command<A: AsRef<OsStr>>(&self, args: &[A]) -> Command {
        let mut git = Command::new("git");
        let inherited = env::vars_os().map(|(name, _)| name);
        for name in inherited.filter(|name: &OsString| name.as_encoded_bytes().starts_with(b"GIT_")) {
            git.env_remove(name);
        }
        git.envs([("LC_ALL", "C"), ("GIT_OPTIONAL_LOCKS", "0"), ("GIT_TERMINAL_PROMPT", "0")]);
        // A replaced commit is another history than the one that everybody else sees.
        git.env("GIT_NO_REPLACE_OBJECTS", "1");
        // What a partial clone lacks would be fetched by a program that the repository configures.
        git.envs([("GIT_NO_LAZY_FETCH", "1"), ("GIT_ALLOW_PROTOCOL", "none")]);
        git.envs(self.index.iter().map(|index| ("GIT_INDEX_FILE", index)));
        git.args(["--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-C"]);
        git.arg(&self.directory).args(args);
        git.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        git
    }
}

fn ended(child: &mut Child, deadline: Instant) -> Option<ExitStatus> {
    loop {
        match child.try_wait().ok()? {
            Some(status) => return Some(status),
            None if Instant::now() < deadline => thread::sleep(PAUSE),
            None => return None,
        }
    }
}

fn read_to_end(mut answer: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    answer.read_to_end(&mut bytes).map(|_| bytes)
}

fn first_part(mut stream: impl Read) -> String {
    let mut bytes = Vec::new();
    let _ = stream.by_ref().take(LONGEST_COMPLAINT).read_to_end(&mut bytes);
    let _ = io::copy(&mut stream, &mut io::sink());
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_that_does_not_answer_in_time_is_ended() {
        let git = Git::new(Path::new("."), Duration::from_millis(50));
        match git.ask(&["-c", "alias.hang=!sleep 5", "hang"]) {
            Err(Failure::Missing(error)) => eprintln!("skipped: git cannot be run: {error}"),
            answer => assert!(matches!(answer, Err(Failure::TimedOut(_))), "{answer:?}"),
        }
    }
}
