//! What the agent wants: an edit of lines it saw in one of its answers.

use hashline_core::edit::Operation;
use hashline_core::scheme::Scheme;
use hashline_core::text::{Change, LineNo, LineSpan, Payload};

use super::version::{Identity, Version};

/// The scheme the agent reads and writes.
pub(super) const SCHEME: Scheme = Scheme::Omp;

/// An edit, with the answer its anchors come from.
#[derive(Clone, Debug)]
pub(super) struct Wish {
    /// The file as the agent saw it.
    pub(super) seen: Version,
    /// The lines meant, in what it saw; the anchor's line for an insertion.
    pub(super) span: LineSpan,
    pub(super) action: Action,
    /// The new lines; none for a deletion.
    pub(super) lines: Vec<String>,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Replace,
    Delete,
    InsertAfter,
    InsertBefore,
}

impl Wish {
    /// Returns the lines meant.
    pub(super) fn meant(&self) -> &[Identity] {
        self.seen.ids_in(self.span)
    }

    /// Returns the indexes of the first and the last line meant, which the anchors name.
    pub(super) fn ends(&self) -> [usize; 2] {
        [self.span.start(), self.span.end() - 1]
    }

    /// Returns where the lines meant stand in a later version, if all of them do, unchanged and with nothing between them.
    pub(super) fn place_in(&self, now: &Version) -> Option<LineSpan> {
        now.find(self.meant())
    }

    /// Returns the lines that go and whose place the new ones take, once the lines meant are at `place`.
    pub(super) fn replaced(&self, place: LineSpan) -> LineSpan {
        match self.action {
            Action::Replace | Action::Delete => place,
            Action::InsertAfter => LineSpan::gap(place.end()),
            Action::InsertBefore => LineSpan::gap(place.start()),
        }
    }

    /// Returns the lines that were taken for the ones meant, told from a change that the edit made.
    pub(super) fn taken(&self, change: Change) -> LineSpan {
        let start = change.old.start();
        match self.action {
            Action::Replace => change.old,
            // Where a file has no final newline, a blank line that becomes the last has no bytes: it goes with the lines below it.
            Action::Delete => {
                LineSpan::new(change.old.end().saturating_sub(self.span.len())..change.old.end())
            }
            Action::InsertAfter => LineSpan::new(start.saturating_sub(1)..start),
            Action::InsertBefore => LineSpan::new(start..start + 1),
        }
    }

    /// Returns the request, its anchors spelled as they were shown.
    pub(super) fn operation(&self) -> Operation {
        let (first, last) = (
            self.anchor(self.span.start()),
            self.anchor(self.span.end() - 1),
        );
        let text = || Payload::Lines(self.lines.clone());
        match (self.action, self.span.len()) {
            (Action::Replace, 1) => Operation::replace_line(first, text()),
            (Action::Replace, _) => Operation::replace_range(first, last, text()),
            (Action::Delete, 1) => Operation::delete_line(first),
            (Action::Delete, _) => Operation::delete_range(first, last),
            (Action::InsertAfter, _) => Operation::insert_after(last, text()),
            (Action::InsertBefore, _) => Operation::insert_before(first, text()),
        }
    }

    fn anchor(&self, index: usize) -> String {
        let number = LineNo::from_index(index);
        let text = self.seen.text(index).unwrap_or_default();
        SCHEME.anchor(number, SCHEME.tag(text, number))
    }
}
