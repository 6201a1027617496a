//! Somebody who edits a file again and again, and keeps every anchor it was ever shown.
//!
//! Truth by construction: each line has an identity that is carried along by hand.

use hashline_core::dialect::Dialect;
use hashline_core::edit::{EditBatch, Operation};
use hashline_core::shown::History;
use hashline_core::text::Payload;
use hashline_core::{Document, Edited, Error, Policy, Shown, edit};
use hashline_testing::generate::{Deed, Placed, Wish, anchor, placed};
use proptest::prelude::prop_assert_eq;
use proptest::test_runner::TestCaseError;

use super::expected_lines::{Slot, reckon};
use super::refused;

/// A file, what was shown of it, and which line is which.
pub(super) struct OwnEdits {
    dialect: Dialect,
    history: History,
    now: Document,
    ids: Vec<usize>,
    next_id: usize,
    /// Every revision, and the identities of its lines when the file last read so.
    seen: Vec<(Document, Vec<usize>)>,
}

impl OwnEdits {
    /// Is shown a file for the first time.
    pub(super) fn begin(document: &Document, dialect: Dialect) -> Self {
        let mut own = Self {
            dialect,
            history: History::default(),
            now: document.clone(),
            ids: (0..document.line_count()).collect(),
            next_id: document.line_count(),
            seen: Vec::new(),
        };
        own.look();
        own
    }

    fn look(&mut self) {
        let all = self.now.all();
        self.history
            .showed(&self.now, None, self.dialect.scheme, &[all]);
        self.seen.retain(|(document, _)| *document != self.now);
        self.seen.push((self.now.clone(), self.ids.clone()));
    }

    /// Edits the file as it is now, is shown what came of it. Each new line is one that never stood there.
    pub(super) fn edit(&mut self, step: usize, wishes: &[Wish]) -> Result<(), TestCaseError> {
        let mut edits = placed(wishes, self.now.line_count());
        for (number, edit) in edits.iter_mut().enumerate() {
            write_anew(edit, &format!("own {step} {number}"));
        }
        let operations = edits
            .iter()
            .map(|edit| edit.operation(&self.now, self.dialect.scheme));
        let batch = EditBatch::new(operations).at_revision(self.now.revision());
        let edited = self.land(batch).map_err(refused)?;
        let mut id_of = |slot: &Slot| match slot {
            Slot::Old(index) => self.ids[*index],
            Slot::New(_) => {
                self.next_id += 1;
                self.next_id
            }
        };
        self.ids = reckon(&self.now, &edits).iter().map(&mut id_of).collect();
        self.history
            .wrote(&self.now, &edited.document, &edited.report.changes, None);
        self.now = edited.document;
        self.look();
        Ok(())
    }

    /// Uses every anchor of every revision: those whose lines still stand land there, the others are refused, and no more.
    pub(super) fn check_every_anchor(&self) -> Result<(), TestCaseError> {
        for (document, ids) in &self.seen {
            let place = |index: &usize| self.ids.iter().position(|id| *id == ids[*index]);
            let all: Vec<usize> = (0..ids.len()).collect();
            let (alive, gone): (Vec<usize>, Vec<usize>) =
                all.iter().partition(|index| place(index).is_some());
            let edited = self.land(self.probe(document, &alive)).map_err(refused)?;
            let mut expected: Vec<Vec<u8>> = Vec::new();
            for (now, line) in self.now.lines().enumerate() {
                let probes = alive.iter().filter(|index| place(index) == Some(now));
                expected.extend(probes.map(|index| format!("probe {index}").into_bytes()));
                expected.push(line.text.to_vec());
            }
            let found = edited.document.lines().map(|line| line.text.to_vec());
            prop_assert_eq!(found.collect::<Vec<_>>(), expected);

            let refused = match self.land(self.probe(document, &all)) {
                Err(Error::Anchors(refused)) => refused.problems,
                _ => Vec::new(),
            };
            let refused = refused.iter().map(|problem| problem.edit.index());
            prop_assert_eq!(refused.collect::<Vec<_>>(), gone);
        }
        Ok(())
    }

    /// Puts a line of its own before each of these lines, by the anchors they had then.
    fn probe(&self, document: &Document, lines: &[usize]) -> EditBatch {
        let before = |&index: &usize| {
            let line = anchor(document, self.dialect.scheme, index);
            Operation::insert_before(line, format!("probe {index}"))
        };
        EditBatch::new(lines.iter().map(before)).at_revision(document.revision())
    }

    fn land(&self, batch: EditBatch) -> Result<Edited, Error> {
        let shown = Shown::new(&self.history, None);
        edit(&self.now, &shown, batch, &Policy::new(self.dialect))
    }
}

/// Numbers the new lines of an edit, so that none of them stood anywhere before.
fn write_anew(edit: &mut Placed, name: &str) {
    if let Deed::Replace(text) | Deed::Before(text) | Deed::After(text) = &mut edit.deed {
        let numbers = 0..text.lines().len();
        *text = Payload::Lines(numbers.map(|line| format!("{name} {line}")).collect());
    }
}
