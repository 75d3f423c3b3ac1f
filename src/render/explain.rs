//! The pages about the rules: `explain` in a terminal, and `RULES.md`. Both are made from the rules' own data. Writing to
//! a string cannot fail, so those results are dropped.

use std::fmt::Write as _;

use crate::diagnostic::{Against, Edit, Example, Rule, Scope};
use crate::protocol::anchor::ANCHORS;
use crate::protocol::character::visible;
use crate::protocol::keys::{EvidenceKey, Key};
use crate::protocol::profile::Profile;
use crate::protocol::sections::{DetailsSection, FINAL_REVIEW, Field, Part, StateLine, TldrSection};
use crate::protocol::status::Status;
use crate::rules::{RULES, UNDECIDABLE, Undecidable};

/// Every rule on a line of its own, in the order of the ids.
pub fn list() -> String {
    let id_width = RULES.iter().map(|rule| rule.id.len()).max().unwrap_or_default();
    let mut page = String::new();
    for rule in RULES {
        let (id, severity) = (rule.id, rule.severity.as_str());
        let _ = writeln!(page, "{id:id_width$}  {severity:6}  {:4}  {}", rule.clause, rule.summary);
    }
    page
}

/// The page about one rule.
pub fn page(rule: &Rule) -> String {
    let Examples { bad, good } = Examples::of(rule);
    let section = |title: &str, lines: &[String]| format!("{title}:\n    {}\n", lines.join("\n    "));
    format!(
        "{} ({}, {})\n\n{}\n\n{}\n\n{}\n{}",
        rule.id,
        rule.severity.as_str(),
        place(rule),
        rule.summary,
        rule.rationale,
        section("Bad", &bad),
        section("Good", &good),
    )
}

/// `PROTOCOL §6; profiles full, reference`.
fn place(rule: &Rule) -> String {
    let profiles: Vec<&str> = Profile::ALL
        .iter()
        .filter(|profile| rule.scope == Scope::Every || profile.scope() == Scope::Full)
        .map(|profile| profile.as_str())
        .collect();
    let word = if profiles.len() == 1 { "profile" } else { "profiles" };
    format!("PROTOCOL {}; {word} {}", rule.clause, profiles.join(", "))
}

/// The lines of an example, before and after the repair.
struct Examples {
    bad: Vec<String>,
    good: Vec<String>,
}

impl Examples {
    fn of(rule: &Rule) -> Self {
        let example = &rule.example;
        let bad: Vec<Vec<String>> = example.bad.iter().map(broken).collect();
        let good: Vec<Vec<String>> = if example.good.is_empty() {
            example.bad.iter().map(|edit| lines(replaced(edit))).collect()
        } else {
            example.good.iter().map(broken).collect()
        };
        let setting = setting(example).map(|setting| vec![setting]);
        let good = if good.is_empty() { vec![vec![format!("({})", rule.summary)]] } else { good };
        Self { bad: listing(setting.into_iter().chain(bad)), good: listing(good) }
    }
}

/// What the edited document is and what it is held against; nothing where the edit alone says enough.
fn setting(example: &Example) -> Option<String> {
    let document = example.base.describe();
    match example.against {
        Against::Nothing => None,
        Against::FirstVersion => Some(format!("(a first version: {document})")),
        Against::Previous(previous) => Some(format!("({document}; the version before: {})", previous.describe())),
    }
}

/// The lines of all edits, `…` between those of two.
fn listing(edits: impl IntoIterator<Item = Vec<String>>) -> Vec<String> {
    edits.into_iter().collect::<Vec<_>>().join(&["…".to_owned()][..])
}

/// The text that an edit takes away.
fn replaced(edit: &Edit) -> &'static str {
    match *edit {
        Edit::Replace(from, _) | Edit::Bytes(from, _) | Edit::Repeat(from, _, _) => from,
    }
}

/// The text that an edit puts in.
fn broken(edit: &Edit) -> Vec<String> {
    match *edit {
        Edit::Replace(_, to) => lines(to),
        Edit::Bytes(_, bytes) => vec![bytes_for_people(bytes)],
        Edit::Repeat(_, unit, times) => {
            let mut shown = lines(unit);
            shown.push(format!("(repeated: {times} times)"));
            shown
        }
    }
}

/// The lines of a text as an example shows them: what cannot be seen is an escape, a blank at the end of a line `␠`.
fn lines(text: &str) -> Vec<String> {
    if text.is_empty() {
        return vec!["(nothing)".to_owned()];
    }
    text.lines()
        .map(|line| {
            let kept = line.trim_end_matches(' ');
            let blanks = "␠".repeat(line.len() - kept.len());
            format!("{}{blanks}", visible(kept).replace('\u{a0}', "\\u{a0}"))
        })
        .collect()
}

fn bytes_for_people(bytes: &[u8]) -> String {
    let mut shown = String::new();
    for chunk in bytes.utf8_chunks() {
        shown.push_str(&visible(chunk.valid()));
        for byte in chunk.invalid() {
            let _ = write!(shown, "\\x{byte:02x}");
        }
    }
    shown
}

/// The text of `RULES.md`.
pub fn rules_markdown() -> String {
    let mut page = String::from(
        "# Rules\n\n\
         Made from the rules' own data by a test; run `SNAPSHOTS=overwrite cargo test docs_in_sync` to make it anew.\n\n\
         An *error* rejects the document. *Advice* never does: `check --advice` shows it, the JSON report always carries \
         it.\nNothing configures a rule. `handoff-guard explain RULE` prints what stands here.\n\n",
    );
    page.push_str(&shape());
    page.push_str(&states());
    page.push_str(&index());
    for (family, rules) in families() {
        let clause = rules.first().map_or("", |rule| rule.clause);
        let _ = write!(page, "## {family} (PROTOCOL {clause})\n\n");
        page.extend(rules.iter().map(|rule| section(rule)));
    }
    page.push_str(&undecidable());
    page
}

/// What the protocol asks for and no rule decides.
fn undecidable() -> String {
    let mut table =
        String::from("## What no rule decides\n\n| clause | demand | why a machine cannot tell |\n|---|---|---|\n");
    for Undecidable { clause, demand, reason } in UNDECIDABLE {
        let _ = writeln!(table, "| {clause} | {demand} | {reason} |");
    }
    table
}

/// What a document consists of, in order.
fn shape() -> String {
    fn titles(words: impl Iterator<Item = &'static str>) -> String {
        words.collect::<Vec<_>>().join(", ")
    }
    format!(
        "## Shape of a document\n\n\
         1. Front matter between two lines `---`, with the keys {}. Each item of `status_evidence` has the keys {}.\n\
         2. `# {}` with the level-2 sections {}; each is a list. Current State has the items `{}`, `{}` and `{}`.\n\
         3. `# {}` with the level-2 sections {}.\n\
         4. Inside Interrogation one `### Round k` for each audit, with the level-4 fields {}; once sealed, \
         `### {FINAL_REVIEW}` with the first six.\n\n\
         Nothing to say is the word `none`, nothing to prove it with is `unverified`. An *anchor* lets a reader go and \
         look: {ANCHORS}.\n\n",
        titles(Key::words()),
        titles(EvidenceKey::words()),
        Part::Tldr,
        titles(TldrSection::words()),
        StateLine::Status,
        StateLine::Modified,
        StateLine::Verified,
        Part::Details,
        titles(DetailsSection::words()),
        titles(Field::words()),
    )
}

/// The state machine as a table.
fn states() -> String {
    let mut table = String::from("## States\n\n| `handoff_status` | may become |\n|---|---|\n");
    for status in Status::ALL {
        let next: Vec<String> = status.successors().iter().map(|next| format!("`{next}`")).collect();
        let next = if next.is_empty() { "nothing: sealed".to_owned() } else { next.join(", ") };
        let _ = writeln!(table, "| `{status}` | {next} |");
    }
    format!("{table}\nA version that is not sealed may also keep its state.\n\n")
}

fn index() -> String {
    let mut table = String::from("## Index\n\n| rule | | profiles | summary |\n|---|---|---|---|\n");
    for (_, rules) in families() {
        for rule in rules {
            let (id, anchor) = (rule.id, rule.id.replace('/', ""));
            let profiles = if rule.scope == Scope::Every { "all" } else { "full" };
            let summary = rule.summary.replace('|', "\\|");
            let _ = writeln!(table, "| [`{id}`](#{anchor}) | {} | {profiles} | {summary} |", rule.severity.as_str());
        }
    }
    format!("{table}\n")
}

/// The rules by family, the families in the order of the protocol.
fn families() -> Vec<(&'static str, Vec<&'static Rule>)> {
    let mut families: Vec<(&str, Vec<&Rule>)> = Vec::new();
    for &rule in RULES {
        match families.iter_mut().find(|(family, _)| *family == rule.family()) {
            Some((_, rules)) => rules.push(rule),
            None => families.push((rule.family(), vec![rule])),
        }
    }
    let clause = |rules: &[&Rule]| rules.first().and_then(|rule| rule.clause.strip_prefix('§')?.parse::<u32>().ok());
    families.sort_by_key(|(family, rules)| (clause(rules), *family));
    families
}

/// The section of `RULES.md` about one rule.
pub(super) fn section(rule: &Rule) -> String {
    let Examples { bad, good } = Examples::of(rule);
    format!(
        "### {}\n\n*{}; {}.* {}\n\n{}\n\nBad:\n\n{}\nGood:\n\n{}\n",
        rule.id,
        rule.severity.as_str(),
        place(rule),
        rule.summary,
        rule.rationale,
        code_block(&bad),
        code_block(&good),
    )
}

/// A fenced block that no line of its content can close.
fn code_block(lines: &[String]) -> String {
    let content = lines.join("\n");
    let longest = content.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{content}\n{fence}\n")
}
