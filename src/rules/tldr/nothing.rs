//! How "nothing" is said (PROTOCOL §6): the bare words `none` and `unverified`, alone.

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::protocol::sections::TldrSection;
use crate::protocol::words::{self, NONE, UNVERIFIED};

pub(in crate::rules) static NONE_NOT_ALONE: Rule = Rule {
    id: "tldr/none-not-alone",
    severity: Severity::Error,
    clause: "§6",
    scope: Scope::Full,
    summary: "`none` in Blockers and Risks and in Critical Constraints, and `unverified` in Evidence Anchors, is the only item",
    rationale: "Nothing and something at once is a contradiction, and readers who stop at `none` miss the rest.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace("- Keep the public import API unchanged.", "- none\n- Keep the public import API unchanged.")],
    ),
};

pub(in crate::rules) static NONE_SPELLING: Rule = Rule {
    id: "tldr/none-spelling",
    severity: Severity::Error,
    clause: "§6",
    scope: Scope::Full,
    summary: "nothing is written as the bare lower-case word `none` or `unverified`",
    rationale: "Other spellings count as content: a risk named `N/A` hides that there is none.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace("## Blockers and Risks\n- none", "## Blockers and Risks\n- None.")],
    ),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    for section in [
        TldrSection::NextAction,
        TldrSection::BlockersAndRisks,
        TldrSection::CriticalConstraints,
        TldrSection::EvidenceAnchors,
    ] {
        let Some(content) = document.tldr.content(section) else { continue };
        let word = if section == TldrSection::EvidenceAnchors { UNVERIFIED } else { NONE };
        let labelled = matches!(section, TldrSection::BlockersAndRisks | TldrSection::CriticalConstraints);
        let alone = content.items().count() == 1;
        for item in content.items() {
            if words::is_misspelt(&item.text) || (labelled && words::is_labelled_none(&item.text)) {
                let found = NONE_SPELLING
                    .at(item.span, format!("`{}` is not how nothing is written", document.quote(item.span)));
                let help = match section {
                    TldrSection::NextAction => "write an action; in a terminal state also `none: <reason>`".to_owned(),
                    _ => format!("write the bare word `{word}`"),
                };
                sink.push(found.help(help));
            }
            if section != TldrSection::NextAction && item.is(word) && !alone {
                let found =
                    NONE_NOT_ALONE.at(item.span, format!("`{word}` stands beside other items of `## {section}`"));
                sink.push(found.help(format!("remove `{word}`, or the other items")));
            }
        }
    }
}
