//! Selects the lines of a long stale range that a refusal shows: its first and last line, and the lines in it that changed.
//!
//! Before sending the range again, the caller must see what another program wrote into it, but not thousands of lines that did not
//! change.

use std::collections::HashSet;

use crate::text::{Document, Fingerprint, FingerprintKey, LineSpan};

/// The maximum number of lines that a range may have to be shown whole.
const WHOLE: usize = 60;

/// The maximum number of changed lines of a range that are shown.
const MAX_CHANGED: usize = 300;

/// The maximum number of lines that were never shown which a refusal shows: about a page.
const MAX_UNSEEN: usize = 600;

/// Returns the lines of the range `near` to show, and how many changed lines are left out. `was` are the fingerprints of the range when
/// it was shown; if they are unknown (empty), only the first and last line of a long range are returned.
pub(super) fn places(
    document: &Document,
    was: (&[Fingerprint], FingerprintKey),
    near: LineSpan,
) -> (Vec<LineSpan>, usize) {
    let is_long = near.len() > WHOLE && near.end() <= document.line_count();
    if !is_long {
        return (vec![near], 0);
    }
    let changed = match was {
        ([], _) => Vec::new(),
        (was, key) => {
            let now: Vec<Fingerprint> = document.fingerprints_in(near, key).collect();
            changed(was, &now, near.start())
        }
    };
    let total: usize = changed.iter().map(|span| span.len()).sum();
    let (mut room, mut spans) = (MAX_CHANGED, Vec::new());
    for span in changed {
        let seen = span.len().min(room);
        room -= seen;
        if seen > 0 || span.is_empty() {
            spans.push(LineSpan::new(span.start()..span.start() + seen));
        }
    }
    let ends = [near.start()..near.start() + 1, near.end() - 1..near.end()];
    spans.extend(ends.map(LineSpan::new));
    (LineSpan::merged(spans), total.saturating_sub(MAX_CHANGED))
}

/// Splits lines that were never shown into those that a refusal shows and those that it only names by number.
pub(super) fn unseen(lines: &[LineSpan]) -> (Vec<LineSpan>, Vec<LineSpan>) {
    let (mut room, mut listed, mut left) = (MAX_UNSEEN, Vec::new(), Vec::new());
    for span in lines {
        let end = span.start() + span.len().min(room);
        room -= end - span.start();
        listed.push(LineSpan::new(span.start()..end));
        left.push(LineSpan::new(end..span.end()));
    }
    let full = |spans: Vec<LineSpan>| spans.into_iter().filter(|span| !span.is_empty()).collect();
    (full(listed), full(left))
}

/// Returns the lines that are new between the first and the last difference; if lines were only removed or reordered, the empty spans
/// before and after that part.
fn changed(was: &[Fingerprint], now: &[Fingerprint], start: usize) -> Vec<LineSpan> {
    let same = |pair: &(&Fingerprint, &Fingerprint)| pair.0 == pair.1;
    let head = was.iter().zip(now).take_while(same).count();
    let (was, now) = (&was[head..], &now[head..]);
    let pairs = was.iter().rev().zip(now.iter().rev());
    let tail = pairs.take_while(same).count();
    let (was, now) = (&was[..was.len() - tail], &now[..now.len() - tail]);
    let start = start + head;
    let known: HashSet<&Fingerprint> = was.iter().collect();
    let is_new = |(at, line): (usize, &Fingerprint)| {
        let at = start + at;
        (!known.contains(line)).then(|| LineSpan::new(at..at + 1))
    };
    let new: Vec<LineSpan> = now.iter().enumerate().filter_map(is_new).collect();
    if new.is_empty() {
        // Lines were only deleted or reordered.
        vec![LineSpan::gap(start), LineSpan::gap(start + now.len())]
    } else {
        LineSpan::merged(new)
    }
}

#[cfg(test)]
mod tests {
    use super::places;
    use crate::text::{Document, FingerprintKey, LineSpan};

    fn numbered(lines: usize) -> Vec<String> {
        (0..lines).map(|line| format!("line {line}\n")).collect()
    }

    /// Returns the lines to show if lines 101 to 2,900 were shown and the file was then changed.
    fn after(change: impl FnOnce(&mut Vec<String>)) -> (String, usize) {
        let mut lines = numbered(3000);
        let before = Document::new(lines.concat());
        change(&mut lines);
        let added = lines.len() as isize - 3000;
        let now = Document::new(lines.concat());
        let key = FingerprintKey::NONE;
        let was = &before.fingerprints(key)[100..2900];
        let end = 2900_usize
            .checked_add_signed(added)
            .expect("lines are left");
        let (spans, left_out) = places(&now, (was, key), LineSpan::new(100..end));
        let spans: Vec<String> = spans.iter().map(ToString::to_string).collect();
        (spans.join(" "), left_out)
    }

    #[test]
    fn of_a_long_range_its_ends_and_what_changed_are_shown() {
        let one = after(|lines| lines[1500] = "mine\n".to_owned());
        assert_eq!(one, ("101 1501 2900".to_owned(), 0));
        let two = after(|lines| {
            lines[200] = "mine\n".to_owned();
            lines.insert(2800, "mine too\n".to_owned());
        });
        assert_eq!(two, ("101 201 2801 2901".to_owned(), 0));
    }

    #[test]
    fn where_lines_were_deleted_both_edges_are_shown() {
        let gone = after(|lines| drop(lines.drain(500..600)));
        let edges = LineSpan::gap(500).to_string();
        assert_eq!(gone, (format!("101 {edges} 2800"), 0));
    }

    #[test]
    fn what_has_no_room_is_counted() {
        let many = after(|lines| {
            for line in &mut lines[1000..2000] {
                line.insert_str(0, "new ");
            }
        });
        assert_eq!(many, ("101 1001-1300 2900".to_owned(), 700));
    }

    #[test]
    fn a_short_range_is_shown_whole() {
        let document = Document::new(numbered(200).concat());
        let range = LineSpan::new(10..70);
        assert_eq!(
            places(&document, (&[], FingerprintKey::NONE), range),
            (vec![range], 0)
        );
    }
}
