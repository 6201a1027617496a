//! What became of requests that were taken back too late.
//!
//! A request that is taken back gets no answer, or one that nobody listens to any more: a cancel and an answer can pass each other on the
//! way. So whatever it changed is told with the next answer.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use rmcp::model::RequestId;

use crate::answer::{Answer, Fate};

/// So many answers can still be taken back.
const MOST: usize = 64;
/// How it is told.
const TOO_LATE: &str =
    "Note: a call that you cancelled was done all the same, the cancel came too late:";

/// What a client must not miss.
#[derive(Debug, Default)]
pub(crate) struct Late(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    /// What was told with the last answers, in case these are taken back.
    told: VecDeque<(RequestId, Vec<String>)>,
    /// What is to be told with the next answer.
    untold: Vec<String>,
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
            missed.push(format!("{TOO_LATE}\n{}\n", answer.text));
        }
        if missed.is_empty() {
            return told;
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
        told
    }

    /// Hears that a request was taken back.
    pub(crate) fn taken_back(&self, id: &RequestId) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let newest = kept.told.iter().rposition(|(told, _)| told == id);
        if let Some((_, missed)) = newest.and_then(|at| kept.told.remove(at)) {
            kept.untold.extend(missed);
        }
    }
}
