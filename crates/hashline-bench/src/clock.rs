//! Timing: the best of several runs, so that what else the machine does counts least.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Short work is repeated until so much time has passed, or so often: a run of a millisecond is easily disturbed.
const ENOUGH: Duration = Duration::from_millis(200);
const OFTEN: usize = 300;

/// Returns the shortest time `work` took on what `prepare` made, of at least `runs`. Preparing and dropping are not timed.
pub(crate) fn best_on<T, R>(
    runs: usize,
    mut prepare: impl FnMut() -> T,
    mut work: impl FnMut(&T) -> R,
) -> Duration {
    let (mut shortest, mut spent) = (Duration::MAX, Duration::ZERO);
    for run in 0..=OFTEN.max(runs) {
        let input = prepare();
        let started = Instant::now();
        let result = black_box(work(black_box(&input)));
        let time = started.elapsed();
        drop(result);
        if run > runs && spent > ENOUGH {
            break;
        }
        spent += time;
        // The first run warms caches and the allocator, and does not count.
        shortest = if run == 0 {
            Duration::MAX
        } else {
            shortest.min(time)
        };
    }
    shortest
}

/// Returns the shortest time `work` took.
pub(crate) fn best<R>(runs: usize, mut work: impl FnMut() -> R) -> Duration {
    best_on(runs, || (), |()| work())
}

/// Returns the median of some times.
pub(crate) fn median(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// Spells a time in milliseconds.
pub(crate) fn millis(time: Duration) -> String {
    let millis = time.as_secs_f64() * 1e3;
    if millis < 10.0 {
        format!("{millis:.3}")
    } else {
        format!("{millis:.1}")
    }
}

/// Returns how many times as long `time` is as `other`.
pub(crate) fn ratio(time: Duration, other: Duration) -> f64 {
    time.as_secs_f64() / other.as_secs_f64().max(1e-9)
}
