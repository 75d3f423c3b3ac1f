//! Defects of the TL;DR (PROTOCOL §6).

use handoff_guard::protocol::sections::{TLDR_LIMIT, TldrSection};
use handoff_guard::protocol::status::Status;
use handoff_guard::source::Span;

use super::page::Page;
use super::{Mutants, Operator};

pub(super) const OPERATORS: &[Operator] =
    &[sections, empty_sections, status, state_lines, next_action, nothing, anchors, placeholders, length];

fn sections(page: &'static Page, mutants: &mut Mutants) {
    let sections = page.tldr();
    for (section, region) in &sections {
        for text in page.some(&hidden(section.as_str(), region.body.of(page.text))) {
            mutants.push("tldr/missing-section", page.with(&[(region.whole(), text)]));
        }
        for heading in page.some(&[format!("## {section}"), format!("## {section} ##"), format!(" ##   {section}")]) {
            mutants.push(
                "tldr/duplicate-section",
                page.inserted(region.body.end(), &format!("\n\n{heading}\n- again\n\n")),
            );
            let end = page.version.document().tldr.span.end();
            mutants.push("tldr/duplicate-section", page.inserted(end, &format!("\n\n{heading}\n- again\n\n")));
        }
        for title in page.some(&other_titles(section.as_str())).filter(|title| *title != section.as_str()) {
            mutants.push(
                "tldr/unknown-section",
                page.inserted(region.heading.start(), &format!("## {title}\n- text\n\n")),
            );
            mutants.push("tldr/unknown-section", page.with(&[(region.heading, &format!("## {title}"))]));
        }
    }
    for (index, (_, first)) in sections.iter().enumerate() {
        for (_, second) in &sections[index + 1..] {
            mutants.push("tldr/section-order", page.swapped(first.whole(), second.whole()));
        }
    }
}

/// A section of level 2 that is none any more.
pub(super) fn hidden(title: &str, body: &str) -> Vec<String> {
    let fence = "`".repeat(30);
    vec![
        String::new(),
        format!("##{title}{body}"),
        format!("### {title}{body}"),
        format!("#### {title}{body}"),
        format!("##\u{a0}{title}{body}"),
        format!("    ## {title}{body}"),
        format!("> ## {title}{body}"),
        format!("- ## {title}{body}"),
        format!("<!-- ## {title} -->{body}"),
        format!("<!--\n## {title}\n-->\n{body}"),
        format!("{fence}\n## {title}\n{fence}\n{body}"),
        format!("{title}{body}"),
        format!("\\## {title}{body}"),
        format!("## {title}s{body}"),
        format!("**{title}**{body}"),
    ]
}

/// Titles near `title` that are other titles.
fn other_titles(title: &str) -> Vec<String> {
    vec![
        title.to_lowercase(),
        title.to_uppercase() + "S",
        format!("{title}:"),
        format!("{title}."),
        format!("1. {title}"),
        title.replace('e', "е"),
        format!("{title} (draft)"),
        "Notes".to_owned(),
        "Known Risks".to_owned(),
        "目标".to_owned(),
        String::new(),
    ]
}

fn empty_sections(page: &'static Page, mutants: &mut Mutants) {
    const EMPTY: &[&str] = &[
        "",
        "- ",
        "-\n-\n",
        "- <!-- later -->",
        "<!-- later -->",
        "- \u{200b}",
        "- \u{feff} \u{200d}",
        "A paragraph.",
        "none",
        "***",
        "> - quoted",
        "```\n- code\n```",
        "| a |\n|---|",
        "    - code",
        "1) ",
        "<ul><li>x</li></ul>",
        "[a]: /b",
        "### Part\n",
    ];
    for (section, region) in page.tldr() {
        for empty in page.some(EMPTY) {
            mutants.push("tldr/empty-section", page.put(region, empty));
        }
        if section == TldrSection::Objective {
            for nothing in page.some(&["- none", "- unverified", "- none\n- unverified", "1. none", "* none\n* none"]) {
                mutants.push("tldr/empty-section", page.put(region, nothing));
            }
        }
    }
}

fn status(page: &'static Page, mutants: &mut Mutants) {
    let region = page.tldr_section(TldrSection::CurrentState);
    let word = page.status().as_str();
    let rest = "- Modified: src/a.rs\n- Verified: unverified";
    let wrong = [
        String::new(),
        format!("- **Status:** {word}"),
        format!("- **Status**: {word}"),
        format!("- Status：{word}"),
        format!("- Status : {word}"),
        format!("- status: {word}"),
        format!("- STATUS: {word}"),
        format!("- State: {word}"),
        format!("- `Status: {word}`"),
        format!("- Status: {}", word.to_lowercase()),
        format!("- Status: `{word}`"),
        format!("- Status: **{word}**"),
        format!("- Status: {word}."),
        format!("- Status: {word} (round 1)"),
        format!("- Status: {word}, {word}"),
        format!("- Status: \"{word}\""),
        "- Status:".to_owned(),
        "- Status: DONE".to_owned(),
        "- Status: NEEDS ANSWERS".to_owned(),
        format!("- Status: {}", word.replace('E', "Е")),
        format!("- Status: {word}\u{200b}"),
        format!("Status: {word}\n"),
        format!("> Status: {word}\n"),
        format!("- Status: {word}\n- Status: {word}"),
        format!("- Status: {word}\n- **Status:** {word}"),
        format!("- Now\n  - Status: {word}"),
        format!("<!-- - Status: {word} -->"),
        format!("- [Status: {word}]"),
        format!("- [x] Status: {word}"),
    ];
    for line in page.some(&wrong) {
        mutants.push("tldr/status-line", page.put(region, &format!("{line}\n{rest}")));
        mutants.push("tldr/status-line", page.put(region, &format!("{rest}\n\n{line}")));
    }
    let objective = page.tldr_section(TldrSection::Objective);
    let moved = objective.edit(&format!("- A goal.\n- Status: {word}"));
    mutants.push("tldr/status-line", page.with(&[moved, region.edit(rest)]));
    let others: Vec<Status> = Status::ALL.iter().copied().filter(|status| *status != page.status()).collect();
    for other in page.some(&others) {
        mutants.push("tldr/status-mismatch", page.put(region, &format!("- Status: {other}\n{rest}")));
        mutants.push("tldr/status-mismatch", page.put(region, &format!("{rest}\n- Status:{other}")));
    }
}

fn state_lines(page: &'static Page, mutants: &mut Mutants) {
    let region = page.tldr_section(TldrSection::CurrentState);
    let state = |modified: &str, verified: &str| {
        page.put(region, &format!("- Status: {}\n{modified}\n{verified}", page.status()))
    };
    let (modified, verified) = ("- Modified: src/a.rs", "- Verified: unverified");
    for (label, value) in [("Modified", "src/a.rs:1"), ("Verified", "unverified")] {
        let wrong = [
            String::new(),
            format!("- **{label}:** {value}"),
            format!("- **{label}**: {value}"),
            format!("- {label}：{value}"),
            format!("- {label} : {value}"),
            format!("- {}: {value}", label.to_lowercase()),
            format!("- {label}:"),
            format!("- {label}: \u{200b}"),
            format!("- {label}: <!-- later -->"),
            format!("- {label} {value}"),
            format!("- {label}: {value}\n- {label}: {value}"),
            format!("- {label}: {value}\n- _{label}:_ {value}"),
            format!("- x\n  - {label}: {value}"),
            format!("1. [ ] {label}: {value}"),
        ];
        for line in page.some(&wrong) {
            match label {
                "Modified" => mutants.push("tldr/modified-line", state(line, verified)),
                _ => mutants.push("tldr/verified-line", state(modified, line)),
            }
        }
    }
    for none in page.some(&[
        "none", "None", "NONE", "none.", "none。", "none!", "none -", "none, ", "none:", "none：", "none…", "nOnE ()",
        "none —",
    ]) {
        mutants.push("tldr/none-without-reason", state(&format!("- Modified: {none}"), verified));
    }
    let claims = [
        "all tests pass",
        "yes",
        "Unverified",
        "UNVERIFIED",
        "unverified yet",
        "unverified by anyone",
        "10:30",
        "localhost:8080",
        "1234567 rows",
        "src/a.rs",
        "README",
        "the tests ran",
        "test",
        "test passed",
        "commit",
        "deadbeef",
        "a..b",
        "``",
        "http://",
        "none",
        "nothing",
        "未验证",
        "测试通过",
        "by hand at 9:15",
        "version 2.0",
        "diff",
    ];
    for claim in page.some(&claims) {
        mutants.push("tldr/verified-anchor", state(modified, &format!("- Verified: {claim}")));
    }
}

fn next_action(page: &'static Page, mutants: &mut Mutants) {
    const ALWAYS: &[&str] = &[
        "- none",
        "- None",
        "- NONE",
        "- none.",
        "- none。",
        "- none!",
        "- none, the work is done",
        "- None: the work is done",
        "- NONE：完成",
        "- none:",
        "- none: ",
        "- none - done",
        "- none (done)",
        "- none: .",
        "- Write it.\n- none",
        "- none\n- Write it.",
        "- none: done\n- Write it.",
        "- none: done\n- none: really",
        "- none; done",
        "1. none",
        "- none <!-- why? -->",
    ];
    const BEFORE_THE_END: &[&str] = &["- none: all is done", "- none：全部完成", "- none:done"];
    let region = page.tldr_section(TldrSection::NextAction);
    for wrong in page.some(ALWAYS) {
        mutants.push("tldr/next-action", page.put(region, wrong));
    }
    for wrong in page.some(BEFORE_THE_END).filter(|_| !page.status().is_terminal()) {
        mutants.push("tldr/next-action", page.put(region, wrong));
    }
}

fn nothing(page: &'static Page, mutants: &mut Mutants) {
    const SPELLINGS: &[&str] = &[
        "None",
        "NONE",
        "none.",
        "none。",
        "nOnE",
        "Unverified",
        "UNVERIFIED.",
        "unverified。",
        "n/a",
        "N/A",
        "n/a.",
        "na",
        "NA",
        "nil",
        "Nil.",
        "null",
        "NULL",
        "nothing",
        "Nothing.",
        "无",
        "无。",
        "没有",
        "没有。",
        "暂无",
        "暂无.",
        "未验证",
        "未验证。",
    ];
    const LABELLED: &[&str] =
        &["none: all is fine", "None: all is fine", "NONE：一切正常", "none:", "none：", "nOnE: x"];
    let risks = page.tldr_section(TldrSection::BlockersAndRisks);
    let constraints = page.tldr_section(TldrSection::CriticalConstraints);
    let anchors = page.tldr_section(TldrSection::EvidenceAnchors);
    let action = page.tldr_section(TldrSection::NextAction);
    for spelling in page.some(SPELLINGS) {
        for region in [risks, constraints, anchors, action] {
            mutants.push("tldr/none-spelling", page.put(region, &format!("- {spelling}")));
            mutants.push("tldr/none-spelling", page.put(region, &format!("- src/a.rs:1\n* {spelling}")));
        }
    }
    for spelling in page.some(LABELLED) {
        for region in [risks, constraints] {
            mutants.push("tldr/none-spelling", page.put(region, &format!("- {spelling}")));
        }
    }
    for (region, word) in [(risks, "none"), (constraints, "none"), (anchors, "unverified")] {
        let beside = [
            format!("- {word}\n- src/a.rs:1"),
            format!("- src/a.rs:1\n- {word}"),
            format!("- {word}\n- {word}"),
            format!("1. {word}\n2. src/a.rs:1"),
            format!("* src/a.rs:1\n\n+ {word}"),
            format!("- src/a.rs:1\n- <!-- x --> {word}\n- src/b.rs:2"),
        ];
        for items in page.some(&beside) {
            mutants.push("tldr/none-not-alone", page.put(region, items));
        }
    }
    if matches!(page.status(), Status::ReadyWithRisks | Status::Blocked) {
        for none in
            page.some(&["- none", "* none", "1. none", "+  none  ", "- none\n-", "- none <!-- yet -->", "- \n  none"])
        {
            mutants.push("tldr/risks-required", page.put(risks, none));
        }
    }
}

fn anchors(page: &'static Page, mutants: &mut Mutants) {
    const UNLOCATED: &[&str] = &[
        "the import module",
        "src/import/stream.rs",
        "unverified: nobody looked",
        "10:30",
        "localhost:8080",
        "abc123",
        "1234567",
        "deadbeef and cafebabe",
        "``",
        "diff of the branch",
        "test passed",
        "stream.rs line 42",
        "commit 12345",
        "ftp://example.org/x",
        "mailto:a@example.org",
        "#42",
        "L42",
        "src/a.rs:",
        "src/a.rs:x",
        "src/a.rs#42",
        "none",
        "<!-- src/a.rs:1 --> here",
    ];
    let region = page.tldr_section(TldrSection::EvidenceAnchors);
    for unlocated in page.some(UNLOCATED) {
        mutants.push("tldr/anchor", page.put(region, &format!("- {unlocated}")));
        mutants.push("tldr/anchor", page.put(region, &format!("1. {unlocated}\n2. the other module\n\nsrc/a.rs:1\n")));
    }
}

fn placeholders(page: &'static Page, mutants: &mut Mutants) {
    const LEFT: &[&str] = &["<objective>", "<目标>", "<one sentence>", "<...>", "<TODO>", "< text >", "<a or b>"];
    for (section, region) in page.tldr().into_iter().filter(|(section, _)| *section != TldrSection::CurrentState) {
        for left in page.some(LEFT) {
            mutants.push("tldr/placeholder", page.put(region, &format!("- {left}")));
            let labels = [section.as_str(), "Goal", "目标"];
            let label = labels[left.len() % labels.len()];
            mutants.push("tldr/placeholder", page.put(region, &format!("- src/a.rs:1\n- {label}: {left}")));
            mutants.push("tldr/placeholder", page.put(region, &format!("1. {label}：{left}")));
        }
    }
}

/// How long the TL;DR is, as the protocol counts.
pub(super) fn characters(text: &str) -> usize {
    text.replace("\r\n", "\n").chars().count()
}

fn length(page: &'static Page, mutants: &mut Mutants) {
    let span = page.version.document().tldr.span;
    let missing = TLDR_LIMIT + 1 - characters(span.of(page.text));
    for filler in page.some(&["x", "交", "\u{1f600}", " ", "\n", "\r\n", "é", "\u{301}", "\u{200b}", "\t"]) {
        for (_, region) in page.tldr() {
            mutants.push("tldr/too-long", page.inserted(region.body.end() - 1, &filler.repeat(missing)));
        }
        let before = Span::new(span.start(), page.tldr()[0].1.heading.start()).end();
        mutants.push("tldr/too-long", page.inserted(before, &format!("{}\n\n", filler.repeat(missing))));
    }
}
