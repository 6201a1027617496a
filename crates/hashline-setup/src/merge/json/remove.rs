//! An item is taken out of an object or array: what adding it brought goes, and whatever a person put around it stays.

use std::ops::Range;

use super::tree::{Node, Tree};
use crate::lines::ending_before;
use crate::splice::Splice;

/// Returns the splices that take an item out of a list.
pub(super) fn remove(text: &str, tree: &Tree, list: &Node, index: usize) -> Vec<Splice> {
    let items = list.items();
    let item = &items[index];
    let inside = list.inside();
    let next = items.get(index + 1).map_or(inside.end, |next| next.start);
    let comma = tree.comma_after(item.end, next);
    let end = comma.map_or(item.end, |comma| comma.range.end);
    let before = index.checked_sub(1).map(|index| &items[index]);
    match before {
        None if items.len() == 1 => only(text, tree, inside, item, end),
        None => vec![Splice::remove(first(text, item, end))],
        Some(before) => {
            let begin = ending_before(text, item.start);
            let comma_before = tree.comma_after(before.end, item.start);
            let comma_before =
                comma_before.map_or(before.end..before.end, |comma| comma.range.clone());
            let begin = begin.map_or(comma_before.end, |begin| begin.max(comma_before.end));
            match comma {
                Some(_) => vec![Splice::remove(begin..end)],
                // The item before is the last one now.
                None => vec![Splice::remove(comma_before), Splice::remove(begin..end)],
            }
        }
    }
}

/// Takes the only item; nothing is left between the brackets unless there are comments.
fn only(
    text: &str,
    tree: &Tree,
    inside: Range<usize>,
    item: &Range<usize>,
    end: usize,
) -> Vec<Splice> {
    let mut comments = tree
        .between(inside.start, inside.end)
        .filter(|mark| !mark.is_comma);
    match comments.next() {
        None => vec![Splice::remove(inside)],
        Some(_) => {
            let begin = ending_before(text, item.start).unwrap_or(item.start);
            vec![Splice::remove(begin.max(inside.start)..end)]
        }
    }
}

/// Returns what goes with the first of several items.
fn first(text: &str, item: &Range<usize>, end: usize) -> Range<usize> {
    match ending_before(text, item.start) {
        Some(begin) => begin..end,
        None => {
            let rest = &text[end..];
            item.start..end + (rest.len() - rest.trim_start_matches([' ', '\t']).len())
        }
    }
}
