//! Bytes (PROTOCOL §1).

pub(super) mod bytes;
pub(super) mod characters;
