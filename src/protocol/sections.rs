//! The titles of the template (PROTOCOL §5–§8), in the order of the protocol.

use super::vocabulary;

vocabulary! {
    /// The two level-1 parts.
    Part {
        /// The reading projection.
        Tldr = "TL;DR",
        /// The formal sections.
        Details = "Handoff Details",
    }
}

vocabulary! {
    /// The level-2 sections of `# TL;DR`.
    TldrSection {
        /// What the task is.
        Objective = "Objective",
        /// Status, what is modified, what is verified.
        CurrentState = "Current State",
        /// What to do next.
        NextAction = "Next Action",
        /// What can go wrong.
        BlockersAndRisks = "Blockers and Risks",
        /// What must not be broken.
        CriticalConstraints = "Critical Constraints",
        /// Where the facts are.
        EvidenceAnchors = "Evidence Anchors",
    }
}

/// How many characters the TL;DR may have (PROTOCOL §6).
pub const TLDR_LIMIT: usize = 1500;

vocabulary! {
    /// How the three items of Current State that the protocol reads begin.
    StateLine {
        /// The state.
        Status = "Status:",
        /// What is modified.
        Modified = "Modified:",
        /// What is verified.
        Verified = "Verified:",
    }
}

vocabulary! {
    /// The level-2 sections of `# Handoff Details`.
    DetailsSection {
        /// What the task is.
        Objective = "Objective",
        /// When the task is done.
        AcceptanceCriteria = "Acceptance Criteria",
        /// What is done.
        CompletedWork = "Completed Work",
        /// What is left.
        PendingWork = "Pending Work",
        /// What was decided and why.
        Decisions = "Decisions",
        /// What the user wants.
        Constraints = "Constraints and User Preferences",
        /// What was touched.
        ChangedFiles = "Changed Files",
        /// What did not work.
        FailedAttempts = "Failed Attempts",
        /// What can go wrong.
        KnownRisks = "Known Risks",
        /// What nobody checked.
        UnverifiedAssumptions = "Unverified Assumptions",
        /// The audit rounds.
        Interrogation = "Interrogation",
        /// Where the facts are.
        Evidence = "Evidence",
        /// What to do next.
        RecommendedNextActions = "Recommended Next Actions",
        /// At most ten points for the successor.
        FinalSuccessorSummary = "Final Successor Summary",
    }
}

/// A level-2 section of either part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// Of `# TL;DR`.
    Tldr(TldrSection),
    /// Of `# Handoff Details`.
    Details(DetailsSection),
}

impl Section {
    /// The section with this title in `part`; without a part, when only one of them has it.
    pub fn parse(part: Option<Part>, title: &str) -> Option<Self> {
        let tldr = TldrSection::parse(title).filter(|_| part != Some(Part::Details)).map(Self::Tldr);
        let details = DetailsSection::parse(title).filter(|_| part != Some(Part::Tldr)).map(Self::Details);
        if tldr.is_some() && details.is_some() { None } else { tldr.or(details) }
    }

    /// The part that it belongs to.
    pub const fn part(self) -> Part {
        match self {
            Self::Tldr(_) => Part::Tldr,
            Self::Details(_) => Part::Details,
        }
    }
}

impl std::fmt::Display for Section {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Tldr(section) => section.fmt(f),
            Self::Details(section) => section.fmt(f),
        }
    }
}

vocabulary! {
    /// The level-4 fields of a round; a final review has all but the last.
    Field {
        /// The verdict.
        Status = "Status",
        /// What the current agent must answer.
        Questions = "Questions",
        /// Contradictions.
        Conflicts = "Conflicts",
        /// What uncertainty may cause.
        Risks = "Risks",
        /// What is not verified, and how to verify it.
        Unknowns = "Unknowns",
        /// Where the facts are.
        Evidence = "Evidence",
        /// The answers to the questions.
        Answers = "Current Agent Answers",
    }
}

impl Field {
    /// The six fields of an audit contract.
    pub const AUDIT: &'static [Self] =
        &[Self::Status, Self::Questions, Self::Conflicts, Self::Risks, Self::Unknowns, Self::Evidence];
}

vocabulary! {
    /// The columns of the decisions table.
    DecisionColumn {
        /// What was decided.
        Decision = "Decision",
        /// Why.
        Reason = "Reason",
        /// Where the facts are.
        Evidence = "Evidence",
        /// How sure.
        Confidence = "Confidence",
    }
}

/// How many entries Final Successor Summary may have.
pub const MOST_SUMMARY_POINTS: usize = 10;

/// The title of the final review.
pub const FINAL_REVIEW: &str = "Final Review";

/// What stands before the number in the title of a round.
const ROUND: &str = "Round ";

/// The title of round `number`.
pub fn round_title(number: u32) -> String {
    format!("{ROUND}{number}")
}

/// The number in the title of a round: decimal digits without leading zeros.
pub fn round_number(title: &str) -> Option<u32> {
    let digits = title.strip_prefix(ROUND)?;
    let plain = digits == "0" || !digits.starts_with('0');
    (plain && digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| digits.parse().ok())?
}

/// True when `title` is a title of the template for a heading of `level`.
pub fn is_template_title(level: u8, title: &str) -> bool {
    match level {
        1 => Part::parse(title).is_some(),
        2 => TldrSection::parse(title).is_some() || DetailsSection::parse(title).is_some(),
        3 => title == FINAL_REVIEW || round_number(title).is_some(),
        4 => Field::parse(title).is_some(),
        _ => false,
    }
}
