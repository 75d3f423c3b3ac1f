//! The profiles (PROTOCOL §14).

use super::vocabulary;
use crate::diagnostic::Scope;

vocabulary! {
    /// Which rules a document is held to.
    Profile {
        /// Every rule.
        Full = "full",
        /// What the two reference scripts set out to check, done with real parsers.
        Reference = "reference",
    }
}

impl Profile {
    /// The rules of this scope, and of every narrower one, apply.
    pub const fn scope(self) -> Scope {
        match self {
            Self::Full => Scope::Full,
            Self::Reference => Scope::Every,
        }
    }
}
