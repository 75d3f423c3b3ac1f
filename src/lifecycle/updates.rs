//! New contents of sections, which a step takes in the same write: a Markdown file with the headings of a handoff.
//!
//! ```text
//! # TL;DR
//! ## Next Action            replaces the section
//! - Run the import tests.
//! # Handoff Details
//! ## Decisions +            appends to it
//! | Keep the table | its reader needs it | src/job.rs:7 | high |
//! ```
//!
//! Above a section whose title only one part has, the heading of the part may be left out.

use std::ops::Range;

use super::fragment::{Fidelity, Fragment, Origin};
use super::input::{Defects, Input};
use super::said::{outline, passages};
use crate::document::outline::{BlockKind, Outline};
use crate::protocol::sections::{DetailsSection, Part, Section};
use crate::rules::form::{DUPLICATE_DETAILS_SECTION, DUPLICATE_TLDR_SECTION, TOP_LEVEL, UNKNOWN_SECTION};
use crate::source::Span;

/// The new content of a section.
#[derive(Debug)]
pub(super) struct Update {
    pub(super) section: Section,
    pub(super) mode: Mode,
    pub(super) content: Fragment,
}

/// What happens to what stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It goes.
    Replace,
    /// It stays.
    Append,
}

/// Ends a title whose section is appended to.
const APPEND: &str = " +";

/// Reads the sections; what is wrong with their titles is added to `defects`.
pub(super) fn read(input: Input<'_>, defects: &mut Defects) -> Vec<Update> {
    let outline = outline(input.text);
    let end = outline.blocks.len();
    let headings: Vec<_> =
        outline.headings(0..end, 1..3).map(|(index, heading)| (index, heading.level, heading.raw)).collect();
    let first = headings.first().map_or(end, |&(index, ..)| index);
    belongs_to_no_section(input, &outline, 0..first, defects);
    let ends = headings.iter().skip(1).map(|&(index, ..)| index).chain([end]);
    let mut part = None;
    let mut updates = Vec::new();
    for (&(index, level, title), end) in headings.iter().zip(ends) {
        let Some((_, span)) = outline.heading(index) else { continue };
        if level == 1 {
            part = Part::parse(title);
            if part.is_none() {
                let found = TOP_LEVEL.at(span, "this is no part of a handoff");
                defects.push(input.role, found.help(format!("write `# {}` or `# {}`", Part::Tldr, Part::Details)));
            }
            belongs_to_no_section(input, &outline, index + 1..end, defects);
            continue;
        }
        let (title, mode) = title.strip_suffix(APPEND).map_or((title, Mode::Replace), |title| (title, Mode::Append));
        match Section::parse(part, title.trim_end()) {
            Some(section) if updates.iter().any(|update: &Update| update.section == section) => {
                let rule = match section {
                    Section::Tldr(_) => &DUPLICATE_TLDR_SECTION,
                    Section::Details(_) => &DUPLICATE_DETAILS_SECTION,
                };
                let found = rule.at(span, format!("`## {title}` is named twice"));
                defects.push(input.role, found.help("write what the section shall say under one heading"));
            }
            Some(section) if is_open(section) => {
                let content = verbatim(input, outline.between(index + 1..end));
                updates.push(Update { section, mode, content });
            }
            _ => {
                let found = UNKNOWN_SECTION.at(span, "this is no section that an update can name");
                let help = format!(
                    "write the title of a section, under `# {}` or `# {}` where both have it; `## {}` and `## {}` are written by the steps of the session",
                    Part::Tldr,
                    Part::Details,
                    DetailsSection::Interrogation,
                    DetailsSection::FinalSuccessorSummary
                );
                defects.push(input.role, found.help(help));
            }
        }
    }
    updates
}

fn belongs_to_no_section(input: Input<'_>, outline: &Outline<'_>, blocks: Range<usize>, defects: &mut Defects) {
    if let Some(text) = passages(outline, blocks).first() {
        let found = UNKNOWN_SECTION.at(text.span, "this text belongs to no section");
        defects.push(input.role, found.help("put it under the heading of its section, `## <title>`"));
    }
}

/// False for the sections that only the steps of a session write.
pub(super) fn is_open(section: Section) -> bool {
    let written = [DetailsSection::Interrogation, DetailsSection::FinalSuccessorSummary];
    !written.map(Section::Details).contains(&section)
}

/// What Markdown takes for blank; to cut another space could make a heading of a line.
const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// The bytes of an input as they are, but for the blank lines around them and the kind of the line breaks.
pub(super) fn verbatim(input: Input<'_>, span: Span) -> Fragment {
    let text = span.of(input.text);
    let is_blank = |line: &&str| line.trim_matches(BLANKS).is_empty();
    let blank = text.split_inclusive('\n').take_while(is_blank).map(str::len).sum::<usize>();
    let start = span.start() + blank;
    let end = (span.start() + text.trim_end_matches(BLANKS).len()).max(start);
    let span = Span::new(start, end);
    let text = span.of(input.text).replace("\r\n", "\n");
    let mut fragment = Fragment::default();
    fragment.push_from(&text, Origin { role: input.role, span, fidelity: Fidelity::of(&text, span.of(input.text)) });
    fragment
}

/// True when a comment, another HTML block or a code block of a content would go on behind it.
pub(super) fn is_left_open(content: &str) -> bool {
    let followed = format!("{content}\n\n# End\n");
    let outline = outline(&followed);
    outline.blocks.last().is_some_and(|last| matches!(last.kind, BlockKind::Empty | BlockKind::Code))
}

/// The whole of an input as the new content of one section; a heading that would begin another is added to `defects`.
pub(super) fn whole(input: Input<'_>, defects: &mut Defects) -> Fragment {
    let outline = outline(input.text);
    for (index, heading) in outline.headings(0..outline.blocks.len(), 1..3) {
        let Some((_, span)) = outline.heading(index) else { continue };
        let message = format!("a heading of level {} would begin another section", heading.level);
        let help = "use `###` or lower, and give what belongs to another section to that one";
        defects.push(input.role, UNKNOWN_SECTION.at(span, message).help(help));
    }
    verbatim(input, Span::new(0, input.text.len()))
}
