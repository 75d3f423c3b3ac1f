//! The inputs of a step and what is wrong with their form: the defects of the protocol's own rules, at their places in the
//! input.

use super::fragment::Role;
use super::json;
use super::malformed::Malformed;
use crate::diagnostic::{Diagnostic, Diagnostics, Scope, Sink};
use crate::protocol::credential::Redacted;
use crate::rules;
use crate::source::{Source, Span};

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
    /// Its text is not what the step reads.
    Text(Role, Malformed),
}

impl<'i> Input<'i> {
    /// Decodes an input; characters that no handoff may have are added to `defects`.
    pub(super) fn open(role: Role, source: &'i Source, defects: &mut Defects) -> Result<Self, Unreadable> {
        let mut sink = Sink::new(Scope::Full);
        let text = rules::decoded(source, &mut sink);
        let found = sink.finish(hidden(&source.printable()));
        let Some(text) = text else { return Err(Unreadable::Bytes(role, found)) };
        found.iter().for_each(|found| defects.push(role, found.clone()));
        Ok(Self { role, text })
    }

    /// The same error as one of this input.
    pub(super) fn malformed(&self, error: Malformed) -> Unreadable {
        Unreadable::Text(self.role, error)
    }
}

/// The bytes of an input that must not be shown, in order.
pub(super) fn hidden(text: &str) -> Vec<Span> {
    disjoint(Redacted::new(text).hidden().into_iter().chain(json::credentials(text)).collect())
}

/// Masks that do not overlap, in order: one that begins inside another is dropped.
pub(super) fn disjoint(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable_by_key(|span| (span.start(), std::cmp::Reverse(span.end())));
    let mut end = 0;
    spans.retain(|span| {
        let begins = span.start() >= end;
        end = end.max(span.end());
        begins
    });
    spans
}

/// The defects of an input's form.
#[derive(Debug, Default)]
pub(super) struct Defects(pub(super) Vec<(Role, Diagnostic)>);

impl Defects {
    pub(super) fn push(&mut self, role: Role, found: Diagnostic) {
        self.0.push((role, found));
    }
}
