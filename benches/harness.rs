//! Times several things in turn, so that a noisy machine is equally unfair to all of them.

use std::time::{Duration, Instant};

/// Something to time.
pub(crate) struct Stage<'a> {
    pub(crate) name: &'static str,
    run: Box<dyn FnMut() + 'a>,
}

impl<'a> Stage<'a> {
    pub(crate) fn new<T>(name: &'static str, mut run: impl FnMut() -> T + 'a) -> Self {
        Self {
            name,
            run: Box::new(move || {
                std::hint::black_box(run());
            }),
        }
    }
}

/// What a stage took.
pub(crate) struct Measured {
    /// The median time of one run, in nanoseconds.
    pub(crate) nanoseconds: f64,
    /// The median over the rounds of its time divided by that of the first stage in the same round.
    pub(crate) ratio: f64,
}

/// How long a stage runs in one round, at least.
const SAMPLE: Duration = Duration::from_micros(400);
const ROUNDS: usize = 101;
/// Runs every stage in each round.
pub(crate) fn interleaved(stages: &mut [Stage<'_>]) -> Vec<Measured> {
    let repetitions: Vec<u32> = stages.iter_mut().map(|stage| repetitions(&mut stage.run)).collect();
    let rounds: Vec<Vec<f64>> = (0..ROUNDS)
        .map(|_| stages.iter_mut().zip(&repetitions).map(|(stage, &count)| time(&mut stage.run, count)).collect())
        .collect();
    let summary = |index: usize| Measured {
        nanoseconds: median(rounds.iter().map(|round| round[index]).collect()),
        ratio: median(rounds.iter().map(|round| round[index] / round[0]).collect()),
    };
    (0..stages.len()).map(summary).collect()
}

fn repetitions(run: &mut impl FnMut()) -> u32 {
    let mut count = 1;
    while time(run, count) * f64::from(count) < SAMPLE.as_secs_f64() * 1e9 {
        count *= 2;
    }
    count
}

/// The time of one of `count` runs, in nanoseconds.
pub(crate) fn time(run: &mut impl FnMut(), count: u32) -> f64 {
    let start = Instant::now();
    (0..count).for_each(|_| run());
    start.elapsed().as_secs_f64() * 1e9 / f64::from(count)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
