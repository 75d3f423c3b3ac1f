//! What is legal and advised against (PROTOCOL §6, §7, §10, §11).

use handoff_guard::check::Baseline;
use handoff_guard::document::yaml::{Entry, Node, Resolved};
use handoff_guard::protocol::keys::{EvidenceKey, Key};
use handoff_guard::protocol::sections::{DetailsSection, TLDR_LIMIT, TldrSection};
use handoff_guard::source::Span;

use super::page::Page;
use super::tldr::characters;
use super::{Mutants, Operator, neutral};

pub(super) const OPERATORS: &[Operator] =
    &[values, collections, evidence, body_markers, sections, long_tldr, example_credentials];

/// Of a version that follows another.
pub(super) const OF_THE_NEXT_VERSION: &[Operator] = &[repository];

/// The entries whose value may be any text.
fn texts(page: &Page) -> Vec<&Entry> {
    let free = [Key::Repository.as_str(), Key::StatusReason.as_str(), EvidenceKey::Claim.as_str()];
    page.entries().filter(|entry| free.contains(&entry.key.as_key().unwrap())).collect()
}

fn values(page: &'static Page, mutants: &mut Mutants) {
    let in_lines = page.lines().into_iter().chain(page.evidence_lines());
    let in_lines: Vec<Span> = in_lines.map(|(entry, _)| entry.key.span()).collect();
    for entry in texts(page) {
        for word in page.some(&[
            "yes",
            "no",
            "on",
            "off",
            "Yes",
            "NO",
            "oN",
            "2026-03-02T09:00:00Z",
            "2026-03-02t09:00:00.5+08:00",
        ]) {
            mutants.push("portability/yaml11-value", page.set(entry, word));
        }
        for value in page.some(&["'a b'", "'it''s'", "'# no comment'", "'\"'"]) {
            mutants.push("portability/single-quotes", page.set(entry, value));
        }
        for header in page
            .some(&["|", ">", "|-", ">-", "|+", "|2", ">1-", "| # why"])
            .filter(|_| in_lines.contains(&entry.key.span()))
        {
            let indentation = if header.contains('1') { 1 } else { 2 } + if entry.key.is_key("claim") { 4 } else { 0 };
            let text = format!("{header}\n{}one line", " ".repeat(indentation));
            mutants.push("portability/block-scalar", page.set(entry, &text));
        }
    }
    let ends = page
        .entries()
        .filter(|entry| matches!(&entry.value, Node::Scalar(scalar) if scalar.resolve() == Resolved::String));
    for end in ends.map(|entry| page.value(entry).end()).filter(|end| page.behind(*end).starts_with(['\r', '\n'])) {
        for comment in page.some(&[" # why", " #", "  ## \"quoted\"", " # a: b", "\t# behind a tab"]) {
            mutants.push("portability/trailing-comment", page.inserted(end, comment));
        }
    }
}

fn collections(page: &'static Page, mutants: &mut Mutants) {
    for text in neutral::flow(page) {
        mutants.push("portability/flow-collection", text);
    }
}

fn evidence(page: &'static Page, mutants: &mut Mutants) {
    for kind in page.some(&["source", "document", "test", "diff", "commit", "command"]) {
        for verification in ["VERIFIED", "UNVERIFIED"] {
            let only = format!("[{{kind: {kind}, ref: \"a.rs:1\", claim: a line, verification: {verification}}}]");
            mutants.push("portability/sole-evidence", page.set(page.entry(Key::StatusEvidence), &only));
        }
    }
}

fn body_markers(page: &'static Page, mutants: &mut Mutants) {
    let marker = "portability/body-marker";
    for (_, region) in page.details() {
        mutants.push(marker, page.inserted(region.body.end(), "\n\n---\n\n"));
        mutants.push(marker, page.inserted(region.body.end(), "\n\n<!--\n...\n-->\n\n"));
    }
    let any = page.section(DetailsSection::CompletedWork);
    for entry in page.some(&["...", "```\n---\n```", "<div>\n---\n</div>", "A line.\n...\nAnother."]) {
        mutants.push(marker, page.inserted(any.body.end(), &format!("\n\n{entry}\n\n")));
    }
}

fn sections(page: &'static Page, mutants: &mut Mutants) {
    for (_, region) in page.details() {
        for title in page.some(&["Notes", "objective", "Appendix ##", "", "Known risks", "目标"]) {
            let section = format!("\n\n## {title}\n- A note.\n\n");
            mutants.push("details/unknown-section", page.inserted(region.body.end(), &section));
        }
    }
    let pairs = [
        (DetailsSection::AcceptanceCriteria, DetailsSection::FailedAttempts),
        (DetailsSection::CompletedWork, DetailsSection::RecommendedNextActions),
        (DetailsSection::Constraints, DetailsSection::AcceptanceCriteria),
    ];
    for (first, second) in page.some(&pairs) {
        for marker in page.some(&["- ", "", "1. ", "> "]) {
            let other = if *marker == "> " { "> " } else { "* " };
            let same = [
                page.section(*first).edit(&format!("{marker}The very same.")),
                page.section(*second).edit(&format!("- Another.\n\n{other}The very same.\n")),
            ];
            mutants.push("details/duplicate-entry", page.with(&same));
        }
    }
}

const EXAMPLE_CREDENTIALS: &[&str] = &[
    "AKIAIOSFODNN7EXAMPLE",
    "AKIAI44QH8DHBEXAMPLE",
    "ASIAIOSFODNN7EXAMPLE",
    "AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==",
];

fn example_credentials(page: &'static Page, mutants: &mut Mutants) {
    let document = page.version.document();
    for example in page.some(EXAMPLE_CREDENTIALS) {
        let places = [
            (document.fence.front_matter.start(), format!("# {example}\n")),
            (page.text.len(), format!("\n```\n{example}\n```\n")),
            (page.text.len(), format!("\n<!-- {example} -->\n")),
        ];
        for (at, text) in page.some(&places) {
            mutants.push("security/example-credential", page.inserted(*at, text));
        }
    }
}

fn long_tldr(page: &'static Page, mutants: &mut Mutants) {
    let tldr = page.version.document().tldr.span;
    let length = characters(tldr.of(page.text));
    let objective = page.tldr_section(TldrSection::Objective);
    let kept = length - characters(objective.body.of(page.text)) + characters("\n- \n\n");
    for filler in page.some(&["x", "x y", "交接", "é", "🚀", "x\u{301}"]) {
        let text = filler.repeat((TLDR_LIMIT - kept) / characters(filler));
        mutants.push("tldr/over-target", page.put(objective, &format!("- {text}")));
    }
}

fn repository(page: &'static Page, mutants: &mut Mutants) {
    let previous = &page.previous.as_ref().unwrap().version;
    for other in page.some(&["\"/elsewhere\"", "'a'", "\"/srv/work/ledger/\"", "\"\\u0430\""]) {
        let text = page.set(page.entry(Key::Repository), other);
        mutants.push_against("succession/repository", text, Baseline::Update { previous });
    }
}
