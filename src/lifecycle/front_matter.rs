//! The front matter in the plain form of the template, whatever form it had before (PROTOCOL §3, §4).

use super::text::quoted;
use crate::document::Document;
use crate::document::front_matter::{evidence_value, string};
use crate::document::yaml::Node;
use crate::protocol::audit::Audit;
use crate::protocol::evidence::{Kind, Verification, WorkingTree};
use crate::protocol::keys::{EvidenceKey, Key};
use crate::protocol::status::Status;

/// One element of `status_evidence`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// `kind`.
    pub kind: Kind,
    /// `ref`; none only of [`Kind::Unverified`].
    pub reference: Option<String>,
    /// `claim`; not blank.
    pub claim: String,
    /// `verification`.
    pub verification: Verification,
}

/// The values of the front matter.
#[derive(Clone, Debug)]
pub(super) struct Head {
    pub(super) session_id: String,
    pub(super) repository: String,
    pub(super) branch: Option<String>,
    pub(super) base_commit: Option<String>,
    pub(super) working_tree: WorkingTree,
    pub(super) status: Status,
    pub(super) round: u32,
    pub(super) last_audit: Option<Audit>,
    pub(super) reason: String,
    pub(super) evidence: Vec<Evidence>,
    pub(super) created_at: String,
    pub(super) updated_at: String,
}

impl Head {
    /// The values of a version; a valid one has all of them.
    pub(super) fn of(document: &Document<'_>) -> Option<Self> {
        let front_matter = document.front_matter()?;
        let text = |key| front_matter.string(key).map(|text| text.value.to_owned());
        Some(Self {
            session_id: text(Key::SessionId)?,
            repository: text(Key::Repository)?,
            branch: text(Key::Branch),
            base_commit: text(Key::BaseCommit),
            working_tree: WorkingTree::parse(front_matter.string(Key::WorkingTree)?.value)?,
            status: front_matter.status()?.value,
            round: front_matter.round()?.value,
            last_audit: front_matter.last_audit()?.value,
            reason: text(Key::StatusReason)?,
            evidence: front_matter.evidence()?.items.iter().map(evidence).collect::<Option<_>>()?,
            created_at: text(Key::CreatedAt)?,
            updated_at: text(Key::UpdatedAt)?,
        })
    }

    /// The lines between the two fence lines, the last line break included.
    pub(super) fn lines(&self) -> String {
        let or_null = |text: &Option<String>| text.as_deref().map_or("null".to_owned(), quoted);
        let field = |key: Key| match key {
            Key::SchemaVersion => "2".to_owned(),
            Key::SessionId => quoted(&self.session_id),
            Key::Repository => quoted(&self.repository),
            Key::Branch => or_null(&self.branch),
            Key::BaseCommit => or_null(&self.base_commit),
            Key::WorkingTree => self.working_tree.to_string(),
            Key::HandoffStatus => self.status.to_string(),
            Key::InterrogationRound => self.round.to_string(),
            Key::LastAuditStatus => self.last_audit.map_or("null".to_owned(), |audit| audit.to_string()),
            Key::StatusReason => quoted(&self.reason),
            Key::StatusEvidence => self.evidence.iter().map(element).collect(),
            Key::CreatedAt => quoted(&self.created_at),
            Key::UpdatedAt => quoted(&self.updated_at),
        };
        let line = |&key: &Key| match field(key) {
            list if list.starts_with('\n') => format!("{key}:{list}\n"),
            scalar => format!("{key}: {scalar}\n"),
        };
        Key::ALL.iter().map(line).collect()
    }
}

/// An element of the list, each of its lines behind a line break.
fn element(evidence: &Evidence) -> String {
    let value = |key: EvidenceKey| match key {
        EvidenceKey::Kind => evidence.kind.to_string(),
        EvidenceKey::Ref => evidence.reference.as_deref().map_or("null".to_owned(), quoted),
        EvidenceKey::Claim => quoted(&evidence.claim),
        EvidenceKey::Verification => evidence.verification.to_string(),
    };
    let fields: Vec<String> = EvidenceKey::ALL.iter().map(|&key| format!("{key}: {}", value(key))).collect();
    format!("\n  - {}", fields.join("\n    "))
}

fn evidence(item: &Node) -> Option<Evidence> {
    let Node::Mapping(item) = item else { return None };
    let text = |key| evidence_value(item, key).and_then(string).map(|text| text.value.to_owned());
    Some(Evidence {
        kind: Kind::parse(&text(EvidenceKey::Kind)?)?,
        reference: text(EvidenceKey::Ref),
        claim: text(EvidenceKey::Claim)?,
        verification: Verification::parse(&text(EvidenceKey::Verification)?)?,
    })
}
