//! Handing over: how long a document is for its successor, and the prompts of the four calls that the protocol knows
//! (the source §6–§8). A parsed document and its path in, text out; nothing here reads a file, a clock or a terminal.

pub mod estimate;
pub mod prompt;

use crate::document::Document;
use crate::protocol::sections::DetailsSection;

/// The delivery body: the document without the audit rounds. Questions and answers are not handed over by default; the
/// final review stays, because it is the verdict. Lines end with LF.
pub fn body(document: &Document<'_>) -> String {
    let interrogation = document.details.as_ref().and_then(|details| details.section(DetailsSection::Interrogation));
    let Some(interrogation) = interrogation else { return with_lf(document.text) };
    let review = document.interrogation.as_ref().and_then(|interrogation| interrogation.final_review());
    let cut = match review {
        Some(review) => interrogation.heading_span.end()..review.heading.start(),
        None => interrogation.heading_span.start()..interrogation.content.span.end(),
    };
    let (before, after) = (document.text.get(..cut.start), document.text.get(cut.end..));
    let before = before.unwrap_or_default().trim_end();
    with_lf(&[before, "\n\n", after.unwrap_or_default()].concat())
}

/// `text` with every line end as LF.
fn with_lf(text: &str) -> String {
    text.replace("\r\n", "\n")
}
