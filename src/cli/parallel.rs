//! Work side by side, results in order.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, mpsc};
use std::thread;

/// How many results each thread may be ahead of the one that is waited for: one slow item stops nobody soon, and the
/// results that wait do not pile up.
const AHEAD: usize = 16;

/// Does `work` on all items, on as many threads as given, and hands the results to `take` in the order of the items. What
/// is in memory at once does not grow with the number of items. A panic of the work becomes one of the caller.
pub(crate) fn in_order<T: Sync, R: Send>(
    items: &[T],
    threads: NonZero<usize>,
    work: impl Fn(&T) -> R + Sync,
    mut take: impl FnMut(R),
) {
    let threads = threads.get().min(items.len());
    if threads <= 1 {
        return items.iter().for_each(|item| take(work(item)));
    }
    let (order, orders) = mpsc::channel();
    let orders = Mutex::new(orders);
    let (orders, work) = (&orders, &work);
    thread::scope(move |scope| {
        let (done, results) = mpsc::channel();
        for _ in 0..threads {
            let done = done.clone();
            let next = || orders.lock().ok().and_then(|orders| orders.recv().ok());
            let worker = move || {
                while let Some((index, item)) = next() {
                    let result = panic::catch_unwind(AssertUnwindSafe(|| work(item)));
                    if done.send((index, result)).is_err() {
                        return;
                    }
                }
            };
            // Where the system gives no thread, the others do the work; where it gives none, this one does.
            let _ = thread::Builder::new().spawn_scoped(scope, worker);
        }
        drop(done);
        let mut rest = items.iter().enumerate();
        let mut begin = |count| {
            for item in rest.by_ref().take(count) {
                // It cannot fail: the other end lives longer.
                let _ = order.send(item);
            }
        };
        begin(threads * AHEAD);
        let mut early = BTreeMap::new();
        for (expected, item) in items.iter().enumerate() {
            let result = loop {
                if let Some(result) = early.remove(&expected) {
                    break result;
                }
                match results.recv() {
                    Ok((index, result)) => drop(early.insert(index, result)),
                    Err(_) => break Ok(work(item)),
                }
            };
            match result {
                Ok(result) => take(result),
                Err(bug) => panic::resume_unwind(bug),
            }
            begin(1);
        }
    });
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    fn threads(count: usize) -> NonZero<usize> {
        NonZero::new(count).unwrap()
    }

    #[test]
    fn results_come_in_order_whatever_the_number_of_threads() {
        for count in [1, 2, 7] {
            let items: Vec<usize> = (0..1000).collect();
            let mut results = Vec::new();
            let slow_at_first = |&item: &usize| {
                if item == 0 {
                    thread::sleep(Duration::from_millis(5));
                }
                item * 2
            };
            in_order(&items, threads(count), slow_at_first, |result| results.push(result));
            assert_eq!(results, items.iter().map(|item| item * 2).collect::<Vec<_>>());
        }
    }

    #[test]
    fn nobody_runs_far_ahead_of_a_slow_item() {
        let items: Vec<usize> = (0..1000).collect();
        let begun = AtomicUsize::new(0);
        let mut most = 0;
        let work = |_: &usize| {
            begun.fetch_add(1, Ordering::SeqCst);
        };
        let mut taken = 0;
        in_order(&items, threads(2), work, |()| {
            most = most.max(begun.load(Ordering::SeqCst) - taken);
            taken += 1;
        });
        assert_eq!(taken, 1000);
        assert!(most <= 2 * AHEAD, "{most}");
    }

    #[test]
    fn a_panic_of_the_work_is_one_of_the_caller() {
        let items: Vec<usize> = (0..100).collect();
        let work = |&item: &usize| assert!(item != 50, "on purpose");
        let run = AssertUnwindSafe(|| in_order(&items, threads(3), work, drop));
        assert!(panic::catch_unwind(run).is_err());
    }
}
