//! Unified diffs for readers. (Finding the line that an anchor means uses no diff.)
//!
//! An edit tells which lines it changed, so only those lines are compared: the cost follows the size of the edit, not that of the file.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::hash::Hash;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput, Interner};

use crate::text::{Change, Changes, Document, Fingerprint, LineEnding, LineSpan, NewText};

/// How many unchanged lines are shown around a change: 3, as in other diff tools.
const CONTEXT: usize = 3;

/// A diff of more text than this is left out: for each line, its bytes and 64 more, because a line of an answer takes more memory than its text.
const MOST_TEXT: usize = 16 << 20;
const A_LINE: usize = 64;

/// A unified diff of one file, with the numbers of added and removed lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unified {
    /// The text of the diff, empty if nothing changed. Bytes that are not UTF-8 are shown as `\xNN`. A diff of more than 16 MiB, with 64 bytes
    /// more for each line, is left out: then a sentence follows the file names, which no program takes for a diff.
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
    let header = format!("--- {old}\n+++ {new}\n");
    let mut text = DiffText {
        room: MOST_TEXT,
        text: header.clone(),
    };
    let refined = refined(before, after, changes);
    let (added, removed) = counted(&refined);
    for hunk in refined.chunk_by(|a, b| b.old.start() - a.old.end() <= 2 * CONTEXT) {
        write_hunk(&mut text, before, after, hunk);
        if text.room == 0 {
            let left_out = format!("\\ The diff is too long and left out (+{added} -{removed})\n");
            text.text = header + &left_out;
            break;
        }
    }
    Unified {
        text: if refined.is_empty() {
            String::new()
        } else {
            text.text
        },
        added,
        removed,
    }
}

/// Returns how many lines a unified diff of known changes adds and removes.
pub(crate) fn counts(before: &Document, after: &Document, changes: &Changes) -> (usize, usize) {
    counted(&refined(before, after, changes))
}

fn counted(refined: &[Change]) -> (usize, usize) {
    let added = refined.iter().map(|change| change.new.len()).sum();
    (added, refined.iter().map(|change| change.old.len()).sum())
}

/// Returns known changes without the lines in them that are the same, and with a line ending that was added or removed.
fn refined(before: &Document, after: &Document, changes: &Changes) -> Vec<Change> {
    let ending = with_changed_endings(before, after, changes);
    ending
        .iter()
        .flat_map(|change| refine(before, after, change))
        .collect()
}

/// Adds a change for the last line of either document if its text is untouched but its line ending was added or removed.
fn with_changed_endings<'a>(
    before: &Document,
    after: &Document,
    changes: &'a Changes,
) -> Cow<'a, Changes> {
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
    if last_before.is_none() && last_after.is_none() {
        return Cow::Borrowed(changes);
    }
    let mut all: Vec<(LineSpan, usize)> = changes
        .iter()
        .map(|change| (change.old, change.new.len()))
        .collect();
    all.extend(last_before.into_iter().chain(last_after));
    all.sort_unstable();
    all.dedup();
    Cow::Owned(Changes::from_replacements(all))
}

/// Narrows a change to the lines that really differ, line endings included. Of a change of very many short lines only the lines at both ends are
/// compared.
fn refine(before: &Document, after: &Document, change: Change) -> Vec<Change> {
    // A comparison takes some 60 bytes for each line. The limit keeps the memory for a file below four times its size before and after plus
    // 64 MiB.
    const LINES: usize = 256 << 10;
    const BYTES_A_LINE: usize = 32;
    let bytes = before.slice(change.old).bytes().len() + after.slice(change.new).bytes().len();
    if change.old.len() + change.new.len() > LINES + bytes / BYTES_A_LINE {
        return trimmed(before, after, change);
    }
    let (old, new) = (raw_lines(before, change.old), raw_lines(after, change.new));
    compare(&old, &new, change, Diff::postprocess_lines)
}

/// Leaves out the lines that are the same at both ends of a change.
fn trimmed(before: &Document, after: &Document, change: Change) -> Vec<Change> {
    let same = |(old, new): &(usize, usize)| raw_line(before, *old) == raw_line(after, *new);
    let (old, new) = (change.old, change.new);
    let head = old.range().zip(new.range()).take_while(same).count();
    let (old, new) = (old.start() + head..old.end(), new.start() + head..new.end());
    let tail = old.clone().rev().zip(new.clone().rev()).take_while(same);
    let tail = tail.count();
    let narrowed = Change {
        old: LineSpan::new(old.start..old.end - tail),
        new: LineSpan::new(new.start..new.end - tail),
        text: NewText::Whole,
    };
    let is_empty = narrowed.old.is_empty() && narrowed.new.is_empty();
    Some(narrowed).filter(|_| !is_empty).into_iter().collect()
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
        .map(|index| raw_line(document, index))
        .collect()
}

fn raw_line(document: &Document, index: usize) -> &[u8] {
    document.slice(LineSpan::new(index..index + 1)).bytes()
}

/// The text of a diff while it is written.
struct DiffText {
    text: String,
    /// How much may still be written; 0 if it was too much.
    room: usize,
}

impl DiffText {
    fn write(&mut self, line: fmt::Arguments<'_>) {
        if self.room == 0 {
            return;
        }
        let before = self.text.len();
        // Writing to a string does not fail.
        let _ = self.text.write_fmt(line);
        let cost = self.text.len() - before + A_LINE;
        self.room = self.room.saturating_sub(cost);
    }
}

fn write_hunk(diff: &mut DiffText, before: &Document, after: &Document, changes: &[Change]) {
    let (Some(first), Some(last)) = (changes.first(), changes.last()) else {
        return;
    };
    let head = first.old.start().min(CONTEXT);
    let tail = (before.line_count() - last.old.end()).min(CONTEXT);
    let old = LineSpan::new(first.old.start() - head..last.old.end() + tail);
    let new = LineSpan::new(first.new.start() - head..last.new.end() + tail);
    diff.write(format_args!("@@ -{} +{} @@\n", range(old), range(new)));
    let mut at = old.start();
    for change in changes {
        write_lines(diff, ' ', before, LineSpan::new(at..change.old.start()));
        write_lines(diff, '-', before, change.old);
        write_lines(diff, '+', after, change.new);
        at = change.old.end();
    }
    write_lines(diff, ' ', before, LineSpan::new(at..old.end()));
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

fn write_lines(diff: &mut DiffText, mark: char, document: &Document, span: LineSpan) {
    for line in document.lines_in(span) {
        if diff.room == 0 {
            return;
        }
        let carriage = if line.ending == LineEnding::CrLf {
            "\r"
        } else {
            ""
        };
        diff.write(format_args!(
            "{mark}{}{carriage}\n",
            crate::render::display(line.text)
        ));
        if !line.ending.is_some() {
            diff.write(format_args!("\\ No newline at end of file\n"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{A_LINE, MOST_TEXT, between};
    use crate::Document;

    #[test]
    fn a_diff_that_is_too_long_is_left_out() {
        let before = Document::new("");
        // The hunk's head and the mark and the ending of the line cost some bytes, too.
        let rest = 2 * A_LINE + "@@ -0,0 +1 @@\n".len() + "+\n".len();
        for (room, is_whole) in [(1, true), (0, false)] {
            let line = "x".repeat(MOST_TEXT - rest - room);
            let after = Document::new(format!("{line}\n"));
            let diff = between(&before, &after, "a", "b");
            assert_eq!(diff.text.contains("+x"), is_whole);
            assert_eq!(diff.text.ends_with("left out (+1 -0)\n"), !is_whole);
            assert_eq!((diff.added, diff.removed), (1, 0));
        }
    }
}
