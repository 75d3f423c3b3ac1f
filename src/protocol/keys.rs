//! The keys of the front matter (PROTOCOL §4).

use super::vocabulary;

vocabulary! {
    /// A top-level key.
    Key {
        /// Always 2.
        SchemaVersion = "schema_version",
        /// Which session.
        SessionId = "session_id",
        /// Which repository.
        Repository = "repository",
        /// The branch, or null.
        Branch = "branch",
        /// The commit, or null.
        BaseCommit = "base_commit",
        /// The state of the working tree.
        WorkingTree = "working_tree",
        /// One of the six states.
        HandoffStatus = "handoff_status",
        /// How many rounds are recorded.
        InterrogationRound = "interrogation_round",
        /// The verdict of the last audit, or null.
        LastAuditStatus = "last_audit_status",
        /// Why this state.
        StatusReason = "status_reason",
        /// What shows it.
        StatusEvidence = "status_evidence",
        /// When the session began.
        CreatedAt = "created_at",
        /// When this version was made.
        UpdatedAt = "updated_at",
    }
}

vocabulary! {
    /// A key of an evidence item.
    EvidenceKey {
        /// What kind of evidence.
        Kind = "kind",
        /// Where it is, or null.
        Ref = "ref",
        /// What it shows.
        Claim = "claim",
        /// Whether it was checked.
        Verification = "verification",
    }
}
