//! What was shown: the record that lets an old anchor find its line again.
//!
//! A [`History`] holds, for one file, every revision that was seen or written, a fingerprint of each of its lines, and which lines
//! were shown to whom, with which tags. It never holds text. It is plain data: storing it is somebody else's work.

mod foreign;
mod history;
mod sweep;

pub use history::{Came, History, Recorded, Showing};
pub(crate) use sweep::{Carried, CarryQuery, carry_to};

use crate::anchor::Anchor;
use crate::scheme::Scheme;
use crate::text::{LineNo, RevPrefix};

/// What a caller was shown of one file.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    history: &'a History,
    session: Option<&'a str>,
}

/// Why a shown line has no place in the current document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LostReason {
    /// The line, or one within three lines of it, was changed by somebody else.
    Changed,
    /// No line reads so any more, or an own edit replaced it.
    Gone,
    /// A line inside the range was changed, or the range grew or shrank.
    InnerChanged,
    /// There are twins: it cannot be told which line was meant.
    Indistinct,
    /// The file is too long for its lines to be remembered, and it has changed.
    NotRecorded,
}

impl Shown<'static> {
    /// Nothing was ever shown: anchors are checked against the current lines only.
    #[must_use]
    pub fn nothing() -> Self {
        static EMPTY: History = History::new();
        Self {
            history: &EMPTY,
            session: None,
        }
    }
}

impl<'a> Shown<'a> {
    /// What any session was shown.
    #[must_use]
    pub fn to_anyone(history: &'a History) -> Self {
        Self {
            history,
            session: None,
        }
    }

    /// What one session was shown. A request with a revision is read against that revision, whoever saw it.
    #[must_use]
    pub fn to_session(history: &'a History, session: &'a str) -> Self {
        Self {
            history,
            session: Some(session),
        }
    }

    /// Returns the record.
    #[must_use]
    pub(crate) fn history(&self) -> &'a History {
        self.history
    }

    /// Lists the recorded revisions that `rev` may mean, each once, by their latest place in the record.
    pub(crate) fn revisions(&self, rev: &RevPrefix) -> Vec<usize> {
        self.places(|index, recorded| {
            rev.matches(recorded.revision) && self.history.is_latest(index)
        })
    }

    /// Lists the revisions in which this caller was shown all `anchors`. What was shown of a revision stands at its latest place.
    pub(crate) fn showing(&self, scheme: Scheme, anchors: &[&Anchor]) -> Vec<usize> {
        self.places(|_, recorded| {
            anchors
                .iter()
                .all(|anchor| recorded.showed(scheme, anchor, self.session))
        })
    }

    /// Tells whether the line was ever shown to this caller with this tag.
    pub(crate) fn ever_showed(&self, scheme: Scheme, anchor: &Anchor) -> bool {
        self.history
            .recorded()
            .iter()
            .any(|recorded| recorded.showed(scheme, anchor, self.session))
    }

    /// Tells whether the line was shown with this tag in the revision that `rev` names, whoever saw it.
    pub(crate) fn showed_in(&self, rev: &RevPrefix, scheme: Scheme, anchor: &Anchor) -> bool {
        let recorded = self.history.recorded().iter();
        recorded
            .filter(|recorded| rev.matches(recorded.revision))
            .any(|recorded| recorded.showed_to_anyone(scheme, anchor))
    }

    fn places(&self, wanted: impl Fn(usize, &Recorded) -> bool) -> Vec<usize> {
        let recorded = self.history.recorded().iter().enumerate();
        recorded
            .filter(|&(index, candidate)| wanted(index, candidate))
            .map(|(index, _)| index)
            .collect()
    }
}

/// Returns the index a claim's line number stands for, if any document can hold it.
pub(crate) fn claimed_index(anchor: &Anchor) -> Option<usize> {
    LineNo::from_claim(anchor.line).map(LineNo::index)
}
