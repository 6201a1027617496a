//! Why nothing was applied, in the words of the original.
//!
//! A mismatch shows the lines as they are now, so that the next request can name them. Deciding that there is one is `check`'s part.

use std::collections::{BTreeSet, HashSet};

use super::display::{format_line, index_of, number_of};

/// How many lines are shown on either side of one that has changed.
const CONTEXT: usize = 2;

/// The reason why a request was refused as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The request itself is wrong; the text says how.
    Error(String),
    /// The file has no such line; the text says which.
    NoLine(String),
    /// References do not fit the file.
    Mismatch(Mismatch),
}

impl Failure {
    /// Returns what the caller is told.
    #[must_use]
    pub fn message(&self) -> &str {
        match self {
            Self::Error(message) | Self::NoLine(message) => message,
            Self::Mismatch(mismatch) => &mismatch.message,
        }
    }
}

/// The references that do not fit the file, and what does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// What the caller is told: the changed lines and those around them, with fresh references.
    pub message: String,
    /// Every reference that does not fit, in the order of the request, repeats included.
    pub mismatches: Vec<LineMismatch>,
    /// From each distinct stale reference to the fresh one at the same line, in the order of the request.
    pub remaps: Vec<(String, String)>,
}

/// One reference that does not fit the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMismatch {
    /// The number of the line.
    pub line: u64,
    /// The hash as the reference spells it.
    pub expected: String,
    /// The hash the line has.
    pub actual: String,
}

impl Mismatch {
    pub(super) fn new(lines: &[&str], mismatches: Vec<LineMismatch>) -> Self {
        let message = render(lines, &mismatches);
        let remaps = remaps(&mismatches);
        Self {
            message,
            mismatches,
            remaps,
        }
    }
}

fn remaps(mismatches: &[LineMismatch]) -> Vec<(String, String)> {
    let mut seen = HashSet::new();
    let distinct = mismatches
        .iter()
        .filter(|mismatch| seen.insert((mismatch.line, &mismatch.expected)));
    distinct
        .map(
            |LineMismatch {
                 line,
                 expected,
                 actual,
             }| (format!("{line}:{expected}"), format!("{line}:{actual}")),
        )
        .collect()
}

fn render(lines: &[&str], mismatches: &[LineMismatch]) -> String {
    let subject = if mismatches.len() == 1 {
        "line has"
    } else {
        "lines have"
    };
    let mut message = format!(
        "{} {subject} changed since last read. Use the updated LINE:HASH references shown below (>>> marks changed lines).\n",
        mismatches.len()
    );
    let changed: BTreeSet<usize> = mismatches
        .iter()
        .filter_map(|mismatch| index_of(mismatch.line, lines.len()))
        .collect();
    let mut due = None;
    for index in with_context(&changed, lines.len()) {
        if due.is_some_and(|due| due != index) {
            message.push_str("\n    ...");
        }
        let marker = if changed.contains(&index) {
            ">>> "
        } else {
            "    "
        };
        message.push_str(&format!(
            "\n{marker}{}",
            format_line(number_of(index), lines[index])
        ));
        due = Some(index + 1);
    }
    message
}

fn with_context(changed: &BTreeSet<usize>, count: usize) -> BTreeSet<usize> {
    let around = |&index: &usize| index.saturating_sub(CONTEXT)..(index + CONTEXT + 1).min(count);
    changed.iter().flat_map(around).collect()
}

#[cfg(test)]
mod tests {
    use super::{LineMismatch, Mismatch};

    fn stale(line: u64, expected: &str) -> LineMismatch {
        LineMismatch {
            line,
            expected: expected.to_owned(),
            actual: "ea".to_owned(),
        }
    }

    #[test]
    fn changed_lines_are_shown_with_two_lines_of_context() {
        let lines = ["x"; 9];
        let mismatch = Mismatch::new(&lines, vec![stale(9, "b"), stale(1, "a"), stale(9, "b")]);
        let shown = "3 lines have changed since last read. Use the updated LINE:HASH references shown below (>>> marks changed lines).\n\n\
            >>> 1:ea|x\n    2:ea|x\n    3:ea|x\n    ...\n    7:ea|x\n    8:ea|x\n>>> 9:ea|x";
        assert_eq!(mismatch.message, shown);
        let remaps =
            [("9:b", "9:ea"), ("1:a", "1:ea")].map(|(from, to)| (from.to_owned(), to.to_owned()));
        assert_eq!(mismatch.remaps, remaps);
    }
}
