//! The requests of one connection that were checked and not yet answered, in order.
//!
//! The gate adds the result of the checks before hyper sees a request; the service behind hyper removes it when hyper calls the service.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use crate::front::checks::Admitted;
use crate::front::refusal::HttpRefusal;

/// The result of the checks of one request: its handler, or a refusal.
pub(crate) type CheckResult = Result<Admitted, HttpRefusal>;

/// The queue of check results of one connection, shared by the gate and the hyper service.
pub(crate) struct PendingRequests(Mutex<PendingState>);

struct PendingState {
    checked: VecDeque<CheckResult>,
    in_progress: usize,
    idle_since: Instant,
}

/// Marks one request as being answered. The guard is dropped after the last byte of the response, or with the connection.
pub(crate) struct RequestGuard(Arc<PendingRequests>);

impl PendingRequests {
    /// Creates the queue of a new connection.
    pub(crate) fn new() -> Self {
        Self(Mutex::new(PendingState {
            checked: VecDeque::new(),
            in_progress: 0,
            idle_since: Instant::now(),
        }))
    }

    /// Adds the result of the checks of the next request.
    pub(crate) fn push(&self, result: CheckResult) {
        self.lock().checked.push_back(result);
    }

    /// Removes the next request from the queue; the request counts as in progress until the guard is dropped.
    pub(crate) fn begin(self: &Arc<Self>) -> Option<(CheckResult, RequestGuard)> {
        let mut state = self.lock();
        let result = state.checked.pop_front()?;
        state.in_progress += 1;
        Some((result, RequestGuard(Arc::clone(self))))
    }

    /// Returns the time since which the connection has been idle; the current time while a request is in progress.
    pub(crate) fn idle_since(&self) -> Instant {
        let state = self.lock();
        if state.in_progress == 0 && state.checked.is_empty() {
            state.idle_since
        } else {
            Instant::now()
        }
    }

    fn lock(&self) -> MutexGuard<'_, PendingState> {
        // No update panics half-way, so the state behind a poisoned lock is whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RequestGuard {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.in_progress -= 1;
        state.idle_since = Instant::now();
    }
}
