//! What becomes of the new text of one replacement before it is put in.
//!
//! The slips are undone in a fixed order: a neighbour that was absorbed, or else echoes and re-wrapped lines; then indentation, then
//! hyphens. Each is defined in `crate::repair`; this file holds the order and notes what took part.

use super::Fired;
use super::check::{Checked, Kind};
use super::working::WorkingLines;
use crate::repair::absorbed_neighbour::{self, Absorbed, Neighbourhood};
use crate::repair::boundary_echo::{self, Alike, Surroundings};
use crate::repair::rewrapped::{self, BlankLines, Originals, Unwrapped};
use crate::repair::{hyphens, indentation};

/// The lines to take out and the lines to put in.
pub(super) struct Replacement<'a> {
    /// The index of the first line to take out.
    pub(super) first: usize,
    /// How many working lines to take out.
    pub(super) count: usize,
    /// What the original had there.
    pub(super) old: &'a [&'a str],
    pub(super) new: Vec<String>,
}

/// The file as it was, as it is by now, and which lines the request names.
pub(super) struct Surface<'a, 'b> {
    pub(super) original: &'a [&'a str],
    pub(super) working: &'b WorkingLines<'a>,
    pub(super) touched: &'b [bool],
    /// All original lines, looked through for wrapping, if many edits will ask.
    pub(super) wrappable: Option<&'b Originals<'a>>,
}

/// Works out what a single or a range replaces, and by what.
pub(super) fn plan<'a>(
    surface: &Surface<'a, '_>,
    edit: Checked,
    fired: &mut Fired,
) -> Replacement<'a> {
    let merged = find_absorbed(surface, &edit, fired);
    let mut replacement = match merged {
        Some(first) => {
            let end = (first + 2).min(surface.original.len());
            Replacement {
                first,
                count: 2,
                old: &surface.original[first..end],
                new: edit.lines,
            }
        }
        None => without_echo_and_wrapping(surface, edit, fired),
    };
    let counterparts = if merged.is_some() {
        &replacement.old[..1]
    } else {
        replacement.old
    };
    if let Some(lines) = indentation::restore_paired(counterparts, &replacement.new) {
        fired.insert("indent");
        replacement.new = lines;
    }
    if let Some(lines) = hyphens::make_plain(replacement.old, &replacement.new) {
        fired.insert("hyphen");
        replacement.new = lines;
    }
    replacement
}

/// Returns the index of the first of the two lines that the one new line of a single holds.
fn find_absorbed(surface: &Surface<'_, '_>, edit: &Checked, fired: &mut Fired) -> Option<usize> {
    let (Kind::Single, [new]) = (edit.kind, edit.lines.as_slice()) else {
        return None;
    };
    let free = |index: usize| {
        let touched = surface.touched.get(index).copied().unwrap_or(false);
        surface.working.get(index).filter(|_| !touched)
    };
    let around = Neighbourhood {
        previous: edit.first.checked_sub(1).and_then(free),
        line: surface.working.get(edit.first)?,
        next: free(edit.first + 1),
    };
    match absorbed_neighbour::find(new, around)? {
        Absorbed::Next => {
            fired.insert("merge-a");
            Some(edit.first)
        }
        Absorbed::Previous => {
            fired.insert("merge-b");
            edit.first.checked_sub(1)
        }
    }
}

fn without_echo_and_wrapping<'a>(
    surface: &Surface<'a, '_>,
    edit: Checked,
    fired: &mut Fired,
) -> Replacement<'a> {
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
    let lines = without_echo(edit.lines, around, fired);
    let unwrapped = match wrappable {
        Some(originals) => {
            rewrapped::restore_within(originals, first..end, &lines, BlankLines::Allowed)
        }
        None => rewrapped::restore(old, &lines, BlankLines::Allowed),
    };
    note_unwrapped(&unwrapped, fired);
    Replacement {
        first,
        count: old.len(),
        old,
        new: unwrapped.lines.unwrap_or(lines),
    }
}

fn without_echo(lines: Vec<String>, around: Surroundings<'_>, fired: &mut Fired) -> Vec<String> {
    let Some(dropped) = boundary_echo::drop_echo(&lines, around, Alike::IgnoringWhitespace) else {
        return lines;
    };
    fired.extend(dropped.above.then_some("echo-before"));
    fired.extend(dropped.below.then_some("echo-after"));
    fired.extend(dropped.lines.is_empty().then_some("echo-to-empty"));
    dropped.lines
}

fn note_unwrapped(unwrapped: &Unwrapped, fired: &mut Fired) {
    fired.extend(unwrapped.lines.is_some().then_some("wrap"));
    fired.extend(unwrapped.ambiguous.then_some("wrap-ambiguous"));
    fired.extend(unwrapped.overlapping.then_some("wrap-overlap"));
}
