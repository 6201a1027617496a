//! The record of which lines were shown, with which an old anchor finds its line again in a changed file.
//!
//! A [`History`] holds, for one file, every revision that was seen or written, a fingerprint of each of its lines, and which lines were
//! shown to which session with which tags. A history never holds text, so that a record on disk reveals no source code and costs 8 bytes
//! a line. Storing the history is up to the caller.

mod foreign;
mod history;
mod seen;
mod shorten;
mod sweep;

pub(crate) use foreign::NEAR;
pub(crate) use history::Seen;
pub use history::{CutLine, History, Origin, Recorded, Showing};
pub(crate) use seen::seen_lines;
pub(crate) use sweep::{Carried, CarryQuery, carry_to};

use std::collections::HashSet;

use crate::anchor::Anchor;
use crate::scheme::Scheme;
use crate::text::{Document, Fingerprint, FingerprintKey, LineNo, LineSpan, RevPrefix};

/// The lines of one file that were shown to a caller: the file's history, and the caller's session.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    history: &'a History,
    session: Option<&'a str>,
    partly_shown: Option<&'a CutLines>,
}

/// Lines of which only a part was shown, in any file, by their fingerprints.
//
// If another program renames, copies or changes a file, the history of the file no longer tells that a line was cut.
#[derive(Clone, Debug, Default)]
pub struct CutLines {
    key: FingerprintKey,
    lines: HashSet<Fingerprint>,
}

impl CutLines {
    /// Makes the set of these fingerprints, which were computed with this key.
    #[must_use]
    pub fn new(key: FingerprintKey, lines: impl IntoIterator<Item = Fingerprint>) -> Self {
        let lines = lines.into_iter().collect();
        Self { key, lines }
    }

    /// Returns for each line of `span` whether only a part of such a line was shown.
    fn within(&self, document: &Document, span: LineSpan) -> Vec<bool> {
        let fingerprints = document.fingerprints_in(span, self.key);
        fingerprints
            .map(|line| self.lines.contains(&line))
            .collect()
    }
}

/// Why a line that was shown has no place in the current document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LostReason {
    /// Another program changed the line, or a line within three lines of it.
    Changed,
    /// No line has this text any more, or an edit made by hashline replaced the line.
    Gone,
    /// A line inside a shown range was changed, or lines were added to or removed from the range.
    InnerChanged,
    /// Several lines look the same, including the lines around them, so that it is unknown which one is meant.
    Indistinct,
    /// The file has too many lines to record their fingerprints, and it has changed.
    NotRecorded,
}

impl<'a> Shown<'a> {
    /// Returns a record in which no line was shown, so that anchors are checked against the current lines only.
    #[must_use]
    pub fn nothing() -> Self {
        static EMPTY: History = History::new();
        Self::new(&EMPTY, None)
    }

    /// Returns the lines that were shown to `session`; with `None`, to any session. (If a request names a revision, lines of that
    /// revision count whichever session saw them.)
    #[must_use]
    pub fn new(history: &'a History, session: Option<&'a str>) -> Self {
        Self {
            history,
            session,
            partly_shown: None,
        }
    }

    /// Adds the lines of other files, or of this one under another name, of which only a part was shown.
    #[must_use]
    pub fn with_partly_shown(self, partly_shown: &'a CutLines) -> Self {
        Self {
            partly_shown: Some(partly_shown),
            ..self
        }
    }

    /// Returns for each line of `span` whether only a part of such a line was shown, in this file or another one; `None` if nothing is known of such
    /// lines.
    pub(crate) fn partly_shown_in(&self, document: &Document, span: LineSpan) -> Option<Vec<bool>> {
        let known = self.partly_shown.filter(|known| !known.lines.is_empty())?;
        Some(known.within(document, span))
    }

    pub(crate) fn history(&self) -> &'a History {
        self.history
    }

    /// Returns the name of the caller's session, if it has one: then only lines shown to that session count.
    pub(crate) fn session(&self) -> Option<&'a str> {
        self.session
    }

    /// Returns the recorded revisions that `rev` may mean, as indexes into the history: each revision once, at its latest index.
    pub(crate) fn revisions(&self, rev: &RevPrefix) -> Vec<usize> {
        self.history.matching(rev)
    }

    /// Returns the revisions in which all `anchors` were shown to this caller, as indexes into the history.
    pub(crate) fn showing(&self, scheme: Scheme, anchors: &[&Anchor]) -> Vec<usize> {
        let showed = |(_, recorded): &(usize, &Recorded)| {
            let mut anchors = anchors.iter();
            anchors.all(|anchor| recorded.showed(scheme, anchor, self.session))
        };
        let recorded = self.history.recorded().iter().enumerate();
        recorded.filter(showed).map(|(index, _)| index).collect()
    }

    /// Returns whether a line was ever shown to this caller with this number and tag.
    pub(crate) fn ever_showed(&self, scheme: Scheme, anchor: &Anchor) -> bool {
        self.history
            .recorded()
            .iter()
            .any(|recorded| recorded.showed(scheme, anchor, self.session))
    }

    /// Returns whether a line was shown with this number and tag in the revision that `rev` names, to any session.
    pub(crate) fn showed_in(&self, rev: &RevPrefix, scheme: Scheme, anchor: &Anchor) -> bool {
        let recorded = self.history.recorded();
        let mut matching = self.history.matching(rev).into_iter();
        matching.any(|at| recorded[at].showed_to_anyone(scheme, anchor))
    }
}

/// Returns the index (from 0) of the anchor's line number; `None` for 0 and for a number too large for any document.
pub(crate) fn claimed_index(anchor: &Anchor) -> Option<usize> {
    LineNo::new(anchor.line).map(LineNo::index)
}
