//! The four rules that both parts of the body share: which sections, once, in order, and no other (PROTOCOL §6, §7).

use super::near::near_miss;
use crate::diagnostic::{Diagnostic, Rule, Sink};
use crate::document::Document;
use crate::document::sections::{PartOf, Section};
use crate::protocol::nearest::nearest;
use crate::source::Span;

/// The rules of one part.
pub(in crate::rules) struct SectionRules {
    pub(in crate::rules) missing: &'static Rule,
    pub(in crate::rules) duplicate: &'static Rule,
    pub(in crate::rules) order: &'static Rule,
    pub(in crate::rules) unknown: &'static Rule,
}

/// Holds the sections of a part against `all`, the titles in their order.
pub(in crate::rules) fn check<T: Copy + PartialEq + std::fmt::Display>(
    document: &Document<'_>,
    part: &PartOf<'_, T>,
    name: &str,
    all: &[T],
    rules: &SectionRules,
    sink: &mut Sink,
) {
    let absent: Vec<T> = all.iter().copied().filter(|&wanted| part.section(wanted).is_none()).collect();
    missing(document, part, name, (all, &absent), rules.missing, sink);
    let absent: Vec<String> = absent.iter().map(ToString::to_string).collect();
    let mut seen: Vec<&Section<'_, T>> = Vec::new();
    let mut last: Option<(usize, &Section<'_, T>)> = None;
    for section in &part.sections {
        let Some(known) = section.known else {
            let shown = document.quote(section.heading_span);
            let found = rules.unknown.at(section.heading_span, format!("`{shown}` is no section of {name}"));
            let raw = document.outline.heading(section.heading).map_or("", |(heading, _)| heading.raw);
            sink.push(found.help(match nearest(raw, absent.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `## {near}`?"),
                None => format!("the sections are {}", titles(all)),
            }));
            continue;
        };
        if let Some(first) = seen.iter().find(|first| first.known == section.known) {
            let found = rules.duplicate.at(section.heading_span, format!("`## {known}` stands twice in {name}"));
            sink.push(
                found.label("again here").related(first.heading_span, "first here").help("join the two sections"),
            );
            continue;
        }
        seen.push(section);
        let index = all.iter().position(|title| *title == known).unwrap_or_default();
        match last {
            Some((before, earlier)) if before > index => sink.push(misplaced(section, earlier, all, rules.order)),
            _ => last = Some((index, section)),
        }
    }
}

fn missing<T: Copy + PartialEq + std::fmt::Display>(
    document: &Document<'_>,
    part: &PartOf<'_, T>,
    name: &str,
    (all, absent): (&[T], &[T]),
    rule: &'static Rule,
    sink: &mut Sink,
) {
    if document.is_cut_off() {
        return;
    }
    let place = part.heading.and_then(|index| document.outline.heading(index)).map_or(part.span, |(_, span)| span);
    if absent.len() == all.len() {
        let found = rule.at(place, format!("{name} has none of its sections"));
        return sink.push(found.help(format!("write all of them, each as `## …`: {}", titles(all))));
    }
    for &wanted in absent {
        let found = rule.at(place, format!("{name} has no section `## {wanted}`"));
        let title = wanted.to_string();
        let near = near_miss(document, part.span, 2, &title);
        sink.push(match (near, orphan(document, &title)) {
            (Some(near), _) => found.related(near.line, near.reason).help(format!("write the line `## {title}`")),
            (None, Some(orphan)) => found
                .related(orphan, "it stands here, but the level-1 heading before it ends the part")
                .help("repair or remove that level-1 heading"),
            (None, None) => found.help(format!("add `## {title}` {}", position(all, wanted))),
        });
    }
}

/// A section of this title that belongs to neither part.
fn orphan(document: &Document<'_>, title: &str) -> Option<Span> {
    let outline = &document.outline;
    let details = document.details.as_ref().map(|details| details.span);
    let parts = [Some(document.tldr.span), details];
    let mut headings = outline.headings(0..outline.blocks.len(), 2..3);
    headings.find_map(|(index, heading)| {
        let (_, span) = outline.heading(index).filter(|_| heading.title.as_deref() == Some(title))?;
        parts.iter().flatten().all(|part| !part.contains(span.start())).then_some(span)
    })
}

fn misplaced<T: Copy + PartialEq + std::fmt::Display>(
    section: &Section<'_, T>,
    earlier: &Section<'_, T>,
    all: &[T],
    order: &'static Rule,
) -> Diagnostic {
    let title = |section: &Section<'_, T>| section.known.map(|known| known.to_string()).unwrap_or_default();
    let message = format!("`## {}` stands behind `## {}`", title(section), title(earlier));
    let found = order.at(section.heading_span, message).related(earlier.heading_span, "this one belongs behind it");
    found.help(format!("the order is {}", titles(all)))
}

fn titles<T: std::fmt::Display>(all: &[T]) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Where a section belongs, as a phrase.
fn position<T: Copy + PartialEq + std::fmt::Display>(all: &[T], wanted: T) -> String {
    let before = all.iter().take_while(|title| **title != wanted).last();
    before.map_or_else(|| "as the first section".to_owned(), |before| format!("behind `## {before}`"))
}
