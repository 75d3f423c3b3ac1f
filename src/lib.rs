//! `handoff-guard` decides, deterministically, whether a file obeys the task-handoff v2 protocol, and writes the next
//! version of such a file as one transaction.
//!
//! Bytes become a [`source::Source`]; [`check::check`] parses it into a [`document::Document`], runs every rule of
//! [`rules::RULES`] and returns a [`check::Verdict`]: a [`check::Validated`] token, or [`diagnostic::Diagnostics`] that
//! each name the offending thing, its bytes, its rule and the repair. A verdict depends on no clock, environment or terminal,
//! nothing panics on input, and every defect that can be judged is reported in one run, root causes first.
//!
//! [`store::replace::write`] makes bytes the official version, and [`store::recover::recover`] gets back what a crash left;
//! both only ever bind a name to bytes that were flushed, read back and validated. [`deliver`] makes prompts of a document.
//!
//! ```
//! use handoff_guard::check::{Baseline, Verdict, check};
//! use handoff_guard::protocol::profile::Profile;
//! use handoff_guard::source::Source;
//!
//! let source = Source::new("--- \nschema_version: 2\n");
//! let Verdict::Invalid(diagnostics) = check(&source, Profile::Full, Baseline::Standalone) else { unreachable!() };
//! let first = diagnostics.iter().next().unwrap();
//! assert_eq!(first.rule.id, "fence/missing");
//! assert_eq!(first.message, "the opening `---` is followed by a trailing space");
//! ```

pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "lifecycle")]
pub mod deliver;
pub mod diagnostic;
pub mod document;
#[cfg(feature = "lifecycle")]
pub mod lifecycle;
pub mod protocol;
#[cfg(feature = "cli")]
pub mod render;
pub mod rules;
pub mod source;
pub mod store;
