//! The bar of a long run, on standard error when that is a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

use super::output::{Output, complain};

/// A run that ends sooner shows no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// How far a run is. Once the bar is there, everything else goes to the terminal through here.
pub(crate) struct Progress {
    begun: Instant,
    done: u64,
    all: u64,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A run over `all` documents that began at `begun`.
    pub(crate) fn new(all: usize, begun: Instant) -> Self {
        Self { begun, done: 0, all: all as u64, bar: None }
    }

    /// One more document is done.
    pub(crate) fn advance(&mut self) {
        self.done += 1;
        if self.bar.is_none() && self.begun.elapsed() >= PATIENCE {
            let target = ProgressDrawTarget::stderr();
            self.bar = (!target.is_hidden()).then(|| bar(self.all, target));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
        }
    }

    /// Writes a part of the result.
    pub(crate) fn write(&self, output: &mut Output, text: &str) {
        match &self.bar {
            Some(_) if text.is_empty() => {}
            Some(bar) => bar.suspend(|| {
                output.write(text);
                output.flush();
            }),
            None => output.write(text),
        }
    }

    /// Says on standard error what went wrong.
    pub(crate) fn complain(&self, message: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| complain(message)),
            None => complain(message),
        }
    }

    /// Removes the bar.
    pub(crate) fn end(&mut self) {
        self.bar = None;
    }
}

fn bar(all: u64, target: ProgressDrawTarget) -> ProgressBar {
    let style = ProgressStyle::with_template("checked [{wide_bar}] {pos} of {len}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> ");
    ProgressBar::with_draw_target(Some(all), target).with_style(style).with_finish(ProgressFinish::AndClear)
}
