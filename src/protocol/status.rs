//! The six-state machine (PROTOCOL §9).

use super::vocabulary;

vocabulary! {
    /// `handoff_status`.
    ///
    /// ```text
    /// COLLECTING → NEEDS_ANSWERS → COLLECTING
    /// COLLECTING → REVIEW_PENDING
    /// NEEDS_ANSWERS → REVIEW_PENDING
    /// REVIEW_PENDING → READY | READY_WITH_RISKS | BLOCKED
    /// ```
    Status {
        /// The package is being made, or the last answers are recorded and the next audit can start.
        Collecting = "COLLECTING",
        /// The current round asked questions.
        NeedsAnswers = "NEEDS_ANSWERS",
        /// Auditing has stopped; the final review is due.
        ReviewPending = "REVIEW_PENDING",
        /// Sealed: nothing unknown affects the next step.
        Ready = "READY",
        /// Sealed: what is unknown can be verified by the successor.
        ReadyWithRisks = "READY_WITH_RISKS",
        /// Sealed: something is missing that the successor cannot recover alone.
        Blocked = "BLOCKED",
    }
}

impl Status {
    /// The states that a new version may move to: the seven edges. Staying in the same state is not an edge.
    pub const fn successors(self) -> &'static [Self] {
        match self {
            Self::Collecting => &[Self::NeedsAnswers, Self::ReviewPending],
            Self::NeedsAnswers => &[Self::Collecting, Self::ReviewPending],
            Self::ReviewPending => &[Self::Ready, Self::ReadyWithRisks, Self::Blocked],
            Self::Ready | Self::ReadyWithRisks | Self::Blocked => &[],
        }
    }

    /// True for the states that nothing follows.
    pub const fn is_terminal(self) -> bool {
        self.successors().is_empty()
    }

    /// True when `next` is one of [`Self::successors`].
    pub fn can_become(self, next: Self) -> bool {
        self.successors().contains(&next)
    }

    /// True when one or more edges lead from this state to `later`, so that it can be left and reached again when
    /// both are the same.
    pub fn can_reach(self, later: Self) -> bool {
        let mut reached = self.successors().to_vec();
        let mut next = 0;
        while let Some(state) = reached.get(next) {
            let new: Vec<Self> = state.successors().iter().copied().filter(|state| !reached.contains(state)).collect();
            reached.extend(new);
            next += 1;
        }
        reached.contains(&later)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_seven_of_the_thirty_six_pairs_are_edges() {
        const EDGES: [[u8; 6]; 6] = [
            [0, 1, 1, 0, 0, 0],
            [1, 0, 1, 0, 0, 0],
            [0, 0, 0, 1, 1, 1],
            [0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0],
        ];
        for (from, row) in Status::ALL.iter().zip(EDGES) {
            for (to, edge) in Status::ALL.iter().zip(row) {
                assert_eq!(from.can_become(*to), edge == 1, "{from} → {to}");
            }
        }
    }

    #[test]
    fn fifteen_of_the_thirty_six_pairs_are_joined_by_edges() {
        const PATHS: [[u8; 6]; 6] = [
            [1, 1, 1, 1, 1, 1],
            [1, 1, 1, 1, 1, 1],
            [0, 0, 0, 1, 1, 1],
            [0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0],
        ];
        for (from, row) in Status::ALL.iter().zip(PATHS) {
            for (to, path) in Status::ALL.iter().zip(row) {
                assert_eq!(from.can_reach(*to), path == 1, "{from} → {to}");
            }
        }
    }

    #[test]
    fn a_state_is_terminal_exactly_when_it_ends_the_session() {
        let terminal: Vec<_> = Status::ALL.iter().copied().filter(|status| status.is_terminal()).collect();
        assert_eq!(terminal, [Status::Ready, Status::ReadyWithRisks, Status::Blocked]);
    }
}
