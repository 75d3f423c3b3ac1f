//! What is wrong with a text that a step cannot read.

use crate::source::Span;

/// Why a text is not what a step reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// What is wrong.
    pub message: String,
    /// Where.
    pub span: Span,
}
