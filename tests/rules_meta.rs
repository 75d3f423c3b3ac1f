//! The registry of rules: ids, metadata, examples, and the clauses of the protocol.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use handoff_guard::check::{Baseline, Verdict, check, verify};
use handoff_guard::diagnostic::{Against, Base, Edit, Example, Rule, Severity};
use handoff_guard::protocol::profile::Profile;
use handoff_guard::rules::{RULES, UNDECIDABLE};
use handoff_guard::source::Source;

fn base_name(base: Base) -> &'static str {
    match base {
        Base::Initial => "initial",
        Base::NeedsAnswers => "needs-answers",
        Base::Collecting => "collecting",
        Base::ReviewPending => "review-pending",
        Base::Ready => "ready",
        Base::ReadyWithRisks => "ready-with-risks",
        Base::Blocked => "blocked",
    }
}

fn base(base: Base) -> Vec<u8> {
    let path = format!("{}/fixtures/valid/{}.handoff.md", env!("CARGO_MANIFEST_DIR"), base_name(base));
    fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn replace(bytes: &[u8], from: &str, to: &[u8]) -> Vec<u8> {
    let at = bytes.windows(from.len()).position(|window| window == from.as_bytes());
    let at = at.unwrap_or_else(|| panic!("the base document has no {from:?}"));
    [&bytes[..at], to, &bytes[at + from.len()..]].concat()
}

fn edited(example: &Example, edits: &[Edit]) -> Vec<u8> {
    edits.iter().fold(base(example.base), |bytes, edit| match *edit {
        Edit::Replace(from, to) => replace(&bytes, from, to.as_bytes()),
        Edit::Bytes(from, to) => replace(&bytes, from, to),
        Edit::Repeat(from, unit, times) => replace(&bytes, from, unit.repeat(times).as_bytes()),
    })
}

/// The ids that checking the edited base reports.
fn reported(example: &Example, edits: &[Edit]) -> BTreeSet<&'static str> {
    let source = Source::new(edited(example, edits));
    let earlier;
    let previous;
    let baseline = match example.against {
        Against::Nothing => Baseline::Standalone,
        Against::FirstVersion => Baseline::Init { session_id: "importer-4c81" },
        Against::Previous(version) => {
            earlier = Source::new(base(version));
            previous = verify(&earlier, Profile::Full).expect("the base documents are valid");
            Baseline::Update { previous: &previous }
        }
    };
    check(&source, Profile::Full, baseline).diagnostics().iter().map(|found| found.rule.id).collect()
}

#[test]
fn every_base_document_is_valid_and_follows_the_one_before() {
    let life = [Base::Initial, Base::NeedsAnswers, Base::Collecting, Base::ReviewPending, Base::Ready];
    for pair in life
        .windows(2)
        .map(|pair| (pair[0], pair[1]))
        .chain([(Base::ReviewPending, Base::ReadyWithRisks), (Base::ReviewPending, Base::Blocked)])
    {
        let (earlier, later) = (Source::new(base(pair.0)), Source::new(base(pair.1)));
        let previous = verify(&earlier, Profile::Full).unwrap();
        let verdict = check(&later, Profile::Full, Baseline::Update { previous: &previous });
        let ids: Vec<_> = verdict.diagnostics().iter().map(|found| (found.rule.id, &found.message)).collect();
        assert!(verdict.is_valid() && ids.is_empty(), "{pair:?}: {ids:?}");
    }
}

#[test]
fn ids_are_sorted_unique_and_kebab_case() {
    let kebab =
        |word: &str| word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    for pair in RULES.windows(2) {
        assert!(pair[0].id < pair[1].id, "`{}` and `{}` are not in order in RULES", pair[0].id, pair[1].id);
    }
    for rule in RULES {
        let (family, defect) = rule.id.split_once('/').expect("an id is family/defect");
        assert!(kebab(family) && kebab(defect), "`{}` is not kebab-case", rule.id);
    }
}

#[test]
fn every_clause_that_a_document_must_obey_has_a_rule() {
    let cited: BTreeSet<_> = RULES.iter().map(|rule| rule.clause).collect();
    let clauses: BTreeSet<_> = (1..=11).map(|number| format!("§{number}")).collect();
    assert_eq!(cited.iter().copied().collect::<BTreeSet<_>>(), clauses.iter().map(String::as_str).collect());
    assert!(UNDECIDABLE.iter().all(|demand| clauses.contains(demand.clause)), "a demand is listed under its clause");
}

#[test]
fn metadata_is_complete_and_worded_alike() {
    for rule in RULES {
        let Rule { id, clause, summary, rationale, .. } = rule;
        assert!(clause.starts_with('§'), "{id}: the clause is a section of the protocol");
        assert!(!summary.ends_with('.') && summary.len() > 20, "{id}: the summary is one phrase without a full stop");
        assert!(rationale.ends_with('.') && rationale.len() > 20, "{id}: the rationale is sentences");
    }
}

#[test]
fn a_bad_example_fires_exactly_its_rule_and_what_it_says_fires_along() {
    let mut wrong = Vec::new();
    for rule in RULES {
        let expected: BTreeSet<_> = [rule.id].into_iter().chain(rule.example.also.iter().copied()).collect();
        let found = reported(&rule.example, rule.example.bad);
        if found != expected {
            wrong.push(format!("{}: the example reports {found:?}, expected {expected:?}", rule.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_good_example_is_silent() {
    for rule in RULES.iter().filter(|rule| !rule.example.good.is_empty()) {
        let found = reported(&rule.example, rule.example.good);
        assert!(found.is_empty(), "{}: the good example reports {found:?}", rule.id);
    }
}

#[test]
fn advice_never_changes_the_verdict() {
    for rule in
        RULES.iter().filter(|rule| rule.severity == Severity::Advice && rule.example.against == Against::Nothing)
    {
        let source = Source::new(edited(&rule.example, rule.example.bad));
        assert!(matches!(check(&source, Profile::Full, Baseline::Standalone), Verdict::Valid(_)), "{}", rule.id);
    }
}

#[test]
fn every_rule_file_is_short() {
    fn files(folder: &Path) -> Vec<std::path::PathBuf> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in files(&source) {
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        let limit = if path.starts_with(source.join("rules")) { 300 } else { 600 };
        assert!(lines <= limit, "{} has {lines} lines, more than {limit}: split it by subject", path.display());
    }
}
