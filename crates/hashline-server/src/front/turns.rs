//! What the gate tells the other side of the protocol library: for each request, in order, what was decided about it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use crate::front::checks::Admitted;
use crate::front::refusal::Refusal;

/// What was decided about one request.
pub(crate) type Decision = Result<Admitted, Refusal>;

/// The requests of one connection that were decided about and not yet answered.
pub(crate) struct Turns(Mutex<Inside>);

struct Inside {
    decided: VecDeque<Decision>,
    under_way: usize,
    quiet_since: Instant,
}

/// One request that is being answered. It ends when this is dropped, with the last byte of the answer or with the connection.
pub(crate) struct Turn(Arc<Turns>);

impl Turns {
    /// Begins a connection.
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Inside {
            decided: VecDeque::new(),
            under_way: 0,
            quiet_since: Instant::now(),
        }))
    }

    /// Notes what was decided about the next request.
    pub(crate) fn decide(&self, decision: Decision) {
        self.inside().decided.push_back(decision);
    }

    /// Takes the decision about the next request and begins its turn.
    pub(crate) fn begin(self: &Arc<Self>) -> Option<(Decision, Turn)> {
        let mut inside = self.inside();
        let decision = inside.decided.pop_front()?;
        inside.under_way += 1;
        Some((decision, Turn(Arc::clone(self))))
    }

    /// Returns since when nothing has been under way: now, while something is.
    pub(crate) fn quiet_since(&self) -> Instant {
        let inside = self.inside();
        if inside.under_way == 0 && inside.decided.is_empty() {
            inside.quiet_since
        } else {
            Instant::now()
        }
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        // Nothing here panics half-way, so what a poisoned lock holds is whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut inside = self.0.inside();
        inside.under_way -= 1;
        inside.quiet_since = Instant::now();
    }
}
