//! Clauses that say why an anchor could not be resolved to a line, and what was repaired or looks wrong in the new text of an edit.

use std::cmp::Reverse;

use hashline_core::edit::EditNo;
use hashline_core::error::{AnchorProblem, Problem, Stale, TextNotFound};
use hashline_core::scheme::Scheme;
use hashline_core::shown::LostReason;
use hashline_core::text::LineSpan;
use hashline_core::{Hint, Repair, Rule};

/// Says why an anchor could not be resolved, without the edit's number and without the next step.
pub(crate) fn of(problem: &Problem) -> String {
    let claim = &short(problem.claim.as_str());
    let near = || problem.near.start() as u64 + 1;
    let line = problem
        .anchor
        .as_ref()
        .map_or_else(near, |anchor| anchor.line);
    match &problem.reason {
        AnchorProblem::Malformed(reason) => {
            format!(
                "{} is not an anchor: {reason}",
                quoted(problem.claim.as_str())
            )
        }
        AnchorProblem::OutOfRange if line == u64::MAX => {
            format!("{claim} is past the end of the file")
        }
        AnchorProblem::OutOfRange => format!("there is no line {line}"),
        AnchorProblem::Stale(stale) => stale_reason(*stale, claim, line),
        AnchorProblem::Ambiguous(candidates) => {
            format!(
                "{claim} was shown in {} versions of the file and does not mean the same line in each",
                candidates.len()
            )
        }
        AnchorProblem::Unseen {
            lines,
            partly,
            not_listed,
        } => {
            let were = match lines.as_slice() {
                [one] if one.len() == 1 => "was",
                _ => "were",
            };
            let left = match not_listed.as_slice() {
                [] => String::new(),
                left => {
                    let left = ranges_named(left, MOST_RANGES);
                    format!(", and there is no room here for {left}")
                }
            };
            let part = match partly.as_slice() {
                [] => String::new(),
                partly => format!("; of {} only a part was", spans_named(partly)),
            };
            let lines = spans_named(lines);
            format!("{lines} of the range that starts at {claim} {were} never shown{part}{left}")
        }
        AnchorProblem::PartlyShown => format!("only a part of the line {claim} was shown"),
        AnchorProblem::UnknownRevision(rev) => {
            format!("revision {rev} was never shown and is not the current one")
        }
        AnchorProblem::Reversed => {
            format!("the range that starts at {claim} ends before it starts")
        }
    }
}

/// Names lines by their numbers: `line 3`, `lines 3-7 and 9`. At most a few spans are listed.
fn spans_named(spans: &[LineSpan]) -> String {
    const MOST: usize = 8;
    let mut names: Vec<String> = spans.iter().take(MOST).map(ToString::to_string).collect();
    if let Some(more) = spans.len().checked_sub(MOST).filter(|more| *more > 0) {
        names.push(format!("{more} more ranges"));
    }
    listed_lines(spans, &names)
}

/// How many ranges a sentence lists in which all lines must be named.
pub(crate) const MOST_RANGES: usize = 16;

/// Names all of these lines by their numbers, in at most `most` ranges: `lines 3-7 and 9`. If that takes more ranges, those with the fewest lines
/// between them are named as one: `some of lines 3-90`.
pub(crate) fn ranges_named(spans: &[LineSpan], most: usize) -> String {
    let ranges = covering(spans, most);
    let names: Vec<String> = ranges.iter().map(ToString::to_string).collect();
    let some = if ranges.len() < spans.len() {
        "some of "
    } else {
        ""
    };
    format!("{some}{}", listed_lines(&ranges, &names))
}

/// Covers ascending spans with at most `most` spans, which have as few other lines as possible.
fn covering(spans: &[LineSpan], most: usize) -> Vec<LineSpan> {
    let between = |pair: &[LineSpan]| pair[1].start() - pair[0].end();
    let mut gaps: Vec<(usize, usize)> = spans.windows(2).map(between).zip(1..).collect();
    gaps.sort_unstable_by_key(|&(lines, at)| (Reverse(lines), at));
    gaps.truncate(most.saturating_sub(1));
    let mut starts: Vec<usize> = gaps.into_iter().map(|(_, at)| at).collect();
    starts.sort_unstable();
    let (mut rest, mut done, mut covering) = (spans, 0, Vec::new());
    for start in starts.into_iter().chain([spans.len()]) {
        let (one, others) = rest.split_at(start - done);
        if let (Some(first), Some(last)) = (one.first(), one.last()) {
            covering.push(LineSpan::new(first.start()..last.end()));
        }
        (rest, done) = (others, start);
    }
    covering
}

fn listed_lines(spans: &[LineSpan], names: &[String]) -> String {
    let several = spans.len() > 1 || spans.iter().any(|span| span.len() > 1);
    let lines = if several { "lines" } else { "line" };
    match names.split_last() {
        Some((last, [])) => format!("{lines} {last}"),
        Some((last, others)) => format!("{lines} {} and {last}", others.join(", ")),
        None => lines.to_owned(),
    }
}

fn stale_reason(stale: Stale, claim: &str, line: u64) -> String {
    match stale {
        Stale::TagDiffers => format!("line {line} is not {claim}"),
        Stale::Lost(LostReason::Changed) => {
            format!("{claim}, or a line within three of it, was changed by somebody else")
        }
        Stale::Lost(LostReason::Gone) => {
            format!("the line shown as {claim} is gone: it was replaced or deleted")
        }
        Stale::Lost(LostReason::InnerChanged) => {
            format!("a line inside the range that starts at {claim} was changed")
        }
        Stale::Lost(LostReason::Indistinct) => {
            format!("there are equal lines here, and {claim} could mean any of them")
        }
        Stale::Lost(LostReason::NotRecorded) => {
            format!("the file has changed, and it is too long to find {claim} in the new version")
        }
        Stale::NotShown => format!("{claim} was not shown in the revision the request names"),
        Stale::EndsApart => {
            format!("the two ends of the range at {claim} were never shown in one revision")
        }
        Stale::NotOfRevision => {
            format!(
                "the text to replace is on line {line}, which was not there in revision {claim}"
            )
        }
        Stale::OtherRevision => "the file is not at the revision the request names".to_owned(),
        Stale::NotRelocated { candidates } => {
            let nearby = match candidates {
                0 => "no line nearby has that tag".to_owned(),
                1 => "1 line nearby has that tag".to_owned(),
                several => format!("{several} lines nearby have that tag"),
            };
            format!("line {line} is not {claim}, and {nearby}")
        }
    }
}

/// Returns how a request in this dialect names a range of lines.
pub(crate) fn range_operation(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Omp => "`replace_lines` with `start_anchor` and `end_anchor`",
        Scheme::Push => "`replace_range` with `start_ref` and `end_ref`",
        Scheme::Cowboy => "`start` and `end`",
        Scheme::Openagent => "`pos` and `end`",
        Scheme::Pi => "`replace_range` with `start_anchor` and `end_anchor`",
        Scheme::Lean => "`at` and `to`",
    }
}

/// Says which edits were checked by number and tag alone; `None` if there are none.
pub(crate) fn of_unrecorded(edits: &[EditNo]) -> Option<String> {
    listed(edits).map(|edits| {
        format!("Note: {edits}: checked by line number and tag only, because there is no record that the line was shown.")
    })
}

/// Says which edits were checked by number and text alone, because the file is too long; `None` if there are none.
pub(crate) fn of_not_followed(edits: &[EditNo]) -> Option<String> {
    listed(edits).map(|edits| {
        format!("Note: {edits}: checked by line number and text only, because the file has changed and is too long to find its lines elsewhere.")
    })
}

/// Names the edits in a sentence; `None` if there are none.
fn listed(edits: &[EditNo]) -> Option<String> {
    let edits: Vec<String> = edits.iter().map(ToString::to_string).collect();
    match edits.as_slice() {
        [] => None,
        [one] => Some(format!("edit {one}")),
        several => Some(format!("edits {}", several.join(", "))),
    }
}

/// Says which substitution was not applied because its text is not in the file, and quotes the text.
pub(crate) fn of_not_found(missing: &TextNotFound, path: &str) -> String {
    let when = if missing.is_taken {
        " after the other edits of the request"
    } else {
        ""
    };
    let (edit, text) = (missing.edit, quoted(&missing.text));
    format!("edit {edit}: the text {text} is not in {path}{when}")
}

/// Returns two clauses about a repair rule: what the repair did, and the hint to give if it was not applied.
fn rule_words(rule: Rule) -> (&'static str, &'static str) {
    match rule {
        Rule::CopiedAnchors => (
            "anchors copied into the text were removed",
            "the text has what looks like anchors",
        ),
        Rule::PlusMarkers => (
            "`+` markers were removed from the text",
            "lines of the text begin with `+`",
        ),
        Rule::BoundaryEcho => (
            "a line next to the range was repeated in the text and dropped",
            "the text repeats a line next to the range",
        ),
        Rule::AnchorEcho => (
            "the anchor line was repeated in the text and dropped",
            "the text repeats its anchor line",
        ),
        Rule::MergedLines => (
            "lines written as one were split again",
            "the text has several of the replaced lines on one line",
        ),
        Rule::AbsorbedNeighbour => (
            "the text holds a neighbouring line too, which it replaced",
            "the text holds a line next to the replaced one",
        ),
        Rule::Rewrapped => (
            "a line that was re-wrapped was put back on one line",
            "the text has a replaced line on several lines",
        ),
        Rule::Indentation => (
            "the indentation of the replaced line was restored",
            "the text is not indented, the replaced line was",
        ),
        Rule::Hyphens => (
            "typographic hyphens were made plain",
            "the text has plain hyphens for typographic ones",
        ),
    }
}

/// Says what a repair changed in the text of an edit, and quotes the lines before and after.
pub(crate) fn of_repair(repair: &Repair) -> String {
    let what = format!("edit {}: {}", repair.edit, rule_words(repair.rule).0);
    match differing(&repair.before, &repair.after) {
        ([], []) => what,
        ([with], [without]) if repair.rule == Rule::CopiedAnchors && with.ends_with(without) => {
            let anchor = with[..with.len() - without.len()].trim();
            let anchor = quoted(anchor.trim_end_matches('|'));
            let text = if repair.before.first() == Some(with) {
                "your text"
            } else {
                "a line of your text"
            };
            let edit = repair.edit;
            format!("edit {edit}: {text} began with the anchor {anchor}; it was removed")
        }
        (gone, []) => format!("{what}: {}", quoted(&gone.join("\n"))),
        (before, after) => {
            let (before, after) = (before.join("\n"), after.join("\n"));
            format!("{what}: {} became {}", quoted(&before), quoted(&after))
        }
    }
}

/// Drops the common first and last lines of two texts, and returns the lines that differ.
fn differing<'a>(before: &'a [String], after: &'a [String]) -> (&'a [String], &'a [String]) {
    let alike = |pairs: &mut dyn Iterator<Item = (&String, &String)>| {
        pairs.take_while(|(one, other)| one == other).count()
    };
    let start = alike(&mut before.iter().zip(after));
    let (before, after) = (&before[start..], &after[start..]);
    let end = alike(&mut before.iter().rev().zip(after.iter().rev()));
    (&before[..before.len() - end], &after[..after.len() - end])
}

/// The maximum number of characters of a text that a clause quotes.
const ENOUGH: usize = 60;

/// Shortens a text to 60 characters, followed by `...`.
fn short(text: &str) -> String {
    match text.char_indices().nth(ENOUGH) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// Puts a text in quotes, shortened to 60 characters.
fn quoted(text: &str) -> String {
    match text.char_indices().nth(ENOUGH) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// Says what looks like a mistake in the text of an edit that was applied as written.
pub(crate) fn of_hint(hint: &Hint) -> String {
    format!("edit {}: {}", hint.edit, rule_words(hint.rule).1)
}

#[cfg(test)]
mod tests {
    use hashline_core::edit::EditNo;
    use hashline_core::{Proof, Repair, Rule};

    use super::of_repair;

    fn said(rule: Rule, before: &[&str], after: &[&str]) -> String {
        let lines = |lines: &[&str]| lines.iter().map(ToString::to_string).collect();
        of_repair(&Repair {
            rule,
            edit: EditNo::from_index(0),
            before: lines(before),
            after: lines(after),
            proof: Proof::Definition,
        })
    }

    #[test]
    fn a_correction_is_quoted_and_nothing_else_of_the_text() {
        let long = "x".repeat(70);
        let said = [
            said(Rule::CopiedAnchors, &["8#NK|  y();"], &["  y();"]),
            said(Rule::CopiedAnchors, &["a", "8:b1|b"], &["a", "b"]),
            said(
                Rule::CopiedAnchors,
                &["8:b1|a", "9:b2|b", "c"],
                &["a", "b", "c"],
            ),
            said(Rule::BoundaryEcho, &["{", "a", "}"], &["{", "a"]),
            said(Rule::AnchorEcho, &["", "a"], &["a"]),
            said(Rule::MergedLines, &["a; b;"], &["a;", "b;"]),
            said(Rule::Indentation, &[&long], &[&format!("  {long}")]),
            said(Rule::AbsorbedNeighbour, &["a b"], &["a b"]),
        ];
        insta::assert_snapshot!(said.join("\n"), @r#"
    edit 1: your text began with the anchor "8#NK"; it was removed
    edit 1: a line of your text began with the anchor "8:b1"; it was removed
    edit 1: anchors copied into the text were removed: "8:b1|a\n9:b2|b" became "a\nb"
    edit 1: a line next to the range was repeated in the text and dropped: "}"
    edit 1: the anchor line was repeated in the text and dropped: ""
    edit 1: lines written as one were split again: "a; b;" became "a;\nb;"
    edit 1: the indentation of the replaced line was restored: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"... became "  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"...
    edit 1: the text holds a neighbouring line too, which it replaced
    "#);
    }
}
