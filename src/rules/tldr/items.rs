//! What items of the TL;DR must say (PROTOCOL §6).

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::protocol::anchor::ANCHORS;
use crate::protocol::sections::TldrSection;
use crate::protocol::status::Status;
use crate::protocol::words::UNVERIFIED;

pub(in crate::rules) static ANCHOR: Rule = Rule {
    id: "tldr/anchor",
    severity: Severity::Error,
    clause: "§6",
    scope: Scope::Full,
    summary: "Evidence Anchors is exactly `unverified`, or one of its items has an anchor",
    rationale: "A successor must be able to go and look.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace("## Evidence Anchors\n- src/import/stream.rs:42", "## Evidence Anchors\n- the record reader")],
    ),
};

pub(in crate::rules) static RISKS_REQUIRED: Rule = Rule {
    id: "tldr/risks-required",
    severity: Severity::Error,
    clause: "§6",
    scope: Scope::Full,
    summary: "in READY_WITH_RISKS and BLOCKED, Blockers and Risks is not `none`",
    rationale: "The state says that something is at risk or missing; the TL;DR must say what.",
    example: Example::of(
        Base::Blocked,
        &[Edit::Replace(
            "## Blockers and Risks\n- Write access to the ledger is not granted.",
            "## Blockers and Risks\n- none",
        )],
    )
    .also(&["details/tldr-conflict"]),
};

pub(in crate::rules) static PLACEHOLDER: Rule = Rule {
    id: "tldr/placeholder",
    severity: Severity::Error,
    clause: "§6",
    scope: Scope::Full,
    summary: "no item is still the template's `<placeholder>`",
    rationale: "A placeholder says that nobody filled it in.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace(
            "## Objective\n- Stream invoices into the ledger instead of loading whole files.",
            "## Objective\n- <the goal, not empty>",
        )],
    ),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    let tldr = &document.tldr;
    for item in tldr.sections.iter().flat_map(|section| section.content.items()) {
        // A colon in a code span ends no label.
        let labelled = item.text.split_once([':', '：']).filter(|(label, _)| !label.contains('`'));
        let behind_label = labelled.map(|(_, value)| value).unwrap_or_default();
        if is_placeholder(&item.text) || is_placeholder(behind_label.trim()) {
            let found = PLACEHOLDER.at(item.span, format!("`{}` is text of the template", document.quote(item.span)));
            sink.push(found.help("replace it with the fact, or with the word for nothing that the section allows"));
        }
    }
    if let Some(anchors) = tldr.content(TldrSection::EvidenceAnchors) {
        let anchored = anchors.items().any(crate::document::content::Entry::has_anchor);
        if anchors.items().next().is_some() && !anchored && !anchors.is_exactly(UNVERIFIED) {
            let found = ANCHOR.at(anchors.place(), "no item of `## Evidence Anchors` has an anchor");
            sink.push(found.help(format!("name a place: {ANCHORS}; without evidence write `{UNVERIFIED}` alone")));
        }
    }
    let status = document.status().filter(|status| matches!(status.value, Status::ReadyWithRisks | Status::Blocked));
    if let (Some(status), Some(risks)) = (status, tldr.content(TldrSection::BlockersAndRisks))
        && risks.is_none()
    {
        let found = RISKS_REQUIRED
            .at(risks.place(), format!("`## Blockers and Risks` is `none` in the state {}", status.value));
        sink.push(found.related(status.span, "the state").help("name what is at risk, or what is missing"));
    }
}

/// One `<…>` that is no autolink; it may hold others, as the template's own text for Next Action does.
fn is_placeholder(text: &str) -> bool {
    let Some(inner) = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).filter(|inner| !inner.is_empty())
    else {
        return false;
    };
    let mut depth = 1_usize;
    for c in inner.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return false;
        }
    }
    depth == 1 && !is_autolink(inner)
}

/// A scheme of 2–32 characters and anything without blanks, or an address of electronic mail.
fn is_autolink(inner: &str) -> bool {
    if inner.contains(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>')) {
        return false;
    }
    let scheme = inner.split_once(':').map(|(scheme, _)| scheme).unwrap_or_default();
    let is_scheme = (2..=32).contains(&scheme.len())
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'.' | b'-'));
    let mail = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'+'))
    };
    is_scheme || inner.split_once('@').is_some_and(|(name, host)| mail(name) && mail(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_autolink_is_no_placeholder() {
        for text in [
            "<goal>",
            "<非空目标；至少一项>",
            "<COLLECTING|READY>",
            "<done: see below>",
            "<动作；无动作时写 none: <理由>>",
        ] {
            assert!(is_placeholder(text), "{text}");
        }
        for text in ["<https://example.org/a>", "<dev@example.org>", "<a> and <b>", "a <b>", "<>"] {
            assert!(!is_placeholder(text), "{text}");
        }
    }
}
