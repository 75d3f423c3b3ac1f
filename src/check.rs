//! The pipeline: bytes → document → rules → verdict.

use crate::diagnostic::Diagnostics;
use crate::document::front_matter::FrontMatter;
use crate::document::yaml::{self, Node};
use crate::document::{Document, fence};
use crate::protocol::digest::Digest;
use crate::protocol::keys::Key;
use crate::protocol::profile::Profile;
use crate::rules;
use crate::rules::succession::{Expectation, Step};
use crate::source::Source;

/// What a document is held against beside its own rules (PROTOCOL §10).
#[derive(Clone, Copy, Debug)]
pub enum Baseline<'b> {
    /// Nothing.
    Standalone,
    /// The session that it must belong to.
    Session {
        /// The expected `session_id`, byte for byte.
        session_id: &'b str,
    },
    /// It must be a first version, of any session.
    Initial,
    /// It must be the first version of this session.
    Init {
        /// The expected `session_id`, byte for byte.
        session_id: &'b str,
    },
    /// It must be able to follow this version.
    Update {
        /// The last verifiable version.
        previous: &'b Verifiable<'b>,
    },
    /// A sequence of legal writes must be able to lead from this version to it: what is known of two versions in a
    /// repository's history, where a commit is not a write.
    Commit {
        /// The last verifiable version.
        previous: &'b Verifiable<'b>,
    },
}

/// The verdict about one document.
#[derive(Debug)]
pub enum Verdict<'s> {
    /// It obeys every rule of the profile.
    Valid(Box<Validated<'s>>),
    /// At least one rule rejects it.
    Invalid(Diagnostics),
}

impl<'b> Baseline<'b> {
    fn expectation(self) -> Expectation<'b> {
        let nothing = Expectation::default();
        match self {
            Self::Standalone => nothing,
            Self::Session { session_id } => Expectation { session_id: Some(session_id), ..nothing },
            Self::Initial => Expectation { first_version: true, ..nothing },
            Self::Init { session_id } => Expectation { session_id: Some(session_id), first_version: true, ..nothing },
            Self::Update { previous } => Expectation { previous: Some((&previous.document, Step::Write)), ..nothing },
            Self::Commit { previous } => Expectation { previous: Some((&previous.document, Step::Commit)), ..nothing },
        }
    }
}

impl Verdict<'_> {
    /// Everything that was found; for a valid document only advice.
    pub fn diagnostics(&self) -> &Diagnostics {
        match self {
            Self::Valid(validated) => &validated.advice,
            Self::Invalid(diagnostics) => diagnostics,
        }
    }

    /// True for [`Verdict::Valid`].
    pub fn is_valid(&self) -> bool {
        matches!(self, Self::Valid(_))
    }
}

/// A document that obeys every rule of a profile. Only [`check`] makes one.
#[derive(Debug)]
pub struct Validated<'s> {
    version: Verifiable<'s>,
    advice: Diagnostics,
}

impl<'s> Validated<'s> {
    /// What the rules advise.
    pub fn advice(&self) -> &Diagnostics {
        &self.advice
    }

    /// The same document as a version that another can follow.
    pub fn version(&self) -> &Verifiable<'s> {
        &self.version
    }
}

/// A version that passes §1–§9, so that it can be kept, recovered and followed (PROTOCOL §12). What §11 forbids does not
/// count: a version that leaks a credential must be replaceable by one that does not.
#[derive(Debug)]
pub struct Verifiable<'s> {
    source: &'s Source,
    document: Document<'s>,
}

impl<'s> Verifiable<'s> {
    /// The parsed document.
    pub fn document(&self) -> &Document<'s> {
        &self.document
    }

    /// The bytes that were judged.
    pub fn bytes(&self) -> &'s [u8] {
        self.source.bytes()
    }

    /// SHA-256 over the bytes.
    pub fn digest(&self) -> Digest {
        Digest::of(self.bytes())
    }
}

/// Decides whether `source` obeys the protocol.
pub fn check<'s>(source: &'s Source, profile: Profile, baseline: Baseline<'_>) -> Verdict<'s> {
    let (document, diagnostics) = rules::run(source, profile, baseline.expectation());
    match document {
        Some(document) if diagnostics.errors().next().is_none() => {
            let version = Verifiable { source, document };
            Verdict::Valid(Box::new(Validated { version, advice: diagnostics }))
        }
        _ => Verdict::Invalid(diagnostics),
    }
}

/// The `session_id` of a document whose front matter can be read, however broken the rest may be.
pub fn session_id(source: &Source) -> Option<String> {
    let text = source.text().ok().filter(|text| text.len() <= Source::MAX_BYTES)?;
    let yaml = yaml::parse(text, fence::split(text).ok()?.front_matter);
    let Some(Node::Mapping(root)) = &yaml.root else { return None };
    FrontMatter { root }.string(Key::SessionId).map(|id| id.value.to_owned())
}

/// Decides whether `source` is a verifiable version: [`check`] without §10 and §11.
///
/// # Errors
/// Everything that was found.
pub fn verify(source: &Source, profile: Profile) -> Result<Verifiable<'_>, Diagnostics> {
    let (document, diagnostics) = rules::run(source, profile, Expectation::default());
    let rejected = diagnostics.errors().any(|found| found.rule.family() != rules::security::FAMILY);
    match document {
        Some(document) if !rejected => Ok(Verifiable { source, document }),
        _ => Err(diagnostics),
    }
}
