//! The TL;DR (PROTOCOL §6).

pub(super) mod items;
pub(super) mod length;
pub(super) mod next_action;
pub(super) mod nothing;
pub(super) mod sections;
pub(super) mod state_lines;
pub(super) mod status;
