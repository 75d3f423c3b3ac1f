//! What hostile documents may cost: memory in proportion to their size, and no more findings than people read. Allocations
//! are counted, never time; `cargo bench -- scaling` measures both, on larger ones.

#[allow(dead_code, reason = "the benchmarks use all of it")]
#[path = "../benches/documents.rs"]
mod documents;
#[allow(dead_code, reason = "the benchmarks use all of it")]
#[path = "../benches/families.rs"]
mod families;

use std::collections::BTreeMap;

use allocation_counter::measure;
use handoff_guard::check::{Baseline, Verdict, check};
use handoff_guard::diagnostic::LISTED_PER_RULE;
use handoff_guard::protocol::profile::Profile;
use handoff_guard::source::Source;

use self::families::{Place, families};

/// Bytes of a hostile document.
const SIZE: usize = 8 * 1024;
/// How many bytes of the heap a byte of a document may take at one time.
const HEAP_PER_BYTE: u64 = 160;
/// How often the heap may be asked for a byte of a document.
const ALLOCATIONS_PER_BYTE: u64 = 40;
/// What any document may take beside: findings, tables, buffers.
const BASE: u64 = 512 * 1024;
/// What the Markdown parser adds to a table whose rows lack cells: a quarter of a million of them at most, in a document
/// of any size.
const LACKING_CELLS: u64 = 32 * 1024 * 1024;

#[test]
fn hostile_documents_cost_memory_in_proportion_and_have_no_endless_findings() {
    for family in families().iter().filter(|family| !matches!(family.place, Place::Report | Place::Json)) {
        let source = Source::new(family.document(SIZE));
        let mut most = 0;
        let cost = measure(|| most = most_of_one_rule(&check(&source, Profile::Full, Baseline::Standalone)));
        let (bytes, name) = (source.bytes().len() as u64, family.name());
        let is_table = matches!(family.place, Place::Cell) || name.contains("|a…");
        let base = if is_table { BASE + LACKING_CELLS } else { BASE };
        assert!(most <= LISTED_PER_RULE, "{name}: {most} findings of one rule");
        assert_eq!(cost.bytes_current, 0, "{name}: {cost:?} stays");
        assert!(cost.bytes_max <= HEAP_PER_BYTE * bytes + base, "{name}: {cost:?} of {bytes} bytes");
        assert!(cost.count_total <= ALLOCATIONS_PER_BYTE * bytes, "{name}: {cost:?} of {bytes} bytes");
    }
}

fn most_of_one_rule(verdict: &Verdict<'_>) -> usize {
    let mut listed: BTreeMap<&str, usize> = BTreeMap::new();
    verdict.diagnostics().iter().for_each(|found| *listed.entry(found.rule.id).or_default() += 1);
    listed.into_values().max().unwrap_or_default()
}
