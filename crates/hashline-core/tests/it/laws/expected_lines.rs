//! What edits should leave behind, worked out by hand: which lines stand where.

use hashline_core::Document;
use hashline_core::text::{LineNo, Payload};
use hashline_testing::generate::{Deed, Placed};

/// One line of the new file.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Slot {
    /// A line of the old file, by its index.
    Old(usize),
    /// A new line.
    New(String),
}

/// Lists the lines of the new file. `edits` stand in file order.
pub(super) fn reckon(document: &Document, edits: &[Placed]) -> Vec<Slot> {
    let mut slots = all_lines(document, edits);
    // A blank last line in a file without a final newline has no bytes, so it is no line any more.
    if !document.bytes().ends_with(b"\n") {
        slots.pop_if(|last| is_blank(document, last));
    }
    slots
}

/// Tells whether a line of the new file is blank.
pub(super) fn is_blank(document: &Document, slot: &Slot) -> bool {
    match slot {
        Slot::Old(index) => document
            .line(LineNo::from_index(*index))
            .is_some_and(|line| line.text.is_empty()),
        Slot::New(text) => text.is_empty(),
    }
}

/// Lists the lines of the new file, a blank last one included that has no bytes.
pub(super) fn all_lines(document: &Document, edits: &[Placed]) -> Vec<Slot> {
    let mut slots = Vec::new();
    let mut index = 0;
    for edit in edits {
        slots.extend((index..edit.span.start()).map(Slot::Old));
        let named = edit.span.range().map(Slot::Old);
        let new = |payload: &Payload| payload.lines().into_iter().map(Slot::New);
        match &edit.deed {
            Deed::Replace(with) => {
                let replaced = document.lines_in(edit.span);
                slots.extend(with.lines_replacing(replaced).into_iter().map(Slot::New));
            }
            Deed::Delete => {}
            Deed::Before(text) => slots.extend(new(text).chain(named)),
            Deed::After(text) => slots.extend(named.chain(new(text))),
        }
        index = edit.span.end();
    }
    slots.extend((index..document.line_count()).map(Slot::Old));
    slots
}
