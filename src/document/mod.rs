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
use crate::protocol::credential::{Credential, Redacted, Standing, credentials};
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
    pub redacted: Redacted<'s>,
}

impl<'s> Document<'s> {
    /// Reads the document whose fence was found. `profile` decides which headings count as sections (PROTOCOL §5).
    pub fn parse(text: &'s str, mut redacted: Redacted<'s>, fence: Fence, profile: Profile) -> Self {
        let yaml = yaml::parse(text, fence.front_matter);
        for credential in hidden_by_escapes(&yaml, text) {
            redacted.add(credential);
        }
        let outline = Outline::parse(text, fence.body, profile);
        let sections::Parts { tldr, details } = sections::find(&outline, profile);
        let section = details.as_ref().and_then(|details| details.section(DetailsSection::Interrogation));
        let interrogation = section.map(|section| Interrogation::read(&outline, section.content.blocks.clone()));
        Self { text, fence, yaml, outline, tldr, details, interrogation, redacted }
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

    /// The rounds and the final review that the rules of §8 apply to: each once, not the template's skeleton at round 0,
    /// and no round beyond `interrogation_round`; what stands there beside them is a defect as a whole.
    pub fn records(&self) -> impl Iterator<Item = &Record<'s>> {
        let last = self.round().map_or(3, |round| round.value);
        let exempt = self.round().is_none_or(|round| round.value == 0);
        let interrogation = self.interrogation.iter().filter(move |found| !(exempt && found.skeleton));
        interrogation
            .flat_map(move |found| (1..=last).filter_map(|number| found.round(number)).chain(found.final_review()))
    }

    /// From the heading of a record to the next record, or to the end of the details.
    pub fn region(&self, record: &Record<'_>) -> Span {
        let records = self.interrogation.iter().flat_map(|interrogation| &interrogation.records);
        let next = records.map(|record| record.heading.start()).find(|&start| start > record.heading.start());
        let end = self.details.as_ref().map_or(self.text.len(), |details| details.span.end());
        Span::new(record.heading.end(), next.unwrap_or(end))
    }

    /// The content of a section of the details.
    pub fn section(&self, section: DetailsSection) -> Option<&content::Content<'s>> {
        self.details.as_ref()?.content(section)
    }

    /// The text at `span` for a message; see [`Redacted::quote`].
    pub fn quote(&self, span: Span) -> String {
        self.redacted.quote(span)
    }

    /// The bytes of `span`.
    pub fn at(&self, span: Span) -> &'s str {
        span.of(self.text)
    }
}

/// The credentials of values that differ from how they are written: by escapes, or by lines that were joined.
fn hidden_by_escapes(yaml: &Yaml, text: &str) -> Vec<Credential> {
    let mut found = Vec::new();
    let mut open: Vec<&Node> = yaml.root.iter().collect();
    while let Some(node) = open.pop() {
        let Node::Scalar(scalar) = node else {
            open.extend(node.children());
            continue;
        };
        if !scalar.span.of(text).contains(scalar.text.as_str()) {
            let decoded = credentials(&scalar.text);
            let secret = decoded.iter().find(|credential| credential.standing == Standing::Secret);
            found.extend(secret.or(decoded.first()).map(|credential| Credential { span: scalar.span, ..*credential }));
        }
    }
    found
}
