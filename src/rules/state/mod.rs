//! The six-state machine inside one document (PROTOCOL §9).

pub(super) mod archive;
pub(super) mod audit;
pub(super) mod review;
