//! Finds what was probably meant to be a heading that is missing, to say why it is none.

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::document::fence::lines;
use crate::document::outline::Form;
use crate::protocol::nearest::nearest;
use crate::protocol::sections::is_template_title;
use crate::source::Span;

/// A line that looks like the missing heading, and why it is not that heading.
pub(in crate::rules) struct NearMiss {
    pub(in crate::rules) line: Span,
    pub(in crate::rules) reason: String,
}

/// Looks in `region` for a line that was probably meant as the heading `title` of `level`.
pub(in crate::rules) fn near_miss(
    document: &Document<'_>,
    region: Span,
    level: usize,
    title: &str,
) -> Option<NearMiss> {
    let region_lines =
        lines(document.text, region.start()).map(|(line, _)| line).take_while(|line| line.start() < region.end());
    region_lines.filter(|line| !is_own_heading(document, *line)).find_map(|line| {
        let reason = reason(document, line, level, title)?;
        Some(NearMiss { line, reason })
    })
}

/// True for a heading of the template in its own right, at its own level.
fn is_own_heading(document: &Document<'_>, line: Span) -> bool {
    heading_on(document, line)
        .is_some_and(|(level, raw)| u8::try_from(level).is_ok_and(|level| is_template_title(level, raw)))
}

/// The level and title of the heading at document level on this line.
fn heading_on<'d>(document: &'d Document<'_>, line: Span) -> Option<(usize, &'d str)> {
    let block = document.outline.blocks.partition_point(|block| block.span.end() <= line.start());
    let (heading, span) = document.outline.heading(block)?;
    (span.start() < line.end()).then_some((usize::from(heading.level), heading.raw))
}

fn reason(document: &Document<'_>, line: Span, level: usize, title: &str) -> Option<String> {
    const CONTAINERS: [char; 6] = [' ', '\t', '>', '-', '*', '+'];
    let text = document.at(line).trim_start_matches(CONTAINERS);
    let behind = text.trim_start_matches('#');
    let hashes = text.len() - behind.len();
    let bare = behind.replace('\u{a0}', " ");
    let bare = bare.trim().trim_end_matches(['#', ':', '：', ' ']);
    let heading = heading_on(document, line);
    let same =
        bare.eq_ignore_ascii_case(title) || (heading.is_some() && nearest(bare, std::iter::once(title)).is_some());
    if hashes == 0 || hashes > 6 || !same {
        return None;
    }
    let wanted = "#".repeat(level);
    Some(match heading {
        Some((found, raw)) if found != level && raw == title => {
            format!("this heading has level {found}; write `{wanted} {title}`")
        }
        Some((_, raw)) if raw.contains('\u{a0}') => {
            format!("U+00A0 in this title makes it another one; write `{wanted} {title}`")
        }
        Some(_) => format!("titles are compared to the letter; write `{wanted} {title}`"),
        None if behind.starts_with('\u{a0}') => {
            format!("U+00A0 behind `{wanted}` makes this no heading; write a space")
        }
        None if !behind.starts_with([' ', '\t']) => format!("no space behind `{wanted}`, so this is no heading"),
        None => "this line is part of a code block, HTML, a quote or a list item, so it is no heading of the document"
            .to_owned(),
    })
}

/// A finding about something that is missing or empty between two offsets, with the line that an underline below it
/// turned into a heading, when that is what ends the region too early.
pub(in crate::rules) fn with_accident(document: &Document<'_>, region: Span, found: Diagnostic) -> Diagnostic {
    let outline = &document.outline;
    let first = outline.blocks.partition_point(|block| block.span.start() <= region.start());
    let next = outline.headings(first..outline.blocks.len(), 1..3).next();
    match next.and_then(|(index, _)| outline.heading(index)) {
        Some((heading, span))
            if heading.form == Form::Setext && heading.title.is_none() && span.start() <= region.end() =>
        {
            found.related(span, "this text and the line below it are a heading: put a blank line between")
        }
        _ => found,
    }
}
