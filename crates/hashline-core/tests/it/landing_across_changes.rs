//! Across somebody else's change a line lands by its context: the engine and a slow, obvious reading of that rule agree.
//!
//! The rule, as it is written: take the line with at least three lines above it (fewer only where the file begins), and more, up to
//! 64, until that block stands once in the older revision; it must stand exactly once in the newer. The same downward. Both must
//! name the same place. And no line within three of it that stood once before may stand more than once now. A range is one block:
//! all its lines unchanged and consecutive, by the same rule from its first line up and its last line down. The edge of the file
//! counts as a line of its own when a block that reaches it is still not unique.

use std::collections::BTreeMap;

use hashline_core::dialect::Dialect;
use hashline_core::edit::{EditBatch, Operation};
use hashline_core::scheme::Scheme;
use hashline_core::shown::History;
use hashline_core::text::LineSpan;
use hashline_core::{Document, Policy, Shown, edit};
use hashline_testing::generate::anchor;
use hashline_testing::meddling::{Kind, Meddling, meddle};
use hashline_testing::random::Random;

const SMALL_PAIRS: usize = 20_000;
/// Files long enough that the 64 lines of context run out.
const LONG_PAIRS: usize = 40;

#[test]
fn small_files_full_of_twins_land_as_the_rule_reads() {
    let mut random = Random::new(3);
    let mut seen = BTreeMap::new();
    for _ in 0..SMALL_PAIRS {
        let lines = 1 + random.below(14);
        let older = random_file(&mut random, lines);
        let changes = 1 + random.below(3);
        compare(&older, &meddled(&mut random, &older, changes), &mut seen);
    }
    assert_well_mixed(&seen);
}

#[test]
fn long_files_of_few_lines_land_as_the_rule_reads() {
    let mut random = Random::new(4);
    let mut seen = BTreeMap::new();
    for _ in 0..LONG_PAIRS {
        let lines = 130 + random.below(30);
        let period = random_file(&mut random, 3);
        let older = Document::new(period.bytes().repeat(lines / 3));
        let older = meddled(&mut random, &older, 2);
        compare(&older, &meddled(&mut random, &older, 2), &mut seen);
    }
    assert_well_mixed(&seen);
}

#[test]
fn lines_written_down_late_are_no_change_of_somebody_else() {
    let text = |lines: &[&str]| Document::new(lines.join("\n") + "\n");
    let read = text(&["a", "b", "c", "d", "e", "f", "g", "h"]);
    let mut history = History::default();
    history.showed(&read, None, Scheme::Omp, &[read.all()]);
    let mut now = read.clone();
    let mut written = Vec::new();
    // Three edits with the anchors of one reading; the answers are written down after the next edit, or two later.
    for (line, new) in [(1, "B\nBB"), (2, "C\nCC"), (3, "D\nDD"), (4, "E")] {
        let batch = EditBatch::new([Operation::replace_line(
            anchor(&read, Scheme::Omp, line),
            new,
        )]);
        let batch = batch.at_revision(read.revision());
        let shown = Shown::new(&history, None);
        let edited = edit(&now, &shown, batch, &Policy::default()).expect("nobody else wrote");
        history.wrote(&now, &edited.document, &edited.report.changes, None);
        now = edited.document;
        written.push(now.clone());
        for late in [2, 3] {
            if let Some(late) = written.len().checked_sub(late) {
                history.showed(&written[late], None, Scheme::Omp, &[LineSpan::new(0..3)]);
            }
        }
    }
    assert_eq!(
        now,
        text(&["a", "B", "BB", "C", "CC", "D", "DD", "E", "f", "g", "h"])
    );
    // What was shown late counts, too.
    let batch = EditBatch::new([Operation::replace_line(
        anchor(&written[2], Scheme::Omp, 2),
        "!",
    )]);
    let batch = batch.at_revision(written[2].revision());
    assert!(edit(&now, &Shown::new(&history, None), batch, &Policy::default()).is_ok());
    // Old bytes that somebody put back are what they were; what stood there meanwhile does not matter.
    history.saw(&read);
    let batch = EditBatch::new([Operation::replace_line(anchor(&read, Scheme::Omp, 3), "!")]);
    let batch = batch.at_revision(read.revision());
    assert!(
        edit(
            &read,
            &Shown::new(&history, None),
            batch,
            &Policy::default()
        )
        .is_ok()
    );
}

/// What came of a line: where the model and the engine say it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    InPlace,
    Moved,
    Refused,
}

fn assert_well_mixed(seen: &BTreeMap<Outcome, usize>) {
    for outcome in [Outcome::InPlace, Outcome::Moved, Outcome::Refused] {
        assert!(
            seen.get(&outcome) > Some(&500),
            "{outcome:?} is too rare: {seen:?}"
        );
    }
}

/// Asks both sides about every line of the older file, and about ranges that begin there.
fn compare(older: &Document, newer: &Document, seen: &mut BTreeMap<Outcome, usize>) {
    let texts = |document: &Document| -> Vec<Vec<u8>> {
        document.lines().map(|line| line.text.to_vec()).collect()
    };
    let (before, now) = (texts(older), texts(newer));
    let mut history = History::default();
    history.showed(older, None, Scheme::Lean, &[older.all()]);
    for start in 0..before.len() {
        for length in [1, 2, 4] {
            let span = LineSpan::new(start..(start + length).min(before.len()));
            let expected = if older.revision() == newer.revision() {
                Some(start)
            } else {
                land(&before, &now, span)
            };
            let landed = engine_lands(older, newer, &history, span);
            assert_eq!(
                landed.map(LineSpan::start),
                expected,
                "lines {span}: engine left, model right\nolder: {}\nnewer: {}",
                older.bytes().escape_ascii(),
                newer.bytes().escape_ascii()
            );
            assert!(landed.is_none_or(|place| place.len() == span.len()));
            let outcome = match expected {
                Some(place) if place == start => Outcome::InPlace,
                Some(_) => Outcome::Moved,
                None => Outcome::Refused,
            };
            *seen.entry(outcome).or_default() += 1;
        }
    }
}

/// Replaces the lines by their anchors in the older file; returns where in the newer one that happened.
fn engine_lands(
    older: &Document,
    newer: &Document,
    history: &History,
    span: LineSpan,
) -> Option<LineSpan> {
    let first = anchor(older, Scheme::Lean, span.start());
    let last = anchor(older, Scheme::Lean, span.end() - 1);
    let batch = EditBatch::new([Operation::replace_range(first, last, "landed here")]);
    let batch = batch.at_revision(older.revision());
    let edited = edit(
        newer,
        &Shown::new(history, None),
        batch,
        &Policy::new(Dialect::LEAN),
    )
    .ok()?;
    let mut changes = edited.report.changes.iter();
    let change = changes
        .next()
        .expect("a line that never stood there is a change");
    assert!(changes.next().is_none(), "only one place is replaced");
    Some(change.old)
}

/// Returns where lines of the older file stand in the newer one, by the rule.
fn land(older: &[Vec<u8>], newer: &[Vec<u8>], span: LineSpan) -> Option<usize> {
    let (first, last) = (span.start(), span.end() - 1);
    let up = stands_at(older, newer, first, -1)?;
    let down = stands_at(older, newer, last, 1)?;
    if up + (last - first) != down || older[first..=last] != newer[up..=down] {
        return None;
    }
    // With hardly any context that is not blank, the edges of the file count: both must be where they were.
    let others = older.iter().enumerate();
    let others = others.filter(|(at, text)| !span.range().contains(at) && !is_blank(text));
    let is_tiny = others.count() < 3;
    if is_tiny && (up != first || newer.len() != older.len()) {
        return None;
    }
    let count =
        |lines: &[Vec<u8>], text: &Vec<u8>| lines.iter().filter(|line| *line == text).count();
    let near = first.saturating_sub(3)..(last + 4).min(older.len());
    let copied = older[near]
        .iter()
        .any(|text| count(older, text) == 1 && count(newer, text) > 1);
    (!copied).then_some(up)
}

/// Returns whether a line is blank: without characters, or of up to 64 spaces, or of up to 16 tabs.
fn is_blank(line: &[u8]) -> bool {
    let spaces = line.len() <= 64 && line.iter().all(|&byte| byte == b' ');
    spaces || line.len() <= 16 && line.iter().all(|&byte| byte == b'\t')
}

/// Returns the one line of the newer file that reads like line `at` of the older one in this direction.
fn stands_at(older: &[Vec<u8>], newer: &[Vec<u8>], at: usize, direction: isize) -> Option<usize> {
    let room = if direction < 0 {
        at
    } else {
        older.len() - 1 - at
    };
    let mut before: Vec<usize> = (0..older.len()).collect();
    let mut now: Vec<usize> = (0..newer.len()).collect();
    for steps in 0..=64 {
        let line = read(older, at, direction, steps);
        before.retain(|&from| read(older, from, direction, steps) == line);
        now.retain(|&from| read(newer, from, direction, steps) == line);
        if steps >= room.min(3) && before.len() == 1 {
            return (now.len() == 1).then(|| now[0]);
        }
    }
    None
}

/// Returns the line `steps` away; nothing past the edge of the file.
fn read(lines: &[Vec<u8>], from: usize, direction: isize, steps: usize) -> Option<&Vec<u8>> {
    let steps = isize::try_from(steps).ok()?;
    lines.get(from.checked_add_signed(direction * steps)?)
}

/// Returns a file over so few different lines that most of them stand more than once.
fn random_file(random: &mut Random, lines: usize) -> Document {
    let alphabet = ["a", "b", "", " a", "c", "}", "  ", "\t", "d", "e", "f"];
    let letters = 2 + random.below(alphabet.len() - 1);
    let text: String = (0..lines)
        .map(|_| format!("{}\n", random.pick(&alphabet[..letters])))
        .collect();
    Document::new(text)
}

fn meddled(random: &mut Random, document: &Document, changes: usize) -> Document {
    let changes: Vec<Meddling> = (0..changes)
        .map(|_| Meddling::random(random, &Kind::ALL))
        .collect();
    meddle(document, &changes)
}
