//! The audit rounds inside `## Interrogation` (PROTOCOL §8).

use std::ops::Range;

use super::content::{Content, Takes};
use super::outline::Outline;
use crate::protocol::audit::Audit;
use crate::protocol::sections::{self, Field};
use crate::source::{Span, Spanned};

/// What stands inside `## Interrogation`.
#[derive(Debug)]
pub struct Interrogation<'s> {
    /// What stands before the first heading of level 3 or 4.
    pub preamble: Content<'s>,
    /// The rounds and final reviews, in order.
    pub records: Vec<Record<'s>>,
    /// The other headings of level 3 and 4.
    pub strays: Vec<Span>,
    /// The rounds are the template's own skeleton: `### Round 1` with seven empty fields.
    pub skeleton: bool,
}

/// A round or a final review.
#[derive(Debug)]
pub struct Record<'s> {
    /// Which it is.
    pub title: RecordTitle,
    /// Its level-3 heading.
    pub heading: Span,
    /// Its level-4 fields, in order.
    pub fields: Vec<FieldOf<'s>>,
}

/// The title of a [`Record`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordTitle {
    /// `### Round k`.
    Round(u32),
    /// `### Final Review`.
    FinalReview,
}

impl std::fmt::Display for RecordTitle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Round(number) => f.write_str(&sections::round_title(*number)),
            Self::FinalReview => f.write_str(sections::FINAL_REVIEW),
        }
    }
}

/// A level-4 field.
#[derive(Debug)]
pub struct FieldOf<'s> {
    /// Which field.
    pub field: Field,
    /// Its heading.
    pub heading: Span,
    /// What stands under it.
    pub content: Content<'s>,
}

impl<'s> Record<'s> {
    /// The first field with this title.
    pub fn field(&self, field: Field) -> Option<&FieldOf<'s>> {
        self.fields.iter().find(|found| found.field == field)
    }

    /// The content of the first field with this title.
    pub fn content(&self, field: Field) -> Option<&Content<'s>> {
        self.field(field).map(|found| &found.content)
    }

    /// The verdict, when Status is one word that this record may say.
    pub fn status(&self) -> Option<Spanned<Audit>> {
        let [entry] = self.content(Field::Status)?.entries.as_slice() else { return None };
        let audit = Audit::parse(&entry.text).filter(|audit| self.verdicts().contains(audit))?;
        Some(Spanned::new(audit, entry.span))
    }

    /// The verdicts that this record may give.
    pub fn verdicts(&self) -> &'static [Audit] {
        match self.title {
            RecordTitle::Round(_) => Audit::OF_ROUND,
            RecordTitle::FinalReview => Audit::OF_REVIEW,
        }
    }

    /// True when Current Agent Answers says something.
    pub fn has_answers(&self) -> bool {
        self.content(Field::Answers).is_some_and(|answers| !answers.is_silent())
    }
}

impl<'s> Interrogation<'s> {
    /// Reads the blocks of the section.
    pub(super) fn read(outline: &Outline<'s>, blocks: Range<usize>) -> Self {
        let headings: Vec<usize> = outline.headings(blocks.clone(), 3..5).map(|(index, _)| index).collect();
        let ends = headings.iter().skip(1).copied().chain([blocks.end]);
        let preamble = blocks.start..headings.first().copied().unwrap_or(blocks.end);
        let mut read = Self {
            preamble: Content::read(outline, preamble, Takes::Entries),
            records: Vec::new(),
            strays: Vec::new(),
            skeleton: false,
        };
        let mut below = Below::Nothing;
        for (index, end) in headings.iter().copied().zip(ends) {
            let Some((heading, span)) = outline.heading(index) else { continue };
            let title = heading.title.as_deref().unwrap_or_default();
            if heading.level == 3 {
                if let Some(title) = record_title(title) {
                    below = Below::Record;
                    read.records.push(Record { title, heading: span, fields: Vec::new() });
                } else {
                    // A field with one hash too few does not end its record.
                    below = if Field::parse(heading.raw).is_some() { below } else { Below::Stray };
                    read.strays.push(span);
                }
                continue;
            }
            match (Field::parse(title), below) {
                (Some(field), Below::Record) => {
                    let content = Content::read(outline, index + 1..end, Takes::Entries);
                    if let Some(record) = read.records.last_mut() {
                        record.fields.push(FieldOf { field, heading: span, content });
                    }
                }
                // The fields of a misspelt round are not what is wrong with it.
                (Some(_), Below::Stray) => {}
                (Some(_), Below::Nothing) | (None, _) => read.strays.push(span),
            }
        }
        read.skeleton = read.is_skeleton();
        read
    }

    fn is_skeleton(&self) -> bool {
        let [record] = self.records.as_slice() else { return false };
        record.title == RecordTitle::Round(1)
            && self.strays.is_empty()
            && self.preamble.is_empty()
            && record.fields.iter().map(|found| found.field).eq(Field::ALL.iter().copied())
            && record.fields.iter().all(|found| found.content.is_empty())
    }

    /// The rounds, each with its number.
    pub fn rounds(&self) -> impl Iterator<Item = (u32, &Record<'s>)> {
        self.records.iter().filter_map(|record| match record.title {
            RecordTitle::Round(number) => Some((number, record)),
            RecordTitle::FinalReview => None,
        })
    }

    /// The first round with this number.
    pub fn round(&self, number: u32) -> Option<&Record<'s>> {
        self.rounds().find(|(found, _)| *found == number).map(|(_, record)| record)
    }

    /// The first final review.
    pub fn final_review(&self) -> Option<&Record<'s>> {
        self.records.iter().find(|record| record.title == RecordTitle::FinalReview)
    }
}

/// What the last level-3 heading was.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Below {
    Nothing,
    Record,
    Stray,
}

fn record_title(title: &str) -> Option<RecordTitle> {
    if title == sections::FINAL_REVIEW {
        return Some(RecordTitle::FinalReview);
    }
    sections::round_number(title).map(RecordTitle::Round)
}
