//! The first version of a session: COLLECTING, round 0, nothing audited (PROTOCOL §4–§8).

use crate::document::fence::FENCE;
use crate::document::outline::has_anchor;
use crate::protocol::evidence::{Kind, Verification, WorkingTree};
use crate::protocol::sections::{DetailsSection, Part, StateLine, TldrSection};
use crate::protocol::status::Status;
use crate::protocol::words::{self, NONE, UNVERIFIED};

use super::front_matter::{Evidence, Head};
use super::projection::projected;
use super::text::{item, shortened, value};

/// What is known when a session begins. Every text may be any text; it is made harmless, and stays readable.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'f> {
    /// `session_id`; neither blank nor with forbidden characters.
    pub session_id: &'f str,
    /// `repository`; not blank.
    pub repository: &'f str,
    /// `branch`.
    pub branch: Option<&'f str>,
    /// `base_commit`: 7–64 hexadecimal digits.
    pub base_commit: Option<&'f str>,
    /// `working_tree`.
    pub working_tree: WorkingTree,
    /// `created_at` and `updated_at`, as in RFC 3339.
    pub now: &'f str,
    /// What the task is to achieve; not blank.
    pub objective: &'f str,
    /// What to do next; not blank.
    pub next_action: &'f str,
    /// When the task is done.
    pub acceptance: &'f [String],
    /// What is done.
    pub completed: &'f [String],
    /// What is left.
    pub pending: &'f [String],
    /// What must not be broken.
    pub constraints: &'f [String],
    /// What was touched.
    pub changed_files: &'f [String],
    /// What did not work.
    pub failed_attempts: &'f [String],
    /// What can go wrong.
    pub risks: &'f [String],
    /// What nobody checked.
    pub assumptions: &'f [String],
    /// Where the facts are.
    pub evidence: &'f [String],
    /// What was modified, in short.
    pub modified: &'f [String],
    /// What was verified, with its place.
    pub verified: &'f [String],
}

/// Why the session is in its first state.
const STATUS_REASON: &str = "first version, nothing audited yet";
/// What shows it: nothing.
const STATUS_CLAIM: &str = "no audit has taken place yet";
/// `Modified:` when nothing is said and no file is named.
const NOTHING_MODIFIED: &str = "none, no change is on record";

// What the TL;DR keeps of each text, in characters. Together with its own lines that is less than the 1500 it may have.
const SENTENCE: usize = 200;
const STATE_LINE: usize = 180;

/// The complete text of the first version.
pub fn compose(facts: &Facts<'_>) -> String {
    let mut blocks = vec![front_matter(facts), format!("# {}", Part::Tldr)];
    blocks.extend(tldr(facts).map(|(section, lines)| block(section.as_str(), &lines)));
    blocks.push(format!("# {}", Part::Details));
    blocks.extend(DetailsSection::ALL.iter().map(|&section| block(section.as_str(), &details(facts, section))));
    blocks.join("\n\n") + "\n"
}

fn block(title: &str, lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| format!("- {line}")).collect();
    format!("## {title}\n{}", lines.join("\n"))
}

fn front_matter(facts: &Facts<'_>) -> String {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    let unverified = Evidence {
        kind: Kind::Unverified,
        reference: None,
        claim: STATUS_CLAIM.to_owned(),
        verification: Verification::Unverified,
    };
    let head = Head {
        session_id: facts.session_id.to_owned(),
        repository: facts.repository.to_owned(),
        branch: owned(facts.branch),
        base_commit: owned(facts.base_commit),
        working_tree: facts.working_tree,
        status: Status::Collecting,
        round: 0,
        last_audit: None,
        reason: STATUS_REASON.to_owned(),
        evidence: vec![unverified],
        created_at: facts.now.to_owned(),
        updated_at: facts.now.to_owned(),
    };
    format!("{FENCE}\n{}{FENCE}", head.lines())
}

/// The TL;DR is derived from the other facts.
fn tldr(facts: &Facts<'_>) -> impl Iterator<Item = (TldrSection, Vec<String>)> {
    let content = |section| match section {
        TldrSection::Objective => vec![shortened(facts.objective, SENTENCE, item)],
        TldrSection::CurrentState => vec![
            format!("{} {}", StateLine::Status, Status::Collecting),
            format!("{} {}", StateLine::Modified, modified(facts)),
            format!("{} {}", StateLine::Verified, verified(facts)),
        ],
        TldrSection::NextAction => vec![shortened(facts.next_action, SENTENCE, item)],
        TldrSection::BlockersAndRisks => projected(facts.risks, DetailsSection::KnownRisks, NONE),
        TldrSection::CriticalConstraints => projected(facts.constraints, DetailsSection::Constraints, NONE),
        TldrSection::EvidenceAnchors => anchors(facts),
    };
    TldrSection::ALL.iter().map(move |&section| (section, content(section)))
}

fn details(facts: &Facts<'_>, section: DetailsSection) -> Vec<String> {
    let items = match section {
        DetailsSection::Objective => vec![item(facts.objective)],
        DetailsSection::AcceptanceCriteria => items(facts.acceptance),
        DetailsSection::CompletedWork => items(facts.completed),
        DetailsSection::PendingWork if facts.pending.is_empty() => {
            vec![format!("See {}.", DetailsSection::RecommendedNextActions)]
        }
        DetailsSection::PendingWork => items(facts.pending),
        DetailsSection::Constraints => items(facts.constraints),
        DetailsSection::ChangedFiles => items(facts.changed_files),
        DetailsSection::FailedAttempts => items(facts.failed_attempts),
        DetailsSection::KnownRisks => items(facts.risks),
        DetailsSection::UnverifiedAssumptions => items(facts.assumptions),
        DetailsSection::Evidence => items(&evidence(facts)),
        DetailsSection::RecommendedNextActions => vec![item(facts.next_action)],
        DetailsSection::Decisions | DetailsSection::Interrogation | DetailsSection::FinalSuccessorSummary => Vec::new(),
    };
    if items.is_empty() { vec![NONE.to_owned()] } else { items }
}

fn items(texts: &[String]) -> Vec<String> {
    texts.iter().map(|text| item(text)).collect()
}

fn modified(facts: &Facts<'_>) -> String {
    let said = facts.modified.join("; ");
    if said.is_empty() && facts.changed_files.is_empty() {
        return NOTHING_MODIFIED.to_owned();
    }
    let gives_reason = words::is_none_item(&said) && !words::is_bare_none(&said) && facts.changed_files.is_empty();
    if gives_reason {
        // `none` and a reason is a value of its own; quoted it would be something.
        let reason = words::strip_word(&said, NONE).unwrap_or_default();
        NONE.to_owned() + &shortened(reason, STATE_LINE - NONE.len(), value)
    } else if said.is_empty() {
        shortened(&facts.changed_files.join(", "), STATE_LINE, value)
    } else {
        shortened(&said, STATE_LINE, value)
    }
}

fn verified(facts: &Facts<'_>) -> String {
    let said = facts.verified.join("; ");
    if said.is_empty() || words::is_misspelt(&said) || said == UNVERIFIED {
        return UNVERIFIED.to_owned();
    }
    let short = shortened(&said, STATE_LINE, value);
    if has_anchor(&short) || words::is_unverified_value(&short) {
        short
    } else if has_anchor(&value(&said)) {
        format!("see `## {}`", DetailsSection::Evidence)
    } else {
        let warning = format!("{UNVERIFIED} (no place is named): ");
        let room = STATE_LINE.saturating_sub(warning.len());
        warning + &shortened(&said, room, value)
    }
}

/// What was verified at a place is evidence too.
fn evidence(facts: &Facts<'_>) -> Vec<String> {
    let mut evidence = facts.evidence.to_vec();
    let known: Vec<String> = items(facts.evidence);
    let verified = facts.verified.iter().filter(|verified| has_anchor(&item(verified)));
    evidence.extend(verified.filter(|verified| !known.contains(&item(verified))).cloned());
    evidence
}

fn anchors(facts: &Facts<'_>) -> Vec<String> {
    let anchored: Vec<String> = evidence(facts).into_iter().filter(|evidence| has_anchor(&item(evidence))).collect();
    projected(&anchored, DetailsSection::Evidence, UNVERIFIED)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    use super::*;
    use crate::check::{Baseline, check};
    use crate::protocol::character::{forbidden, is_blank};
    use crate::protocol::profile::Profile;
    use crate::rules::security;
    use crate::source::Source;

    const NOW: &str = "2026-03-02T09:00:00Z";

    const BARE: Facts<'_> = Facts {
        session_id: "importer-4c81",
        repository: "/srv/work/ledger",
        branch: None,
        base_commit: None,
        working_tree: WorkingTree::Unavailable,
        now: NOW,
        objective: "Stream invoices.",
        next_action: "Write the adapter.",
        acceptance: &[],
        completed: &[],
        pending: &[],
        constraints: &[],
        changed_files: &[],
        failed_attempts: &[],
        risks: &[],
        assumptions: &[],
        evidence: &[],
        modified: &[],
        verified: &[],
    };

    /// The errors in the first version of `facts`; a credential is no defect of the composition.
    fn errors(facts: &Facts<'_>) -> Vec<String> {
        let source = Source::new(compose(facts));
        let verdict = check(&source, Profile::Full, Baseline::Init { session_id: facts.session_id });
        let errors = verdict.diagnostics().errors().filter(|found| found.rule.family() != security::FAMILY);
        errors.map(|found| format!("{}: {}", found.rule.id, found.message)).collect()
    }

    /// The lines of a section of the TL;DR, the first of its title.
    fn section(text: &str, title: &str) -> Vec<String> {
        let lines = text.lines().skip_while(|line| line.strip_prefix("## ") != Some(title)).skip(1);
        lines.take_while(|line| !line.is_empty()).map(str::to_owned).collect()
    }

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn nothing_but_a_goal_and_a_next_action_is_enough() {
        assert_eq!(errors(&BARE), [""; 0]);
        let text = compose(&BARE);
        assert_eq!(section(&text, "Blockers and Risks"), ["- none"]);
        assert_eq!(section(&text, "Evidence Anchors"), ["- unverified"]);
    }

    #[test]
    fn values_that_look_like_other_types_stay_strings() {
        for value in ["1234567", "6063e25", "true", "~", "C:\\work\\new", "say \"no\": #1", "任务交接", "a\u{2028}b"]
        {
            let facts = Facts { session_id: value, repository: value, branch: Some(value), ..BARE };
            assert_eq!(errors(&facts), [""; 0], "{value}");
        }
    }

    #[test]
    fn the_summary_is_derived_and_does_not_contradict_its_sections() {
        let (risks, files) = (texts(&["the schema may change"]), texts(&["src/a.rs", "src/b.rs"]));
        let (evidence, verified) = (texts(&["src/a.rs:3", "I remember it"]), texts(&["`cargo test` passes"]));
        let facts = Facts { risks: &risks, changed_files: &files, evidence: &evidence, verified: &verified, ..BARE };
        let text = compose(&facts);
        assert_eq!(errors(&facts), [""; 0]);
        assert_eq!(section(&text, "Blockers and Risks"), ["- the schema may change"]);
        assert_eq!(
            section(&text, "Current State"),
            ["- Status: COLLECTING", "- Modified: src/a.rs, src/b.rs", "- Verified: `cargo test` passes"]
        );
        assert_eq!(section(&text, "Evidence Anchors"), ["- src/a.rs:3", "- `cargo test` passes"]);
    }

    #[test]
    fn what_was_verified_without_a_place_is_unverified() {
        let verified = texts(&["it works"]);
        let text = compose(&Facts { verified: &verified, ..BARE });
        assert!(text.contains("- Verified: unverified (no place is named): it works\n"), "{text}");
    }

    #[test]
    fn nothing_modified_may_have_a_reason_of_its_own() {
        let modified = texts(&["none, only the design was discussed"]);
        let facts = Facts { modified: &modified, ..BARE };
        assert!(compose(&facts).contains("- Modified: none, only the design was discussed\n"));
        assert_eq!(errors(&facts), [""; 0]);
    }

    #[test]
    fn long_lists_and_texts_fit_and_the_rest_is_pointed_to() {
        for (repeated, shown, more) in [(200, 0, 100), (17, 1, 99), (3, 3, 97)] {
            let long: Vec<String> =
                (0..100).map(|number| format!("{}src/a{number:02}.rs:3", "长 <x>".repeat(repeated))).collect();
            let text = "做 <x> `".repeat(500);
            let facts = Facts {
                objective: &text,
                next_action: &text,
                constraints: &long,
                changed_files: &long,
                risks: &long,
                evidence: &long,
                modified: &long,
                verified: &long,
                ..BARE
            };
            assert_eq!(errors(&facts), [""; 0], "{repeated}");
            let risks = section(&compose(&facts), "Blockers and Risks");
            assert_eq!(risks.len(), shown + 1, "{risks:#?}");
            assert_eq!(risks.last().unwrap(), &format!("- {more} more under `## Known Risks`"));
        }
    }

    fn anything() -> impl Strategy<Value = String> {
        let parts = prop::sample::select(vec![
            "none",
            "None",
            "n/a",
            "unverified",
            "无",
            ":",
            "。",
            ".",
            "#",
            "## Objective",
            "# TL;DR",
            "- ",
            "* ",
            "1. ",
            "12) ",
            "---",
            "***",
            "___",
            "```",
            "`",
            "~~~",
            "<",
            ">",
            "<!--",
            "-->",
            "<div>",
            "</x>",
            "<goal>",
            "[a]: b",
            "|",
            "\n",
            "\r\n",
            "\t",
            "    ",
            "\\",
            "\"",
            "'",
            "src/a.rs:3",
            "8f3ab12c",
            "Status: READY",
            "word",
            "任务",
            "\u{1b}",
            "\u{202e}",
            "\u{200b}",
            "\u{a0}",
            "\u{2028}",
            "\u{feff}",
            "&lt;",
            "$x$",
            "![i](u)",
            "=",
        ]);
        let mixed = vec(prop_oneof![4 => parts.prop_map(str::to_owned), 1 => any::<String>()], 1..8);
        mixed.prop_map(|parts| parts.concat()).prop_filter("it says nothing", |text| !is_blank(text))
    }

    fn list() -> impl Strategy<Value = Vec<String>> {
        vec(anything(), 0..4)
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 200, failure_persistence: None, rng_seed: RngSeed::Fixed(2), ..ProptestConfig::default()
        })]

        #[test]
        fn any_text_makes_a_valid_first_version(
            (session_id, repository) in (anything(), anything()),
            (objective, next_action) in (anything(), anything()),
            lists in prop::array::uniform11(list()),
        ) {
            let session_id: String = session_id.chars().filter(|&c| forbidden(c).is_none()).chain(['x']).collect();
            let [acceptance, completed, pending, constraints, changed_files, failed_attempts, risks, assumptions, evidence,
                modified, verified] = &lists;
            let facts = Facts {
                session_id: &session_id, repository: &repository, objective: &objective, next_action: &next_action,
                branch: Some(&repository), acceptance, completed, pending, constraints, changed_files, failed_attempts,
                risks, assumptions, evidence, modified, verified, ..BARE
            };
            prop_assert_eq!(errors(&facts), Vec::<String>::new(), "{}", compose(&facts));
        }
    }
}
