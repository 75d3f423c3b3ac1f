//! The audit rounds and the final review (PROTOCOL §8).

pub(super) mod answers;
pub(super) mod count;
pub(super) mod evidence;
pub(super) mod fields;
pub(super) mod questions;
pub(super) mod verdict;
