//! The words of structured evidence and of the working tree (PROTOCOL §4).

use super::vocabulary;

vocabulary! {
    /// `kind` of an evidence item.
    Kind {
        /// A place in source code.
        Source = "source",
        /// A place in a document.
        Document = "document",
        /// A test.
        Test = "test",
        /// A difference between versions.
        Diff = "diff",
        /// A commit.
        Commit = "commit",
        /// A command and its result.
        Command = "command",
        /// No evidence.
        Unverified = "unverified",
    }
}

vocabulary! {
    /// `verification` of an evidence item.
    Verification {
        /// The claim was checked.
        Verified = "VERIFIED",
        /// The claim was not checked.
        Unverified = "UNVERIFIED",
    }
}

vocabulary! {
    /// `working_tree`.
    WorkingTree {
        /// No uncommitted change.
        Clean = "CLEAN",
        /// Uncommitted changes.
        Dirty = "DIRTY",
        /// There is no git working tree.
        Unavailable = "UNAVAILABLE",
    }
}
