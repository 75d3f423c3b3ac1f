//! placeholder
pub mod check;
pub mod diagnostic;
pub mod document;
pub mod protocol;
pub mod rules;
pub mod source;
