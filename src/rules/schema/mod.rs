//! The fields of the front matter (PROTOCOL §4).

pub(super) mod evidence;
pub(super) mod keys;
pub(super) mod time;
pub(super) mod types;
pub(super) mod values;
