//! A directory of its own for a test, and the two commands run in it with a known environment. In what a command is
//! expected to print, snapbox takes `/` for `\`, `[..]` for any text in a line and `...` for any lines.

use std::path::{Path, PathBuf};

use snapbox::cmd::Command;
use tempfile::TempDir;

pub(crate) const GUARD: &str = env!("CARGO_BIN_EXE_handoff-guard");
pub(crate) const DROP_IN: &str = env!("CARGO_BIN_EXE_validate_handoff");

pub(crate) const INITIAL: &str = include_str!("../fixtures/valid/initial.handoff.md");
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
