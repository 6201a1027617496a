//! Recognises new text for one line that also contains the line's neighbour.
//!
//! Of `total = a +` and `b` below it, a model asked to change the first line sends `total = a + b` and forgets that `b` is still in the
//! file. Such a mistake is suspected only where the upper line ends in an operator. Removing the neighbour is up to the caller.

use crate::text::whitespace::squash;

/// How much longer than the line and its neighbour together the new line may be, in UTF-16 code units as seed 000 (an original tool)
/// counts.
const SLACK: usize = 32;

/// Which neighbour of a replaced line the new text contains as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absorbed {
    /// The line below the replaced line.
    Next,
    /// The line above the replaced line.
    Previous,
}

/// Finds the neighbour of `line` that is also contained in its new text `new`. The caller passes no neighbour that another edit names.
#[must_use]
pub fn find_absorbed_neighbour(
    new: &str,
    line: &str,
    previous: Option<&str>,
    next: Option<&str>,
) -> Option<Absorbed> {
    let (new, line) = (squash(new), squash(line));
    if new.is_empty() || line.is_empty() {
        return None;
    }
    if next.is_some_and(|next| holds_next(&new, &line, &squash(next))) {
        return Some(Absorbed::Next);
    }
    let previous = squash(previous?);
    holds_previous(&new, &previous, &line).then_some(Absorbed::Previous)
}

/// Returns `text` without the operator at its end, if there is one.
pub(super) fn without_continuation(text: &str) -> &str {
    let double = ["&&", "||", "??"]
        .iter()
        .find_map(|operator| text.strip_suffix(operator));
    let single = || text.strip_suffix(['?', ':', '=', ',', '+', '-', '*', '/', '.', '(']);
    double.or_else(single).unwrap_or(text)
}

/// Returns `text` without the operator characters `|`, `&` and `?`, which models may change when they join lines.
pub(super) fn without_operators(text: &str) -> String {
    text.replace(is_operator, "")
}

/// Returns whether `c` is an operator character that models may change when they join lines.
pub(super) fn is_operator(c: char) -> bool {
    matches!(c, '|' | '&' | '?')
}

fn holds_next(new: &str, line: &str, next: &str) -> bool {
    let stem = without_continuation(line);
    stem != line && in_order(new, stem, next) && is_short_enough(new, line, next)
}

fn holds_previous(new: &str, previous: &str, line: &str) -> bool {
    let stem = without_continuation(previous);
    stem != previous
        && in_order(
            &without_operators(new),
            &without_operators(stem),
            &without_operators(line),
        )
        && is_short_enough(new, previous, line)
}

fn in_order(text: &str, one: &str, other: &str) -> bool {
    text.find(one)
        .zip(text.find(other))
        .is_some_and(|(one, other)| one < other)
}

fn is_short_enough(new: &str, one: &str, other: &str) -> bool {
    new.encode_utf16().count() <= one.encode_utf16().count() + other.encode_utf16().count() + SLACK
}

#[cfg(test)]
mod tests {
    use super::{Absorbed, find_absorbed_neighbour, without_continuation};

    /// Calls the function under test; `-` means that there is no such neighbour.
    fn found(previous: &str, line: &str, next: &str, new: &str) -> Option<Absorbed> {
        let [previous, next] = [previous, next].map(|text| Some(text).filter(|&text| text != "-"));
        find_absorbed_neighbour(new, line, previous, next)
    }

    #[test]
    fn a_continued_line_may_absorb_the_next() {
        assert_eq!(
            found("-", "let a = b +", "  c;", "let a = b + c;"),
            Some(Absorbed::Next)
        );
        assert_eq!(found("-", "a(", "b)", "a(b)"), Some(Absorbed::Next));
        assert_eq!(found("-", "=", "b", "=b"), Some(Absorbed::Next));
    }

    #[test]
    fn a_line_may_be_absorbed_into_its_continued_predecessor() {
        assert_eq!(
            found("if a ||", "b {", "-", "if a && b {"),
            Some(Absorbed::Previous)
        );
        assert_eq!(found("x =", "y", "-", "x = y"), Some(Absorbed::Previous));
    }

    #[test]
    fn neither_without_an_operator_an_order_or_a_limit() {
        assert_eq!(found("x", "a", "b", "a b"), None);
        assert_eq!(found("-", "a +", "b", "b + a"), None);
        assert_eq!(found("-", "a +", "", "a +"), None);
        assert_eq!(
            found("-", "a +", "b", &format!("a + b{}", "x".repeat(32))),
            Some(Absorbed::Next)
        );
        assert_eq!(
            found("-", "a +", "b", &format!("a + b{}", "x".repeat(33))),
            None
        );
        assert_eq!(found("-", " ", "b", "b"), None);
        assert_eq!(found("a +", "b", "-", " "), None);
        assert_eq!(found("-", "a +", "-", "a + b"), None);
    }

    #[test]
    fn one_operator_is_cut_and_two_characters_before_one() {
        let cases = [
            ("a&&", "a"),
            ("a??", "a"),
            ("a???", "a?"),
            ("a=", "a"),
            ("a;", "a;"),
            ("", ""),
            ("a|", "a|"),
        ];
        for (text, cut) in cases {
            assert_eq!(without_continuation(text), cut, "{text:?}");
        }
    }
}
