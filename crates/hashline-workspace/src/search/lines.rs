//! Which lines of a file are shown: those that match and those around them, as far as there is room.

use crate::search::found::{FoundLine, Role};
use hashline_core::Document;
use hashline_core::render::{AnchoredLine, anchored};
use hashline_core::scheme::Scheme;
use hashline_core::text::LineSpan;

use super::matcher::Matching;
use super::query::Query;

/// What a line costs beside its text: about what its anchor and its end take.
pub(super) const LINE_COST: usize = 10;

/// Takes the lines to show from a file.
///
/// The lines after a match end before the next one that matches, so that a line that matches is never shown as if it did not.
pub(super) fn shown(
    document: &Document,
    matching: &Matching,
    query: &Query,
    scheme: Scheme,
) -> Vec<FoundLine> {
    let mut lines = Vec::new();
    let (mut next, mut bytes) = (0, 0_usize);
    let most = query.most.bytes_a_file.min(query.most.bytes);
    let wanted = matching
        .first
        .iter()
        .take(query.most.matches_a_file.min(query.most.matches));
    for (order, &at) in wanted.enumerate() {
        let following = matching.first.get(order + 1).copied();
        let end = following.unwrap_or(document.line_count());
        let around = at.saturating_sub(query.before).max(next)
            ..at.saturating_add(1).saturating_add(query.after).min(end);
        next = around.end;
        let span = LineSpan::new(around);
        // Far too much is not even taken out of the file.
        if bytes.saturating_add(least_cost(document, span)) > most {
            break;
        }
        let taken: Vec<_> = anchored(document, span, scheme)
            .map(|line| owned(line, at))
            .collect();
        bytes = bytes.saturating_add(cost_of(&taken));
        if bytes > most {
            break;
        }
        lines.extend(taken);
    }
    lines
}

/// Returns what lines cost that are kept already.
pub(super) fn cost_of(lines: &[FoundLine]) -> usize {
    let costs = lines.iter().map(|line| line.line.text.len() + LINE_COST);
    costs.sum()
}

/// Keeps the first matches, and of what stands after the last of them `after` lines.
pub(super) fn keep_first(lines: &mut Vec<FoundLine>, matches: usize, after: usize) {
    let is_match = |line: &FoundLine| line.role == Role::Match;
    let mut matching = lines.iter().enumerate().filter(|(_, line)| is_match(line));
    let Some(last) = matches.checked_sub(1).and_then(|last| matching.nth(last)) else {
        if matches == 0 {
            lines.clear();
        }
        return;
    };
    let last_number = last.1.line.number.get();
    let rest = lines[last.0 + 1..].iter();
    let after = rest
        .take_while(|line| !is_match(line))
        .take_while(|line| line.line.number.get() - last_number <= after);
    let kept = last.0 + 1 + after.count();
    lines.truncate(kept);
}

/// Bytes that are not text are longer when they are shown.
fn least_cost(document: &Document, span: LineSpan) -> usize {
    let text: usize = document.lines_in(span).map(|line| line.text.len()).sum();
    text + span.len() * LINE_COST
}

fn owned(line: AnchoredLine<'_>, matching: usize) -> FoundLine {
    let role = match line.number.index() == matching {
        true => Role::Match,
        false => Role::Context,
    };
    FoundLine {
        role,
        line: AnchoredLine {
            scheme: line.scheme,
            number: line.number,
            tag: line.tag,
            text: line.text.into_owned().into(),
        },
    }
}
