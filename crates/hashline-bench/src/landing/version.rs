//! A file at one moment, with the truth about each of its lines.
//!
//! Every line has an identity from the moment it is written. Writers carry it along when they move a line and give it up when they
//! change one. So where a line went is known by construction, never by comparing text.

use std::collections::HashMap;
use std::sync::Arc;

use hashline_core::text::{Changes, Document, LineNo, LineSpan};

/// Who wrote a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Author {
    /// It was there from the start.
    Original,
    /// The agent whose edits are judged.
    Agent,
    /// Anybody else.
    Other,
}

/// One line, whatever its number becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Identity {
    serial: u64,
    pub(super) author: Author,
}

/// Hands out identities.
#[derive(Debug, Default)]
pub(super) struct Identities(u64);

impl Identities {
    /// Hands out identities that no trial has used up.
    pub(super) fn late() -> Self {
        Self(1 << 63)
    }

    pub(super) fn new_line(&mut self, author: Author) -> Identity {
        self.0 += 1;
        Identity {
            serial: self.0,
            author,
        }
    }
}

/// The bytes of a file and the identity of each of its lines.
#[derive(Clone, Debug)]
pub(super) struct Version {
    pub(super) document: Document,
    /// Invariant: as many as the document has lines.
    ids: Arc<[Identity]>,
}

impl Version {
    /// Puts a document and the identities of its lines together.
    pub(super) fn new(document: Document, ids: Vec<Identity>) -> Self {
        assert_eq!(
            document.line_count(),
            ids.len(),
            "each line has one identity"
        );
        Self {
            document,
            ids: ids.into(),
        }
    }

    /// Takes a document as it was found.
    pub(super) fn original(document: &Document, identities: &mut Identities) -> Self {
        let lines = 0..document.line_count();
        let ids = lines.map(|_| identities.new_line(Author::Original));
        Self::new(document.clone(), ids.collect())
    }

    /// Follows an edit: untouched lines keep their identity, new ones get one. Nothing if an untouched line has other bytes or
    /// the lines do not add up: then the report of the edit is not true.
    pub(super) fn after(
        &self,
        document: &Document,
        changes: &Changes,
        author: Author,
        identities: &mut Identities,
    ) -> Option<Self> {
        let mut ids = Vec::with_capacity(document.line_count());
        let mut done = 0;
        for change in changes.iter() {
            ids.extend_from_slice(self.ids.get(done..change.old.start())?);
            ids.extend(change.new.range().map(|_| identities.new_line(author)));
            done = change.old.end();
        }
        ids.extend_from_slice(self.ids.get(done..)?);
        let true_report = ids.len() == document.line_count()
            && untouched_lines_agree(&self.document, document, changes);
        true_report.then(|| Self::new(document.clone(), ids))
    }

    /// Returns the same bytes with other identities: those that stand in `before` are taken for those that stand in their place in
    /// `after`, which has the same bytes.
    pub(super) fn taking(&self, before: &Self, after: &Self) -> Self {
        let pairs = before.ids.iter().zip(after.ids.iter());
        let became: HashMap<&Identity, &Identity> = pairs.filter(|(was, is)| was != is).collect();
        if became.is_empty() {
            return self.clone();
        }
        let ids = self.ids.iter().map(|id| **became.get(id).unwrap_or(&id));
        Self::new(self.document.clone(), ids.collect())
    }

    /// Counts the lines.
    pub(super) fn lines(&self) -> usize {
        self.ids.len()
    }

    /// Returns the identities of all lines.
    pub(super) fn ids(&self) -> &[Identity] {
        &self.ids
    }

    /// Returns the identities of some lines.
    pub(super) fn ids_in(&self, span: LineSpan) -> &[Identity] {
        &self.ids[span.range()]
    }

    /// Returns where these very lines stand, all of them and nothing between them.
    pub(super) fn find(&self, ids: &[Identity]) -> Option<LineSpan> {
        let start = self.ids.iter().position(|id| Some(id) == ids.first())?;
        let here = self.ids.get(start..start + ids.len())?;
        (here == ids).then(|| LineSpan::new(start..start + ids.len()))
    }

    /// Returns the text of a line, or nothing past the edges of the file.
    pub(super) fn text(&self, index: usize) -> Option<&[u8]> {
        Some(self.document.line(LineNo::from_index(index))?.text)
    }
}

fn untouched_lines_agree(before: &Document, after: &Document, changes: &Changes) -> bool {
    let (mut old, mut new) = (0, 0);
    let whole = changes.iter().map(|change| (change.old, change.new));
    let end = (
        LineSpan::gap(before.line_count()),
        LineSpan::gap(after.line_count()),
    );
    whole.chain([end]).all(|(gone, came)| {
        let kept = LineSpan::new(old..gone.start());
        let here = LineSpan::new(new..came.start());
        (old, new) = (gone.end(), came.end());
        let pairs = before.lines_in(kept).zip(after.lines_in(here));
        kept.len() == here.len() && pairs.into_iter().all(|(a, b)| a.text == b.text)
    })
}
