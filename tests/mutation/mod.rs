//! One defect at a time, in every place and spelling: each must be found out by its rule.
//!
//! An operator takes a valid document and gives mutants of it, each with the rule that it breaks.

mod advice;
mod answers;
mod details;
mod encoding;
mod front_matter;
mod neutral;
mod outline;
mod page;
mod rounds;
mod state;
mod succession;
mod tldr;
mod yaml;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use handoff_guard::check::{Baseline, check};
use handoff_guard::diagnostic::Severity;
use handoff_guard::protocol::profile::Profile;
use handoff_guard::rules::RULES;
use handoff_guard::source::Source;

use page::{PAGES, Page, STEPS};

/// A document with one defect.
struct Mutant {
    /// The rule that it breaks.
    rule: &'static str,
    bytes: Vec<u8>,
    against: Baseline<'static>,
}

/// The mutants that an operator makes of one document.
#[derive(Default)]
struct Mutants(Vec<Mutant>);

impl Mutants {
    fn push(&mut self, rule: &'static str, bytes: impl Into<Vec<u8>>) {
        self.push_against(rule, bytes, Baseline::Standalone);
    }

    fn push_against(&mut self, rule: &'static str, bytes: impl Into<Vec<u8>>, against: Baseline<'static>) {
        self.0.push(Mutant { rule, bytes: bytes.into(), against });
    }
}

/// An operator and what it changes.
type Operator = fn(&'static Page, &mut Mutants);

/// The operators of one part of the protocol, and what they change.
struct Part {
    pages: &'static LazyLock<Vec<Page>>,
    operators: &'static [Operator],
}

const BYTES: Part = Part { pages: &PAGES, operators: encoding::OPERATORS };
const YAML: Part = Part { pages: &PAGES, operators: yaml::OPERATORS };
const FRONT_MATTER: Part = Part { pages: &PAGES, operators: front_matter::OPERATORS };
const OUTLINE: Part = Part { pages: &PAGES, operators: outline::OPERATORS };
const TLDR: Part = Part { pages: &PAGES, operators: tldr::OPERATORS };
const DETAILS: Part = Part { pages: &PAGES, operators: details::OPERATORS };
const ROUNDS: Part = Part { pages: &PAGES, operators: rounds::OPERATORS };
const ANSWERS: Part = Part { pages: &PAGES, operators: answers::OPERATORS };
const STATE: Part = Part { pages: &PAGES, operators: state::OPERATORS };
const SUCCESSION: Part = Part { pages: &STEPS, operators: succession::OPERATORS };
const ADVICE: Part = Part { pages: &PAGES, operators: advice::OPERATORS };
const ADVICE_ON_SUCCESSION: Part = Part { pages: &STEPS, operators: advice::OF_THE_NEXT_VERSION };

/// True with `HANDOFF_GUARD_MUTANTS=all`; otherwise some stand for all.
fn every_one_is_tried() -> bool {
    std::env::var_os("HANDOFF_GUARD_MUTANTS").is_some_and(|value| value == "all")
}

/// How many mutants of one document and rule are tried.
fn most(page: &Page, rule: &str) -> usize {
    if every_one_is_tried() {
        usize::MAX
    } else if page.is_thorough() {
        6
    } else {
        usize::from((page.number + rule.len()).is_multiple_of(3))
    }
}

/// The mutants that a part makes and that are tried: of those that break one rule in one document every n-th, and of
/// the next document others.
fn mutants(part: &Part) -> impl Iterator<Item = (&'static Page, Mutant)> {
    let tried = |page: &'static Page| {
        let mut made = Mutants::default();
        part.operators.iter().for_each(|operator| operator(page, &mut made));
        let mut of_rule: BTreeMap<&str, Vec<Mutant>> = BTreeMap::new();
        for mutant in made.0 {
            of_rule.entry(mutant.rule).or_default().push(mutant);
        }
        of_rule.into_iter().flat_map(move |(rule, mutants)| {
            let most = most(page, rule);
            let step = mutants.len().div_ceil(most.max(1));
            let tried = mutants.into_iter().skip(page.number % step).step_by(step).take(most);
            tried.map(move |mutant| (page, mutant))
        })
    };
    part.pages.iter().flat_map(tried)
}

/// Fails unless each mutant gets the verdict of its rule, and the rule is named.
#[track_caller]
fn assert_found(part: &Part, severity: Severity) {
    let mut survivors = BTreeMap::new();
    let mut count = 0;
    for (page, Mutant { rule, bytes, against }) in mutants(part) {
        let source = Source::new(bytes);
        let verdict = check(&source, Profile::Full, against);
        let found = || verdict.diagnostics().iter().map(|found| (found.rule.id, found.rule.severity));
        let named = found().any(|found| found == (rule, severity));
        if !named || verdict.is_valid() != (severity == Severity::Advice) {
            count += 1;
            let changed = changed(page.text, &source.printable());
            let ids: Vec<&str> = found().map(|(id, _)| id).collect();
            survivors.insert((rule, changed), format!("{} reports {ids:?}", page.name));
        }
    }
    let shown = survivors.iter().take(24).map(|((rule, changed), says)| format!("{rule}: {says}\n{changed}"));
    assert!(survivors.is_empty(), "{count} mutants survive:\n{}", shown.collect::<String>());
}

/// The lines between what is the same at the start and at the end of both.
fn changed(old: &str, new: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (old.split('\n').collect(), new.split('\n').collect());
    let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let rest = (old.len().min(new.len())) - start;
    let end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old == new).count();
    let removed = old[start..old.len() - end].iter().map(|line| format!("    -{line:?}\n"));
    let added = new[start..new.len() - end].iter().map(|line| format!("    +{line:?}\n"));
    removed.take(6).chain(added.take(12)).collect()
}

#[test]
fn defects_of_bytes_and_fences_are_found() {
    assert_found(&BYTES, Severity::Error);
}

#[test]
fn defects_of_the_yaml_are_found() {
    assert_found(&YAML, Severity::Error);
}

#[test]
fn defects_of_the_front_matter_are_found() {
    assert_found(&FRONT_MATTER, Severity::Error);
}

#[test]
fn defects_of_headings_are_found() {
    assert_found(&OUTLINE, Severity::Error);
}

#[test]
fn defects_of_the_tldr_are_found() {
    assert_found(&TLDR, Severity::Error);
}

#[test]
fn defects_of_the_formal_sections_are_found() {
    assert_found(&DETAILS, Severity::Error);
}

#[test]
fn defects_of_the_rounds_are_found() {
    assert_found(&ROUNDS, Severity::Error);
    assert_found(&ANSWERS, Severity::Error);
}

#[test]
fn defects_of_the_state_are_found() {
    assert_found(&STATE, Severity::Error);
}

#[test]
fn defects_of_the_next_version_are_found() {
    assert_found(&SUCCESSION, Severity::Error);
}

#[test]
fn what_is_legal_and_advised_against_is_accepted_with_the_advice() {
    assert_found(&ADVICE, Severity::Advice);
    assert_found(&ADVICE_ON_SUCCESSION, Severity::Advice);
}

#[test]
fn every_rule_has_an_operator() {
    let errors = [BYTES, YAML, FRONT_MATTER, OUTLINE, TLDR, DETAILS, ROUNDS, ANSWERS, STATE, SUCCESSION];
    let parts = errors.iter().chain(&[ADVICE, ADVICE_ON_SUCCESSION]);
    let mut counts: BTreeMap<&str, usize> = RULES.iter().map(|rule| (rule.id, 0)).collect();
    for (_, mutant) in parts.flat_map(mutants) {
        *counts.entry(mutant.rule).or_default() += 1;
    }
    let table: Vec<String> = counts.iter().map(|(rule, count)| format!("{count:6} {rule}\n")).collect();
    let total: usize = counts.values().sum();
    let table = format!("{}{total:6} in all", table.concat());
    assert!(counts.values().all(|count| *count > 0) && total >= 2000, "a rule without mutants, or too few:\n{table}");
    assert_eq!(counts.len(), RULES.len(), "an operator names no rule:\n{table}");
}
