//! What became of requests that were taken back too late.
//!
//! A request that is taken back gets no answer, or one that nobody listens to any more: a cancel and an answer can pass each other on the
//! way. So whatever it changed is told with the next answer.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use rmcp::model::RequestId;

use crate::mcp::answer::{Answer, Fate};

/// So many answers can still be taken back.
const MOST: usize = 64;
/// So many calls are told of whole; of more it is told how many.
const WHOLE: usize = 16;
/// How one is told.
const TOO_LATE: &str =
    "Note: a call that you cancelled was done all the same, the cancel came too late:";

/// What a client must not miss.
#[derive(Debug, Default)]
pub(crate) struct Late(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// What was told with the last answers, in case these are taken back.
    told: VecDeque<(RequestId, Missed)>,
    /// What is to be told with the next answer.
    untold: Missed,
}

/// Calls whose answers nobody heard, the oldest first.
#[derive(Clone, Debug, Default)]
struct Missed {
    answers: VecDeque<String>,
    /// How many older ones are no longer kept.
    more: usize,
}

impl Missed {
    fn add(&mut self, answer: String) {
        self.answers.push_back(answer);
        if self.answers.len() > WHOLE {
            self.answers.pop_front();
            self.more += 1;
        }
    }

    fn append(&mut self, later: Self) {
        self.more += later.more;
        later
            .answers
            .into_iter()
            .for_each(|answer| self.add(answer));
    }

    fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    fn lines(&self) -> Vec<String> {
        let more = (self.more > 0).then(|| {
            let more = self.more;
            format!("Note: {more} calls that you cancelled before these were done all the same: read the files they name again.")
        });
        let whole = |answer: &String| format!("{TOO_LATE}\n{answer}\n");
        more.into_iter()
            .chain(self.answers.iter().map(whole))
            .collect()
    }
}

impl Late {
    /// Returns what is to be told with an answer. If the answer is taken back, now or later, the next one tells it and what this one did.
    pub(crate) fn tell(
        &self,
        id: &RequestId,
        answer: &Answer,
        is_taken_back: impl FnOnce() -> bool,
    ) -> Vec<String> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let told = std::mem::take(&mut kept.untold);
        let mut missed = told.clone();
        if answer.fate == Fate::Changed {
            missed.add(answer.text.clone());
        }
        if missed.is_empty() {
            return Vec::new();
        }
        // Asked while nobody else can look: a cancel is either seen here, or finds what is kept.
        if is_taken_back() {
            kept.untold = missed;
            return Vec::new();
        }
        if kept.told.len() == MOST {
            kept.told.pop_front();
        }
        kept.told.push_back((id.clone(), missed));
        told.lines()
    }

    /// Hears that a request was taken back.
    pub(crate) fn taken_back(&self, id: &RequestId) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let newest = kept.told.iter().rposition(|(told, _)| told == id);
        if let Some((_, missed)) = newest.and_then(|at| kept.told.remove(at)) {
            kept.untold.append(missed);
        }
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::RequestId;

    use super::{Late, WHOLE};
    use crate::mcp::answer::{Answer, Fate};

    fn changed(text: &str) -> Answer {
        Answer {
            text: text.to_owned(),
            fate: Fate::Changed,
        }
    }

    #[test]
    fn whoever_takes_back_every_call_hears_of_the_last_ones_and_how_many_went_before() {
        let late = Late::default();
        let calls = WHOLE + 5;
        for call in 0..calls {
            let id = RequestId::Number(i64::try_from(call).unwrap_or_default());
            late.tell(&id, &changed(&format!("Applied {call}.")), || true);
        }
        let read = Answer::looked(String::new());
        let told = late.tell(&RequestId::Number(99), &read, || false);
        assert_eq!(told.len(), WHOLE + 1);
        assert!(told[0].contains("5 calls"), "{}", told[0]);
        assert!(told[WHOLE].contains("Applied 20."), "{}", told[WHOLE]);
        let again = late.tell(&RequestId::Number(100), &read, || false);
        assert!(again.is_empty());
    }

    #[test]
    fn an_answer_that_passed_its_cancel_on_the_way_is_told_with_the_next() {
        let late = Late::default();
        let (id, next) = (RequestId::Number(1), RequestId::Number(2));
        assert!(late.tell(&id, &changed("Applied."), || false).is_empty());
        late.taken_back(&id);
        let told = late.tell(&next, &Answer::looked(String::new()), || false);
        assert!(told.concat().contains("Applied."));
    }
}
