//! The compressed prompt: nine priorities, whole entries, a budget (the source §8).
//!
//! What must be kept comes first, then each other entry in the order of the priorities as long as it fits into what is
//! left of the budget. Nothing is cut: an entry that does not fit is left out whole, and the prompt says of which section.

use super::entries::listed;
use super::handover::{duties, missing};
use super::{Kind, Language, Refused, Subject};
use crate::deliver::with_lf;
use crate::document::Document;
use crate::document::content::{Content, table};
use crate::document::rounds::{Interrogation, Record};
use crate::protocol::sections::{DecisionColumn, DetailsSection, Field, TldrSection};
use crate::protocol::tokens::Size;

/// Whether a section is kept whatever the budget is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    Always,
    IfItFits,
}

/// One section of the prompt, with what can be kept of it.
struct Block {
    title: &'static str,
    /// What stands between the heading and the entries: the head of a table.
    head: String,
    keep: Keep,
    entries: Vec<String>,
}

/// The prompt, at most `budget` estimated tokens long where what is always kept leaves room.
///
/// # Errors
/// The document is not sealed, or its path cannot be written down.
pub fn compressed(subject: Subject<'_, '_>, budget: usize) -> Result<String, Refused> {
    subject.require(Kind::Compressed)?;
    let blocks = blocks(subject.document);
    let whole: Vec<Vec<&str>> = blocks.iter().map(|block| block.entries.iter().map(String::as_str).collect()).collect();
    let prompt = written(&subject, &blocks, &whole);
    if Size::of(&prompt).tokens() <= budget {
        return Ok(prompt);
    }
    let kept = chosen(&subject, &blocks, budget);
    Ok(written(&subject, &blocks, &kept))
}

/// The entries that are kept, for each block.
fn chosen<'b>(subject: &Subject<'_, '_>, blocks: &'b [Block], budget: usize) -> Vec<Vec<&'b str>> {
    let mut kept: Vec<Vec<&str>> = blocks.iter().map(|block| block.required().collect()).collect();
    // With the longest possible list of what is left out; it only becomes shorter.
    let mut size = Size::of(&written(subject, blocks, &kept));
    for (block, kept) in blocks.iter().zip(&mut kept).filter(|(block, _)| block.keep == Keep::IfItFits) {
        for entry in &block.entries {
            let heading = if kept.is_empty() { Size::of(&block.heading()) } else { Size::default() };
            let with = size + heading + Size::of(entry);
            if with.tokens() <= budget {
                size = with;
                kept.push(entry);
            }
        }
    }
    kept
}

/// The text of the prompt with these entries of each block.
fn written(subject: &Subject<'_, '_>, blocks: &[Block], kept: &[Vec<&str>]) -> String {
    let &Subject { document, path, language } = subject;
    let begin = match language {
        Language::English => {
            format!(
                "Take over the current task. Below is what matters most of the handoff document; it stands whole at:\n{path}\n"
            )
        }
        Language::Chinese => format!("请接管当前任务。以下是按优先级压缩的交接内容；完整交接文档：\n{path}\n"),
    };
    let left_out = left_out(subject, blocks, kept);
    let mut prompt = format!("{begin}\n{}{left_out}{}", duties(path, language), missing(document, language));
    for (block, kept) in blocks.iter().zip(kept).filter(|(_, kept)| !kept.is_empty()) {
        prompt.push_str(&block.heading());
        prompt.extend(kept.iter().copied());
    }
    prompt
}

/// What is not in the prompt, and where it stands; nothing when everything is there.
fn left_out(subject: &Subject<'_, '_>, blocks: &[Block], kept: &[Vec<&str>]) -> String {
    let counts = blocks.iter().zip(kept).map(|(block, kept)| (block.title, block.entries.len() - kept.len()));
    let counts: Vec<String> =
        counts.filter(|(_, count)| *count > 0).map(|(title, count)| format!("{title} ({count})")).collect();
    let path = subject.path;
    match subject.language {
        _ if counts.is_empty() => String::new(),
        Language::English => format!(
            "\nLeft out because of their length, with the number of entries: {}. They stand in the document at {path}\n",
            counts.join(", ")
        ),
        Language::Chinese => {
            format!("\n因篇幅未收录的条目（括号内为条数）：{}。这些条目见交接文档 {path}\n", counts.join("、"))
        }
    }
}

/// Everything that may be kept, in the order of the nine priorities.
fn blocks(document: &Document<'_>) -> Vec<Block> {
    let section = |section: DetailsSection, keep| {
        Block::new(section.as_str(), keep, document.section(section).into_iter().flat_map(listed))
    };
    let state = document.tldr.content(TldrSection::CurrentState);
    let interrogation = document.interrogation.as_ref();
    let review = interrogation.and_then(Interrogation::final_review);
    let conflicts = review.and_then(|review| review.content(Field::Conflicts));
    vec![
        section(DetailsSection::Objective, Keep::Always),
        section(DetailsSection::AcceptanceCriteria, Keep::IfItFits),
        Block::new(TldrSection::CurrentState.as_str(), Keep::Always, state.into_iter().flat_map(listed)),
        section(DetailsSection::CompletedWork, Keep::IfItFits),
        section(DetailsSection::Constraints, Keep::IfItFits),
        decisions(document),
        section(DetailsSection::PendingWork, Keep::IfItFits),
        section(DetailsSection::RecommendedNextActions, Keep::IfItFits),
        section(DetailsSection::KnownRisks, Keep::IfItFits),
        Block::new(Field::Conflicts.as_str(), Keep::IfItFits, conflicts.into_iter().flat_map(listed)),
        section(DetailsSection::UnverifiedAssumptions, Keep::IfItFits),
        section(DetailsSection::ChangedFiles, Keep::IfItFits),
        section(DetailsSection::Evidence, Keep::IfItFits),
        section(DetailsSection::FailedAttempts, Keep::IfItFits),
        Block::new(
            DetailsSection::Interrogation.as_str(),
            Keep::IfItFits,
            interrogation.into_iter().flat_map(Interrogation::rounds).flat_map(|(_, round)| answered(round)),
        ),
    ]
}

impl Block {
    fn new(title: &'static str, keep: Keep, entries: impl Iterator<Item = String>) -> Self {
        let entries = entries.collect();
        Self { title, head: String::new(), keep, entries }
    }

    fn heading(&self) -> String {
        format!("\n## {}\n{}", self.title, self.head)
    }

    fn required(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(String::as_str).filter(|_| self.keep == Keep::Always)
    }
}

/// The rows of the table of decisions.
fn decisions(document: &Document<'_>) -> Block {
    let content = document.section(DetailsSection::Decisions);
    let tables = content.into_iter().flat_map(|content| &content.entries);
    let rows = tables.filter_map(|entry| table(&document.outline, entry)).flat_map(|table| &table.rows);
    let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
    let rows = rows.map(|row| line(row.iter().map(|&cell| document.at(cell).trim()).collect()));
    let columns: Vec<&str> = DecisionColumn::words().collect();
    let head = line(columns.clone()) + &line(columns.iter().map(|_| "---").collect());
    Block { head, ..Block::new(DetailsSection::Decisions.as_str(), Keep::IfItFits, rows) }
}

/// The questions of a round, each with its answer.
fn answered<'r>(round: &'r Record<'_>) -> impl Iterator<Item = String> + 'r {
    let of = |field| round.content(field).into_iter().flat_map(|content: &Content<'_>| &content.entries);
    let questions = of(Field::Questions).filter(|question| question.is_real());
    questions.zip(of(Field::Answers)).map(|(question, answer)| {
        format!("- {}\n  {}: {}\n", with_lf(&question.text), Field::Answers, with_lf(&answer.text))
    })
}
