//! The prompts: three that hand a sealed document over to a successor, two that assign an audit or the final review.
//!
//! The Chinese wording is the protocol's own (the source §6, §8), the English one its translation; where the protocol
//! page decides more about the form, both say that too. The text of the document stands last, behind all that is ours.

mod assignment;
mod compressed;
mod entries;
mod handover;

use std::fmt;

pub use assignment::{auditor, reviewer};
pub use compressed::compressed;
pub use handover::{Length, full, startup};

use super::estimate::SAFE;
use crate::document::Document;
use crate::protocol::audit::MOST_ROUNDS;
use crate::protocol::character::{forbidden, is_format};
use crate::protocol::status::Status;
use crate::protocol::vocabulary;

vocabulary! {
    /// What a prompt is for.
    Kind {
        /// A short prompt that leads to the document.
        Startup = "startup",
        /// The whole delivery body.
        Full = "full",
        /// What matters most of it.
        Compressed = "compressed",
        /// The assignment of an audit round.
        Auditor = "auditor",
        /// The assignment of the final review.
        Reviewer = "reviewer",
    }
}

vocabulary! {
    /// The language of the prose; titles and words of the protocol are the same in each.
    Language {
        /// English.
        English = "en",
        /// Chinese.
        Chinese = "zh",
    }
}

/// What a prompt is about.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'d, 's> {
    /// The document; it must obey every rule, and a prompt quotes it as it is.
    pub document: &'d Document<'s>,
    /// Its absolute path.
    pub path: &'d str,
    /// The language of the prose.
    pub language: Language,
}

/// Why there is no prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The document is not in a state in which this prompt makes sense.
    WrongMoment {
        /// The prompt.
        kind: Kind,
        /// `handoff_status`.
        status: Option<Status>,
        /// The prompts that make sense now.
        possible: &'static [Kind],
    },
    /// The whole text is longer than a prompt should be.
    TooLong {
        /// Estimated tokens of the prompt.
        tokens: usize,
    },
    /// The path has control or invisible characters, which no prompt can carry.
    Path,
}

impl Subject<'_, '_> {
    /// Refuses a prompt at the wrong moment, and a path that cannot be written down.
    fn require(&self, kind: Kind) -> Result<(), Refused> {
        let possible = possible(self.document);
        if !possible.contains(&kind) {
            let status = self.document.status().map(|status| status.value);
            return Err(Refused::WrongMoment { kind, status, possible });
        }
        let hidden = |c: char| c.is_control() || is_format(c) || forbidden(c).is_some() || c == '\u{fffd}';
        if self.path.contains(hidden) { Err(Refused::Path) } else { Ok(()) }
    }
}

/// The prompts that make sense in the state of the document.
fn possible(document: &Document<'_>) -> &'static [Kind] {
    let round_left = document.round().is_some_and(|round| round.value < MOST_ROUNDS);
    match document.status().map(|status| status.value) {
        Some(Status::Collecting) if round_left => &[Kind::Auditor],
        Some(Status::ReviewPending) => &[Kind::Reviewer],
        Some(Status::Ready | Status::ReadyWithRisks | Status::Blocked) => {
            &[Kind::Startup, Kind::Full, Kind::Compressed]
        }
        Some(Status::Collecting | Status::NeedsAnswers) | None => &[],
    }
}

impl Refused {
    /// What to do instead.
    pub fn help(&self) -> String {
        match self {
            Self::WrongMoment { status: Some(Status::NeedsAnswers), .. } => {
                format!(
                    "write the answers of the current round first; then `{}` or `{}` is possible",
                    Kind::Auditor,
                    Kind::Reviewer
                )
            }
            Self::WrongMoment { possible: [], .. } => "no prompt is possible in this state".to_owned(),
            Self::WrongMoment { possible, .. } => {
                let kinds: Vec<String> = possible.iter().map(|kind| format!("`--kind {kind}`")).collect();
                format!("possible now: {}", kinds.join(", "))
            }
            Self::TooLong { .. } => format!(
                "ask the user; better: the document with `--kind {}`, or `--kind {}`; say --force to have all of it",
                Kind::Startup,
                Kind::Compressed
            ),
            Self::Path => "rename the file or its directory".to_owned(),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongMoment { kind, status: Some(status), .. } => {
                let needs = match kind {
                    Kind::Auditor => format!("{} with a round left", Status::Collecting),
                    Kind::Reviewer => Status::ReviewPending.to_string(),
                    Kind::Startup | Kind::Full | Kind::Compressed => "a sealed document".to_owned(),
                };
                write!(f, "a prompt of the kind `{kind}` needs {needs}; this document is {status}")
            }
            Self::WrongMoment { kind, status: None, .. } => {
                write!(f, "a prompt of the kind `{kind}` needs a document with a state")
            }
            Self::TooLong { tokens } => write!(
                f,
                "the full prompt has about {tokens} tokens (an estimate), more than the {SAFE} that are safe: it would \
                 crowd the new context and may be cut off"
            ),
            Self::Path => f.write_str("the path has characters that a prompt cannot carry"),
        }
    }
}

impl std::error::Error for Refused {}
