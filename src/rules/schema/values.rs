//! Legal values of single fields (PROTOCOL §4).

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::front_matter;
use crate::document::yaml::{Mapping, Node};
use crate::protocol::audit::Audit;
use crate::protocol::character;
use crate::protocol::evidence::{Kind, Verification, WorkingTree};
use crate::protocol::keys::{EvidenceKey, Key};
use crate::protocol::nearest::nearest;
use crate::protocol::status::Status;
use crate::rules::schema::keys::listed;
use crate::source::Spanned;

pub(in crate::rules) static ENUM: Rule = Rule {
    id: "schema/enum",
    severity: Severity::Error,
    clause: "§4",
    scope: Scope::Every,
    summary: "`working_tree`, `handoff_status`, `last_audit_status`, `kind` and `verification` are one of their words; case matters",
    rationale: "Machines compare these words byte for byte.",
    example: Example::of(Base::Initial, &[Edit::Replace("working_tree: DIRTY", "working_tree: dirty")]),
};

pub(in crate::rules) static EMPTY: Rule = Rule {
    id: "schema/empty",
    severity: Severity::Error,
    clause: "§4",
    scope: Scope::Every,
    summary: "`session_id`, `repository`, `status_reason`, `claim`, a `branch` or `ref` that is not null, and `status_evidence` are not empty",
    rationale: "White space and invisible characters say nothing; null is the word for nothing.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace("status_reason: \"first version, nothing audited yet\"", "status_reason: \" \"")],
    ),
};

pub(in crate::rules) static BASE_COMMIT: Rule = Rule {
    id: "schema/base-commit",
    severity: Severity::Error,
    clause: "§4",
    scope: Scope::Every,
    summary: "a `base_commit` that is not null is 7–64 hexadecimal digits",
    rationale: "A successor must be able to check it out; a branch name or `HEAD` moves.",
    example: Example::of(Base::Initial, &[Edit::Replace("base_commit: \"8f3ab12c\"", "base_commit: \"HEAD\"")]),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    let Some(front_matter) = document.front_matter() else { return };
    for (key, words) in [
        (Key::WorkingTree, WorkingTree::words().collect::<Vec<_>>()),
        (Key::HandoffStatus, Status::words().collect()),
        (Key::LastAuditStatus, Audit::words().collect()),
    ] {
        word(document, key.as_str(), front_matter.string(key), &words, sink);
    }
    for key in [Key::SessionId, Key::Repository, Key::StatusReason, Key::Branch] {
        not_empty(key.as_str(), front_matter.string(key), sink);
    }
    if let Some(commit) = front_matter.string(Key::BaseCommit) {
        let hexadecimal = commit.value.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !hexadecimal || !(7..=64).contains(&commit.value.len()) {
            let found =
                BASE_COMMIT.at(commit.span, format!("`base_commit` {} is no commit hash", document.quote(commit.span)));
            sink.push(found.help("write 7–64 hexadecimal digits in quotes, or `null` where there is no commit"));
        }
    }
    let Some(evidence) = front_matter.evidence() else { return };
    if evidence.items.is_empty() {
        let found = EMPTY.at(evidence.span, "`status_evidence` is an empty list");
        sink.push(found.help("without evidence write one item: kind `unverified`, ref null, a claim, `UNVERIFIED`"));
    }
    for item in &evidence.items {
        if let Node::Mapping(item) = item {
            evidence_item(document, item, sink);
        }
    }
}

fn evidence_item(document: &Document<'_>, item: &Mapping, sink: &mut Sink) {
    let string = |key| front_matter::evidence_value(item, key).and_then(front_matter::string);
    for (key, words) in [
        (EvidenceKey::Kind, Kind::words().collect::<Vec<_>>()),
        (EvidenceKey::Verification, Verification::words().collect()),
    ] {
        word(document, key.as_str(), string(key), &words, sink);
    }
    for key in [EvidenceKey::Claim, EvidenceKey::Ref] {
        not_empty(key.as_str(), string(key), sink);
    }
}

fn word(document: &Document<'_>, key: &str, found: Option<Spanned<&str>>, words: &[&str], sink: &mut Sink) {
    let Some(found) = found.filter(|found| !words.contains(&found.value)) else { return };
    let null = if key == Key::LastAuditStatus.as_str() { ", or `null` while no round is recorded" } else { "" };
    let legal = listed(words.iter().copied()) + null;
    let help = match nearest(found.value, words.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? legal are {legal}"),
        None => format!("legal are {legal}"),
    };
    sink.push(ENUM.at(found.span, format!("`{key}` is `{}`", document.quote(found.span))).help(help));
}

fn not_empty(key: &str, found: Option<Spanned<&str>>, sink: &mut Sink) {
    let Some(found) = found.filter(|found| character::is_blank(found.value)) else { return };
    let null = if [Key::Branch.as_str(), EvidenceKey::Ref.as_str()].contains(&key) { ", or `null`" } else { "" };
    sink.push(EMPTY.at(found.span, format!("`{key}` is empty")).help(format!("write a text{null}")));
}
