//! The formal sections (PROTOCOL §7).

pub(super) mod conflict;
pub(super) mod decisions;
pub(super) mod entries;
pub(super) mod sections;
