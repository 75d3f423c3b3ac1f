//! The report of a run in any format: what it says about each document, taken in the order of the documents.

use super::args::Format;
use super::exit::Exit;
use crate::render::full::Style;
use crate::render::json::{Failure, File};
use crate::render::location::Base;
use crate::render::{Advice, Judged, Tally, concise, full, github, gitlab, json, junit, sarif};

/// How documents are reported. It changes nothing, so entries can be made side by side.
#[derive(Clone, Copy)]
pub(crate) struct Manner<'a> {
    pub(crate) format: Format,
    pub(crate) advice: Advice,
    pub(crate) style: Style,
    pub(crate) documents: Documents,
    pub(crate) base: &'a Base,
}

/// How many documents a run has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Documents {
    One,
    Several,
}

/// What a report says about one document.
pub(crate) enum Entry {
    /// Text, to be written at once.
    Text(String),
    Json(Box<File>),
    Sarif(sarif::Results),
    Gitlab(Vec<gitlab::Issue>),
    Junit(junit::Case),
}

impl Manner<'_> {
    pub(crate) fn entry(&self, judged: &Judged<'_>) -> Entry {
        let &Self { format, advice, base, .. } = self;
        match format {
            Format::Full => Entry::Text(self.full(judged)),
            Format::Concise => Entry::Text(concise::render(judged, advice)),
            Format::Json => Entry::Json(Box::new(File::new(judged))),
            Format::Github => Entry::Text(github::render(judged, advice, base)),
            Format::Sarif => Entry::Sarif(sarif::results(judged, base)),
            Format::Gitlab => Entry::Gitlab(gitlab::issues(judged, advice, base)),
            Format::Junit => Entry::Junit(junit::case(judged, advice, base)),
        }
    }

    fn full(&self, judged: &Judged<'_>) -> String {
        let findings = full::findings(judged, self.advice, self.style);
        if findings.is_empty() && self.documents == Documents::Several {
            return findings;
        }
        let end = match self.documents {
            Documents::One => "",
            Documents::Several => "\n",
        };
        format!("{findings}{}{end}", full::verdict(judged, self.advice))
    }
}

/// A report that grows.
pub(crate) struct Report<'a> {
    manner: Manner<'a>,
    files: Vec<File>,
    results: Vec<sarif::Results>,
    issues: Vec<gitlab::Issue>,
    cases: Vec<junit::Case>,
    failures: Vec<Failure>,
}

impl<'a> Report<'a> {
    pub(crate) fn new(manner: Manner<'a>) -> Self {
        let (files, results, issues) = (Vec::new(), Vec::new(), Vec::new());
        Self { manner, files, results, issues, cases: Vec::new(), failures: Vec::new() }
    }

    pub(crate) fn manner(&self) -> Manner<'a> {
        self.manner
    }

    /// Adds an entry; what can be written at once is returned.
    pub(crate) fn add(&mut self, entry: Entry) -> String {
        match entry {
            Entry::Text(text) => return text,
            Entry::Json(file) => self.files.push(*file),
            Entry::Sarif(results) => self.results.push(results),
            Entry::Gitlab(issues) => self.issues.extend(issues),
            Entry::Junit(case) => self.cases.push(case),
        }
        String::new()
    }

    /// Adds a path that could not be judged; what can be written at once is returned.
    pub(crate) fn fail(&mut self, failure: &Failure) -> String {
        match self.manner.format {
            Format::Github => return github::failure(failure, self.manner.base),
            Format::Json | Format::Sarif | Format::Gitlab | Format::Junit => self.failures.push(failure.clone()),
            Format::Full | Format::Concise => {}
        }
        String::new()
    }

    /// What is still to be written about a run that ends so.
    ///
    /// # Errors
    /// None that the data can cause.
    pub(crate) fn finish(self, tally: &Tally, exit: Exit) -> serde_json::Result<String> {
        let Manner { format, advice, documents, base, .. } = self.manner;
        match format {
            Format::Json => json::Report::new(self.files, self.failures, tally).render(),
            Format::Sarif => sarif::report(self.results, &self.failures, exit as u8, base),
            Format::Gitlab => gitlab::report(self.issues, &self.failures, base),
            Format::Junit => Ok(junit::report(&self.cases, &self.failures, tally, base)),
            Format::Full if documents == Documents::Several => Ok(full::summary(tally, advice)),
            Format::Github => Ok(full::summary(tally, advice)),
            Format::Full | Format::Concise => Ok(String::new()),
        }
    }
}
