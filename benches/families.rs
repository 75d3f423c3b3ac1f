//! Hostile documents of any size: every construct that some reader has to look back or ahead for, has to keep, or has
//! to report.

use std::fmt::Write as _;

use super::documents::BASE;

/// What an auditor reports, in both forms.
const REPORT: &str = "## Status\nREADY_WITH_RISKS\n## Questions\nnone\n## Conflicts\nnone\n## Risks\n- the nightly job\n\
                      ## Unknowns\nnone\n## Evidence\n- src/import/stream.rs:42\n";
const JSON: &str = "{\"Status\": \"READY_WITH_RISKS\", \"Questions\": \"none\", \"Conflicts\": \"none\", \
                    \"Risks\": \"the nightly job\", \"Unknowns\": \"none\", \"Evidence\": [\"src/import/stream.rs:42\"]}";

/// A session that was sealed.
const READY: &str = include_str!("../fixtures/valid/ready.handoff.md");

/// Where hostile text is put.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// As blocks of a section of the details.
    Details,
    /// As blocks of a section of the details of a sealed session.
    Sealed,
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
    /// As a field of an auditor's report.
    Report,
    /// As a member of a report in JSON.
    Json,
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
            Self::Sealed => READY.replacen("\n## Completed Work\n", &format!("\n## Completed Work\n{text}"), 1),
            Self::Details => behind("\n## Completed Work\n"),
            Self::Evidence => behind("#### Evidence\n- "),
            Self::Record => behind("### Round 2\n"),
            Self::Cell => behind("| the API must not change | "),
            Self::Tldr => behind("\n## Evidence Anchors\n- "),
            Self::Body => format!("{front_matter}\n---\n{text}"),
            Self::Value => replace("\"round 2 found nothing that must be answered first\"", text),
            Self::FrontMatter => format!("---\n{text}\n---\n{body}"),
            Self::File => text.to_owned(),
            Self::Report => REPORT.replacen("the nightly job", text, 1),
            Self::Json => JSON.replacen("\"the nightly job\"", text, 1),
        }
    }
}

/// Text that is made of one unit over and over.
#[derive(Clone, Copy)]
pub(crate) struct Family {
    pub(crate) place: Place,
    start: &'static str,
    unit: Unit,
    end: &'static str,
}

#[derive(Clone, Copy)]
enum Unit {
    Same(&'static str),
    /// Several texts, each over and over for its share, an empty line between them.
    Parts(&'static [&'static str]),
    /// The text around a number that counts up.
    Numbered(&'static str, &'static str),
    /// A text once, twice, three times, …, each time with another behind it.
    Growing(&'static str, &'static str),
    /// A text that opens, over and over, then as often one that closes.
    Nested(&'static str, &'static str),
}

impl Family {
    const fn new(place: Place, unit: &'static str) -> Self {
        Self { place, start: "", unit: Unit::Same(unit), end: "" }
    }

    const fn between(place: Place, start: &'static str, unit: &'static str, end: &'static str) -> Self {
        Self { place, start, unit: Unit::Same(unit), end }
    }

    const fn parts(place: Place, parts: &'static [&'static str]) -> Self {
        Self { place, start: "", unit: Unit::Parts(parts), end: "" }
    }

    const fn growing(place: Place, unit: &'static str, behind: &'static str) -> Self {
        Self { place, start: "", unit: Unit::Growing(unit, behind), end: "" }
    }

    const fn nested(place: Place, open: &'static str, close: &'static str) -> Self {
        Self { place, start: "", unit: Unit::Nested(open, close), end: "" }
    }

    const fn numbered(place: Place, before: &'static str, behind: &'static str) -> Self {
        Self { place, start: "", unit: Unit::Numbered(before, behind), end: "" }
    }

    /// What people see of it.
    pub(crate) fn name(&self) -> String {
        let unit = match self.unit {
            Unit::Same(unit) => unit.to_owned(),
            Unit::Parts(parts) => parts.join("…"),
            Unit::Numbered(before, behind) => format!("{before}N{behind}"),
            Unit::Growing(unit, behind) => format!("{unit}{behind}{unit}{unit}{behind}"),
            Unit::Nested(open, close) => format!("{open}…{close}"),
        };
        format!("{:?}: {}", self.place, format!("{}{unit}…{}", self.start, self.end).escape_debug())
    }

    /// The document with about `size` bytes of it.
    pub(crate) fn document(&self, size: usize) -> String {
        let mut text = self.start.to_owned();
        match self.unit {
            Unit::Same(unit) => text.push_str(&unit.repeat(size / unit.len())),
            Unit::Parts(parts) => {
                let parts = parts.iter().map(|part| part.repeat(size / parts.len() / part.len()));
                text.push_str(&parts.collect::<Vec<_>>().join("\n"));
            }
            Unit::Numbered(before, behind) => {
                let mut number = 0_usize;
                while text.len() < size {
                    // Writing to a string cannot fail.
                    let _ = write!(text, "{before}{number}{behind}");
                    number += 1;
                }
            }
            Unit::Growing(unit, behind) => {
                let mut count = 1;
                while text.len() + count * unit.len() < size {
                    text.push_str(&unit.repeat(count));
                    text.push_str(behind);
                    count += 1;
                }
            }
            Unit::Nested(open, close) => {
                let depth = size / (open.len() + close.len());
                text.push_str(&open.repeat(depth));
                text.push_str(&close.repeat(depth));
            }
        }
        text.push_str(self.end);
        self.place.document(&text)
    }
}

/// Units that are tried in every place that the rules read.
const UNITS: &[&str] = &[
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
    "]",
    "](",
    "[]",
    "[a] ",
    "[a][b] ",
    "[x](<",
    "![a](b) ",
    "``` ",
    "***",
    "*a_ ",
    "**a*",
    "&amp;",
    "&#",
    "&#x41;",
    "<a>",
    "<a b=\"",
    "</",
    "<?",
    "<!A ",
    "<![CDATA[",
    "<http://a.b> ",
    "\\\n",
    "|",
    "1. ",
    "\t",
    "\r\n",
    "e\u{301}",
    "\u{301}",
    "\u{1f1e6}",
    "\u{1f469}\u{200d}",
    "\u{200b}",
    "<x> ",
    "none ",
    "AKIAQ7X2HANDOFFGUARD ",
    "glpat-",
    "pypi-a-",
    "xoxb-",
];

/// What opens and closes.
const PAIRS: &[(&str, &str)] = &[
    ("[", "]"),
    ("[a](", ")"),
    ("![", "](a)"),
    ("*", "*"),
    ("**a ", " a**"),
    ("<a>", "</a>"),
    ("`", "`"),
    ("<!--", "-->"),
];

/// Runs of different lengths.
const RUNS: &[(&str, &str)] =
    &[("`", " "), ("*", "a "), ("_", " "), ("[", "] "), ("~", "\n"), (" ", "- x\n"), ("> ", "x\n"), ("#", " x\n")];

/// What could be slow: every construct that some reader has to look back or ahead for.
pub(crate) fn families() -> Vec<Family> {
    let mut families = SPECIAL.to_vec();
    for place in [Place::Details, Place::Evidence, Place::Cell, Place::Tldr, Place::Report] {
        families.extend(UNITS.iter().map(|&unit| Family::new(place, unit)));
        families.extend(PAIRS.iter().map(|&(open, close)| Family::nested(place, open, close)));
        families.extend(RUNS.iter().map(|&(unit, behind)| Family::growing(place, unit, behind)));
    }
    families
}

/// Units that matter in one place only.
const SPECIAL: &[Family] = &[
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
    Family::new(Place::Details, "## x AKIAQ7X2HANDOFFGUARD\n"),
    Family::parts(Place::Record, &["#### Status\n", "#### Risks\n"]),
    Family::new(Place::Record, "#### Status\nREADY\n"),
    Family::new(Place::Record, "#### x\n"),
    Family::new(Place::Record, "### Round 1\n"),
    Family::new(Place::Record, "### Final Review\n"),
    Family::numbered(Place::Record, "### Round ", "\n"),
    Family::parts(Place::Details, &["## x\n", "## Evidence\n"]),
    Family::parts(Place::Details, &["```\nx\n```\n", " \n"]),
    Family::parts(Place::Details, &["- ```\n", "\n"]),
    Family::new(Place::Details, "---\n"),
    Family::new(Place::Details, "# x\n"),
    Family::new(Place::Details, "# TL;DR\n"),
    Family::new(Place::Details, "[a]: x\n"),
    Family::new(Place::Details, "|a|b|\n|-|-|\n|c|d|\n\n"),
    Family::between(Place::Details, "|a|b|\n|-|-|\n", "|c|d|\n", ""),
    Family::new(Place::Details, "-----BEGIN PRIVATE KEY-----\nComment:\n"),
    Family::new(Place::Details, "-----BEGIN PRIVATE KEY-----\\n"),
    // Nesting.
    Family::nested(Place::Value, "[", "]"),
    Family::nested(Place::Value, "{a: ", "}"),
    Family::nested(Place::Value, "[{", "}]"),
    Family::growing(Place::FrontMatter, " ", "a:\n"),
    Family::growing(Place::FrontMatter, "  ", "- a\n"),
    Family::nested(Place::Details, "<div>\n", "</div>\n"),
    Family::nested(Place::Details, "<div>\n\n", "</div>\n\n"),
    Family::new(Place::Details, "<script>\n"),
    Family::new(Place::Details, "<!--\n"),
    Family::new(Place::Details, "> x\ny\n"),
    // Aliases.
    Family::between(Place::FrontMatter, "a: &a [x, x]\n", "b: &a [*a, *a]\n", ""),
    Family::numbered(Place::FrontMatter, "key_", ": &a [*a, *a, *a]\n"),
    Family::between(Place::Value, "[", "*a, ", "*a]"),
    Family::between(Place::FrontMatter, "a: &a {}\n", "<<: *a\n", ""),
    // Definitions and their uses.
    Family::between(Place::Details, "[a]: x\n\n", "[a] ", ""),
    Family::between(Place::Details, "[a]: x\n\n", "[a][a]\n", ""),
    Family::between(Place::Details, "", "[a] ", "\n\n[a]: x\n"),
    Family::new(Place::Details, "[a]: x '"),
    Family::new(Place::Details, "[a]: <"),
    Family::new(Place::Details, "[a]:\n"),
    Family::between(Place::Details, "[", "a ", "]: x\n"),
    // Tables: many columns, rows without their cells, both.
    Family::parts(Place::Details, &["|a", "|-"]),
    Family::parts(Place::Details, &["|a", "|-", "|\n"]),
    Family::parts(Place::Details, &["|a", "|-", "||||||||\n"]),
    Family::new(Place::Cell, "|\n"),
    Family::new(Place::Cell, "| y | z | w |\n| x "),
    // Long titles and keys, and many that resemble the right ones.
    Family::between(Place::Details, "## ", "x", "\n"),
    Family::between(Place::Details, "## ", "提", "\n"),
    Family::between(Place::Details, "## ", "# ", "\n"),
    Family::between(Place::Body, "# TL;DR\n## ", "Objective", "\n"),
    Family::between(Place::Record, "#### ", "Status ", "\n"),
    Family::new(Place::Body, "## Objectve\n"),
    Family::new(Place::Body, "## **Objective**\n"),
    Family::new(Place::Body, "## \u{1f3af} Objective\n"),
    Family::between(Place::FrontMatter, "", "x", ": y"),
    Family::between(Place::FrontMatter, "", "提", ": y"),
    Family::new(Place::FrontMatter, "sesion_id: x\n"),
    Family::numbered(Place::FrontMatter, "session_id", ": x\n"),
    // A defect or a piece of advice on each line.
    Family::new(Place::Details, "\u{1b}\n"),
    Family::new(Place::Details, "\u{202e}\n"),
    Family::new(Place::Details, "x\r"),
    Family::new(Place::Details, "AKIAQ7X2HANDOFFGUARD\n"),
    Family::new(Place::Details, "| a | b | c | d |\n|-|-|-|-|\n| e | f | g | h |\n\n"),
    Family::new(Place::Evidence, "x\n- "),
    Family::new(Place::Tldr, "<x>\n- "),
    Family::new(Place::Tldr, "none\n- "),
    Family::new(Place::Tldr, "Status: READY\n- "),
    Family::new(Place::Tldr, "x\n## Evidence Anchors\n- "),
    Family::new(Place::Body, "\u{1b}# TL;DR\r"),
    // Sections without text, which a sealed session may not have.
    Family::new(Place::Sealed, "## Evidence\n"),
    Family::new(Place::Sealed, "## Objective\n"),
    Family::new(Place::Sealed, "## x\n## Known Risks\n"),
    Family::new(Place::Sealed, "## Known Risks\nx\n---\n"),
    Family::numbered(Place::Sealed, "- item ", "\n"),
    Family::new(Place::Sealed, "### Final Review\n#### Status\nREADY\n"),
    Family::new(Place::Sealed, "x\n\n## Final Successor Summary\n- x\n"),
    // Reports.
    Family::numbered(Place::Report, "x\n- risk ", ""),
    Family::new(Place::Report, "x\n- risk"),
    Family::numbered(Place::Report, "x\n## Field ", "\n"),
    Family::new(Place::Report, "x\n## Risks\n- "),
    Family::new(Place::Report, "x\n### y\n"),
    Family::new(Place::Report, "x\n```\ny\n```\n"),
    Family::nested(Place::Json, "[", "]"),
    Family::nested(Place::Json, "{\"a\":", "}"),
    Family::new(Place::Json, "["),
    Family::between(Place::Json, "\"", "x", "\""),
    Family::between(Place::Json, "\"", "\\u0041", "\""),
    Family::between(Place::Json, "\"", "\\n- ", "\""),
    Family::between(Place::Json, "\"", "\\\\", "\""),
    Family::between(Place::Json, "[", "\"x\", ", "\"x\"]"),
    Family::between(Place::Json, "[", "\"\", ", "\"x\"]"),
    Family::between(Place::Json, "[", "1, ", "1]"),
    Family::numbered(Place::Json, "\"x\", \"key ", "\": \"x\""),
    // Rounds, questions, answers.
    Family::numbered(
        Place::Record,
        "### Round ",
        "\n#### Status\nNEEDS_ANSWERS\n#### Questions\n- a?\n#### Conflicts\nnone\n#### Risks\nx\n#### Unknowns\n\
             none\n#### Evidence\nsrc/a.rs:1\n#### Current Agent Answers\n- b\n",
    ),
    Family::numbered(Place::Record, "#### Questions\n- why ", "?\n"),
    Family::between(Place::Record, "#### Questions\n", "- why?\n", ""),
    Family::between(Place::Record, "#### Questions\n", "- why?\n\n1. why?\n\n", ""),
    Family::parts(Place::Record, &["#### Questions\n- why?\n", "#### Current Agent Answers\n- unknown\n"]),
    Family::between(Place::Record, "#### Current Agent Answers\n", "- unknown\n", ""),
    Family::new(Place::Record, "#### Evidence\n- src/a.rs:1\n"),
];
