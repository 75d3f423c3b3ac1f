//! How long a document is and what that means for its delivery: for people, and as one JSON object for programs.
//!
//! ```json
//! {"version": 1, "path": "…", "status": "READY", "final": true, "characters": 5120, "tokens": 1290, "estimated": true,
//!  "method": "…", "limit": null, "safe": 6000, "long": 12000, "recommendation": "ask", "offered": ["document-and-startup", …]}
//! ```
//!
//! `tokens` is always an estimate; `method` says how it is made. `final` is false until the document is sealed. `limit` is
//! the host's own, in tokens; `safe` and `long` are the thresholds with it. `recommendation` is `ask`, `remind` or
//! `ask-without-full`; `offered` lists what to offer, of `document-and-startup`, `document`, `full` and `compressed`, the
//! recommended one first.

use serde::Serialize;

use super::json;
use crate::deliver::estimate::{Delivery, Estimate, Recommendation, SAFE};
use crate::deliver::prompt::Kind;
use crate::protocol::character::visible;
use crate::protocol::status::Status;
use crate::protocol::tokens::METHOD;

/// The version of this format; it grows when a field is removed, renamed or given another meaning.
const VERSION: u32 = 1;

/// The report about one document.
#[derive(Debug, Serialize)]
pub struct Report {
    version: u32,
    path: String,
    status: &'static str,
    #[serde(rename = "final")]
    is_final: bool,
    characters: usize,
    tokens: usize,
    estimated: bool,
    method: &'static str,
    limit: Option<usize>,
    safe: usize,
    long: usize,
    recommendation: &'static str,
    offered: Vec<&'static str>,
    #[serde(skip)]
    meaning: Recommendation,
}

impl Report {
    /// The report about the document at `path`, whose host may have a limit of its own.
    pub fn new(path: &str, status: Status, estimate: &Estimate, limit: Option<usize>) -> Self {
        let meaning = estimate.recommendation();
        Self {
            version: VERSION,
            path: path.to_owned(),
            status: status.as_str(),
            is_final: status.is_terminal(),
            characters: estimate.size.characters(),
            tokens: estimate.size.tokens(),
            estimated: true,
            method: METHOD,
            limit,
            safe: estimate.safe,
            long: estimate.long,
            recommendation: word(meaning),
            offered: meaning.offered().iter().map(|&delivery| name(delivery)).collect(),
            meaning,
        }
    }

    /// The object, ended by a line feed.
    ///
    /// # Errors
    /// None that the data can cause.
    pub fn json(&self) -> serde_json::Result<String> {
        json::line(self)
    }

    /// For people.
    pub fn text(&self) -> String {
        let Self { path, status, characters, tokens, method, safe, long, .. } = self;
        let state = if self.is_final { "sealed" } else { "not sealed yet, so this is not the final length" };
        let host = self.limit.map(|limit| format!("; the host takes {limit}")).unwrap_or_default();
        let mut lines = vec![
            format!("{path}: about {tokens} tokens, {characters} characters; an estimate ({method})"),
            format!("state: {status}, {state}"),
            format!("thresholds: safe up to {safe} tokens, long above {long}{host}"),
            format!("recommendation: {}", sentence(self.meaning)),
        ];
        lines.extend(self.meaning.offered().iter().enumerate().map(|(index, &delivery)| {
            let recommended = if index == 0 { " (recommended)" } else { "" };
            format!("  {}. {}{recommended}", index + 1, self.described(delivery))
        }));
        lines.iter().map(|line| visible(line) + "\n").collect()
    }

    fn described(&self, delivery: Delivery) -> String {
        match delivery {
            Delivery::DocumentAndStartup => {
                format!("the document and a start-up prompt: `export`, and `prompt --kind {}`", Kind::Startup)
            }
            Delivery::Document => "the document alone: `export`".to_owned(),
            Delivery::Full => format!("the full prompt: `prompt --kind {}`", Kind::Full),
            Delivery::Compressed => {
                let budget = if self.safe < SAFE { format!(" --budget {}", self.safe) } else { String::new() };
                format!("a compressed prompt, which names the document: `prompt --kind {}{budget}`", Kind::Compressed)
            }
        }
    }
}

const fn word(recommendation: Recommendation) -> &'static str {
    match recommendation {
        Recommendation::Ask => "ask",
        Recommendation::Remind => "remind",
        Recommendation::AskWithoutFull => "ask-without-full",
    }
}

fn sentence(recommendation: Recommendation) -> &'static str {
    match recommendation {
        Recommendation::Ask => "every way is safe: ask the user which one, unless the user has said it already",
        Recommendation::Remind => {
            "a full prompt may take too much of the new context: tell the user, and recommend the document with a start-up \
             prompt"
        }
        Recommendation::AskWithoutFull => {
            "too long for a full prompt, which may be cut off: ask the user which of these"
        }
    }
}

const fn name(delivery: Delivery) -> &'static str {
    match delivery {
        Delivery::DocumentAndStartup => "document-and-startup",
        Delivery::Document => "document",
        Delivery::Full => "full",
        Delivery::Compressed => "compressed",
    }
}
