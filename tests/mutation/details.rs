//! Defects of the formal sections (PROTOCOL §7).

use handoff_guard::protocol::sections::{DetailsSection, MOST_SUMMARY_POINTS, TldrSection};

use super::page::Page;
use super::tldr::hidden;
use super::{Mutants, Operator};

pub(super) const OPERATORS: &[Operator] = &[sections, empty_sections, decisions, summary, conflicts];

fn sections(page: &'static Page, mutants: &mut Mutants) {
    let sections = page.details();
    let end = page.version.document().details.as_ref().unwrap().span.end();
    for (section, region) in &sections {
        for text in page.some(&hidden(section.as_str(), region.body.of(page.text))) {
            mutants.push("details/missing-section", page.with(&[(region.whole(), text)]));
        }
        for heading in page.some(&[format!("## {section}"), format!("## {section} ##"), format!(" ##   {section}")]) {
            let again = format!("\n\n{heading}\nnone\n\n");
            mutants.push("details/duplicate-section", page.inserted(region.body.end(), &again));
            mutants.push("details/duplicate-section", page.inserted(end, &again));
        }
    }
    for (index, (_, first)) in sections.iter().enumerate() {
        for (_, second) in &sections[index + 1..] {
            mutants.push("details/section-order", page.swapped(first.whole(), second.whole()));
        }
    }
}

fn empty_sections(page: &'static Page, mutants: &mut Mutants) {
    const EMPTY: &[&str] = &[
        "",
        "- ",
        "-\n-\n",
        "<!-- later -->",
        "- <!-- later -->",
        "\u{200b}",
        "- \u{feff}",
        "***",
        "[a]: /b",
        "1. ",
        "*\n+\n",
        "<div></div>",
    ];
    const NOTHING: &[&str] =
        &["none", "- none", "unverified", "- unverified", "none\n\nunverified", "1. none", "* none\n* unverified"];
    for (section, region) in page.details() {
        let objective = section == DetailsSection::Objective;
        if objective || page.status().is_terminal() {
            for empty in page.some(EMPTY) {
                mutants.push("details/empty-section", page.put(region, empty));
            }
        }
        for nothing in page.some(NOTHING).filter(|_| objective) {
            mutants.push("details/empty-section", page.put(region, nothing));
        }
    }
}

const HEADER: &str = "| Decision | Reason | Evidence | Confidence |\n|---|---|---|---|\n";
const ROW: &str = "| Read lazily | memory | src/a.rs:1 | high |\n";

fn decisions(page: &'static Page, mutants: &mut Mutants) {
    let region = page.section(DetailsSection::Decisions);
    let wrong = [
        "We read lazily.".to_owned(),
        "- We read lazily.".to_owned(),
        "unverified".to_owned(),
        "None".to_owned(),
        "- none\n- none".to_owned(),
        format!("{HEADER}{ROW}\nAnd more."),
        format!("Decided:\n\n{HEADER}{ROW}"),
        format!("{HEADER}{ROW}\n{HEADER}{ROW}"),
        format!("none\n\n{HEADER}{ROW}"),
        format!("{HEADER}{ROW}\n### Why\n\n- it is fast"),
        format!("> {}", HEADER.replace('\n', "\n> ")),
        format!("```\n{HEADER}{ROW}```"),
        HEADER.replace("Reason", "Why") + ROW,
        HEADER.replace("Decision", "decision") + ROW,
        HEADER.replace("Evidence", "**Evidence**") + ROW,
        HEADER.replace("Reason | Evidence", "Evidence | Reason") + ROW,
        HEADER.replace(" | Confidence", "").replacen("|---", "", 1) + ROW,
        HEADER.replace(" |\n|", " | Owner |\n|---|") + ROW,
        HEADER.replace("Confidence", "") + ROW,
        HEADER.replacen("|---", "|x", 1) + ROW,
        HEADER.replace("|---|---|---|---|\n", "") + ROW,
    ];
    for wrong in page.some(&wrong) {
        mutants.push("details/decisions-table", page.put(region, wrong));
    }
    if page.status().is_terminal() {
        mutants.push("details/decisions-table", page.put(region, HEADER));
    }
    for cell in page.some(&[
        "",
        "src/a.rs",
        "the tests",
        "Unverified",
        "UNVERIFIED",
        "not verified",
        "none",
        "n/a",
        "10:30",
        "abc123",
        "yes",
        "<!-- x -->",
        "\u{200b}",
        "is unverified",
        "未验证",
        "README",
        "unverifiable",
        "``",
    ]) {
        mutants.push(
            "details/decision-evidence",
            page.put(region, &(HEADER.to_owned() + &ROW.replace("src/a.rs:1", cell))),
        );
        mutants.push(
            "details/decision-evidence",
            page.put(region, &(HEADER.to_owned() + ROW + &ROW.replace("src/a.rs:1", cell) + ROW)),
        );
    }
    for cell in page.some(&["Read lazily", "memory", "high"]) {
        for blank in page.some(&["", " ", "\u{200b}", "<!-- x -->"]) {
            mutants
                .push("details/decision-evidence", page.put(region, &(HEADER.to_owned() + &ROW.replace(cell, blank))));
        }
    }
    for row in page.some(&[
        "| Read lazily | memory | src/a.rs:1 |\n",
        "| Read lazily |\n",
        "Read lazily\n",
        "| a | b |\n",
        "| | | | |\n",
    ]) {
        mutants.push("details/decision-evidence", page.put(region, &(HEADER.to_owned() + row)));
    }
}

fn summary(page: &'static Page, mutants: &mut Mutants) {
    let region = page.section(DetailsSection::FinalSuccessorSummary);
    let more = MOST_SUMMARY_POINTS + 1;
    let points = [
        "- a point\n".repeat(more),
        "1. a point\n".repeat(more),
        "* a point\n\n".repeat(more),
        "A paragraph.\n\n".repeat(more),
        "- a point\n".repeat(more - 1) + "\nA paragraph.",
        "- a point\n".repeat(more - 1) + "\n```\ncode\n```",
        "- a point\n".repeat(more - 1) + "\n> quoted",
        "- a point\n* a point\n".repeat(more.div_ceil(2)),
        "- a point\n  - nested\n".repeat(more),
        "- a point\n".repeat(40),
    ];
    for points in page.some(&points) {
        mutants.push("details/summary-length", page.put(region, points));
    }
}

fn conflicts(page: &'static Page, mutants: &mut Mutants) {
    let both = |tldr: TldrSection, projected: &str, section: DetailsSection, real: &str| {
        page.with(&[page.tldr_section(tldr).edit(projected), page.section(section).edit(real)])
    };
    let modified = |value: &str| format!("- Status: {}\n- Modified: {value}\n- Verified: unverified", page.status());
    for real in page.some(&[
        "- src/a.rs:1 is at risk",
        "A paragraph about src/a.rs:1.",
        "- none\n- src/a.rs:1",
        "> src/a.rs:1",
        "1. `src/a.rs`",
    ]) {
        let pairs = [
            both(TldrSection::BlockersAndRisks, "- none", DetailsSection::KnownRisks, real),
            both(TldrSection::EvidenceAnchors, "* unverified", DetailsSection::Evidence, real),
            both(TldrSection::CurrentState, &modified("none, only a design"), DetailsSection::ChangedFiles, real),
            both(TldrSection::CurrentState, &modified("None: nothing"), DetailsSection::ChangedFiles, real),
            both(TldrSection::NextAction, "- none: all is done", DetailsSection::PendingWork, real),
            both(TldrSection::NextAction, "- none：完成", DetailsSection::PendingWork, real),
        ];
        for text in pairs {
            mutants.push("details/tldr-conflict", text);
        }
    }
}
