//! The crash barrier: work that may hang or panic runs in a thread of its own, and is given up when its budget is spent.
//!
//! The parser is known to loop for ever on some malformed text (`<<$( (r `) and to panic on some other. A thread cannot be stopped from
//! outside, so one that hangs is left behind; in the short process of a hook it dies soon after the answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;

use crate::guard::budget::Budget;
use crate::guard::judge::WORKER;
use crate::guard::verdict::Unsure;

/// Enough for the deepest text that `nesting` lets through, in a build without optimisation. Only what is used is ever backed by memory.
const STACK: usize = 64 * 1024 * 1024;

/// Runs `work` in a thread of its own and waits for its answer until `budget` is spent.
///
/// # Errors
///
/// Says that the work panicked, was not done in time, or could not be started.
pub(crate) fn run<T: Send + 'static>(
    budget: Budget,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Unsure> {
    let spending = budget.begin();
    let (sender, receiver) = channel();
    thread::Builder::new()
        .name(WORKER.to_owned())
        .stack_size(STACK)
        .spawn(move || {
            // Nothing that the work touched is looked at after a panic, so nothing half-done can be seen.
            let done = catch_unwind(AssertUnwindSafe(work)).map_err(|_| Unsure::Crashed);
            // When the budget is spent nobody is waiting any more, which is no error.
            let _ = sender.send(done);
        })
        .map_err(|_| Unsure::NoThread)?;
    while let Some(left) = spending.left() {
        match receiver.recv_timeout(left) {
            Ok(done) => return done,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(Unsure::Crashed),
        }
    }
    // It may have come while nobody was given a processor to look.
    receiver.try_recv().unwrap_or(Err(Unsure::TooSlow))
}

#[cfg(test)]
mod tests {
    use std::hint::spin_loop;
    use std::sync::mpsc::{Receiver, TryRecvError};
    use std::time::Duration;

    use super::*;

    const SHORT: Duration = Duration::from_millis(100);
    const LONG: Duration = Duration::from_secs(600);
    const AMPLE: Budget = budget(LONG, LONG);

    const fn budget(work: Duration, wall: Duration) -> Budget {
        Budget { work, wall }
    }

    /// Works until nobody waits for it any more.
    fn spin(given_up: &Receiver<()>) {
        while given_up.try_recv() != Err(TryRecvError::Disconnected) {
            spin_loop();
        }
    }

    #[test]
    fn work_that_is_done_in_time_is_answered() {
        assert_eq!(run(AMPLE, || 7), Ok(7));
    }

    #[test]
    fn work_that_panics_has_crashed() {
        assert_eq!(
            run(AMPLE, || -> u8 { panic!("as the parser does") }),
            Err(Unsure::Crashed)
        );
    }

    /// As work does that is given no processor for a while.
    #[test]
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    fn work_that_waits_longer_than_it_may_work_is_answered() {
        let work = || {
            thread::sleep(SHORT * 3);
            7
        };
        assert_eq!(run(budget(SHORT, LONG), work), Ok(7));
    }

    #[test]
    fn work_that_goes_on_working_is_too_slow() {
        let (held, given_up) = channel();
        let work = move || spin(&given_up);
        assert_eq!(run(budget(SHORT, LONG), work), Err(Unsure::TooSlow));
        drop(held);
    }

    #[test]
    fn work_that_waits_for_ever_is_too_slow() {
        let (_held, release) = channel::<()>();
        let work = move || release.recv().is_ok();
        assert_eq!(run(budget(LONG, SHORT), work), Err(Unsure::TooSlow));
    }
}
