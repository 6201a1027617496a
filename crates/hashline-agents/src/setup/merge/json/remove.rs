//! An item is taken out of an object or array: what adding it brought goes, and whatever a person put around it stays.

use std::ops::Range;

use super::tree::{Mark, Node, Tree};
use crate::setup::lines::ending_before;
use crate::setup::splice::Splice;

/// Returns the splices that take an item out of a list.
pub(super) fn remove(text: &str, tree: &Tree, list: &Node, index: usize) -> Vec<Splice> {
    let items = list.items();
    let item = &items[index];
    let inside = list.inside();
    let is_comment = |mark: &&Mark| !mark.is_comma;
    if items.len() == 1
        && !tree
            .between(inside.start, inside.end)
            .any(|mark| is_comment(&mark))
    {
        return vec![Splice::remove(inside)];
    }
    let next = items.get(index + 1).map_or(inside.end, |next| next.start);
    let comma = tree.comma_after(item.end, next);
    // A comment between the item and its comma stays.
    let apart = comma.filter(|comma| {
        let mut between = tree.between(item.end, comma.range.start);
        between.any(|mark| is_comment(&mark))
    });
    let end = match (comma, apart) {
        (Some(comma), None) => comma.range.end,
        _ => item.end,
    };
    let before = index.checked_sub(1).map(|index| &items[index]);
    let mut splices = Vec::new();
    // The item before may be the last one now.
    if let (Some(before), None) = (before, comma) {
        let comma_before = tree.comma_after(before.end, item.start);
        splices.extend(comma_before.map(|comma| Splice::remove(comma.range.clone())));
    }
    let from = before.map_or(inside.start, |before| before.end);
    let begin = Gap::before(tree, from, item.start);
    splices.push(Splice::remove(begin.with(text, end, &inside)));
    splices.extend(apart.map(|comma| Splice::remove(comma.range.clone())));
    splices
}

/// What stands between an item and whatever comes before it in its list.
struct Gap<'a> {
    /// The last comma or comment before the item.
    mark: Option<&'a Mark>,
    /// From the end of what comes before to the item: blanks and endings of lines.
    range: Range<usize>,
    /// Whether nothing at all comes before.
    is_first: bool,
}

impl<'a> Gap<'a> {
    fn before(tree: &'a Tree, from: usize, item: usize) -> Self {
        let mark = tree.between(from, item).next_back();
        Self {
            mark,
            range: mark.map_or(from, |mark| mark.range.end)..item,
            is_first: mark.is_none(),
        }
    }

    /// Returns what goes with an item that ends at a byte. The ending of the line before goes only where no one else needs it: not a
    /// comment that reaches to it, nor something that stands behind the item in its line.
    fn with(&self, text: &str, end: usize, inside: &Range<usize>) -> Range<usize> {
        let rest = text[end..].trim_start_matches([' ', '\t']);
        let next = text.len() - rest.len();
        let (ends_line, closes) = (rest.starts_with(['\r', '\n']), next == inside.end);
        let ending = ending_before(text, self.range.end).filter(|at| *at >= self.range.start);
        match ending {
            Some(ending) if ends_line || closes && !self.is_behind_comment(text, ending) => {
                ending..end
            }
            Some(_) => self.range.end..next,
            None if self.is_first => self.range.end..next,
            None => self.range.start..end,
        }
    }

    /// Tells whether a comment reaches to the ending of its line.
    fn is_behind_comment(&self, text: &str, ending: usize) -> bool {
        let is_open = |mark: &Mark| !mark.is_comma && text[mark.range.clone()].starts_with("//");
        self.mark
            .is_some_and(|mark| is_open(mark) && mark.range.end == ending)
    }
}
