//! The fourteen sections of the details (PROTOCOL §7).

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::protocol::sections::{DetailsSection, Part};
use crate::rules::outline::near::with_accident;
use crate::rules::outline::sections::{self, SectionRules};
use crate::source::Span;

pub(in crate::rules) static MISSING_SECTION: Rule = Rule {
    id: "details/missing-section",
    severity: Severity::Error,
    clause: "§7",
    scope: Scope::Full,
    summary: "the details have all fourteen sections",
    rationale: "The sections are the source of facts; an absent one says nothing about whether there was anything to say.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace("## Failed Attempts\n- Memory-mapping the file broke the Windows build.\n\n", "")],
    ),
};

pub(crate) static DUPLICATE_SECTION: Rule = Rule {
    id: "details/duplicate-section",
    severity: Severity::Error,
    clause: "§7",
    scope: Scope::Full,
    summary: "the details have each section once",
    rationale: "Of two sections with one title, readers take the first or the last.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace(
            "## Known Risks\n",
            "## Failed Attempts\n- Reading in parallel broke the order.\n\n## Known Risks\n",
        )],
    ),
};

pub(in crate::rules) static SECTION_ORDER: Rule = Rule {
    id: "details/section-order",
    severity: Severity::Error,
    clause: "§7",
    scope: Scope::Full,
    summary: "the sections of the details stand in their order",
    rationale: "Versions are compared by people too; a fixed order keeps the difference small.",
    example: Example::of(
        Base::Initial,
        &[
            Edit::Replace("## Changed Files\n- src/import/stream.rs\n\n", ""),
            Edit::Replace("## Known Risks\n", "## Changed Files\n- src/import/stream.rs\n\n## Known Risks\n"),
        ],
    ),
};

pub(in crate::rules) static UNKNOWN_SECTION: Rule = Rule {
    id: "details/unknown-section",
    severity: Severity::Advice,
    clause: "§7",
    scope: Scope::Full,
    summary: "the details should have no other section",
    rationale: "No rule and no prompt reads it, so a successor may never see it.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace("## Known Risks\n", "## Glossary\n- A record is one invoice.\n\n## Known Risks\n")],
    ),
};

pub(in crate::rules) static EMPTY_SECTION: Rule = Rule {
    id: "details/empty-section",
    severity: Severity::Error,
    clause: "§7",
    scope: Scope::Full,
    summary: "Objective always says something, and in a terminal state every section does; `none` and `unverified` count there",
    rationale: "A sealed package must say of every section that it was thought of.",
    example: Example::of(
        Base::Ready,
        &[Edit::Replace(
            "## Failed Attempts\n- Memory-mapping the file broke the Windows build.\n",
            "## Failed Attempts\n",
        )],
    ),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    let Some(details) = &document.details else {
        if !document.is_cut_off() {
            let place = Span::at(document.text.len());
            let found = MISSING_SECTION.at(place, format!("nothing stands below `# {}`", Part::Details));
            let titles = DetailsSection::words().collect::<Vec<_>>().join(", ");
            sink.push(found.help(format!("write its sections, each as `## …`: {titles}")));
        }
        return;
    };
    let rules = SectionRules {
        missing: &MISSING_SECTION,
        duplicate: &DUPLICATE_SECTION,
        order: &SECTION_ORDER,
        unknown: &UNKNOWN_SECTION,
    };
    sections::check(document, details, "`# Handoff Details`", DetailsSection::ALL, &rules, sink);
    let sealed = document.is_sealed();
    for section in &details.sections {
        let Some(known) = section.known else { continue };
        if known == DetailsSection::Objective && !section.content.has_real_entry() {
            let found = EMPTY_SECTION.at(section.heading_span, "`## Objective` of the details names no goal");
            sink.push(found.help("write what the task is to achieve"));
        } else if sealed && section.content.is_empty() {
            let found = EMPTY_SECTION.at(section.heading_span, format!("`## {known}` is empty in a sealed document"));
            let region = Span::new(section.heading_span.start(), section.content.span.end());
            sink.push(with_accident(document, region, found).help("write what there is to say, or `none`"));
        }
    }
}
