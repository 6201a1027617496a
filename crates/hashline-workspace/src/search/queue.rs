//! Work that makes more work, shared by threads.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Tasks that wait, the latest on top: folders are finished before others are begun, which keeps few of them open.
pub(super) struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    waiting: Vec<T>,
    /// How many tasks are being done, each of which may add some.
    under_way: usize,
}

/// A task that is being done until this is dropped.
#[must_use]
pub(super) struct UnderWay<'a, T>(&'a Queue<T>);

impl<T> Queue<T> {
    /// Starts with some tasks.
    pub(super) fn new(waiting: Vec<T>) -> Self {
        let under_way = 0;
        Self {
            state: Mutex::new(State { waiting, under_way }),
            changed: Condvar::new(),
        }
    }

    /// Adds tasks.
    pub(super) fn add(&self, tasks: impl IntoIterator<Item = T>) {
        self.state().waiting.extend(tasks);
        self.changed.notify_all();
    }

    /// Takes a task, and waits for one while others may still add some; nothing once all is done.
    pub(super) fn take(&self) -> Option<(T, UnderWay<'_, T>)> {
        let mut state = self.state();
        loop {
            if let Some(task) = state.waiting.pop() {
                state.under_way += 1;
                return Some((task, UnderWay(self)));
            }
            if state.under_way == 0 {
                return None;
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        // Nothing that can panic happens under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Drop for UnderWay<'_, T> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.under_way -= 1;
        if state.under_way == 0 {
            drop(state);
            self.0.changed.notify_all();
        }
    }
}
