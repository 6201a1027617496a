//! Joins new lines over which a model wrapped one old line.
//!
//! A model asked to change one line of a range sometimes also wraps its long neighbours, as a formatter would. Where several consecutive
//! new lines are exactly one old line except for white space, they are replaced by that old line. An old line that could be restored in
//! two places is not restored, because it is unclear where it belongs.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use crate::text::whitespace::squash;

/// The maximum number of consecutive new lines that are taken for one wrapped old line.
const LONGEST_RUN: usize = 10;

/// The fewest UTF-16 code units, without white space, that a line must have for its match not to be taken for a coincidence.
const SHORTEST_TEXT: usize = 6;

/// Whether the new lines that make up one old line may have blank lines among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlankLines {
    /// Blank lines may be among them (dialect omp).
    Allowed,
    /// No blank line may be among them (dialect openagent).
    Excluded,
}

/// An index of old lines by their text without white space, made once for many edits of the same lines.
#[derive(Debug)]
pub struct WrappedLines<'a> {
    lines: &'a [&'a str],
    /// The positions of each text in `lines`, in ascending order.
    by_text: HashMap<String, Vec<usize>>,
    longest: usize,
}

/// Replaces consecutive lines of `lines` that make up one wrapped line of `originals` by that line; `None` if there are none.
///
/// Matches are replaced from the last start to the first, at the same start the shorter first. Overlapping matches are not excluded: the
/// second replacement takes its number of lines from what the first one left.
pub(crate) fn restore_wrapped(
    originals: &[&str],
    lines: &[String],
    blanks: BlankLines,
) -> Option<Vec<String>> {
    if lines.len() < 2 {
        return None;
    }
    WrappedLines::new(originals).restore_part(0..originals.len(), lines, blanks)
}

impl<'a> WrappedLines<'a> {
    /// Builds the index of `lines`.
    #[must_use]
    pub fn new(lines: &'a [&'a str]) -> Self {
        let mut by_text: HashMap<String, Vec<usize>> = HashMap::with_capacity(lines.len());
        let mut longest = 0;
        for (index, line) in lines.iter().enumerate() {
            let text = squash(line);
            longest = longest.max(text.len());
            by_text.entry(text).or_default().push(index);
        }
        Self {
            lines,
            by_text,
            longest,
        }
    }

    /// Replaces consecutive lines of `lines` that make up one wrapped line of the part `part` of the indexed lines by that line; `None` if there
    /// are none. Blank lines may be among them, as dialect omp defines it.
    #[must_use]
    pub fn restore(&self, part: Range<usize>, lines: &[String]) -> Option<Vec<String>> {
        self.restore_part(part, lines, BlankLines::Allowed)
    }

    fn restore_part(
        &self,
        part: Range<usize>,
        lines: &[String],
        blanks: BlankLines,
    ) -> Option<Vec<String>> {
        let found = find_runs(self, part, lines, blanks);
        let mut times = HashMap::new();
        for run in &found {
            *times.entry(run.original).or_insert(0_usize) += 1;
        }
        let mut runs: Vec<WrappedRun> = found
            .into_iter()
            .filter(|run| times[&run.original] == 1)
            .collect();
        runs.sort_by_key(|run| (Reverse(run.start), run.length));
        (!runs.is_empty()).then(|| put_back(self.lines, lines, &runs))
    }

    /// Returns the index of the only old line in `part` whose text without white space is `text`; `None` if there are several or `text`
    /// is too short.
    fn only(&self, text: &str, part: &Range<usize>) -> Option<usize> {
        let places = self.by_text.get(text)?;
        let mut inside = places[places.partition_point(|&place| place < part.start)..]
            .iter()
            .take_while(|&&place| place < part.end);
        let only = inside.next().copied();
        only.filter(|_| inside.next().is_none() && text.encode_utf16().count() >= SHORTEST_TEXT)
    }
}

/// A match: `length` new lines from the index `start` on make up the old line with the index `original`.
struct WrappedRun {
    start: usize,
    length: usize,
    original: usize,
}

fn find_runs(
    originals: &WrappedLines<'_>,
    part: Range<usize>,
    lines: &[String],
    blanks: BlankLines,
) -> Vec<WrappedRun> {
    let texts: Vec<String> = lines.iter().map(|line| squash(line)).collect();
    let mut runs = Vec::new();
    let mut joined = String::new();
    for start in 0..texts.len() {
        joined.clear();
        for (text, length) in texts[start..].iter().zip(1..=LONGEST_RUN) {
            joined.push_str(text);
            if joined.len() > originals.longest
                || (blanks == BlankLines::Excluded && text.is_empty())
            {
                break;
            }
            let original = if length < 2 {
                None
            } else {
                originals.only(&joined, &part)
            };
            runs.extend(original.map(|original| WrappedRun {
                start,
                length,
                original,
            }));
        }
    }
    runs
}

/// Replaces each match by its old line. Lines move from the end of one list to a second, reversed one, so that no line is shifted twice.
fn put_back(originals: &[&str], lines: &[String], runs: &[WrappedRun]) -> Vec<String> {
    let mut before = lines.to_vec();
    let mut after = Vec::with_capacity(lines.len());
    for run in runs {
        after.extend(before.drain(run.start.min(before.len())..).rev());
        after.truncate(after.len().saturating_sub(run.length));
        after.push(originals[run.original].to_owned());
    }
    before.extend(after.into_iter().rev());
    before
}

#[cfg(test)]
mod tests {
    use super::{BlankLines, restore_wrapped};

    fn owned(lines: &[&str]) -> Vec<String> {
        lines.iter().map(|&line| line.to_owned()).collect()
    }

    fn restored(originals: &[&str], lines: &[&str], blanks: BlankLines) -> Option<Vec<String>> {
        restore_wrapped(originals, &owned(lines), blanks)
    }

    #[test]
    fn a_wrapped_line_is_put_back() {
        let old = ["  call(one, two)", "end"];
        let new = ["call(", "one,", "two)", "finish"];
        assert_eq!(
            restored(&old, &new, BlankLines::Allowed),
            Some(owned(&["  call(one, two)", "finish"]))
        );
        assert_eq!(
            restored(&old, &["end", "call(one,", " two)"], BlankLines::Excluded),
            Some(owned(&["end", old[0]]))
        );
    }

    #[test]
    fn short_repeated_or_long_runs_are_left() {
        assert_eq!(
            restored(&["abcde"], &["ab", "cde"], BlankLines::Allowed),
            None
        );
        assert_eq!(
            restored(&["abcdef"], &["abc", "def"], BlankLines::Allowed),
            Some(owned(&["abcdef"]))
        );
        assert_eq!(
            restored(&["abcdef", "abc def"], &["abc", "def"], BlankLines::Allowed),
            None
        );
        assert_eq!(
            restored(
                &["abcdefghijk"],
                &["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"],
                BlankLines::Allowed
            ),
            None
        );
        assert_eq!(
            restored(&["abcdef"], &["abcdef"], BlankLines::Allowed),
            None
        );
    }

    #[test]
    fn what_fits_twice_is_ambiguous() {
        let twice = restore_wrapped(
            &["abcdef"],
            &owned(&["abc", "def", "x", "ab", "cdef"]),
            BlankLines::Allowed,
        );
        assert_eq!(twice, None);
    }

    #[test]
    fn a_blank_line_ends_a_run_only_if_told_so() {
        assert_eq!(
            restored(&["abcdef"], &["abc", " ", "def"], BlankLines::Allowed),
            Some(owned(&["abcdef"]))
        );
        assert_eq!(
            restored(&["abcdef"], &["abc", " ", "def"], BlankLines::Excluded),
            None
        );
    }

    #[test]
    fn overlapping_runs_take_the_list_as_it_is_by_then() {
        let both = restore_wrapped(
            &["aaabbb", "bbbccc"],
            &owned(&["aaa", "bbb", "ccc", "d"]),
            BlankLines::Allowed,
        );
        assert_eq!(both, Some(owned(&["aaabbb", "d"])));
    }
}
