//! Reports the changes made by calls that were cancelled too late.
//!
//! A cancelled call gets no answer, or one that the client ignores, because a cancellation and an answer can cross. So the changes of such a call are
//! reported with the next answer. The next answer waits for cancelled calls that are still running: a call that had begun to write when it was
//! cancelled finishes first, and the client must not believe meanwhile that nothing was changed.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::model::RequestId;
use tokio_util::task::TaskTracker;

use crate::mcp::answer::{CallEffect, ToolAnswer};

/// How many answers are remembered in case their calls are cancelled later.
const MAX_ANSWERS: usize = 64;
/// How many answers that the client missed are repeated in full; older ones are only counted.
const MAX_REPEATED: usize = 16;
/// How long an answer waits for cancelled calls that are still running. Cancelled calls end at once unless the disk hangs, and then other calls must
/// not hang too.
const FINISH_TIMEOUT: Duration = Duration::from_secs(5);
const TOO_LATE: &str =
    "Note: a call that you cancelled was done all the same, the cancel came too late:";

/// The answers of cancelled calls that changed files, until they are reported to the client with a later answer.
#[derive(Debug)]
pub(crate) struct CancelledCalls {
    state: Mutex<CancelledState>,
    /// Tracks the cancelled calls that are still running: each holds a token of this tracker.
    pub(crate) finishing: TaskTracker,
}

#[derive(Debug, Default)]
struct CancelledState {
    /// The changes that each of the last answers reported, by request id: they are reported again if that request is cancelled.
    answered: VecDeque<(RequestId, MissedAnswers)>,
    /// The changes that the next answer reports.
    pending: MissedAnswers,
}

/// Answers that the client did not see, the oldest first.
#[derive(Clone, Debug, Default)]
struct MissedAnswers {
    answers: VecDeque<String>,
    /// How many older missed answers are no longer kept.
    dropped: usize,
}

impl MissedAnswers {
    fn add(&mut self, answer: String) {
        self.answers.push_back(answer);
        if self.answers.len() > MAX_REPEATED {
            self.answers.pop_front();
            self.dropped += 1;
        }
    }

    fn append(&mut self, later: Self) {
        self.dropped += later.dropped;
        later
            .answers
            .into_iter()
            .for_each(|answer| self.add(answer));
    }

    fn notes(&self) -> Vec<String> {
        let dropped = (self.dropped > 0).then(|| {
            let dropped = self.dropped;
            format!("Note: {dropped} calls that you cancelled before these were done all the same: read the files they name again.")
        });
        let repeated = |answer: &String| format!("{TOO_LATE}\n{answer}\n");
        dropped
            .into_iter()
            .chain(self.answers.iter().map(repeated))
            .collect()
    }
}

impl Default for CancelledCalls {
    fn default() -> Self {
        let finishing = TaskTracker::new();
        // A tracker can only be waited for once it is closed; it still hands out tokens.
        finishing.close();
        let state = Mutex::default();
        Self { state, finishing }
    }
}

impl CancelledCalls {
    /// Waits until no cancelled call is running any more, or the time limit is reached.
    pub(crate) async fn all_finished(&self) {
        // If the time is over, a later answer reports what they changed.
        let _ = tokio::time::timeout(FINISH_TIMEOUT, self.finishing.wait()).await;
    }

    /// Returns the notes about missed answers to send with an answer. If the request of that answer is cancelled, now or later, the next answer
    /// repeats these notes and reports what the request changed.
    pub(crate) fn notes_for(
        &self,
        id: &RequestId,
        answer: &ToolAnswer,
        is_cancelled: impl FnOnce() -> bool,
    ) -> Vec<String> {
        let mut state = self.state();
        let pending = std::mem::take(&mut state.pending);
        let mut missed = pending.clone();
        if answer.effect == CallEffect::Changed {
            missed.add(answer.text.clone());
        }
        if missed.answers.is_empty() {
            return Vec::new();
        }
        // Under the lock, so that a cancellation is either seen here or finds what is remembered below.
        if is_cancelled() {
            state.pending = missed;
            return Vec::new();
        }
        if state.answered.len() == MAX_ANSWERS {
            state.answered.pop_front();
        }
        state.answered.push_back((id.clone(), missed));
        pending.notes()
    }

    /// Records that a request was cancelled, so that the next answer repeats the changes that the cancelled request's answer reported.
    pub(crate) fn cancel(&self, id: &RequestId) {
        let mut state = self.state();
        let newest = state
            .answered
            .iter()
            .rposition(|(answered, _)| answered == id);
        if let Some((_, missed)) = newest.and_then(|at| state.answered.remove(at)) {
            state.pending.append(missed);
        }
    }

    fn state(&self) -> MutexGuard<'_, CancelledState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::RequestId;

    use super::{CancelledCalls, MAX_REPEATED};
    use crate::mcp::answer::{CallEffect, ToolAnswer};

    fn changed(text: &str) -> ToolAnswer {
        ToolAnswer::new(text.to_owned(), CallEffect::Changed)
    }

    #[test]
    fn whoever_takes_back_every_call_hears_of_the_last_ones_and_how_many_went_before() {
        let calls = CancelledCalls::default();
        let count = MAX_REPEATED + 5;
        for call in 0..count {
            let id = RequestId::Number(i64::try_from(call).unwrap_or_default());
            calls.notes_for(&id, &changed(&format!("Applied {call}.")), || true);
        }
        let read = ToolAnswer::read_only(String::new());
        let told = calls.notes_for(&RequestId::Number(99), &read, || false);
        assert_eq!(told.len(), MAX_REPEATED + 1);
        assert!(told[0].contains("5 calls"), "{}", told[0]);
        assert!(
            told[MAX_REPEATED].contains("Applied 20."),
            "{}",
            told[MAX_REPEATED]
        );
        let again = calls.notes_for(&RequestId::Number(100), &read, || false);
        assert!(again.is_empty());
    }

    #[test]
    fn an_answer_that_passed_its_cancel_on_the_way_is_told_with_the_next() {
        let calls = CancelledCalls::default();
        let (id, next) = (RequestId::Number(1), RequestId::Number(2));
        assert!(
            calls
                .notes_for(&id, &changed("Applied."), || false)
                .is_empty()
        );
        calls.cancel(&id);
        let told = calls.notes_for(&next, &ToolAnswer::read_only(String::new()), || false);
        assert!(told.concat().contains("Applied."));
    }
}
