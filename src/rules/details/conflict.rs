//! The TL;DR agrees with the sections that it is derived from (PROTOCOL §7).

use crate::diagnostic::{Base, Diagnostic, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::content::Content;
use crate::protocol::sections::{DetailsSection, StateLine, TldrSection};
use crate::protocol::words;
use crate::rules::tldr::state_lines;
use crate::source::Span;

pub(in crate::rules) static TLDR_CONFLICT: Rule = Rule {
    id: "details/tldr-conflict",
    severity: Severity::Error,
    clause: "§7",
    scope: Scope::Full,
    summary: "the TL;DR does not say nothing where the section that it is derived from says something",
    rationale: "A successor that reads only the TL;DR would miss a risk, evidence, a changed file or pending work that is on record.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace("## Known Risks\nnone", "## Known Risks\n- The nightly job may read half-imported rows.")],
    ),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    let real =
        |section| document.section(section).and_then(|content| content.real_entries().next()).map(|entry| entry.span);
    let tldr = |section| document.tldr.content(section);

    let none = |content: &&Content<'_>| content.is_none();
    let risks = tldr(TldrSection::BlockersAndRisks).filter(none).map(Content::place);
    sink.extend(conflict(
        TldrSection::BlockersAndRisks.as_str(),
        risks,
        DetailsSection::KnownRisks,
        real(DetailsSection::KnownRisks),
    ));

    let unverified =
        tldr(TldrSection::EvidenceAnchors).filter(|anchors| anchors.is_exactly(words::UNVERIFIED)).map(Content::place);
    let anchored = document.section(DetailsSection::Evidence).and_then(Content::anchored_entry).map(|entry| entry.span);
    sink.extend(conflict(TldrSection::EvidenceAnchors.as_str(), unverified, DetailsSection::Evidence, anchored));

    let state = tldr(TldrSection::CurrentState);
    let modified = state.and_then(|state| state_lines::with_label(state, StateLine::Modified).next());
    let modified = modified
        .map(|line| state_lines::value(line, StateLine::Modified))
        .filter(|value| words::is_none_item(value.value));
    let changed = real(DetailsSection::ChangedFiles);
    sink.extend(conflict(
        StateLine::Modified.as_str(),
        modified.map(|value| value.span),
        DetailsSection::ChangedFiles,
        changed,
    ));

    let next = tldr(TldrSection::NextAction).and_then(|next| next.items().find(|item| words::is_none_item(&item.text)));
    let pending = real(DetailsSection::PendingWork);
    sink.extend(conflict(
        TldrSection::NextAction.as_str(),
        next.map(|item| item.span),
        DetailsSection::PendingWork,
        pending,
    ));
}

/// Both places are there: the TL;DR says nothing, and the section says something.
fn conflict(
    projection: &str,
    nothing: Option<Span>,
    section: DetailsSection,
    something: Option<Span>,
) -> Option<Diagnostic> {
    let (nothing, something) = (nothing?, something?);
    let found = TLDR_CONFLICT.at(nothing, format!("the TL;DR says nothing under `{projection}`, `## {section}` does"));
    Some(
        found
            .related(something, "this is on record")
            .help("bring it into the TL;DR; or, if it no longer holds, remove it from the section"),
    )
}
