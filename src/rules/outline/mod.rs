//! The headings of the body (PROTOCOL §5).

pub(super) mod form;
pub(super) mod near;
pub(super) mod sections;
pub(super) mod top;
