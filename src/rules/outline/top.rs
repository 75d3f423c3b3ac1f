//! The level-1 headings (PROTOCOL §5).

use super::near::near_miss;
use crate::diagnostic::{Base, Edit, Example, Rule, Scope, Severity, Sink};
use crate::document::Document;
use crate::protocol::sections::{self, Part};
use crate::source::Span;

pub(in crate::rules) static FIRST_HEADING: Rule = Rule {
    id: "outline/first-heading",
    severity: Severity::Error,
    clause: "§5",
    scope: Scope::Every,
    summary: "nothing but blank lines stands between the closing fence and `# TL;DR`",
    rationale: "The TL;DR is what a successor reads first; comments, banners and other headings before it push it away.",
    example: Example::of(Base::Initial, &[Edit::Replace("# TL;DR", "<!-- made by an agent -->\n\n# TL;DR")]),
};

pub(crate) static TOP_LEVEL: Rule = Rule {
    id: "outline/top-level",
    severity: Severity::Error,
    clause: "§5",
    scope: Scope::Full,
    summary: "the level-1 headings are exactly `TL;DR`, then `Handoff Details`",
    rationale: "A level-1 heading ends the part before it, so another one hides what stands below it from every rule and reader.",
    example: Example::of(Base::Initial, &[Edit::Replace("## Completed Work", "# Work\n\n## Completed Work")])
        .also(&["details/missing-section"]),
};

pub(in crate::rules) fn check(document: &Document<'_>, sink: &mut Sink) {
    first_heading(document, sink);
    top_level(document, sink);
}

fn first_heading(document: &Document<'_>, sink: &mut Sink) {
    let body = document.fence.body;
    let heading = document.tldr.heading.and_then(|index| document.outline.heading(index)).map(|(_, span)| span);
    if heading.is_some_and(|heading| is_blank_lines(document.at(Span::new(body.start(), heading.start())))) {
        return;
    }
    let title = Part::Tldr;
    let text = document.at(body);
    let content = Span::new(body.start() + (text.len() - text.trim_start_matches(BLANKS).len()), body.end());
    if content.is_empty() {
        let found = FIRST_HEADING.at(document.fence.closing, "nothing follows the front matter");
        return sink.push(found.help(format!("write `# {title}` and its six sections")));
    }
    let line = document.at(content).lines().next().unwrap_or_default();
    let span = Span::new(content.start(), content.start() + line.len());
    let found = FIRST_HEADING.at(span, format!("found `{}` where `# {title}` belongs", document.quote(span)));
    sink.push(match (heading, near_miss(document, body, 1, title.as_str())) {
        (Some(heading), _) => {
            found.related(heading, "this must come first").help(format!("move it below `# {title}`, or remove it"))
        }
        (None, Some(near)) => found.related(near.line, near.reason).help(format!("write the line `# {title}`")),
        (None, None) => found.help(format!("begin the body with the line `# {title}`")),
    });
}

/// What may stand in a blank line, and between two; U+00A0 is none of it.
const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

fn is_blank_lines(text: &str) -> bool {
    text.trim_matches(BLANKS).is_empty()
}

fn top_level(document: &Document<'_>, sink: &mut Sink) {
    let outline = &document.outline;
    let mut seen: Vec<(Part, Span)> = Vec::new();
    let mut others: Vec<Span> = Vec::new();
    for (index, heading) in outline.headings(0..outline.blocks.len(), 1..2) {
        let Some((_, span)) = outline.heading(index) else { continue };
        let Some(part) = heading.title.as_deref().and_then(Part::parse) else {
            others.push(span);
            continue;
        };
        if let Some((_, first)) = seen.iter().find(|(known, _)| *known == part) {
            let found = TOP_LEVEL.at(span, format!("`# {part}` stands twice"));
            sink.push(found.label("again here").related(*first, "first here").help("remove one of them"));
            continue;
        }
        seen.push((part, span));
    }
    if let [(Part::Details, details), (Part::Tldr, tldr)] = *seen.as_slice() {
        let found = TOP_LEVEL.at(tldr, format!("`# {}` stands behind `# {}`", Part::Tldr, Part::Details));
        sink.push(found.related(details, "this part comes second").help("exchange the two parts"));
    }
    let unseen = |part: &Part| !document.is_cut_off() && seen.iter().all(|(known, _)| known != part);
    let missing: Vec<Part> = Part::ALL.iter().copied().filter(unseen).collect();
    if let ([part], [other]) = (missing.as_slice(), others.as_slice()) {
        let found = TOP_LEVEL.at(*other, format!("`{}` stands where `# {part}` belongs", document.quote(*other)));
        return sink.push(found.help(format!("write `# {part}`")));
    }
    for other in others {
        let found = TOP_LEVEL.at(other, format!("`{}` is a level-1 heading", document.quote(other)));
        let raw = document.at(other).trim_start_matches('#').trim();
        sink.push(if sections::is_template_title(2, raw) {
            found.help(format!("write `## {raw}`: a section has level 2"))
        } else {
            found.help("use level 3 or more inside a section; only `# TL;DR` and `# Handoff Details` have level 1")
        });
    }
    for part in missing {
        let place = match part {
            Part::Tldr => Span::at(document.fence.body.start()),
            Part::Details => document
                .details
                .as_ref()
                .map_or(Span::at(document.text.len()), |details| Span::at(details.span.start())),
        };
        let found = TOP_LEVEL.at(place, format!("there is no level-1 heading `# {part}`"));
        sink.push(match near_miss(document, document.fence.body, 1, part.as_str()) {
            Some(near) => found.related(near.line, near.reason).help(format!("write the line `# {part}`")),
            None => found.help(format!("write the line `# {part}` here")),
        });
    }
}
