//! Notes where edits meet: shared lines, inserts beside or inside what is replaced.
//!
//! Nothing follows from it for the outcome. A comparison with another engine wants to know, because engines rightly differ there.

use std::collections::HashSet;

use super::Fired;
use super::check::{Checked, Kind};
use super::prepare::Numbered;

/// Notes every way in which `edits` meet.
pub(super) fn note(edits: &[Numbered], fired: &mut Fired) {
    let edits = || edits.iter().map(|numbered| &numbered.edit);
    let (inserts, replacements): (Vec<&Checked>, Vec<&Checked>) =
        edits().partition(|edit| edit.kind == Kind::Insert);
    if any_overlap(edits().collect()) {
        fired.insert("overlap");
    }
    let last_lines: HashSet<usize> = replacements.iter().map(|edit| edit.last).collect();
    if inserts.iter().any(|edit| last_lines.contains(&edit.first)) {
        fired.insert("insert-at-edited");
    }
    let mut anchors = HashSet::new();
    if !inserts.iter().all(|edit| anchors.insert(edit.first)) {
        fired.insert("multi-insert");
    }
}

/// Tells whether replacements share a line, or an insert goes between two lines of one.
fn any_overlap(mut edits: Vec<&Checked>) -> bool {
    edits.sort_by_key(|edit| (edit.first, edit.kind == Kind::Insert));
    let mut last_replaced = None;
    for edit in edits {
        let is_insert = edit.kind == Kind::Insert;
        let reach = if is_insert {
            edit.first + 1
        } else {
            edit.first
        };
        if last_replaced.is_some_and(|last| reach <= last) {
            return true;
        }
        if !is_insert {
            last_replaced = last_replaced.max(Some(edit.last));
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::note;
    use crate::reference::Fired;
    use crate::reference::check::{Checked, Kind};
    use crate::reference::prepare::Numbered;

    fn noted(spans: &[(Kind, usize, usize)]) -> Vec<&'static str> {
        let edit = |&(kind, first, last)| Checked {
            kind,
            first,
            last,
            hash: String::new(),
            lines: vec![],
        };
        let edits: Vec<_> = spans
            .iter()
            .map(|span| Numbered {
                number: 0,
                edit: edit(span),
            })
            .collect();
        let mut fired = Fired::new();
        note(&edits, &mut fired);
        fired.into_iter().collect()
    }

    #[test]
    fn edits_meet_in_three_ways() {
        use Kind::{Insert, Range, Single};
        assert_eq!(noted(&[(Range, 1, 3), (Single, 3, 3)]), ["overlap"]);
        assert_eq!(noted(&[(Insert, 2, 2), (Range, 1, 3)]), ["overlap"]);
        assert_eq!(
            noted(&[(Insert, 3, 3), (Range, 1, 3)]),
            ["insert-at-edited"]
        );
        assert_eq!(noted(&[(Insert, 3, 3), (Insert, 3, 3)]), ["multi-insert"]);
        assert!(noted(&[(Insert, 0, 0), (Range, 1, 3), (Single, 4, 4)]).is_empty());
    }
}
