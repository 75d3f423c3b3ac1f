//! What a finding is known by from one run to the next: it does not move with the lines above it.

use std::collections::HashSet;

use super::Judged;
use super::excerpt::masked;
use super::json::Finding;
use crate::protocol::digest::Digest;

/// The fingerprint of each of the `findings` about a document that integrations know as `path`, all of them different.
///
/// It is made of the path, the rule, the line as far as it may be shown, and the message without its numbers, which may
/// count lines. Of several that are the same, the later ones are told apart by their order.
pub(super) fn fingerprints(judged: &Judged<'_>, path: &str, findings: &[Finding]) -> Vec<String> {
    let text = masked(judged.document.source, judged.verdict.diagnostics().hidden().iter().copied());
    let lines: Vec<&str> = text.lines().collect();
    let mut seen = HashSet::new();
    findings
        .iter()
        .map(|Finding { rule, message, place, .. }| {
            let line = lines.get(place.start.line - 1).map_or("", |line| line.trim());
            let message = message.replace(|c: char| c.is_ascii_digit(), "");
            unique(&mut seen, &[path, rule, line, &message].join("\0"))
        })
        .collect()
}

/// The digest of `identity`, or the first digest of digests of it that was not `seen` before.
pub(super) fn unique(seen: &mut HashSet<String>, identity: &str) -> String {
    let mut fingerprint = Digest::of(identity.as_bytes()).to_string();
    while !seen.insert(fingerprint.clone()) {
        fingerprint = Digest::of(fingerprint.as_bytes()).to_string();
    }
    fingerprint
}
