//! How a transaction ends for its caller: the receipt on standard output, what went wrong on standard error, the exit
//! code.

use std::path::Path;

use anstream::ColorChoice;

use super::args::ReceiptFormat;
use super::exit::Exit;
use super::output::{Output, complain};
use crate::check::{Verdict, session_id};
use crate::diagnostic::Diagnostics;
use crate::protocol::character::visible;
use crate::protocol::profile::Profile;
use crate::render::receipt::{Command, Failure, Receipt, Refusal};
use crate::render::{Advice, Judged, Named, full};
use crate::source::Source;
use crate::store::error::Error;
use crate::store::replace;

/// Tells how the transaction of one command about one file ended.
pub(crate) struct Teller {
    command: Command,
    path: String,
    format: ReceiptFormat,
}

/// A new version, its name in reports, and the version that it was to follow.
pub(crate) struct Candidate<'c> {
    pub(crate) name: &'c str,
    pub(crate) source: &'c Source,
    pub(crate) previous: Option<&'c Source>,
}

impl Teller {
    pub(crate) fn new(command: Command, path: &Path, format: ReceiptFormat) -> Self {
        Self { command, path: path.to_string_lossy().into_owned(), format }
    }

    /// The name of the official file in reports.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Nothing was tried.
    pub(crate) fn refuse(&self, exit: Exit, failure: impl Into<Failure>) -> Exit {
        self.tell(&Receipt::failed(self.command, &self.path, exit.outcome(), failure.into()), "", exit)
    }

    /// A version was written.
    pub(crate) fn wrote(&self, candidate: &Source, receipt: &replace::Receipt) -> Exit {
        let receipt = Receipt::written(self.command, &self.path, session_id(candidate).as_deref(), candidate, receipt);
        self.tell(&receipt, "", Exit::Success)
    }

    /// A version was not written.
    pub(crate) fn failed(&self, error: &Error, candidate: &Candidate<'_>) -> Exit {
        if let Error::Rejected { diagnostics, .. } = error {
            return self.reject(diagnostics, error, candidate);
        }
        let exit = Exit::from(error);
        let receipt = Receipt::failed(self.command, &self.path, exit.outcome(), error.into());
        self.tell(&receipt.of_session(session_id(candidate.source).as_deref()), "", exit)
    }

    /// A candidate breaks rules.
    pub(crate) fn reject(
        &self,
        diagnostics: &Diagnostics,
        failure: impl Into<Failure>,
        candidate: &Candidate<'_>,
    ) -> Exit {
        let &Candidate { name, source, previous } = candidate;
        let receipt = Receipt::failed(self.command, &self.path, Exit::Defects.outcome(), failure.into())
            .of_session(session_id(source).as_deref())
            .rejecting(diagnostics, source, previous);
        let previous = previous.map(|source| Named::new(&self.path, source));
        let findings = Self::findings(Named::new(name, source), previous, diagnostics);
        self.tell(&receipt, &findings, Exit::Defects)
    }

    /// What a step was given breaks rules, or what was made of it does.
    pub(crate) fn reject_inputs(
        &self,
        inputs: &[(Named<'_>, Diagnostics)],
        composed: Option<(&Diagnostics, &Candidate<'_>)>,
        failure: Refusal,
    ) -> Exit {
        let mut receipt = Receipt::failed(self.command, &self.path, Exit::Defects.outcome(), failure.into());
        let mut findings = String::new();
        for (named, diagnostics) in inputs {
            receipt.reject_input(*named, diagnostics);
            findings += &Self::findings(*named, None, diagnostics);
        }
        if let Some((diagnostics, &Candidate { name, source, previous })) = composed {
            receipt = receipt.of_session(session_id(source).as_deref());
            if !diagnostics.is_empty() {
                receipt = receipt.rejecting(diagnostics, source, previous);
                let previous = previous.map(|source| Named::new(&self.path, source));
                findings += &Self::findings(Named::new(name, source), previous, diagnostics);
            }
        }
        self.tell(&receipt, &findings, Exit::Defects)
    }

    fn findings(document: Named<'_>, previous: Option<Named<'_>>, diagnostics: &Diagnostics) -> String {
        let verdict = Verdict::Invalid(diagnostics.clone());
        let judged = Judged { document, previous, profile: Profile::Full, verdict: &verdict };
        let style = Output::new(ColorChoice::Auto).style();
        full::findings(&judged, Advice::Counted, style) + &full::verdict(&judged, Advice::Counted)
    }

    /// Prints a receipt, or `findings` where it has no result, and says what went wrong.
    pub(crate) fn tell(&self, receipt: &Receipt, findings: &str, exit: Exit) -> Exit {
        let mut output = Output::new(ColorChoice::Auto);
        match self.format {
            ReceiptFormat::Text => {
                output.write(findings);
                output.write(&receipt.text());
            }
            ReceiptFormat::Json => match receipt.json() {
                Ok(text) => output.write(&text),
                Err(error) => {
                    complain(&format!("the receipt cannot be made: {error}"));
                    return Exit::Internal;
                }
            },
        }
        let exit = output.finish().max(exit);
        if let Some(failure) = receipt.failure() {
            complain(&format!("{}: {}", visible(&self.path), failure.text()));
        }
        exit
    }
}
