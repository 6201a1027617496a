//! Deadlines: how long a request may take, whatever it waits for, and the word that ends it before.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::error::{Error, Timeout};

/// A word by which a caller takes back what it asked for. It is heard until the request begins to write; then it is too late.
#[derive(Debug, Default)]
pub struct CancelToken(AtomicBool);

impl CancelToken {
    /// Takes back what was asked for.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Tells whether it was said.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The moment by which a request must have begun to write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline<'a> {
    began: Instant,
    most: Duration,
    stop: Option<&'a CancelToken>,
}

impl<'a> Deadline<'a> {
    /// Starts the clock.
    pub(crate) fn after(most: Duration) -> Self {
        Self {
            began: Instant::now(),
            most,
            stop: None,
        }
    }

    /// Listens to a caller who may take it back.
    pub(crate) fn or(self, stop: Option<&'a CancelToken>) -> Self {
        Self { stop, ..self }
    }

    /// Returns the word that ends it before.
    pub(crate) fn stop(&self) -> Option<&'a CancelToken> {
        self.stop
    }

    /// Returns how long may still be waited, and at most `wait`.
    pub(crate) fn within(&self, wait: Duration) -> Duration {
        wait.min(self.most.saturating_sub(self.began.elapsed()))
    }

    /// Refuses to go on once the time is up, or the caller has taken it back.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.stop.is_some_and(CancelToken::is_cancelled) {
            return Err(Error::Cancelled);
        }
        if self.began.elapsed() < self.most {
            return Ok(());
        }
        Err(Error::Timeout(Timeout {
            most: u64::try_from(self.most.as_millis()).unwrap_or(u64::MAX),
        }))
    }
}
