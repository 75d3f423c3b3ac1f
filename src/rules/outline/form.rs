//! How headings and code fences are written (PROTOCOL §5).

use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::document::outline::Form;
use crate::protocol::sections::DetailsSection;

pub(in crate::rules) static UNCLOSED_CODE_FENCE: Rule = Rule {
    id: "outline/unclosed-code-fence",
    severity: Severity::Error,
    clause: "§5",
    scope: Scope::Every,
    summary: "no fenced code block runs to the end of the file",
    rationale: "Everything behind the opening line is code: sections, risks and next steps disappear for every reader.",
    example: Example::of(
        Base::Initial,
        &[Edit::Replace(
            "- Write the adapter between reader and writer, then run the import tests.\n",
            "- Run the import tests:\n\n```\ncargo test import\n",
        )],
    ),
};

pub(in crate::rules) static SETEXT_HEADING: Rule = Rule {
    id: "outline/setext-heading",
    severity: Severity::Error,
    clause: "§5",
    scope: Scope::Full,
    summary: "headings of the template are written with `#`, not underlined",
    rationale: "The template is fixed to the letter, so that the simplest reader finds its sections.",
    example: Example::of(Base::Initial, &[Edit::Replace("# TL;DR\n", "TL;DR\n=====\n")]),
};

pub(in crate::rules) static HEADING_MARKUP: Rule = Rule {
    id: "outline/heading-markup",
    severity: Severity::Error,
    clause: "§5",
    scope: Scope::Full,
    summary: "titles of the template are plain text: no emphasis, code, link, entity, comment or emoji",
    rationale: "Titles are compared byte for byte; markup makes the section invisible to a reader that does not render.",
    example: Example::of(Base::Initial, &[Edit::Replace("## Objective", "## **Objective**")]),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    if let Some(opening) = document.outline.unclosed_code_fence {
        let found = UNCLOSED_CODE_FENCE.at(opening, "this code fence is not closed");
        let marker: String = document.at(opening).chars().take_while(|c| matches!(c, '`' | '~')).collect();
        let help =
            format!("close it with a line `{marker}`, indented as this one; everything after it is read as code");
        sink.push(found.help(help).root_cause());
    }
    let section = document.section(DetailsSection::Interrogation);
    let rounds = section.map_or(0..0, |section| section.blocks.clone());
    for (index, heading) in document.outline.headings(0..document.outline.blocks.len(), 1..5) {
        let (Some(title), Some((_, span))) = (&heading.title, document.outline.heading(index)) else { continue };
        // Levels 3 and 4 belong to the template inside Interrogation only.
        if heading.level > 2 && !rounds.contains(&index) {
            continue;
        }
        let help = || format!("write `{} {title}`", "#".repeat(usize::from(heading.level)));
        match heading.form {
            Form::Plain => {}
            Form::Setext => {
                sink.push(SETEXT_HEADING.at(span, format!("the heading `{title}` is underlined")).help(help()));
            }
            Form::Markup => {
                let shown = document.quote(span);
                sink.push(
                    HEADING_MARKUP
                        .at(span, format!("the heading `{shown}` is `{title}` only once rendered"))
                        .help(help()),
                );
            }
        }
    }
}
