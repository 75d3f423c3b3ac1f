//! Valid documents of any size.

/// A session in its second round, at `REVIEW_PENDING`.
pub(crate) const BASE: &str = include_str!("../fixtures/valid/review-pending.handoff.md");

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
