//! Deadlines: how long a request may take, whatever it waits for.

use std::time::{Duration, Instant};

use crate::error::{Error, Timeout};

/// The moment by which a request must have begun to write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    began: Instant,
    most: Duration,
}

impl Deadline {
    /// Starts the clock.
    pub(crate) fn after(most: Duration) -> Self {
        Self {
            began: Instant::now(),
            most,
        }
    }

    /// Returns how long may still be waited, and at most `wait`.
    pub(crate) fn within(&self, wait: Duration) -> Duration {
        wait.min(self.most.saturating_sub(self.began.elapsed()))
    }

    /// Refuses to go on once the time is up.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.began.elapsed() < self.most {
            return Ok(());
        }
        Err(Error::Timeout(Timeout {
            most: u64::try_from(self.most.as_millis()).unwrap_or(u64::MAX),
        }))
    }
}
