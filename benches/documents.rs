//! Documents to measure: valid ones of any size, and hostile ones of any size.

use std::fmt::Write as _;

/// A session in its second round, at `REVIEW_PENDING`.
const BASE: &str = include_str!("../fixtures/valid/review-pending.handoff.md");

/// The smallest document: a first version.
pub(crate) const SMALL: &str = include_str!("../fixtures/valid/initial.handoff.md");

/// The headings of the details under which any number of items may stand.
const SECTIONS: [&str; 9] = [
    "\n## Acceptance Criteria\n",
    "\n## Completed Work\n",
    "\n## Pending Work\n",
    "\n## Constraints and User Preferences\n",
    "\n## Changed Files\n",
    "\n## Failed Attempts\n",
    "\n## Unverified Assumptions\n",
    "\n## Evidence\n",
    "\n## Recommended Next Actions\n",
];

/// The item with this number: English, Chinese, code and links in turn; no two are equal.
fn item(number: usize) -> String {
    match number % 4 {
        0 => format!(
            "- Batch {number}: the importer reads one invoice at a time and keeps at most `{number}` rows in memory; \
             see src/import/batch_{number}.rs:{number} for the loop that does it.\n"
        ),
        1 => format!(
            "- 第 {number} 批：账目逐条写入，失败的记录会被跳过并写进日志，不会中断整个任务；\
             相关代码在 `src/import/batch_{number}.rs`。\n"
        ),
        2 => format!(
            "- The test `import::tests::batch_{number}` covers the 边界情况 (empty file, one row, broken checksum).\n  \
             It takes *two* seconds and needs no network; the log is kept in target/batch-{number}.log.\n"
        ),
        _ => format!(
            "- 决定记录在 [design page {number}](https://example.org/design/{number})：保持公开接口不变，\
             旧的读取器留到下一个版本。\n"
        ),
    }
}

/// A valid document of at least `size` bytes: [`BASE`], or [`SMALL`] where that is too large, with more items in its
/// details.
pub(crate) fn valid(size: usize) -> String {
    let base = if size < BASE.len() { SMALL } else { BASE };
    let mut items = SECTIONS.map(|_| String::new());
    let mut missing = size.saturating_sub(base.len());
    for (number, section) in (1..).zip((0..SECTIONS.len()).cycle()) {
        if missing == 0 {
            break;
        }
        let item = item(number);
        missing = missing.saturating_sub(item.len());
        items[section].push_str(&item);
    }
    let mut document = base.to_owned();
    for (heading, items) in SECTIONS.iter().zip(&items) {
        document = document.replacen(heading, &format!("{heading}{items}"), 1);
    }
    document
}

/// Where hostile text is put.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// As blocks of a section of the details.
    Details,
    /// As the evidence of the current round, in one item.
    Evidence,
    /// As the beginning of a round.
    Record,
    /// As one cell of the decisions table.
    Cell,
    /// As items of the TL;DR.
    Tldr,
    /// As the whole body.
    Body,
    /// As the value of a key of the front matter.
    Value,
    /// As the whole front matter.
    FrontMatter,
    /// As the whole file.
    File,
}

impl Place {
    /// Most bytes that are read there.
    pub(crate) const fn limit(self) -> usize {
        match self {
            Self::Value | Self::FrontMatter => 56 * 1024,
            _ => 4 * 1024 * 1024 - 8 * 1024,
        }
    }

    /// [`BASE`] with `text` in this place.
    pub(crate) fn document(self, text: &str) -> String {
        let replace = |mark: &str, text: &str| {
            let (before, after) = BASE.split_once(mark).unwrap();
            format!("{before}{text}{after}")
        };
        let behind = |mark: &str| replace(mark, &format!("{mark}{text}"));
        let (front_matter, body) = BASE.split_once("\n---\n").unwrap();
        match self {
            Self::Details => behind("\n## Completed Work\n"),
            Self::Evidence => behind("#### Evidence\n- "),
            Self::Record => behind("### Round 2\n"),
            Self::Cell => behind("| the API must not change | "),
            Self::Tldr => behind("\n## Evidence Anchors\n- "),
            Self::Body => format!("{front_matter}\n---\n{text}"),
            Self::Value => replace("\"round 2 found nothing that must be answered first\"", text),
            Self::FrontMatter => format!("---\n{text}\n---\n{body}"),
            Self::File => text.to_owned(),
        }
    }
}

/// Text that is made of one unit over and over.
pub(crate) struct Family {
    pub(crate) place: Place,
    start: &'static str,
    unit: Unit,
    end: &'static str,
}

enum Unit {
    Same(&'static str),
    /// One text for the first half, then another.
    Halves(&'static str, &'static str),
    /// The text around a number that counts up.
    Numbered(&'static str, &'static str),
}

impl Family {
    const fn new(place: Place, unit: &'static str) -> Self {
        Self { place, start: "", unit: Unit::Same(unit), end: "" }
    }

    const fn between(place: Place, start: &'static str, unit: &'static str, end: &'static str) -> Self {
        Self { place, start, unit: Unit::Same(unit), end }
    }

    const fn halves(place: Place, first: &'static str, second: &'static str) -> Self {
        Self { place, start: "", unit: Unit::Halves(first, second), end: "" }
    }

    const fn numbered(place: Place, before: &'static str, behind: &'static str) -> Self {
        Self { place, start: "", unit: Unit::Numbered(before, behind), end: "" }
    }

    /// What people see of it.
    pub(crate) fn name(&self) -> String {
        let unit = match self.unit {
            Unit::Same(unit) => unit.to_owned(),
            Unit::Halves(first, second) => format!("{first}…{second}"),
            Unit::Numbered(before, behind) => format!("{before}N{behind}"),
        };
        format!("{:?}: {}", self.place, format!("{}{unit}…{}", self.start, self.end).escape_debug())
    }

    /// The document with about `size` bytes of it.
    pub(crate) fn document(&self, size: usize) -> String {
        let mut text = self.start.to_owned();
        match self.unit {
            Unit::Same(unit) => text.push_str(&unit.repeat(size / unit.len())),
            Unit::Halves(first, second) => {
                text.push_str(&first.repeat(size / 2 / first.len()));
                text.push_str(&second.repeat(size / 2 / second.len()));
            }
            Unit::Numbered(before, behind) => {
                let mut number = 0_usize;
                while text.len() < size {
                    // Writing to a string cannot fail.
                    let _ = write!(text, "{before}{number}{behind}");
                    number += 1;
                }
            }
        }
        text.push_str(self.end);
        self.place.document(&text)
    }
}

/// Units that are tried in every place that the rules read.
const UNITS: [&str; 44] = [
    "x",
    "提",
    "x ",
    "- ",
    "> ",
    "  - x\n",
    "[",
    "[a](",
    "![",
    "`",
    "` `",
    "\\`",
    "*",
    "**a ",
    "_ ",
    "_a_ ",
    "<",
    "<a ",
    "<!--",
    "<!-- a -->",
    "&",
    "\\",
    "~~~\n",
    "| a ",
    "a\n",
    "- a\n",
    ":1",
    "a.b:1 ",
    "a/#L",
    "提交 ",
    "commit ",
    "1234567 ",
    "://",
    "http://",
    "test ",
    "test,",
    "diff ",
    "diff a..",
    "command:",
    "AKIA ",
    "eyJ0eXAiOiJK.",
    "sk-ant-",
    "-----BEGIN ",
    "-----BEGIN PRIVATE KEY-----Comment:",
];

/// What could be slow: every construct that some reader has to look back or ahead for.
pub(crate) fn families() -> Vec<Family> {
    let mut families = special();
    for place in [Place::Details, Place::Evidence, Place::Cell, Place::Tldr] {
        families.extend(UNITS.iter().map(|&unit| Family::new(place, unit)));
    }
    families
}

/// Units that matter in one place only.
fn special() -> Vec<Family> {
    vec![
        Family::between(Place::Value, "\"", "x", "\""),
        Family::between(Place::Value, "\"", "\\0", "\""),
        Family::between(Place::Value, "\"", "\\\"", "\""),
        Family::between(Place::Value, "\"", "x\n  ", "\""),
        Family::between(Place::Value, "'", "''", "'"),
        Family::between(Place::Value, "|\n", "  x\n", ""),
        Family::between(Place::Value, ">\n", "  x\n\n", ""),
        Family::new(Place::Value, "x"),
        Family::new(Place::Value, "提交 "),
        Family::new(Place::Value, "x # "),
        Family::new(Place::Value, "x:"),
        Family::new(Place::Value, "["),
        Family::new(Place::Value, "[x],"),
        Family::between(Place::Value, "[", "x,", "x]"),
        Family::between(Place::Value, "{", "x: y,", "}"),
        Family::new(Place::Value, "{a: "),
        Family::new(Place::Value, "&a "),
        Family::new(Place::Value, "!a "),
        Family::new(Place::Value, "*"),
        Family::new(Place::FrontMatter, "- "),
        Family::new(Place::FrontMatter, "? "),
        Family::new(Place::FrontMatter, "a: b\n"),
        Family::new(Place::FrontMatter, "---x\n"),
        Family::new(Place::FrontMatter, "...\n"),
        Family::new(Place::FrontMatter, "%\n"),
        Family::new(Place::FrontMatter, "\n"),
        Family::new(Place::FrontMatter, "# x\n"),
        Family::new(Place::FrontMatter, "a\n"),
        Family::new(Place::FrontMatter, "\t\n"),
        Family::numbered(Place::FrontMatter, "key_", ": value\n"),
        Family::numbered(Place::FrontMatter, "? key_", "\n"),
        Family::new(Place::File, "x"),
        Family::new(Place::File, "x\n"),
        Family::new(Place::File, "\n"),
        Family::new(Place::File, "\r"),
        Family::new(Place::File, "---\n"),
        Family::new(Place::File, "\u{1b}x"),
        Family::new(Place::File, "\u{202e}"),
        Family::between(Place::File, "---\n", "x", ""),
        Family::between(Place::File, "---\nstatus_reason: ", "x", "\n---\n"),
        Family::between(Place::File, "---\nstatus_reason: \"", "提", "\"\n---\n"),
        Family::new(Place::Body, "# x\n"),
        Family::new(Place::Body, "# TL;DR\n"),
        Family::new(Place::Body, "# Handoff Details\n"),
        Family::between(Place::Body, "# TL;DR\n", "# x\n", ""),
        Family::between(Place::Body, "# TL;DR\n", "# x\n## Objective\n", ""),
        Family::new(Place::Body, "## Objective\n"),
        Family::new(Place::Body, "## x\n## Objective\n"),
        Family::new(Place::Body, "x\n===\n"),
        Family::new(Place::Body, "- x\n"),
        Family::between(Place::Body, "# TL;DR\n", "```\n```\n", "\n\n\n\n"),
        Family::new(Place::Details, "### x\n"),
        Family::numbered(Place::Details, "## x", "\n"),
        Family::numbered(Place::Details, "- item ", "\n"),
        Family::numbered(Place::Details, "[", "]: x\n"),
        Family::numbered(Place::Details, "[x][", "] "),
        Family::new(Place::Details, "## x AKIAIOSFODNN7EXAMPLE\n"),
        Family::halves(Place::Record, "#### Status\n", "#### Risks\n"),
        Family::new(Place::Record, "#### Status\nREADY\n"),
        Family::new(Place::Record, "#### x\n"),
        Family::new(Place::Record, "### Round 1\n"),
        Family::new(Place::Record, "### Final Review\n"),
        Family::numbered(Place::Record, "### Round ", "\n"),
        Family::halves(Place::Details, "## x\n", "## Evidence\n"),
        Family::halves(Place::Details, "```\nx\n```\n", " \n"),
        Family::halves(Place::Details, "- ```\n", "\n"),
        Family::new(Place::Details, "---\n"),
        Family::new(Place::Details, "# x\n"),
        Family::new(Place::Details, "# TL;DR\n"),
        Family::new(Place::Details, "[a]: x\n"),
        Family::new(Place::Details, "|a|b|\n|-|-|\n|c|d|\n\n"),
        Family::between(Place::Details, "|a|b|\n|-|-|\n", "|c|d|\n", ""),
        Family::new(Place::Details, "-----BEGIN PRIVATE KEY-----\nComment:\n"),
        Family::new(Place::Details, "-----BEGIN PRIVATE KEY-----\\n"),
    ]
}
