//! The inputs of a step and what is wrong with their form: the defects of the protocol's own rules, at their places in the
//! input.

use super::fragment::Role;
use super::json::Malformed;
use crate::diagnostic::{Diagnostic, Diagnostics, Scope, Sink};
use crate::protocol::credential::Redacted;
use crate::rules;
use crate::source::Source;

/// A text that a step reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Input<'i> {
    pub(super) role: Role,
    pub(super) text: &'i str,
}

/// Why an input cannot be read at all.
#[derive(Clone, Debug)]
pub enum Unreadable {
    /// Its bytes break rules.
    Bytes(Role, Diagnostics),
    /// It is no valid JSON.
    Json(Role, Malformed),
}

impl<'i> Input<'i> {
    /// Decodes an input; characters that no handoff may have are added to `defects`.
    pub(super) fn open(role: Role, source: &'i Source, defects: &mut Defects) -> Result<Self, Unreadable> {
        let mut sink = Sink::new(Scope::Full);
        let text = rules::decoded(source, &mut sink);
        let found = sink.finish(Redacted::new(&source.printable()).hidden());
        let Some(text) = text else { return Err(Unreadable::Bytes(role, found)) };
        found.iter().for_each(|found| defects.push(role, found.clone()));
        Ok(Self { role, text })
    }

    /// The same error as one of this input.
    pub(super) fn malformed(&self, error: Malformed) -> Unreadable {
        Unreadable::Json(self.role, error)
    }
}

/// The defects of an input's form.
#[derive(Debug, Default)]
pub(super) struct Defects(pub(super) Vec<(Role, Diagnostic)>);

impl Defects {
    pub(super) fn push(&mut self, role: Role, found: Diagnostic) {
        self.0.push((role, found));
    }
}
