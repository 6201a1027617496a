//! The people who watch calls as they come, and the stream of events that each of them gets.
//!
//! Each watcher has a short queue of its own. A call never waits for a watcher: an event that finds the queue full is lost for this watcher, who is told
//! how many were lost. Only as many events as the queues hold are ever in memory.

use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

/// How many events wait for a watcher that is slow.
const QUEUE: usize = 64;
/// After how much silence a comment is sent, so that a connection that is gone is noticed on both sides.
const SILENCE: Duration = Duration::from_secs(15);

/// Everyone who watches.
#[derive(Debug, Default)]
pub(crate) struct Watchers(Mutex<Vec<Watcher>>);

/// Whose calls a watcher sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Those of all workspaces.
    All,
    /// Those of the workspace with this name.
    Workspace(String),
}

/// One open stream of events, as the calls see it.
#[derive(Debug)]
struct Watcher {
    scope: Scope,
    events: Sender<Bytes>,
    missed: Arc<AtomicU64>,
}

/// The body of a response that sends events as they come. It ends when the watchers are disconnected.
pub(super) struct EventStream {
    events: Receiver<Bytes>,
    missed: Arc<AtomicU64>,
    silence: Interval,
}

impl Scope {
    /// Returns whether the calls of a workspace are seen.
    fn includes(&self, workspace: &str) -> bool {
        match self {
            Self::All => true,
            Self::Workspace(name) => name == workspace,
        }
    }
}

impl Watchers {
    /// Adds a watcher, whose first event is given.
    pub(super) fn add(&self, scope: Scope, first: Bytes) -> EventStream {
        let (sender, events) = channel(QUEUE);
        let missed = Arc::<AtomicU64>::default();
        // The queue is new, so there is room.
        let _ = sender.try_send(first);
        self.list().push(Watcher {
            scope,
            events: sender,
            missed: Arc::clone(&missed),
        });
        let mut silence = interval_at(Instant::now() + SILENCE, SILENCE);
        silence.set_missed_tick_behavior(MissedTickBehavior::Delay);
        EventStream {
            events,
            missed,
            silence,
        }
    }

    /// Returns whether anyone watches a workspace, and forgets those who have left.
    pub(super) fn watch(&self, workspace: &str) -> bool {
        let mut list = self.list();
        list.retain(|watcher| !watcher.events.is_closed());
        list.iter().any(|watcher| watcher.scope.includes(workspace))
    }

    /// Sends an event to those who watch a workspace.
    pub(super) fn send(&self, workspace: &str, event: &Bytes) {
        for watcher in self.list().iter() {
            let is_lost = watcher.scope.includes(workspace)
                && watcher.events.try_send(event.clone()).is_err();
            if is_lost {
                watcher.missed.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// Ends all streams after the events that are in their queues.
    pub(crate) fn disconnect(&self) {
        self.list().clear();
    }

    fn list(&self) -> MutexGuard<'_, Vec<Watcher>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Body for EventStream {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let missed = self.missed.swap(0, Ordering::Relaxed);
        let next = if missed > 0 {
            Poll::Ready(Some(super::event::missed(missed)))
        } else {
            self.events.poll_recv(cx)
        };
        let next = match next {
            Poll::Pending => match self.silence.poll_tick(cx) {
                Poll::Ready(_) => Poll::Ready(Some(Bytes::from_static(b": nothing new\n\n"))),
                Poll::Pending => Poll::Pending,
            },
            Poll::Ready(next) => {
                self.silence.reset();
                Poll::Ready(next)
            }
        };
        next.map(|next| next.map(|event| Ok(Frame::data(event))))
    }
}
