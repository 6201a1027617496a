//! An item is added at the end of an object or array: bytes are only ever added, and the lines around it stay.

use std::ops::Range;

use super::print::Layout;
use super::tree::{Mark, Node, Tree};
use crate::setup::lines::{ending, indent};
use crate::setup::splice::Splice;

/// Returns the splices that add an item to a list, which `write` writes in the layout it is given.
pub(super) fn add(
    text: &str,
    tree: &Tree,
    list: &Node,
    write: impl Fn(&Layout) -> String,
) -> Vec<Splice> {
    match list.items().last() {
        Some(last) => behind(text, tree, list, last, write),
        None => alone(text, tree, list, write),
    }
}

/// Returns how a value is written in the place of one that is there.
pub(super) fn layout_at(text: &str, at: usize) -> Layout {
    match is_flat(text) {
        true => Layout::Flat,
        false => lines_with(text, indent(text, at).to_owned()),
    }
}

/// Adds an item behind the last one.
fn behind(
    text: &str,
    tree: &Tree,
    list: &Node,
    last: &Range<usize>,
    write: impl Fn(&Layout) -> String,
) -> Vec<Splice> {
    let comma = tree.comma_after(last.end, list.inside().end);
    let end = comma.map_or(last.end, |comma| comma.range.end);
    let items = list.items();
    let before = items.len().checked_sub(2).map(|index| items[index].end);
    if !text[before.unwrap_or(list.range.start)..last.start].contains('\n') {
        let item = write(&Layout::Flat);
        return match comma {
            Some(_) => vec![Splice::insert(end, format!(" {item},"))],
            None => vec![Splice::insert(end, format!(", {item}"))],
        };
    }
    let layout = lines_with(text, indent(text, last.start).to_owned());
    let item = format!("{}{}", layout.line(), write(&layout));
    let at = behind_comments(text, tree, list, end);
    match comma {
        Some(_) => vec![Splice::insert(at, format!("{item},"))],
        None if at == end => vec![Splice::insert(end, format!(",{item}"))],
        None => vec![Splice::insert(last.end, ","), Splice::insert(at, item)],
    }
}

/// Returns the end of the comments that stand in the same line behind an item.
fn behind_comments(text: &str, tree: &Tree, list: &Node, end: usize) -> usize {
    let comments = tree.between(end, list.inside().end);
    comments.fold(end, |end, comment: &Mark| {
        let same_line = !text[end..comment.range.start].contains('\n');
        if same_line { comment.range.end } else { end }
    })
}

/// Adds the only item of a list.
fn alone(text: &str, tree: &Tree, list: &Node, write: impl Fn(&Layout) -> String) -> Vec<Splice> {
    let inside = list.inside();
    let last_comment = tree.between(inside.start, inside.end).next_back();
    if is_flat(text) && inside.start > text.len() - text.trim_start().len() + 1 {
        let item = write(&Layout::Flat);
        return vec![match last_comment {
            Some(comment) => Splice::insert(comment.range.end, format!(" {item}")),
            None => Splice::replace(inside, item),
        }];
    }
    let outer = lines_with(text, indent(text, list.range.start).to_owned());
    let layout = outer.inner();
    let item = format!("{}{}", layout.line(), write(&layout));
    let at = last_comment.map_or(inside.start, |comment| comment.range.end);
    if text[at..inside.end].contains('\n') {
        return vec![Splice::insert(at, item)];
    }
    vec![Splice::replace(
        at..inside.end,
        format!("{item}{}", outer.line()),
    )]
}

/// Tells whether a whole text is one line.
fn is_flat(text: &str) -> bool {
    !text.trim().contains('\n') && text.trim() != "{}"
}

/// Returns the layout of lines that begin with the given blanks.
fn lines_with(text: &str, indent: String) -> Layout {
    Layout::Lines {
        ending: ending(text),
        indent,
        unit: unit(text),
    }
}

/// Returns what a level of a text adds: the fewest blanks that a line of it begins with.
fn unit(text: &str) -> String {
    let blanks = text.lines().map(|line| indent(line, 0));
    let fewest = blanks
        .filter(|blanks| !blanks.is_empty())
        .min_by_key(|blanks| blanks.len());
    fewest.unwrap_or("  ").to_owned()
}
