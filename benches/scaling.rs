//! How the time to judge hostile input grows when its size doubles.

use std::time::{Duration, Instant};

use handoff_guard::check::{Baseline, check};
use handoff_guard::protocol::profile::Profile;
use handoff_guard::source::Source;

use crate::documents::{Family, families};
use crate::harness::time;

/// No doubling of the size may cost more.
const LIMIT: f64 = 2.5;
/// A family is measured again and again for so long; [`DOUBT`] times as long while it seems to grow too fast, because the
/// machine may only have been busy.
const PATIENCE: Duration = Duration::from_millis(300);
const DOUBT: u32 = 10;

/// The times for a quarter, a half and the whole of the size that the place can take.
struct Growth {
    name: String,
    bytes: usize,
    nanoseconds: [f64; 3],
}

impl Growth {
    /// What a doubling costs: the mean of two, because a single one depends on which cache it leaves.
    fn doubling(&self) -> f64 {
        let [quarter, _, whole] = self.nanoseconds;
        (whole / quarter).sqrt()
    }
}

/// Measures the families whose names contain `filter`.
pub(crate) fn run(filter: &str) {
    let mut grown: Vec<Growth> =
        families().iter().filter(|family| family.name().contains(filter)).map(growth).collect();
    grown.sort_by(|one, other| other.doubling().total_cmp(&one.doubling()));
    println!("\n{:>8} {:>9} {:>9} {:>9}  hostile input", "bytes", "ms", "MB/s", "× a doubling");
    for growth in &grown {
        let [.., whole] = growth.nanoseconds;
        #[allow(clippy::cast_precision_loss, reason = "no document has 2^52 bytes")]
        let rate = growth.bytes as f64 * 1e3 / whole;
        let mark = if growth.doubling() > LIMIT { "  ← grows too fast" } else { "" };
        let (milliseconds, doubling) = (whole / 1e6, growth.doubling());
        println!("{:>8} {milliseconds:>9.1} {rate:>9.1} {doubling:>12.2}  {}{mark}", growth.bytes, growth.name);
    }
    let slowest = grown.iter().map(|growth| growth.nanoseconds[2] / 1e6).fold(0.0, f64::max);
    let worst = grown.iter().map(Growth::doubling).fold(0.0, f64::max);
    println!("{} families; a doubling costs at most {worst:.2} times as much; at most {slowest:.0} ms", grown.len());
}

fn growth(family: &Family) -> Growth {
    let limit = family.place.limit();
    let sources = [limit / 4, limit / 2, limit].map(|size| Source::new(family.document(size)));
    let (name, bytes) = (family.name(), sources[2].bytes().len());
    let mut growth = Growth { name, bytes, nanoseconds: [f64::INFINITY; 3] };
    let start = Instant::now();
    while start.elapsed() < if growth.doubling() > LIMIT { PATIENCE * DOUBT } else { PATIENCE } {
        for (shortest, source) in growth.nanoseconds.iter_mut().zip(&sources) {
            let mut run = || drop(std::hint::black_box(check(source, Profile::Full, Baseline::Standalone)));
            *shortest = shortest.min(time(&mut run, 1));
        }
    }
    growth
}
