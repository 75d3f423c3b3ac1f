//! What hostile documents may cost: memory in proportion to their size, and no more findings than people read. Allocations
//! are counted, never time; `cargo bench -- scaling` measures both, on larger ones.

#[allow(dead_code, reason = "the benchmarks use all of it")]
#[path = "../benches/documents.rs"]
mod documents;
#[allow(dead_code, reason = "the benchmarks use all of it")]
#[path = "../benches/families.rs"]
mod families;

use std::collections::BTreeMap;

use allocation_counter::{AllocationInfo, measure};
use handoff_guard::check::{Baseline, Verdict, check};
use handoff_guard::diagnostic::LISTED_PER_RULE;
use handoff_guard::protocol::profile::Profile;
use handoff_guard::source::Source;

use self::families::{Family, Place, families};

/// Bytes of a hostile document, and of one of twice its size.
const SIZES: [usize; 2] = [12 * 1024, 24 * 1024];
/// How many bytes of the heap a byte of a document may take at one time.
const HEAP_PER_BYTE: u64 = 160;
/// How many bytes may be asked for in all, for a byte of a document.
const TOTAL_PER_BYTE: u64 = 1000;
/// What any document may take beside: findings, tables, buffers.
const BASE: u64 = 512 * 1024;
/// No doubling of the size may take more than this many hundredths of the heap.
const DOUBLING: u64 = 250;

/// What it costs to judge the documents of a family, small and large.
fn costs(family: &Family) -> [(u64, AllocationInfo); 2] {
    SIZES.map(|size| {
        let source = Source::new(family.document(size));
        let cost = measure(|| drop(check(&source, Profile::Full, Baseline::Standalone)));
        (source.bytes().len() as u64, cost)
    })
}

#[test]
fn hostile_documents_take_memory_in_proportion_to_their_size() {
    for family in families().iter().filter(|family| !matches!(family.place, Place::Report | Place::Json)) {
        let [(_, small), (bytes, large)] = costs(family);
        let name = family.name();
        assert_eq!(large.bytes_current, 0, "{name}: {large:?} stays");
        assert!(large.bytes_max <= HEAP_PER_BYTE * bytes + BASE, "{name}: {large:?} of {bytes} bytes");
        assert!(large.bytes_total <= TOTAL_PER_BYTE * bytes + BASE, "{name}: {large:?} of {bytes} bytes");
        let (small, large) = (small.bytes_max, large.bytes_max);
        assert!(large * 100 <= small * DOUBLING + BASE, "{name}: {small} becomes {large}");
    }
}

#[test]
fn hostile_documents_have_no_more_findings_than_a_report_lists() {
    for family in families() {
        let source = Source::new(family.document(SIZES[0]));
        let verdict = check(&source, Profile::Full, Baseline::Standalone);
        let mut listed: BTreeMap<&str, usize> = BTreeMap::new();
        verdict.diagnostics().iter().for_each(|found| *listed.entry(found.rule.id).or_default() += 1);
        assert!(listed.values().all(|&count| count <= LISTED_PER_RULE), "{}: {listed:?}", family.name());
        assert!(matches!(verdict, Verdict::Valid(_)) || !listed.is_empty(), "{}", family.name());
    }
}
