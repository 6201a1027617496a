//! The messages of refusals, worded exactly as in the original tool (seed 000).
//!
//! A refusal because of stale anchors shows the lines as they are now, so that the next request can name them. `check` decides whether
//! anchors are stale.

use std::collections::{BTreeSet, HashSet};

use hashline_core::error::{EngineRefusal, TagMismatch};

use super::display::{format_line, index_of, number_of};

/// How many lines are shown before and after a line that has changed.
const CONTEXT: usize = 2;

/// Makes the refusal for anchors whose hash does not match, with the current lines and anchors.
pub(super) fn stale(lines: &[&str], mismatches: Vec<TagMismatch>) -> EngineRefusal {
    EngineRefusal::Stale {
        message: render(lines, &mismatches),
        remaps: remaps(&mismatches),
        mismatches,
    }
}

fn remaps(mismatches: &[TagMismatch]) -> Vec<(String, String)> {
    let mut seen = HashSet::new();
    let distinct = mismatches
        .iter()
        .filter(|mismatch| seen.insert((mismatch.line, &mismatch.expected)));
    distinct
        .map(
            |TagMismatch {
                 line,
                 expected,
                 actual,
             }| (format!("{line}:{expected}"), format!("{line}:{actual}")),
        )
        .collect()
}

fn render(lines: &[&str], mismatches: &[TagMismatch]) -> String {
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
    use super::{EngineRefusal, TagMismatch, stale};

    fn mismatch(line: u64, expected: &str) -> TagMismatch {
        TagMismatch {
            line,
            expected: expected.to_owned(),
            actual: "ea".to_owned(),
        }
    }

    #[test]
    fn changed_lines_are_shown_with_two_lines_of_context() {
        let mismatches = vec![mismatch(9, "b"), mismatch(1, "a"), mismatch(9, "b")];
        let refused = stale(&["x"; 9], mismatches.clone());
        let message = "3 lines have changed since last read. Use the updated LINE:HASH references shown below (>>> marks changed lines).\n\n\
            >>> 1:ea|x\n    2:ea|x\n    3:ea|x\n    ...\n    7:ea|x\n    8:ea|x\n>>> 9:ea|x";
        let remaps =
            [("9:b", "9:ea"), ("1:a", "1:ea")].map(|(from, to)| (from.to_owned(), to.to_owned()));
        let expected = EngineRefusal::Stale {
            message: message.to_owned(),
            mismatches,
            remaps: remaps.to_vec(),
        };
        assert_eq!(refused, expected);
    }
}
