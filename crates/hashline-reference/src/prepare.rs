//! Sorts checked edits into the order in which they are applied.
//!
//! Edits are applied from the bottom of the file to its top, so that the line numbers above stay valid. Whether edits overlap is not
//! checked.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::check::{Checked, EditKind};

/// A checked edit and its position among the edits without repetitions.
pub(super) struct Numbered {
    pub(super) number: usize,
    pub(super) edit: Checked,
}

/// Drops edits that repeat an earlier one and numbers the others from 0, in request order.
pub(super) fn without_duplicates(edits: Vec<Checked>) -> Vec<Numbered> {
    let mut seen = HashSet::new();
    let kept = edits
        .into_iter()
        .filter(|edit| seen.insert((edit.kind, edit.first, edit.last, edit.text.lines.join("\n"))));
    kept.enumerate()
        .map(|(number, edit)| Numbered { number, edit })
        .collect()
}

/// Sorts edits by descending last line; at the same line, replacements come before insertions, then edits in request order.
pub(super) fn bottom_up(edits: &mut [Numbered]) {
    edits.sort_by_key(|Numbered { number, edit }| {
        (Reverse(edit.last), edit.kind == EditKind::Insert, *number)
    });
}

/// Returns for each of `count` lines whether an edit names it, including the lines inside ranges.
pub(super) fn touched(edits: &[Numbered], count: usize) -> Vec<bool> {
    let mut spans: Vec<(usize, usize)> = edits
        .iter()
        .map(|Numbered { edit, .. }| (edit.first, edit.last))
        .collect();
    spans.sort_unstable();
    let mut touched = vec![false; count];
    let mut done = 0;
    for (first, last) in spans {
        let end = (last + 1).min(count);
        if end > done {
            touched[first.max(done)..end].fill(true);
            done = end;
        }
    }
    touched
}

#[cfg(test)]
mod tests {
    use super::{bottom_up, touched, without_duplicates};
    use crate::check::{Checked, EditKind};
    use crate::request::NewText;
    use hashline_core::edit::EditNo;

    fn edit(kind: EditKind, first: usize, last: usize, lines: &[&str]) -> Checked {
        let lines = lines.iter().map(|&line| line.to_owned()).collect();
        Checked {
            kind,
            first,
            last,
            hash: String::new(),
            text: NewText::new(EditNo::from_index(0), lines),
            moved: None,
        }
    }

    #[test]
    fn no_lines_repeat_one_empty_line() {
        let edits = vec![
            edit(EditKind::Single, 1, 1, &[]),
            edit(EditKind::Single, 1, 1, &[""]),
            edit(EditKind::Insert, 1, 1, &[""]),
        ];
        let kept = without_duplicates(edits);
        assert_eq!(
            kept.iter()
                .map(|kept| (kept.number, kept.edit.kind))
                .collect::<Vec<_>>(),
            [(0, EditKind::Single), (1, EditKind::Insert)]
        );
    }

    #[test]
    fn replacements_come_before_inserts_at_the_same_line() {
        let edits = vec![
            edit(EditKind::Insert, 3, 3, &["a"]),
            edit(EditKind::Single, 1, 1, &["b"]),
            edit(EditKind::Range, 0, 3, &["c"]),
            edit(EditKind::Single, 3, 3, &["d"]),
        ];
        let mut kept = without_duplicates(edits);
        bottom_up(&mut kept);
        assert_eq!(
            kept.iter().map(|kept| kept.number).collect::<Vec<_>>(),
            [2, 3, 0, 1]
        );
    }

    #[test]
    fn the_inside_of_a_range_is_touched() {
        let kept = without_duplicates(vec![
            edit(EditKind::Insert, 4, 4, &[]),
            edit(EditKind::Range, 0, 2, &[]),
            edit(EditKind::Single, 1, 1, &[]),
        ]);
        assert_eq!(touched(&kept, 6), [true, true, true, false, true, false]);
    }
}
