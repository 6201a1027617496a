//! What calls changed whose cancellation came too late.
//!
//! A cancelled call gets no answer, or one that the client ignores: a cancellation and an answer can cross. So whatever such a call changed
//! is reported with the next answer. That answer waits for cancelled calls that are still at work: a call that had begun to write when
//! it was cancelled finishes first, and the client must not take it for undone meanwhile.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::model::RequestId;
use tokio_util::task::TaskTracker;

use crate::mcp::answer::{CallEffect, ToolAnswer};

/// How many answers are remembered in case they are cancelled later.
const MAX_ANSWERS: usize = 64;
/// How many missed answers are repeated in full; older ones are only counted.
const MAX_REPEATED: usize = 16;
/// How long an answer waits for cancelled calls. They end at once unless the disk hangs, and then no other call must hang with it.
const FINISH_TIMEOUT: Duration = Duration::from_secs(5);
const TOO_LATE: &str =
    "Note: a call that you cancelled was done all the same, the cancel came too late:";

/// Keeps what a client must be told although its calls were cancelled.
#[derive(Debug)]
pub(crate) struct CancelledCalls {
    state: Mutex<CancelledState>,
    /// A cancelled call that is still at work holds a token of this.
    pub(crate) finishing: TaskTracker,
}

#[derive(Debug, Default)]
struct CancelledState {
    /// What the last answers reported, by their requests: reported again if one of them is cancelled.
    answered: VecDeque<(RequestId, MissedAnswers)>,
    /// What the next answer reports.
    pending: MissedAnswers,
}

/// Answers that the client did not see, the oldest first.
#[derive(Clone, Debug, Default)]
struct MissedAnswers {
    answers: VecDeque<String>,
    /// How many older ones are no longer kept.
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
    /// Waits until no cancelled call is at work any more.
    pub(crate) async fn all_finished(&self) {
        // If the time is over, a later answer reports what they changed.
        let _ = tokio::time::timeout(FINISH_TIMEOUT, self.finishing.wait()).await;
    }

    /// Returns the notes to put beside an answer. If its request is cancelled, now or later, the next answer repeats them and reports what
    /// this call changed.
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

    /// Notes that a request was cancelled.
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
        ToolAnswer {
            text: text.to_owned(),
            effect: CallEffect::Changed,
        }
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
