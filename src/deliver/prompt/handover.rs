//! The start-up prompt and the full one (the source §8).

use super::entries::listed;
use super::{Kind, Language, Refused, Subject};
use crate::deliver::body;
use crate::deliver::estimate::SAFE;
use crate::document::Document;
use crate::protocol::sections::{DetailsSection, TldrSection};
use crate::protocol::status::Status;
use crate::protocol::tokens::Size;

/// How long a full prompt may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// At most [`SAFE`] estimated tokens.
    Safe,
    /// As long as it is.
    Any,
}

/// The short prompt: read the document first, check it, five duties, the last of which deletes it.
///
/// # Errors
/// The document is not sealed, or its path cannot be written down.
pub fn startup(subject: Subject<'_, '_>) -> Result<String, Refused> {
    subject.require(Kind::Startup)?;
    let Subject { document, path, language } = subject;
    let begin = match language {
        Language::English => format!("Take over the current task. Read the handoff document first:\n{path}\n"),
        Language::Chinese => format!("请接管当前任务。首先阅读交接文档：\n{path}\n"),
    };
    Ok(format!("{begin}\n{}{}", duties(path, language), missing(document, language)))
}

/// Everything but the audit rounds, behind the same duties.
///
/// # Errors
/// The document is not sealed, the prompt is too long, or the path cannot be written down.
pub fn full(subject: Subject<'_, '_>, length: Length) -> Result<String, Refused> {
    subject.require(Kind::Full)?;
    let Subject { document, path, language } = subject;
    let begin = match language {
        Language::English => {
            format!(
                "Take over the current task. Below is the handoff document without its audit rounds; it stands whole at:\n{path}\n"
            )
        }
        Language::Chinese => {
            format!("请接管当前任务。以下是交接文档的内容，不含审问问答记录；完整交接文档：\n{path}\n")
        }
    };
    let prompt =
        format!("{begin}\n{}{}\n{}\n", duties(path, language), missing(document, language), body(document).trim_end());
    let tokens = Size::of(&prompt).tokens();
    if length == Length::Safe && tokens > SAFE { Err(Refused::TooLong { tokens }) } else { Ok(prompt) }
}

/// The checks and the five duties of every successor.
pub(super) fn duties(path: &str, language: Language) -> String {
    let next = DetailsSection::RecommendedNextActions;
    match language {
        Language::English => format!(
            "\
Then check the code, the Git state and the test results that the document names; do not assume that the handoff is \
entirely right.
When you have verified them:
1. restate the objective, the current state and the constraints in at most 10 points;
2. point out conflicts, missing information and unverified assumptions;
3. go on from {next};
4. where the handoff document and the facts of the repository conflict, the present facts of the repository that can be \
verified decide; report it to the user.
5. When the take-over is complete and this handoff document is confirmed to be no longer needed, delete it ({path}), with \
its backup and the other files beside it (`handoff-guard discard` lists and removes them); before you delete it, explain \
the effect to the user; if it must be kept, say why.
"
        ),
        Language::Chinese => format!(
            "\
然后检查文档列出的代码、Git 状态和验证结果，不要假设交接内容完全正确。
完成验证后：
1. 用不超过 10 条要点复述目标、当前状态和约束；
2. 指出冲突、缺失信息和未验证假设；
3. 从 {next} 开始继续执行；
4. 遇到交接文档与仓库事实冲突时，以可验证的当前仓库事实为准，并向用户报告。
5. 完成接管并确认本交接文档不再需要后，删除该文档（{path}）及其旁边的备份等文件（`handoff-guard discard` \
会列出并删除它们）；删除前向用户说明影响，确需保留时说明保留理由。
"
        ),
    }
}

/// What a successor of a BLOCKED document must have before it takes over; nothing in the other states.
pub(super) fn missing(document: &Document<'_>, language: Language) -> String {
    if document.status().is_none_or(|status| status.value != Status::Blocked) {
        return String::new();
    }
    let blockers = document.tldr.content(TldrSection::BlockersAndRisks);
    let items: String = blockers.into_iter().flat_map(listed).collect();
    match language {
        Language::English => format!(
            "\nThe final review ended with {}. Before you take over, supply evidence for the following:\n{items}",
            Status::Blocked
        ),
        Language::Chinese => format!("\n终审状态为 {}。接管前必须先对以下事项补证：\n{items}", Status::Blocked),
    }
}
