//! Unified diffs for readers. (Finding the line that an anchor means uses no diff.)
//!
//! An edit tells which lines it changed, so only those lines are compared: the cost follows the size of the edit, not that of the file.

use std::fmt;
use std::hash::Hash;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput, Interner};

use crate::text::{Change, Changes, Document, Fingerprint, LineEnding, LineSpan, NewText};

/// How many unchanged lines are shown around a change: 3, as in other diff tools.
const CONTEXT: usize = 3;

/// A unified diff of one file, with the numbers of added and removed lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unified {
    /// The text of the diff, empty if nothing changed. Bytes that are not UTF-8 are shown as `\xNN`.
    pub text: String,
    /// How many lines the diff adds.
    pub added: usize,
    /// How many lines the diff removes.
    pub removed: usize,
}

impl fmt::Display for Unified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Compares two documents line by line and returns the changes.
#[must_use]
pub fn changes(before: &Document, after: &Document) -> Changes {
    let whole = Change {
        old: before.all(),
        new: after.all(),
        text: NewText::Whole,
    };
    let refined = refine(before, after, whole);
    Changes::from_replacements(
        refined
            .into_iter()
            .map(|change| (change.old, change.new.len())),
    )
}

/// Compares two lists of line fingerprints and returns the changes. Line endings are not compared, because a fingerprint does not include
/// them.
#[must_use]
pub fn changes_of(before: &[Fingerprint], after: &[Fingerprint]) -> Vec<Change> {
    let whole = Change {
        old: LineSpan::new(0..before.len()),
        new: LineSpan::new(0..after.len()),
        text: NewText::Whole,
    };
    compare(before, after, whole, Diff::postprocess_no_heuristic)
}

/// Returns the unified diff of two documents, with `old` and `new` as the file names in its header.
#[must_use]
pub fn between(before: &Document, after: &Document, old: &str, new: &str) -> Unified {
    unified(before, after, &changes(before, after), old, new)
}

/// Renders known changes between two documents as a unified diff.
pub(crate) fn unified(
    before: &Document,
    after: &Document,
    changes: &Changes,
    old: &str,
    new: &str,
) -> Unified {
    let changes = with_changed_endings(before, after, changes);
    let refined: Vec<Change> = changes
        .iter()
        .flat_map(|change| refine(before, after, change))
        .collect();
    let mut diff = Unified::default();
    if refined.is_empty() {
        return diff;
    }
    diff.text = format!("--- {old}\n+++ {new}\n");
    for hunk in refined.chunk_by(|a, b| b.old.start() - a.old.end() <= 2 * CONTEXT) {
        write_hunk(&mut diff, before, after, hunk);
    }
    diff
}

/// Adds a change for the last line of either document if its text is untouched but its line ending was added or removed.
fn with_changed_endings(before: &Document, after: &Document, changes: &Changes) -> Changes {
    let ends_differently = |old: usize, new: usize| {
        let ending = |document: &Document, index| document.line_at(index).map(|line| line.ending);
        (ending(before, old) != ending(after, new)).then_some((LineSpan::new(old..old + 1), 1))
    };
    let last_before = before.line_count().checked_sub(1).and_then(|old| {
        let new = changes.carry(LineSpan::new(old..old + 1))?;
        ends_differently(old, new.start())
    });
    let last_after = after
        .line_count()
        .checked_sub(1)
        .and_then(|new| ends_differently(changes.uncarry(new)?, new));
    let mut all: Vec<(LineSpan, usize)> = changes
        .iter()
        .map(|change| (change.old, change.new.len()))
        .collect();
    all.extend(last_before.into_iter().chain(last_after));
    all.sort_unstable();
    all.dedup();
    Changes::from_replacements(all)
}

/// Narrows a change to the lines that really differ, line endings included.
fn refine(before: &Document, after: &Document, change: Change) -> Vec<Change> {
    let (old, new) = (raw_lines(before, change.old), raw_lines(after, change.new));
    compare(&old, &new, change, Diff::postprocess_lines)
}

/// Narrows a change to the lines that really differ. `tidy` moves a change that could be at several places to the most readable of them.
fn compare<T: Eq + Hash + Copy>(
    old: &[T],
    new: &[T],
    change: Change,
    tidy: impl FnOnce(&mut Diff, &InternedInput<T>),
) -> Vec<Change> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[head..], &new[head..]);
    let ends = old.iter().rev().zip(new.iter().rev());
    let tail = ends.take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[..old.len() - tail], &new[..new.len() - tail]);
    let narrowed = Change {
        old: LineSpan::new(change.old.start() + head..change.old.end() - tail),
        new: LineSpan::new(change.new.start() + head..change.new.end() - tail),
        text: NewText::Whole,
    };
    let mut input = InternedInput {
        before: Vec::new(),
        after: Vec::new(),
        interner: Interner::new(0),
    };
    input.update_before(old.iter().copied());
    input.update_after(new.iter().copied());
    if is_too_repetitive(&input) {
        return vec![narrowed];
    }
    let place = |from: Range<u32>, base: usize| {
        LineSpan::new(base + from.start as usize..base + from.end as usize)
    };
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    tidy(&mut diff, &input);
    diff.hunks()
        .map(|hunk| Change {
            old: place(hunk.before, narrowed.old.start()),
            new: place(hunk.after, narrowed.new.start()),
            text: NewText::Whole,
        })
        .collect()
}

/// Returns whether a comparison would take too long and show little: both sides have more than 20,000 lines, and fewer than one in twenty
/// is distinct.
fn is_too_repetitive<T: Eq + Hash>(input: &InternedInput<T>) -> bool {
    const MANY: usize = 20_000;
    let fewer = input.before.len().min(input.after.len());
    fewer > MANY && (input.interner.num_tokens() as usize) < fewer / 20
}

/// Returns the bytes of each line of a span, line ending included, so that lines with different endings compare as different.
fn raw_lines(document: &Document, span: LineSpan) -> Vec<&[u8]> {
    span.range()
        .map(|index| document.slice(LineSpan::new(index..index + 1)).bytes())
        .collect()
}

fn write_hunk(diff: &mut Unified, before: &Document, after: &Document, changes: &[Change]) {
    let (Some(first), Some(last)) = (changes.first(), changes.last()) else {
        return;
    };
    let head = first.old.start().min(CONTEXT);
    let tail = (before.line_count() - last.old.end()).min(CONTEXT);
    let old = LineSpan::new(first.old.start() - head..last.old.end() + tail);
    let new = LineSpan::new(first.new.start() - head..last.new.end() + tail);
    diff.text
        .push_str(&format!("@@ -{} +{} @@\n", range(old), range(new)));
    let mut at = old.start();
    for change in changes {
        write_lines(
            &mut diff.text,
            ' ',
            before,
            LineSpan::new(at..change.old.start()),
        );
        write_lines(&mut diff.text, '-', before, change.old);
        write_lines(&mut diff.text, '+', after, change.new);
        diff.removed += change.old.len();
        diff.added += change.new.len();
        at = change.old.end();
    }
    write_lines(&mut diff.text, ' ', before, LineSpan::new(at..old.end()));
}

/// Writes a line range as unified diffs do: `start,count`; only `start` if the count is 1; the line before it and `,0` for an empty
/// range.
fn range(span: LineSpan) -> String {
    match span.len() {
        0 => format!("{},0", span.start()),
        1 => format!("{}", span.start() + 1),
        count => format!("{},{count}", span.start() + 1),
    }
}

fn write_lines(text: &mut String, mark: char, document: &Document, span: LineSpan) {
    for line in document.lines_in(span) {
        text.push(mark);
        text.push_str(&crate::render::display(line.text));
        if line.ending == LineEnding::CrLf {
            text.push('\r');
        }
        text.push('\n');
        if !line.ending.is_some() {
            text.push_str("\\ No newline at end of file\n");
        }
    }
}
