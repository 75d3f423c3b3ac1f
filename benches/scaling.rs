//! How the time to judge hostile input, or to record a hostile report, and the memory that it takes, grow when its size doubles.

use std::hint::black_box;
use std::time::{Duration, Instant};

use allocation_counter::measure;
use handoff_guard::check::{Baseline, check, verify};
use handoff_guard::lifecycle::audit::audit;
use handoff_guard::lifecycle::step::More;
use handoff_guard::protocol::profile::Profile;
use handoff_guard::source::Source;

use crate::documents::SMALL;
use crate::families::{Family, Place, families};
use crate::harness::time;

/// No doubling of the size may cost more, in time or in memory.
const LIMIT: f64 = 2.5;
/// No byte of a document may take more bytes of the heap at one time.
const HEAP_LIMIT: f64 = 200.0;
/// A family is measured again and again for so long; [`DOUBT`] times as long while it seems to grow too fast, because the
/// machine may only have been busy.
const PATIENCE: Duration = Duration::from_millis(300);
const DOUBT: u32 = 10;

/// What a quarter, a half and the whole of the size that the place can take cost.
struct Growth {
    name: String,
    bytes: usize,
    nanoseconds: [f64; 3],
    /// The most bytes on the heap at one time, without the document itself.
    heap: [f64; 3],
}

/// What a doubling costs: the mean of two, because a single one depends on which cache it leaves.
fn doubling([quarter, _, whole]: [f64; 3]) -> f64 {
    (whole / quarter).sqrt()
}

impl Growth {
    #[allow(clippy::cast_precision_loss, reason = "no document has 2^52 bytes")]
    fn of(&self, amount: f64) -> f64 {
        amount / self.bytes as f64
    }

    fn heap_per_byte(&self) -> f64 {
        self.of(self.heap[2])
    }

    /// What breaks a limit.
    fn breach(&self) -> &'static str {
        if doubling(self.nanoseconds) > LIMIT {
            "  ← grows too fast"
        } else if doubling(self.heap) > LIMIT || self.heap_per_byte() > HEAP_LIMIT {
            "  ← takes too much memory"
        } else {
            ""
        }
    }
}

/// Measures the families whose names contain `filter`.
pub(crate) fn run(filter: &str) {
    let mut grown: Vec<Growth> =
        families().iter().filter(|family| family.name().contains(filter)).map(growth).collect();
    grown.sort_by(|one, other| doubling(other.nanoseconds).total_cmp(&doubling(one.nanoseconds)));
    println!(
        "\n{:>8} {:>8} {:>7} {:>6} {:>9} {:>6} {:>6}  hostile input",
        "bytes", "ms", "MB/s", "×2", "heap MiB", "/byte", "×2"
    );
    for growth in &grown {
        let [.., whole] = growth.nanoseconds;
        let rate = 1e3 / growth.of(whole);
        println!(
            "{:>8} {:>8.1} {rate:>7.1} {:>6.2} {:>9.1} {:>6.1} {:>6.2}  {}{}",
            growth.bytes,
            whole / 1e6,
            doubling(growth.nanoseconds),
            growth.heap[2] / 1_048_576.0,
            growth.heap_per_byte(),
            doubling(growth.heap),
            growth.name,
            growth.breach(),
        );
    }
    let most = |of: fn(&Growth) -> f64| grown.iter().map(of).fold(0.0, f64::max);
    println!(
        "{} families; at most {:.0} ms and {:.0} bytes of heap a byte; a doubling costs at most {:.2} times the time, {:.2} times \
         the heap",
        grown.len(),
        most(|growth| growth.nanoseconds[2] / 1e6),
        most(Growth::heap_per_byte),
        most(|growth| doubling(growth.nanoseconds)),
        most(|growth| doubling(growth.heap)),
    );
}

/// Makes a round of a report, and judges the version with it.
fn record(report: &Source) {
    let first = Source::new(SMALL);
    let previous = verify(&first, Profile::Full).unwrap();
    let composed = audit(&previous, report, &More::default(), "2026-12-01T00:00:00Z");
    drop(black_box(composed.map(|composed| composed.judge(&previous))));
}

fn growth(family: &Family) -> Growth {
    let limit = family.place.limit();
    let sources = [limit / 4, limit / 2, limit].map(|size| Source::new(family.document(size)));
    let judge = |source: &Source| match family.place {
        Place::Report | Place::Json => record(source),
        _ => drop(black_box(check(source, Profile::Full, Baseline::Standalone))),
    };
    let (name, bytes) = (family.name(), sources[2].bytes().len());
    #[allow(clippy::cast_precision_loss, reason = "no process has 2^52 bytes")]
    let heap = sources.each_ref().map(|source| measure(|| judge(source)).bytes_max as f64);
    let mut growth = Growth { name, bytes, nanoseconds: [f64::INFINITY; 3], heap };
    let start = Instant::now();
    while start.elapsed() < if doubling(growth.nanoseconds) > LIMIT { PATIENCE * DOUBT } else { PATIENCE } {
        for (shortest, source) in growth.nanoseconds.iter_mut().zip(&sources) {
            *shortest = shortest.min(time(&mut || judge(source), 1));
        }
    }
    growth
}
