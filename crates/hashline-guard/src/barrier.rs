//! The crash barrier: work that may hang or panic runs in a thread of its own, and is given up after a deadline.
//!
//! The parser is known to loop for ever on some malformed text (`<<$( (r `) and to panic on some other. A thread cannot be stopped from
//! outside, so one that hangs is left behind; in the short process of a hook it dies soon after the answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::guard::WORKER;
use crate::verdict::Unsure;

/// Enough for the deepest text that `nesting` lets through, in a build without optimisation. Only what is used is ever backed by memory.
const STACK: usize = 64 * 1024 * 1024;

/// Runs `work` in a thread of its own and waits for its answer until `deadline` has passed.
///
/// # Errors
///
/// Says that the work panicked, was not done in time, or could not be started.
pub(crate) fn run<T: Send + 'static>(
    deadline: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Unsure> {
    let (sender, receiver) = channel();
    thread::Builder::new()
        .name(WORKER.to_owned())
        .stack_size(STACK)
        .spawn(move || {
            // Nothing that the work touched is looked at after a panic, so nothing half-done can be seen.
            let done = catch_unwind(AssertUnwindSafe(work)).map_err(|_| Unsure::Crashed);
            // After the deadline nobody is waiting any more, which is no error.
            let _ = sender.send(done);
        })
        .map_err(|_| Unsure::NoThread)?;
    match receiver.recv_timeout(deadline) {
        Ok(done) => done,
        Err(RecvTimeoutError::Timeout) => Err(Unsure::TooSlow),
        Err(RecvTimeoutError::Disconnected) => Err(Unsure::Crashed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn work_that_is_done_in_time_is_answered() {
        assert_eq!(run(LONG, || 7), Ok(7));
    }

    #[test]
    fn work_that_panics_has_crashed() {
        assert_eq!(
            run(LONG, || -> u8 { panic!("as the parser does") }),
            Err(Unsure::Crashed)
        );
    }

    #[test]
    fn work_that_never_ends_is_too_slow() {
        let (_held, release) = channel::<()>();
        let work = move || release.recv().is_ok();
        assert_eq!(run(Duration::from_millis(1), work), Err(Unsure::TooSlow));
    }
}
