//! The landing rule across one outside change, word by word and slowly: a second opinion on what the engine must do.
//!
//! "Take the line with at least three lines above it (fewer only where the file begins), and more, up to 64, until that block stands
//! once in the older revision; it must stand exactly once in the newer. The same downward. Both must name the same place. And no
//! line within three of it that stood once before may stand more than once now." A range goes by its first line up and its last
//! line down, and all its lines must be equal. With fewer than three other lines that are not blank, the edges of the file must
//! be where they were.

use hashline_core::text::{Document, LineSpan};

use super::version::Version;

const NEAR: usize = 3;
const FAR: usize = 64;

/// Returns where lines of the older version stand in the newer one, if the rule finds them.
pub(super) fn place(older: &Version, newer: &Version, span: LineSpan) -> Option<LineSpan> {
    let (old, new) = (texts(older), texts(newer));
    let first = one_place(&old, &new, span.start(), Direction::Up)?;
    let last = one_place(&old, &new, span.end() - 1, Direction::Down)?;
    let place = LineSpan::new(first..last + 1);
    let equal = place.len() == span.len() && old[span.range()] == new[place.range()];
    let others = old[..span.start()].iter().chain(&old[span.end()..]);
    let is_tiny = others.filter(|line| !is_blank(line)).count() < NEAR;
    let at_edges = place.start() == span.start() && old.len() == new.len();
    (equal && (at_edges || !is_tiny) && !is_copied(&old, &new, span)).then_some(place)
}

/// Returns whether a line is blank: without characters, or of up to 64 spaces, or of up to 16 tabs.
fn is_blank(line: &[u8]) -> bool {
    let only = |sign: u8, most: usize| line.len() <= most && line.iter().all(|&byte| byte == sign);
    only(b' ', 64) || only(b'\t', 16)
}

/// Counts the lines that must be read each way to tell a line from all others of its file; nothing if the rule's 64 are not enough.
pub(super) fn context_needed(document: &Document, line: usize) -> Option<usize> {
    let lines: Vec<&[u8]> = document.lines().map(|line| line.text).collect();
    let one_way = |direction: Direction| {
        let mut alike: Vec<usize> = (0..lines.len()).collect();
        (0..=FAR).find(|&step| {
            let wanted = at(&lines, line, step, direction);
            alike.retain(|&other| at(&lines, other, step, direction) == wanted);
            alike.len() == 1
        })
    };
    Some(one_way(Direction::Up)?.max(one_way(Direction::Down)?))
}

#[derive(Clone, Copy)]
enum Direction {
    Up,
    Down,
}

fn texts(version: &Version) -> Vec<&[u8]> {
    version.document.lines().map(|line| line.text).collect()
}

/// Reads from the line in one direction until the block stands once in the older version, and looks for it in the newer.
fn one_place(old: &[&[u8]], new: &[&[u8]], line: usize, direction: Direction) -> Option<usize> {
    let to_the_edge = match direction {
        Direction::Up => line,
        Direction::Down => old.len() - 1 - line,
    };
    let mut alike: Vec<usize> = (0..old.len()).collect();
    let mut found: Vec<usize> = (0..new.len()).collect();
    for step in 0..=FAR {
        let wanted = at(old, line, step, direction);
        alike.retain(|&other| at(old, other, step, direction) == wanted);
        found.retain(|&other| at(new, other, step, direction) == wanted);
        // A block that is cut short by the edge of the file is compared by what it has, unless that is not enough.
        let enough = step >= NEAR.min(to_the_edge);
        if enough && alike.len() == 1 {
            return if let [place] = found[..] {
                Some(place)
            } else {
                None
            };
        }
    }
    None
}

fn at<'a>(lines: &[&'a [u8]], from: usize, steps: usize, direction: Direction) -> Option<&'a [u8]> {
    let index = match direction {
        Direction::Up => from.checked_sub(steps)?,
        Direction::Down => from + steps,
    };
    lines.get(index).copied()
}

/// Returns whether a line near the span stood once and stands more often now.
fn is_copied(old: &[&[u8]], new: &[&[u8]], span: LineSpan) -> bool {
    let count = |lines: &[&[u8]], text: &[u8]| lines.iter().filter(|&&line| line == text).count();
    let near = span.widened(NEAR, old.len());
    near.range()
        .any(|index| count(old, old[index]) == 1 && count(new, old[index]) > 1)
}
