//! The assignments of the two kinds of sub-agents (the source §6, stages B and D). They ask for exactly the form that the
//! rules of PROTOCOL §8 and §9 accept.

use super::{Kind, Language, Refused, Subject};
use crate::protocol::anchor::ANCHORS;
use crate::protocol::audit::{Audit, MOST_QUESTIONS};
use crate::protocol::sections::{DetailsSection, Field, MOST_SUMMARY_POINTS};
use crate::protocol::words::{CRITERION, NONE, REASON, UNVERIFIED};

/// The assignment of an audit round.
///
/// # Errors
/// The document is not COLLECTING with a round left, or its path cannot be written down.
pub fn auditor(subject: Subject<'_, '_>) -> Result<String, Refused> {
    subject.require(Kind::Auditor)?;
    let (path, form) = (subject.path, form(subject.language));
    let verdicts = alternatives(Audit::OF_ROUND, subject.language);
    let (status, questions, risks, unknowns) = (Field::Status, Field::Questions, Field::Risks, Field::Unknowns);
    let (asking, risky) = (Audit::NeedsAnswers, Audit::ReadyWithRisks);
    Ok(match subject.language {
        Language::English => format!(
            "\
Read the handoff state file: {path}
You are the one who is about to take over the current coding task. Audit the handoff together with the relevant code, \
documents, Git state and test evidence of the repository.

Requirements:
- find the missing facts, contradictions, ambiguous decisions and unverified assumptions that would affect going on;
- verify yourself whatever evidence in the repository can answer, and do not ask about it;
- from the evidence that can be seen now, ask all questions that must be asked at once; join those of one kind, at most \
{MOST_QUESTIONS}, in the order of their effect; keep no known question back for a later round;
{form}
- {status} is one word and nothing else: {verdicts};
- {questions} is one list, one question an item, when {status} is {asking}; else it is {NONE};
- when {status} is {risky}, {risks} or {unknowns} is not {NONE};
- do not change any file or code.
"
        ),
        Language::Chinese => format!(
            "\
读取交接状态文件：{path}
你是即将接管当前 coding 任务的接任者。请结合仓库中的相关代码、文档、Git 状态和测试证据审计交接内容。

要求：
- 找出会影响继续执行的缺失事实、矛盾、模糊决策和未验证假设；
- 能从仓库证据回答的问题自行验证，不要提问；
- 基于当前可见证据一次性穷举全部必须提问的问题，合并同类项，最多 {MOST_QUESTIONS} 个，按影响排序；不得预留已知问题到后续轮次；
{form}
- {status} 只能是 {verdicts}，且只写这一个词；
- {status} 为 {asking} 时，{questions} 写成一个列表，每项一个问题；否则写 {NONE}；
- {status} 为 {risky} 时，{risks} 与 {unknowns} 不得都是 {NONE}；
- 不修改任何文件或代码。
"
        ),
    })
}

/// The assignment of the final review.
///
/// # Errors
/// The document is not `REVIEW_PENDING`, or its path cannot be written down.
pub fn reviewer(subject: Subject<'_, '_>) -> Result<String, Refused> {
    subject.require(Kind::Reviewer)?;
    let (path, form) = (subject.path, form(subject.language));
    let verdicts = alternatives(Audit::OF_REVIEW, subject.language);
    let [status, questions, conflicts, risks, unknowns, evidence] =
        [Field::Status, Field::Questions, Field::Conflicts, Field::Risks, Field::Unknowns, Field::Evidence];
    let (ready, risky, blocked) = (Audit::Ready, Audit::ReadyWithRisks, Audit::Blocked);
    let (summary, change) = (DetailsSection::FinalSuccessorSummary, change(subject));
    Ok(match subject.language {
        Language::English => format!(
            "\
Read the handoff state file: {path}
You are the one who is about to take over the current coding task. This is the final review before the handoff is sealed: \
judge it together with the relevant code, documents, Git state and test evidence of the repository.

Requirements:
- check whether the formal sections agree with each other and have enough evidence;
- list the conflicts, risks and unknowns that are left;
{form}
- {status} is one word and nothing else: {verdicts};
  - {ready}: the information is complete, and nothing unknown affects the next step;
  - {risky}: the task can be taken over now; the new task can verify what is unknown by itself, and a failed verification \
leads to nothing irreversible;
  - {blocked}: information that is needed before the take-over is missing; the new task cannot recover it from code, \
documents or evidence of running, and going on may cause errors or irreversible effects;
- {questions} is {NONE};
- when {status} is {risky}, {risks} or {unknowns} is not {NONE}; when it is {blocked}, one of {conflicts}, {risks} and \
{unknowns} says what has to be supplied before the take-over;
- {evidence} is not {NONE}: it holds the reason of the final status, as an entry that starts with `{REASON}`, and the \
evidence for it;
{change}- behind the six fields, under a heading `{summary}` of the same level, write at most {MOST_SUMMARY_POINTS} points \
for the successor, as one list; this summary is part of the delivery and does not change the contract of the six fields;
- do not change any file or code.
"
        ),
        Language::Chinese => format!(
            "\
读取交接状态文件：{path}
你是即将接管当前 coding 任务的接任者。这是封存交接包之前的终审，请结合仓库中的相关代码、文档、Git 状态和测试证据审查交接内容。

要求：
- 检查正式章节是否自洽并有足够证据；
- 把残余冲突、风险和未知项列出；
{form}
- {status} 只能是 {verdicts}，且只写这一个词；
  - {ready}：接管所需信息完整，没有影响下一步执行的未知项；
  - {risky}：可以立即接管；剩余未知项可由新任务自行验证，且验证失败不会导致不可逆操作；
  - {blocked}：缺少接管前必须获得的信息；新任务无法从代码、文档或运行证据自行恢复，继续执行可能造成错误或不可逆影响；
- {questions} 必须为 {NONE}；
- {status} 为 {risky} 时，{risks} 与 {unknowns} 不得都是 {NONE}；为 {blocked} 时，须在 {conflicts}、{risks} 或 {unknowns} \
中列出新任务接管前需要补证的事项；
- {evidence} 不得为 {NONE}：其中包含最终状态理由（以 `{REASON}` 开头的条目）及证据；
{change}- 在六个字段之后，另以同级标题 `{summary}` 生成不超过 {MOST_SUMMARY_POINTS} 条的接任摘要，写成一个列表；该摘要是交付内容，不改变六字段审计契约；
- 不修改任何文件或代码。
"
        ),
    })
}

/// The form of every audit: places of findings, and the six fields.
fn form(language: Language) -> String {
    let headings: Vec<String> = Field::AUDIT.iter().map(|field| format!("  #### {field}")).collect();
    let (headings, evidence) = (headings.join("\n"), Field::Evidence);
    match language {
        Language::English => format!(
            "\
- give each finding a place that can be read: the absolute path of a file with line numbers, a commit, a diff or a test \
record; where the evidence cannot be read or does not exist, mark it {UNVERIFIED};
- return exactly the following six fields, as Markdown headings of one level in this order, with no other headings between them; a field \
without content is the bare word {NONE}; add no synonymous fields:
{headings}
- {conflicts}: between parts of the handoff, or between the handoff and the repository; {risks}: what the uncertainty may \
cause; {unknowns}: facts that are not verified, and how to verify them;
- each entry of {evidence} names a place ({ANCHORS}), or starts with `{UNVERIFIED}`;",
            conflicts = Field::Conflicts,
            risks = Field::Risks,
            unknowns = Field::Unknowns,
        ),
        Language::Chinese => format!(
            "\
- 每个发现附可读取的文件绝对路径与行号、提交、diff 或测试记录；证据不可读取或不存在时标记 {UNVERIFIED}；
- 严格按以下六个标题返回：同级 Markdown 标题，顺序不变，其间不得有其他标题；没有内容只写 {NONE} 一词，不增加同义字段：
{headings}
- {conflicts}：交接内容内部或与仓库证据之间的冲突；{risks}：不确定性可能造成的影响；{unknowns}：尚未验证的事实及建议验证方式；
- {evidence} 的每个条目须含可定位的锚点（{ANCHORS}），或以 `{UNVERIFIED}` 开头；",
            conflicts = Field::Conflicts,
            risks = Field::Risks,
            unknowns = Field::Unknowns,
        ),
    }
}

/// What a verdict needs that differs from the last round's (PROTOCOL §9, `state/verdict-change`); nothing when the last
/// round's verdict is none that a review can keep.
fn change(subject: Subject<'_, '_>) -> String {
    let last = subject.document.current_audit().map(|audit| audit.value);
    let Some(last) = last.filter(|last| last.terminal_status().is_some()) else { return String::new() };
    let [status, conflicts, evidence] = [Field::Status, Field::Conflicts, Field::Evidence];
    match subject.language {
        Language::English => format!(
            "\
- the last audit said {last}; when {status} differs from it, name one of: new evidence, as an entry of {evidence} with a \
place that no recorded round names; a conflict that was missed, in {conflicts}; the criterion that was violated, as an \
entry of {evidence} that starts with `{CRITERION}`;
"
        ),
        Language::Chinese => format!(
            "\
- 最后一次预审为 {last}；{status} 与其不同时，必须指出以下之一：新证据（{evidence} \
中任何一轮都没有记录过的锚点）、遗漏冲突（写入 {conflicts}）或被违反的终态判据（{evidence} 中以 `{CRITERION}` 开头的条目）；
"
        ),
    }
}

/// `READY, READY_WITH_RISKS or BLOCKED`.
fn alternatives(verdicts: &[Audit], language: Language) -> String {
    let (comma, or) = match language {
        Language::English => (", ", " or "),
        Language::Chinese => ("、", " 或 "),
    };
    let words: Vec<&str> = verdicts.iter().map(|verdict| verdict.as_str()).collect();
    words.split_last().map_or_else(String::new, |(last, others)| [&others.join(comma), or, last].concat())
}
