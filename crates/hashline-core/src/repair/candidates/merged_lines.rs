//! Splits a new line that joins all lines of the replaced range back into as many lines.
//!
//! The line is split where the texts of the old lines begin, or else after semicolons. Only white space is removed, and no token is cut
//! in two. (Dialect openagent only.)

use std::cell::LazyCell;

use super::absorbed_neighbour::{is_operator, without_continuation, without_operators};
use crate::text::whitespace::{is_whitespace, trim};

/// Splits the only new line into as many lines as it replaces, if it is clear where to split.
pub(crate) fn split(originals: &[&str], lines: &[String]) -> Option<Vec<String>> {
    let [merged] = lines else { return None };
    let originals: Vec<&str> = originals.iter().map(|line| trim(line)).collect();
    if originals.len() < 2 || originals.iter().any(|line| line.is_empty()) {
        return None;
    }
    split_at_originals(&originals, merged).or_else(|| split_at_semicolons(merged, originals.len()))
}

fn split_at_originals(originals: &[&str], merged: &str) -> Option<Vec<String>> {
    let mut starts = Vec::with_capacity(originals.len());
    let plain = LazyCell::new(|| Plain::of(merged));
    let mut offset = 0;
    for original in originals {
        let (start, end) = find(merged, offset, original, &plain)?;
        starts.push(start);
        offset = end;
    }
    let first = *starts.first()?;
    if !trim(&merged[..first]).is_empty()
        || !starts.iter().all(|&start| begins_a_token(merged, start))
    {
        return None;
    }
    let ends = starts.iter().copied().skip(1).chain([merged.len()]);
    let pieces: Vec<&str> = starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| trim(&merged[start..end]))
        .collect();
    pieces
        .iter()
        .all(|piece| !piece.is_empty())
        .then(|| pieces.into_iter().map(str::to_owned).collect())
}

/// Returns start and end of the first occurrence of `original` in `text` from `offset` on: exactly, without the operator at its end, or
/// ignoring operators.
fn find(
    text: &str,
    offset: usize,
    original: &str,
    plain: &LazyCell<Plain, impl FnOnce() -> Plain>,
) -> Option<(usize, usize)> {
    let found = |part: &str| {
        let start = offset + text[offset..].find(part)?;
        Some((start, start + part.len()))
    };
    found(original)
        .or_else(|| found(without_continuation(original)))
        .or_else(|| plain.find(offset, &without_operators(original)))
}

/// A text without its operator characters, and where each byte of it was in the whole text. Made once for all searches in that text.
struct Plain {
    text: String,
    /// For each byte of `text`, and for its end: where in the whole text the character of the byte before it ends (0 for the first).
    held: Vec<usize>,
}

impl Plain {
    fn of(whole: &str) -> Self {
        let (mut text, mut held) = (String::with_capacity(whole.len()), vec![0]);
        for (at, c) in whole.char_indices().filter(|&(_, c)| !is_operator(c)) {
            text.push(c);
            held.extend((0..c.len_utf8()).map(|_| at + c.len_utf8()));
        }
        Self { text, held }
    }

    /// Returns start and end in the whole text of the first occurrence of `part` from `offset` on.
    fn find(&self, offset: usize, part: &str) -> Option<(usize, usize)> {
        let from = self.held[1..].partition_point(|&end| end <= offset);
        let start = from + self.text.get(from..)?.find(part)?;
        let at = self.held[start].max(offset);
        Some((at, self.held[start + part.len()].max(at)))
    }
}

fn begins_a_token(merged: &str, start: usize) -> bool {
    let before = merged[..start].chars().next_back();
    before.is_none_or(|c| {
        is_whitespace(c) || matches!(c, ';' | ',' | '{' | '}' | '(' | ')' | '[' | ']')
    })
}

fn split_at_semicolons(merged: &str, count: usize) -> Option<Vec<String>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for cut in statement_ends(merged).into_iter().chain([merged.len()]) {
        pieces.push(trim(&merged[start..cut]));
        start = cut;
    }
    pieces.retain(|piece| !piece.is_empty());
    (pieces.len() == count).then(|| pieces.into_iter().map(str::to_owned).collect())
}

/// Returns the byte offset after each `;` that is followed by white space and is outside brackets and quotes.
fn statement_ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut depth = 0_usize;
    let mut quote = None;
    let mut characters = text.char_indices().peekable();
    while let Some((place, c)) = characters.next() {
        match (quote, c) {
            (Some(_), '\\') => _ = characters.next(),
            (Some(open), _) => quote = (c != open).then_some(open),
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, ';') if depth == 0 => {
                let next = characters.peek().map(|&(_, next)| next);
                ends.extend(next.filter(|&next| is_whitespace(next)).map(|_| place + 1));
            }
            (None, _) => {}
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::split;

    fn check(originals: &[&str], merged: &str, pieces: Option<&[&str]>) {
        let pieces = pieces.map(|pieces| {
            pieces
                .iter()
                .map(|&piece| piece.to_owned())
                .collect::<Vec<_>>()
        });
        assert_eq!(split(originals, &[merged.to_owned()]), pieces, "{merged:?}");
    }

    #[test]
    fn old_lines_are_found_in_order() {
        check(
            &["  a = 1;", "  b = 2;"],
            "a = 1; b = 2; // new",
            Some(&["a = 1;", "b = 2; // new"]),
        );
        check(&["if a ||", "b"], "  if a b", Some(&["if a", "b"]));
        check(&["a || b", "c"], "a && b c", Some(&["a && b", "c"]));
    }

    #[test]
    fn statements_are_cut_where_the_old_lines_are_gone() {
        check(
            &["x();", "y();"],
            "one(a; b); two();",
            Some(&["one(a; b);", "two();"]),
        );
        check(
            &["x();", "y();"],
            "one('; '); two(\"\\\"; \");",
            Some(&["one('; ');", "two(\"\\\"; \");"]),
        );
        check(
            &["x();", "y();"],
            "one(); two(); ",
            Some(&["one();", "two();"]),
        );
        check(&["x();", "y();"], "one();two();", None);
        check(&["x();", "y();"], "for (a; b; c) {", None);
    }

    #[test]
    fn no_text_is_lost_and_no_token_torn() {
        check(&["x", "y"], "max + y", None);
        check(&["a", "b"], "new a b", None);
        check(&["a", "b"], "ab", None);
        check(&["(", "b"], "", None);
    }

    #[test]
    fn blank_or_single_originals_and_several_lines_are_left() {
        check(&["a", " "], "a b", None);
        check(&["a; b;"], "a; b;", None);
        check(&[], "a", None);
        assert_eq!(split(&["a", "b"], &["a".to_owned(), "b".to_owned()]), None);
        assert_eq!(split(&["a", "b"], &[]), None);
    }
}
