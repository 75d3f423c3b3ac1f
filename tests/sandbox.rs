//! A directory of its own for a test, and the two commands run in it with a known environment. In what a command is
//! expected to print, snapbox takes `/` for `\`, `[..]` for any text in a line and `...` for any lines.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;
use snapbox::cmd::{Command, OutputAssert};
use tempfile::TempDir;

pub(crate) const GUARD: &str = env!("CARGO_BIN_EXE_handoff-guard");
pub(crate) const DROP_IN: &str = env!("CARGO_BIN_EXE_validate_handoff");

pub(crate) const INITIAL: &str = include_str!("../fixtures/valid/initial.handoff.md");
pub(crate) const NEEDS_ANSWERS: &str = include_str!("../fixtures/valid/needs-answers.handoff.md");
pub(crate) const COLLECTING: &str = include_str!("../fixtures/valid/collecting.handoff.md");
pub(crate) const REVIEW_PENDING: &str = include_str!("../fixtures/valid/review-pending.handoff.md");
pub(crate) const READY: &str = include_str!("../fixtures/valid/ready.handoff.md");

/// Environment variables that change colours.
const COLOURS: [&str; 6] = ["CI", "CLICOLOR", "CLICOLOR_FORCE", "NO_COLOR", "TERM", "VALIDATE_HANDOFF"];

pub(crate) struct Sandbox(TempDir);

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// One valid document, `good.handoff.md`, and one whose first line is not the fence, `bad.handoff.md`.
    pub(crate) fn with_documents() -> Self {
        let sandbox = Self::new();
        sandbox.write("good.handoff.md", INITIAL);
        sandbox.write("bad.handoff.md", bad());
        sandbox
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    #[expect(clippy::disallowed_methods, reason = "a test makes its own files")]
    pub(crate) fn write(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// Writes an executable script. Another process does it: a process that a parallel test forks would hold our handle
    /// for a moment, and a file that is open for writing cannot be executed.
    #[cfg(unix)]
    pub(crate) fn script(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let write = Command::new("sh").args(["-c", "cat > \"$0\" && chmod +x \"$0\""]).arg(&path);
        write.stdin(text.as_ref().to_vec()).assert().success();
        path
    }

    pub(crate) fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// The names of the files, sorted; without the lock files, which stay for ever.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(folder)).unwrap();
        let paths =
            entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_none_or(|end| end != "lock"));
        let mut names: Vec<String> =
            paths.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let command = Command::new(program).current_dir(self.0.path());
        COLOURS.iter().fold(command, Command::env_remove)
    }

    /// `handoff-guard` with arguments separated by blanks.
    pub(crate) fn guard(&self, args: &str) -> Command {
        self.command(GUARD).args(args.split_whitespace())
    }
}

/// A document that is broken in its first line and nowhere else.
pub(crate) fn bad() -> String {
    INITIAL.replacen("---", "--- ", 1)
}

/// Runs git in a folder; `None` where there is no git.
pub(crate) fn git(sandbox: &Sandbox, folder: &str, args: &str) -> Option<String> {
    let mut command = std::process::Command::new("git");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", sandbox.path("no-configuration"));
    command
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always"])
        .args(args.split_whitespace());
    let output = match command.current_dir(sandbox.path(folder)).output() {
        Ok(output) => output,
        Err(error) => {
            eprintln!("skipped: git cannot be run: {error}");
            return None;
        }
    };
    assert!(output.status.success(), "git {args}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap().trim_end().to_owned())
}

/// The receipt that a command printed, which obeys its schema.
pub(crate) fn receipt(assert: &OutputAssert) -> Value {
    static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
        let schema = serde_json::from_str(include_str!("../schema/receipt.v1.schema.json")).unwrap();
        jsonschema::draft202012::meta::validate(&schema).unwrap();
        jsonschema::validator_for(&schema).unwrap()
    });
    let text = std::str::from_utf8(&assert.get_output().stdout).unwrap();
    assert!(text.ends_with("}\n") && text.lines().count() == 1, "{text}");
    let receipt = serde_json::from_str(text).unwrap();
    let errors: Vec<String> = SCHEMA.iter_errors(&receipt).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?} in {receipt:#}");
    receipt
}

pub(crate) fn digest(text: impl AsRef<[u8]>) -> String {
    handoff_guard::protocol::digest::Digest::of(text.as_ref()).to_string()
}
