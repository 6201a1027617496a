//! Finds out which lines of the current document a caller has seen: lines that were shown to it, in this revision or an earlier one, and
//! lines that it wrote itself.
//!
//! The lines are followed back through the history: across our own changes exactly, across another program's change by the same rule by
//! which anchors are followed forward. A line that cannot be followed counts as never shown.

use std::collections::{HashMap, HashSet};

use super::foreign::{self, BlankLines};
use super::history::Seen;
use super::{History, Origin};
use crate::text::{Document, Fingerprint, LineSource, LineSpan};

/// The most lines that are followed back as one block: to look for longer ones everywhere in a file would take too long.
const MAX_BLOCK: usize = 256;

/// A line of the document while it is followed back.
struct TracedLine {
    /// Its index in the span that is asked about.
    offset: usize,
    /// Its index in the revision that was reached.
    at: usize,
    /// Whether it has the text of the document there. If text was substituted in it since, it is unknown which of its bytes were shown.
    is_same: bool,
}

/// Returns how much of each line of `span` in the document was shown to `session`; with `None`, to any session.
pub(crate) fn seen_lines(
    document: &Document,
    history: &History,
    session: Option<&str>,
    span: LineSpan,
) -> Vec<Seen> {
    let mut seen = vec![Seen::Nothing; span.len()];
    let mut lines: Vec<TracedLine> = (0..span.len())
        .map(|offset| TracedLine {
            offset,
            at: span.start() + offset,
            is_same: true,
        })
        .collect();
    let (recorded, key) = (history.recorded(), history.key());
    let blank = BlankLines::of(key);
    let mut place = history.places(document.revision());
    if let (None, Some(last)) = (place, recorded.last()) {
        let is_recorded = document.line_count() <= History::MAX_LINES;
        let now = is_recorded.then(|| document.fingerprints(key));
        lines = traced_back(
            now.as_deref(),
            last.fingerprints().as_deref(),
            lines,
            &blank,
        );
        place = history.places(last.revision);
    }
    while let Some(places) = place {
        // What was shown of a revision is recorded where it was recorded last, and how it came to be, where it was recorded first.
        for line in &lines {
            let here = match recorded[places.latest].seen(line.at, session) {
                Seen::Part(_) if !line.is_same => Seen::Part(0),
                here => here,
            };
            seen[line.offset] = seen[line.offset].max(here);
        }
        let is_wanted = |line: &TracedLine| seen[line.offset] != Seen::Whole;
        let before = places.first.checked_sub(1);
        let Some(before) = before.filter(|_| lines.iter().any(is_wanted)) else {
            break;
        };
        match &recorded[places.first].origin {
            Origin::Written { changes, by } => {
                let is_own = session.is_none() || by.as_deref() == session;
                lines.retain_mut(|line| match changes.source(line.at) {
                    LineSource::Unchanged(at) => {
                        line.at = at;
                        true
                    }
                    // Who substitutes text in a line has seen the line if it had seen it before.
                    LineSource::Rewritten(Some(at)) if is_own => {
                        line.at = at;
                        line.is_same = false;
                        true
                    }
                    LineSource::Sent if is_own => {
                        seen[line.offset] = Seen::Whole;
                        false
                    }
                    LineSource::Sent | LineSource::Rewritten(_) => false,
                });
            }
            Origin::Seen => {
                let newer = recorded[places.first].fingerprints();
                let older = recorded[before].fingerprints();
                lines = traced_back(newer.as_deref(), older.as_deref(), lines, &blank);
            }
        }
        place = history.places(recorded[before].revision);
    }
    seen
}

/// Follows lines back across a change that another program made; those that cannot be followed are left out.
//
// A line of the newer revision is a line of the older one if that line, followed forward as an anchor is, arrives there. Consecutive lines
// are followed as one block, as an edit of them would be; if that fails, each by itself.
fn traced_back(
    newer: Option<&[Fingerprint]>,
    older: Option<&[Fingerprint]>,
    lines: Vec<TracedLine>,
    blank: &BlankLines,
) -> Vec<TracedLine> {
    let (Some(newer), Some(older)) = (newer, older) else {
        return Vec::new();
    };
    let line_at = |line: &TracedLine| LineSpan::new(line.at..line.at + 1);
    let blocks = LineSpan::merged(lines.iter().map(line_at).collect());
    let origins: Vec<Option<usize>> = blocks
        .iter()
        .map(|block| origin_of_block(older, newer, *block, blank))
        .collect();
    let (mut traced, mut alone) = (Vec::new(), Vec::new());
    for line in lines {
        let block = blocks.partition_point(|block| block.end() <= line.at);
        match origins.get(block) {
            Some(Some(start)) => traced.push(TracedLine {
                at: start + (line.at - blocks[block].start()),
                ..line
            }),
            _ => alone.push(line),
        }
    }
    if !alone.is_empty() {
        let origins = origins_of_lines(older, newer, &alone, blank);
        traced.extend(alone.into_iter().filter_map(|line| {
            let at = *origins.get(&line.at)?;
            Some(TracedLine { at, ..line })
        }));
    }
    traced
}

/// Returns where the older revision has the lines of `block`, if one block of it is followed to exactly these lines.
fn origin_of_block(
    older: &[Fingerprint],
    newer: &[Fingerprint],
    block: LineSpan,
    blank: &BlankLines,
) -> Option<usize> {
    let wanted = newer
        .get(block.range())
        .filter(|lines| (2..=MAX_BLOCK).contains(&lines.len()))?;
    let mut windows = older.windows(wanted.len()).enumerate();
    let mut spans = Vec::new();
    while let Some((at, _)) = windows.find(|(_, lines)| *lines == wanted) {
        spans.push(LineSpan::new(at..at + wanted.len()));
    }
    let found = foreign::carry(older, newer, &spans, blank);
    let mut arrived = spans.iter().zip(found);
    let (origin, _) = arrived.find(|(_, found)| *found == Ok(block))?;
    Some(origin.start())
}

/// Returns, by the index in the newer revision, where the older revision has each of the lines that one line of it is followed to.
fn origins_of_lines(
    older: &[Fingerprint],
    newer: &[Fingerprint],
    lines: &[TracedLine],
    blank: &BlankLines,
) -> HashMap<usize, usize> {
    let wanted: HashSet<&Fingerprint> =
        lines.iter().filter_map(|line| newer.get(line.at)).collect();
    let spans: Vec<LineSpan> = older
        .iter()
        .enumerate()
        .filter(|(_, line)| wanted.contains(line))
        .map(|(at, _)| LineSpan::new(at..at + 1))
        .collect();
    let found = foreign::carry(older, newer, &spans, blank);
    let arrived = spans.iter().zip(found);
    arrived
        .filter_map(|(from, to)| Some((to.ok()?.start(), from.start())))
        .collect()
}
