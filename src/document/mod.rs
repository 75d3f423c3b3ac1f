//! Bytes become structure: fence, YAML, typed front matter, Markdown outline, sections and rounds.
//!
//! Nothing here judges: each module says what it found and where, and the rules read it. A part that cannot be read is
//! absent, never a default.

pub mod content;
pub mod fence;
pub mod front_matter;
pub mod outline;
pub mod rounds;
pub mod sections;
pub mod yaml;

use fence::Fence;
use front_matter::FrontMatter;
use outline::Outline;
use rounds::{Interrogation, Record};
use sections::PartOf;
use yaml::{Node, Yaml};

use crate::protocol::audit::Audit;
use crate::protocol::character;
use crate::protocol::credential::{self, Credential};
use crate::protocol::profile::Profile;
use crate::protocol::sections::{DetailsSection, TldrSection};
use crate::protocol::status::Status;
use crate::source::{Span, Spanned};

/// A document whose front matter and body can be told apart.
#[derive(Debug)]
pub struct Document<'s> {
    /// The whole file.
    pub text: &'s str,
    /// Where front matter and body lie.
    pub fence: Fence,
    /// The front matter.
    pub yaml: Yaml,
    /// The blocks of the body.
    pub outline: Outline<'s>,
    /// `# TL;DR`.
    pub tldr: PartOf<'s, TldrSection>,
    /// `# Handoff Details`.
    pub details: Option<PartOf<'s, DetailsSection>>,
    /// `## Interrogation`.
    pub interrogation: Option<Interrogation<'s>>,
    /// The credentials in the file, which no message may quote.
    pub credentials: Vec<Credential>,
}

impl<'s> Document<'s> {
    /// Reads the document whose fence was found. `profile` decides which headings count as sections (PROTOCOL §5).
    pub fn parse(text: &'s str, fence: Fence, profile: Profile) -> Self {
        let yaml = yaml::parse(text, fence.front_matter);
        let outline = Outline::parse(text, fence.body, profile);
        let sections::Parts { tldr, details } = sections::find(&outline, profile);
        let section = details.as_ref().and_then(|details| details.section(DetailsSection::Interrogation));
        let interrogation = section.map(|section| Interrogation::read(&outline, section.content.blocks.clone()));
        let credentials = credential::credentials(text);
        Self { text, fence, yaml, outline, tldr, details, interrogation, credentials }
    }

    /// The typed front matter, when its root is a mapping.
    pub fn front_matter(&self) -> Option<FrontMatter<'_>> {
        match &self.yaml.root {
            Some(Node::Mapping(root)) => Some(FrontMatter { root }),
            _ => None,
        }
    }

    /// `handoff_status`.
    pub fn status(&self) -> Option<Spanned<Status>> {
        self.front_matter()?.status()
    }

    /// `interrogation_round`, when it lies in 0–3.
    pub fn round(&self) -> Option<Spanned<u32>> {
        self.front_matter()?.round()
    }

    /// True when `handoff_status` is a terminal state.
    pub fn is_sealed(&self) -> bool {
        self.status().is_some_and(|status| status.value.is_terminal())
    }

    /// True when an unclosed code fence hides the rest of the file, so that what is missing may only be hidden.
    pub fn is_cut_off(&self) -> bool {
        self.outline.unclosed_code_fence.is_some()
    }

    /// The record of the round that `interrogation_round` names.
    pub fn current_round(&self) -> Option<&Record<'s>> {
        self.interrogation.as_ref()?.round(self.round()?.value)
    }

    /// The verdict of the current round.
    pub fn current_audit(&self) -> Option<Spanned<Audit>> {
        self.current_round()?.status()
    }

    /// The rounds and final reviews that the rules of §8 apply to: not the template's skeleton, and no round beyond
    /// `interrogation_round`, which is a defect as a whole.
    pub fn records(&self) -> impl Iterator<Item = &Record<'s>> {
        let last = self.round().map_or(u32::MAX, |round| round.value);
        let interrogation = self.interrogation.iter().filter(|interrogation| !interrogation.skeleton);
        interrogation.flat_map(|interrogation| &interrogation.records).filter(move |record| match record.title {
            rounds::RecordTitle::Round(number) => (1..=last).contains(&number),
            rounds::RecordTitle::FinalReview => true,
        })
    }

    /// The content of a section of the details.
    pub fn section(&self, section: DetailsSection) -> Option<&content::Content<'s>> {
        self.details.as_ref()?.content(section)
    }

    /// The text at `span` for a message: on one line, shortened, without credentials, control and invisible characters.
    pub fn quote(&self, span: Span) -> String {
        let first = self.credentials.partition_point(|found| found.span.end() <= span.start());
        match self.credentials.get(first).filter(|found| found.span.start() < span.end()) {
            Some(found) if found.span.start() <= span.start() => "…".to_owned(),
            Some(found) => character::quoted(Span::new(span.start(), found.span.start()).of(self.text)) + "…",
            None => character::quoted(span.of(self.text)),
        }
    }

    /// The bytes of `span`.
    pub fn at(&self, span: Span) -> &'s str {
        span.of(self.text)
    }
}
