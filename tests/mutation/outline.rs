//! Defects of headings and of what stands between them (PROTOCOL §5).

use handoff_guard::protocol::sections::Part;
use handoff_guard::source::Span;

use super::page::{Page, Region};
use super::{Mutants, Operator};

pub(super) const OPERATORS: &[Operator] = &[code_fences, first_heading, setext, markup, top_level];

fn code_fences(page: &'static Page, mutants: &mut Mutants) {
    // No fixture closes these; what is shorter may be closed by a fence further down.
    let long = ["`".repeat(40), "~".repeat(40), format!(" {}text", "`".repeat(40)), format!("{} a b", "~".repeat(40))];
    for (_, region) in page.details() {
        for fence in page.some(&long) {
            mutants.push("outline/unclosed-code-fence", page.inserted(region.heading.end(), &format!("\n{fence}\n")));
        }
    }
    for (_, region) in page.tldr() {
        for fence in page.some(&long) {
            mutants.push("outline/unclosed-code-fence", page.inserted(region.body.end(), &format!("\n\n{fence}\n")));
        }
    }
    for end in page.some(&[
        "```",
        "~~~",
        "```\ntext",
        "````\n```\n",
        "~~~\n```\n",
        "```\n    ```",
        "```\n``` x",
        "- x\n  ```\n  y",
    ]) {
        mutants.push("outline/unclosed-code-fence", page.inserted(page.text.len(), &format!("\n\n{end}")));
    }
}

/// The headings of level 1.
fn tops(page: &Page) -> [Span; 2] {
    let document = page.version.document();
    let details = document.details.as_ref().unwrap();
    [document.tldr.heading, details.heading].map(|block| document.outline.heading(block.unwrap()).unwrap().1)
}

fn first_heading(page: &'static Page, mutants: &mut Mutants) {
    const BEFORE: &[&str] = &[
        "Some text.\n\n",
        "***\n\n",
        "---\n\n",
        "<!-- made by hand -->\n",
        "## Notes\n\n",
        "> quoted\n\n",
        "- item\n\n",
        "1. item\n\n",
        "[a]: /b\n\n",
        "```\ncode\n```\n\n",
        "    code\n\n",
        "\u{a0}\n\n",
        "x\n\n",
        "| a |\n|---|\n\n",
        "<div>\n\n</div>\n\n",
        "# Title\n\n",
        "&nbsp;\n\n",
        "\u{200b}\n\n",
        "\\\n\n",
        "...\n\n",
    ];
    let [tldr, _] = tops(page);
    for before in page.some(BEFORE) {
        mutants.push("outline/first-heading", page.inserted(tldr.start(), before));
    }
    for title in page.some(&[
        "## TL;DR",
        "#TL;DR",
        "TL;DR",
        "# TLDR",
        "# tl;dr",
        "# TL;DR:",
        "# Summary",
        "    # TL;DR",
        "####### TL;DR",
        "",
    ]) {
        mutants.push("outline/first-heading", page.with(&[(tldr, title)]));
    }
    mutants.push("outline/first-heading", page.without(page.version.document().tldr.span));
}

/// Every heading of the template with its level and its title.
fn headings(page: &Page) -> Vec<(usize, String, Span)> {
    let tops = Part::words().zip(tops(page)).map(|(title, span)| (1, title.to_owned(), span));
    let tldr = page.tldr().into_iter().map(|(section, region)| (2, section.to_string(), region.heading));
    let details = page.details().into_iter().map(|(section, region)| (2, section.to_string(), region.heading));
    let mut all: Vec<_> = tops.chain(tldr).chain(details).collect();
    for (record, place) in page.records() {
        all.push((3, record.title.to_string(), place.heading));
        let fields = Page::fields(record, place).into_iter();
        all.extend(fields.map(|(field, Region { heading, .. })| (4, field.to_string(), heading)));
    }
    all
}

fn setext(page: &'static Page, mutants: &mut Mutants) {
    for (level, title, heading) in headings(page).into_iter().filter(|(level, ..)| *level <= 2) {
        let marker = if level == 1 { "=" } else { "-" };
        for count in page.some(&[1, 2, 4, 12]) {
            let underlined = format!("\n{title}\n{}\n", marker.repeat(*count));
            mutants.push("outline/setext-heading", page.with(&[(heading, &underlined)]));
        }
    }
}

fn markup(page: &'static Page, mutants: &mut Mutants) {
    for (level, title, heading) in headings(page) {
        let (first, rest) = title.split_at(1);
        let spellings = [
            format!("**{title}**"),
            format!("__{title}__"),
            format!("*{title}*"),
            format!("_{title}_"),
            format!("`{title}`"),
            format!("[{title}](https://example.org/)"),
            format!("🎯 {title}"),
            format!("{title} ✅"),
            format!("🇪🇺{title}"),
            format!("<b>{title}</b>"),
            format!("{title}<!-- note -->"),
            format!("**{first}**{rest}"),
            format!("&#{};{rest}", u32::from(first.chars().next().unwrap())),
            format!("***{title}***"),
        ];
        for spelling in page.some(&spellings) {
            let line = format!("{} {spelling}", "#".repeat(level));
            mutants.push("outline/heading-markup", page.with(&[(heading, &line)]));
        }
    }
}

fn top_level(page: &'static Page, mutants: &mut Mutants) {
    let [tldr, details] = tops(page);
    for extra in page.some(&[
        "# Appendix\n",
        "# TL;DR\n",
        "# Handoff Details\n",
        "# \n",
        "Notes\n===\n",
        "# handoff details\n",
        " # Notes ##\n",
    ]) {
        for (_, region) in page.details() {
            mutants.push("outline/top-level", page.inserted(region.body.end(), &format!("\n\n{extra}\n")));
        }
        for (_, region) in page.tldr() {
            mutants.push("outline/top-level", page.inserted(region.body.end(), &format!("\n\n{extra}\n")));
        }
    }
    for other in page.some(&[
        "# Details",
        "# Handoff details",
        "# Handoff Details:",
        "## Handoff Details",
        "#Handoff Details",
        "",
        "# Handoff",
    ]) {
        mutants.push("outline/top-level", page.with(&[(details, other)]));
    }
    mutants.push("outline/top-level", page.with(&[(tldr, "# Handoff Details"), (details, "# TL;DR")]));
    mutants.push("outline/top-level", page.without(Span::new(details.start(), page.text.len())));
}
