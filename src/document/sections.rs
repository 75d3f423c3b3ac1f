//! The two parts of the body and their level-2 sections (PROTOCOL §6, §7).
//!
//! Every section that can be told apart is found, also when a level-1 heading is missing or has another title, so that
//! one wrong heading does not make everything below it look wrong.

use std::ops::Range;

use super::content::{Content, Takes};
use super::outline::Outline;
use crate::protocol::profile::Profile;
use crate::protocol::sections::{DetailsSection, Part, TldrSection};
use crate::source::Span;

/// One of the two parts, `# TL;DR` or `# Handoff Details`.
#[derive(Debug)]
pub struct PartOf<'s, T> {
    /// The block index of its level-1 heading, when there is one.
    pub heading: Option<usize>,
    /// From the `#` of its heading, or its first block, to the next level-1 heading or the end of the file.
    pub span: Span,
    /// Its level-2 sections, in order, unknown ones included.
    pub sections: Vec<Section<'s, T>>,
}

/// A level-2 section.
#[derive(Debug)]
pub struct Section<'s, T> {
    /// Which section of the template it is.
    pub known: Option<T>,
    /// The block index of its heading.
    pub heading: usize,
    /// The bytes of its heading.
    pub heading_span: Span,
    /// What stands under it.
    pub content: Content<'s>,
}

impl<'s, T: Copy + PartialEq> PartOf<'s, T> {
    /// The first section with this title.
    pub fn section(&self, wanted: T) -> Option<&Section<'s, T>> {
        self.sections.iter().find(|section| section.known == Some(wanted))
    }

    /// The content of the first section with this title.
    pub fn content(&self, wanted: T) -> Option<&Content<'s>> {
        self.section(wanted).map(|section| &section.content)
    }
}

/// The TL;DR and the details.
#[derive(Debug)]
pub struct Parts<'s> {
    /// `# TL;DR`.
    pub tldr: PartOf<'s, TldrSection>,
    /// `# Handoff Details`, or what can stand for it.
    pub details: Option<PartOf<'s, DetailsSection>>,
}

/// Finds both parts.
pub fn find<'s>(outline: &Outline<'s>, profile: Profile) -> Parts<'s> {
    let end = outline.blocks.len();
    let tops: Vec<(usize, Option<Part>)> = outline
        .headings(0..end, 1..2)
        .map(|(index, heading)| (index, heading.title.as_deref().and_then(Part::parse)))
        .collect();
    let position = |part| tops.iter().find(|(_, known)| *known == Some(part)).map(|(index, _)| *index);
    let next_top = |after: usize| tops.iter().map(|(index, _)| *index).find(|&index| index > after).unwrap_or(end);

    let heading = position(Part::Tldr);
    // Without its heading the TL;DR is what stands before the details, below another title if there is one.
    let before_details = position(Part::Details).unwrap_or(end);
    let other_title = tops.first().map(|(index, _)| *index).filter(|&index| index < before_details);
    let titled = heading.or(other_title);
    let first = titled.unwrap_or(0);
    let mut tldr_end = if titled.is_some() { next_top(first) } else { before_details };

    let mut details = position(Part::Details).or_else(|| {
        let ends = tops.iter().skip(1).map(|(index, _)| *index).chain([end]);
        let candidates = tops.iter().map(|(index, _)| *index).zip(ends);
        let mut untitled = candidates.filter(|&(index, _)| titled.is_none_or(|title| index > title));
        untitled.find(|&(index, end)| has_details_section(outline, index..end)).map(|(index, _)| index)
    });
    let details_heading = details;
    if details.is_none() && profile == Profile::Full {
        details = implicit_details(outline, first..tldr_end);
        tldr_end = details.unwrap_or(tldr_end);
    }

    let tldr = part(outline, heading, first..tldr_end, Takes::Items, TldrSection::parse);
    let details = details.map(|start| {
        let details_end = if details_heading.is_some() { next_top(start) } else { end };
        part(outline, details_heading, start..details_end, Takes::Entries, DetailsSection::parse)
    });
    Parts { tldr, details }
}

fn has_details_section(outline: &Outline<'_>, range: Range<usize>) -> bool {
    outline.headings(range, 2..3).any(|(_, heading)| is_details_only(heading.title.as_deref()))
}

/// True for a title that no section of the TL;DR has.
fn is_details_only(title: Option<&str>) -> bool {
    title.is_some_and(|title| DetailsSection::parse(title).is_some() && TldrSection::parse(title).is_none())
}

/// Where the details begin when their level-1 heading is missing: at the second Objective, or the first section that the
/// TL;DR cannot have.
fn implicit_details(outline: &Outline<'_>, range: Range<usize>) -> Option<usize> {
    let objective = DetailsSection::Objective.as_str();
    let own: Vec<_> = outline.headings(range.clone(), 2..3).collect();
    let first_own =
        own.iter().find(|(_, heading)| is_details_only(heading.title.as_deref())).map(|(index, _)| *index)?;
    let objectives = own.iter().filter(|(_, heading)| heading.title.as_deref() == Some(objective));
    let second = objectives.map(|(index, _)| *index).nth(1);
    Some(second.map_or(first_own, |second| second.min(first_own)))
}

fn part<'s, T>(
    outline: &Outline<'s>,
    heading: Option<usize>,
    range: Range<usize>,
    takes: Takes,
    parse: fn(&str) -> Option<T>,
) -> PartOf<'s, T> {
    let starts: Vec<usize> = outline.headings(range.clone(), 2..3).map(|(index, _)| index).collect();
    let ends = starts.iter().skip(1).copied().chain([range.end]);
    let sections = starts.iter().copied().zip(ends).filter_map(|(start, end)| {
        let (title, heading_span) = outline.heading(start)?;
        let known = title.title.as_deref().and_then(parse);
        Some(Section { known, heading: start, heading_span, content: Content::read(outline, start + 1..end, takes) })
    });
    let sections = sections.collect();
    let end = outline.blocks.get(range.end).map_or(outline.text().len(), |block| block.span.start());
    let start = outline.blocks.get(range.start).map_or(end, |block| block.span.start());
    PartOf { heading, span: Span::new(start, end), sections }
}
