//! What was shown: the record that lets an old anchor find its line again.
//!
//! A [`History`] holds, for one file, every revision that was seen or written, a fingerprint of each of its lines, and which lines
//! were shown to whom, with which tags. It never holds text, so that a record on disk reveals no source code and costs 8 bytes a
//! line. It is plain data: storing it is the caller's part.

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
    /// Somebody else changed the line, or one within three lines of it.
    Changed,
    /// No line has this text any more, or an edit of ours replaced it.
    Gone,
    /// A line inside the range was changed, or the range grew or shrank.
    InnerChanged,
    /// Several lines look the same, surroundings included: it cannot be told which one is meant.
    Indistinct,
    /// The file has too many lines to be recorded, and it has changed.
    NotRecorded,
}

impl<'a> Shown<'a> {
    /// Nothing was shown: anchors are checked against the current lines only.
    #[must_use]
    pub fn nothing() -> Self {
        static EMPTY: History = History::new();
        Self::new(&EMPTY, None)
    }

    /// What was shown to a session, or without one to anybody. (A request with a revision is read against that revision, whoever saw
    /// it.)
    #[must_use]
    pub fn new(history: &'a History, session: Option<&'a str>) -> Self {
        Self { history, session }
    }

    pub(crate) fn history(&self) -> &'a History {
        self.history
    }

    /// Lists the recorded revisions that `rev` may mean, as indexes into the history: each revision once, where it was recorded last.
    pub(crate) fn revisions(&self, rev: &RevPrefix) -> Vec<usize> {
        self.places(|index, recorded| {
            rev.matches(recorded.revision) && self.history.is_latest(index)
        })
    }

    /// Lists the revisions in which all `anchors` were shown to this caller, as indexes into the history.
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
    LineNo::new(anchor.line).map(LineNo::index)
}
