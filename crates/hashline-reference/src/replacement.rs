//! Corrects mistakes in the new text of one replacement.
//!
//! Mistakes are corrected in a fixed order: a neighbour that the new text contains, or else repeated neighbours and wrapped lines; then
//! missing indentation, then hyphens. Each correction of new text is a function of `hashline_core::candidates`; this file decides their
//! order.

use hashline_core::candidates::{
    Absorbed, Alike, Surroundings, WrappedLines, drop_boundary_echo, find_absorbed_neighbour,
    plain_hyphens, restore_indentation,
};

use hashline_core::Rule;

use super::check::{Checked, EditKind};
use super::request::NewText;
use super::working::WorkingLines;

/// The lines to remove and the lines to insert instead.
pub(super) struct Replacement<'a> {
    /// The index of the first line to remove.
    pub(super) first: usize,
    /// How many of the working lines to remove.
    pub(super) count: usize,
    /// The original lines at this place, before any edit.
    pub(super) old: &'a [&'a str],
    pub(super) new: NewText,
}

/// The original lines, the lines after the edits so far, and which lines the request names.
pub(super) struct Surface<'a, 'b> {
    pub(super) original: &'a [&'a str],
    pub(super) working: &'b WorkingLines<'a>,
    pub(super) touched: &'b [bool],
    /// An index of all original lines by their text, if many edits will search them.
    pub(super) wrappable: Option<&'b WrappedLines<'a>>,
}

/// Returns the lines that an edit of one line or a range removes, and the corrected new lines.
pub(super) fn plan<'a>(surface: &Surface<'a, '_>, edit: Checked) -> Replacement<'a> {
    let merged = find_absorbed(surface, &edit);
    let mut replacement = match merged {
        Some(first) => {
            let end = (first + 2).min(surface.original.len());
            Replacement {
                first,
                count: 2,
                old: &surface.original[first..end],
                new: absorbing(edit.text),
            }
        }
        None => without_echo_and_wrapping(surface, edit),
    };
    let counterparts = if merged.is_some() {
        &replacement.old[..1]
    } else {
        replacement.old
    };
    let indented = restore_indentation(counterparts, &replacement.new.lines);
    replacement.new.correct(Rule::Indentation, indented);
    let plain = plain_hyphens(replacement.old, &replacement.new.lines);
    replacement.new.correct(Rule::Hyphens, plain);
    replacement
}

/// Notes that the text replaces a neighbour of its line too.
fn absorbing(mut text: NewText) -> NewText {
    let lines = text.lines.clone();
    text.note(Rule::AbsorbedNeighbour, lines);
    text
}

/// If the new text of a one-line edit contains the line and its neighbour, returns the index of the upper of these two lines.
fn find_absorbed(surface: &Surface<'_, '_>, edit: &Checked) -> Option<usize> {
    let (EditKind::Single, [new]) = (edit.kind, edit.text.lines.as_slice()) else {
        return None;
    };
    let free = |index: usize| {
        let touched = surface.touched.get(index).copied().unwrap_or(false);
        surface.working.get(index).filter(|_| !touched)
    };
    let line = surface.working.get(edit.first)?;
    let previous = edit.first.checked_sub(1).and_then(free);
    match find_absorbed_neighbour(new, line, previous, free(edit.first + 1))? {
        Absorbed::Next => Some(edit.first),
        Absorbed::Previous => edit.first.checked_sub(1),
    }
}

fn without_echo_and_wrapping<'a>(surface: &Surface<'a, '_>, edit: Checked) -> Replacement<'a> {
    let Surface {
        original,
        wrappable,
        ..
    } = *surface;
    let (first, end) = (edit.first, edit.last + 1);
    let old = &original[first..end];
    let around = Surroundings {
        above: first.checked_sub(1).map(|above| original[above]),
        below: original.get(end).copied(),
        replaced: old.len(),
    };
    let mut new = edit.text;
    let echo = drop_boundary_echo(&new.lines, around, Alike::IgnoringWhitespace);
    new.correct(Rule::BoundaryEcho, echo);
    let unwrapped = match wrappable {
        Some(originals) => originals.restore(first..end, &new.lines),
        None if new.lines.len() < 2 => None,
        None => WrappedLines::new(old).restore(0..old.len(), &new.lines),
    };
    new.correct(Rule::Rewrapped, unwrapped);
    Replacement {
        first,
        count: old.len(),
        old,
        new,
    }
}
