//! The time limit of a request, and the token with which its caller can cancel it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::error::{DiskFault, Error};

/// A cancellation token for one request. Cancelling has an effect until the request begins to write; after that the request is finished.
#[derive(Debug, Default)]
pub struct CancelToken(AtomicBool);

impl CancelToken {
    /// Cancels the request.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether the request was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The time by which a request must have begun to write, and its cancellation token.
#[derive(Clone, Copy, Debug)]
pub struct Deadline<'a> {
    began: Instant,
    most: Duration,
    cancel: Option<&'a CancelToken>,
}

impl<'a> Deadline<'a> {
    /// Starts a time limit of `most` from now.
    #[must_use]
    pub fn after(most: Duration) -> Self {
        Self {
            began: Instant::now(),
            most,
            cancel: None,
        }
    }

    /// Adds a cancellation token: if the token is cancelled, the deadline counts as passed.
    #[must_use]
    pub fn with_cancel(self, cancel: Option<&'a CancelToken>) -> Self {
        Self { cancel, ..self }
    }

    /// Returns the cancellation token, if there is one.
    pub(crate) fn cancel(&self) -> Option<&'a CancelToken> {
        self.cancel
    }

    /// Returns the shorter of `wait` and the time that is left.
    pub(crate) fn within(&self, wait: Duration) -> Duration {
        wait.min(self.most.saturating_sub(self.began.elapsed()))
    }

    /// Fails with `timeout` once the time is up, or with `cancelled` if the request was cancelled.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.cancel.is_some_and(CancelToken::is_cancelled) {
            return Err(DiskFault::Cancelled.into());
        }
        if self.began.elapsed() < self.most {
            return Ok(());
        }
        let most = u64::try_from(self.most.as_millis()).unwrap_or(u64::MAX);
        Err(DiskFault::Timeout { most }.into())
    }
}
