//! The two streams of a run: the result on standard output, the conversation on standard error.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};

use super::exit::Exit;
use crate::protocol::character::visible;
use crate::protocol::credential::without_credentials;
use crate::render::full::Style;

/// Standard output. The first failure ends the writing, not the run: the verdict is still to be found.
pub(crate) struct Output {
    stream: Box<dyn Write>,
    style: Style,
    failure: Option<io::Error>,
}

impl Output {
    /// Takes standard output; `choice` decides about colours, `Auto` asks the terminal and the environment.
    pub(crate) fn new(choice: ColorChoice) -> Self {
        let stdout = io::stdout();
        let choice = if choice == ColorChoice::Auto { AutoStream::choice(&stdout) } else { choice };
        let (stream, style): (Box<dyn Write>, Style) = if choice == ColorChoice::Never {
            (Box::new(BufWriter::new(stdout.lock())), Style::Plain)
        } else {
            (Box::new(BufWriter::new(AutoStream::new(stdout, choice).lock())), Style::Styled)
        };
        Self { stream, style, failure: None }
    }

    /// Whether what is written may have colours.
    pub(crate) fn style(&self) -> Style {
        self.style
    }

    /// Writes a part of the result.
    pub(crate) fn write(&mut self, text: &str) {
        if self.failure.is_none() {
            self.failure = self.stream.write_all(text.as_bytes()).err();
        }
    }

    /// Brings what was written to its reader.
    pub(crate) fn flush(&mut self) {
        if self.failure.is_none() {
            self.failure = self.stream.flush().err();
        }
    }

    /// Ends the writing. A reader that has gone away is no failure: it has seen what it wanted.
    pub(crate) fn finish(mut self) -> Exit {
        self.flush();
        match self.failure {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                complain(&format!("cannot write to standard output: {error}"));
                Exit::Unusable
            }
            _ => Exit::Success,
        }
    }
}

/// Prints a page without colours; one that cannot be made is a bug.
pub(crate) fn print(page: serde_json::Result<String>) -> Exit {
    match page {
        Ok(text) => {
            let mut output = Output::new(ColorChoice::Never);
            output.write(&text);
            output.finish()
        }
        Err(error) => {
            complain(&format!("the page cannot be made: {error}"));
            Exit::Internal
        }
    }
}

/// Writes lines that are escaped already to standard error. A standard error that is gone cannot be told.
pub(crate) fn report_on_stderr(lines: &str) {
    let _ = io::stderr().lock().write_all(lines.as_bytes());
}

/// Says on standard error what went wrong. Every line is escaped, and without credentials; a path in the message was escaped
/// as a whole before, so that a line break in it cannot look like a message of its own.
pub(crate) fn complain(message: &str) {
    let escaped: Vec<String> = without_credentials(message).lines().map(inert).collect();
    report_on_stderr(&format!("error: {}\n", escaped.join("\n")));
}

/// Says on standard error what a reader should know although nothing went wrong; on one line.
pub(crate) fn note(message: &str) {
    report_on_stderr(&format!("note: {}\n", inert(message)));
}

/// A line of a message. A runner of GitHub Actions reads standard error too, and obeys `##[…]` anywhere in a line.
fn inert(line: &str) -> String {
    visible(line).replace("##[", "##\\[")
}

/// A path for a message, on one line.
pub(crate) fn shown(path: &Path) -> String {
    visible(&path.to_string_lossy())
}
