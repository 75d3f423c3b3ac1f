//! The safe subset of YAML (PROTOCOL §3).

pub(super) mod banned;
pub(super) mod integer;
pub(super) mod keys;
pub(super) mod syntax;
