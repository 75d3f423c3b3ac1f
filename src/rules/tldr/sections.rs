//! The six sections of the TL;DR (PROTOCOL §6).

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::protocol::sections::TldrSection;
use crate::rules::outline::sections::{self, SectionRules};

/// A rule about which sections there are.
const fn section_rule(id: &'static str, summary: &'static str, rationale: &'static str, bad: &'static [Edit]) -> Rule {
    Rule {
        id,
        severity: Severity::Error,
        clause: "§6",
        scope: Scope::Every,
        summary,
        rationale,
        example: Example::of(Base::Initial, bad),
    }
}

pub(in crate::rules) static MISSING_SECTION: Rule = section_rule(
    "tldr/missing-section",
    "the TL;DR has all six sections",
    "A successor must find each answer in its place, also when the answer is `none`.",
    &[Edit::Replace("## Critical Constraints\n- Keep the public import API unchanged.\n\n", "")],
);

pub(crate) static DUPLICATE_SECTION: Rule = section_rule(
    "tldr/duplicate-section",
    "the TL;DR has each section once",
    "Of two sections with one title, readers take the first or the last.",
    &[Edit::Replace("## Next Action\n", "## Objective\n- Something else.\n\n## Next Action\n")],
);

pub(crate) static UNKNOWN_SECTION: Rule = section_rule(
    "tldr/unknown-section",
    "the TL;DR has no other section",
    "The TL;DR is a fixed projection; what does not fit it belongs below `# Handoff Details`.",
    &[Edit::Replace("## Next Action\n", "## Notes\n- Read the design page first.\n\n## Next Action\n")],
);

pub(in crate::rules) static SECTION_ORDER: Rule = section_rule(
    "tldr/section-order",
    "the sections of the TL;DR stand in their order",
    "Readers with little room left read from the top.",
    &[
        Edit::Replace("## Critical Constraints\n- Keep the public import API unchanged.\n\n", ""),
        Edit::Replace(
            "## Next Action\n",
            "## Critical Constraints\n- Keep the public import API unchanged.\n\n## Next Action\n",
        ),
    ],
);

pub(crate) static EMPTY_SECTION: Rule = Rule {
    id: "tldr/empty-section",
    severity: Severity::Error,
    clause: "§6",
    scope: Scope::Full,
    summary: "each section of the TL;DR has a list item, and Objective one that is neither `none` nor `unverified`",
    rationale: "An empty section may mean nothing to say, or something forgotten; `none` says which.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace(
            "## Critical Constraints\n- Keep the public import API unchanged.",
            "## Critical Constraints\n- <!-- later -->",
        )],
    ),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    let rules = SectionRules {
        missing: &MISSING_SECTION,
        duplicate: &DUPLICATE_SECTION,
        order: &SECTION_ORDER,
        unknown: &UNKNOWN_SECTION,
    };
    sections::check(document, &document.tldr, "the TL;DR", TldrSection::ALL, &rules, sink);
    for section in &document.tldr.sections {
        let Some(known) = section.known else { continue };
        let content = &section.content;
        if content.items().next().is_none() {
            let found = EMPTY_SECTION.at(section.heading_span, format!("`## {known}` has no list item"));
            sink.push(match content.stray {
                Some(stray) => found.related(stray, "this is no list item").help("begin the line with `- `"),
                None => found.help(empty_help(known)),
            });
        } else if known == TldrSection::Objective && !content.items().any(crate::document::content::Entry::is_real) {
            let found = EMPTY_SECTION.at(content.place(), "`## Objective` names no goal");
            sink.push(found.help("write what the task is to achieve"));
        }
    }
}

const fn empty_help(section: TldrSection) -> &'static str {
    match section {
        TldrSection::Objective => "write what the task is to achieve: `- …`",
        TldrSection::CurrentState => "write the items `- Status: …`, `- Modified: …` and `- Verified: …`",
        TldrSection::NextAction => {
            "write an action that can be carried out; in a terminal state `- none: <reason>` is allowed"
        }
        TldrSection::BlockersAndRisks | TldrSection::CriticalConstraints => "write `- none` if there is nothing to say",
        TldrSection::EvidenceAnchors => "write `- unverified` if there is no evidence",
    }
}
