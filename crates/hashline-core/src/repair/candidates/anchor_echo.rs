//! Undoes the repetition of the anchor line in text inserted beside it.
//!
//! "Insert after line 5" is sometimes sent as line 5 and the new lines. White space is ignored in the comparison. The two dialects
//! that repair this disagree about short payloads and about lines such as `}`, hence one function per rule.

use crate::text::whitespace::squash;

/// Drops the first line of text inserted after `anchor` if it repeats the anchor and is not the only one (omp).
pub fn drop_anchor_echo(anchor: &str, lines: &[String]) -> Option<Vec<String>> {
    let (first, rest) = lines.split_first()?;
    (!rest.is_empty() && repeats(first, anchor)).then(|| rest.to_vec())
}

/// Drops the first line of appended text if it repeats `anchor`; what is left may be nothing (openagent).
pub(crate) fn append(anchor: &str, lines: &[String]) -> Option<Vec<String>> {
    let (first, rest) = lines.split_first()?;
    (is_telling(anchor) && repeats(first, anchor)).then(|| rest.to_vec())
}

/// Drops the last line of prepended text if it repeats `anchor` and is not the only one (openagent).
pub(crate) fn prepend(anchor: &str, lines: &[String]) -> Option<Vec<String>> {
    let (last, rest) = lines.split_last()?;
    (!rest.is_empty() && is_telling(anchor) && repeats(last, anchor)).then(|| rest.to_vec())
}

fn repeats(line: &str, anchor: &str) -> bool {
    squash(line) == squash(anchor)
}

/// Inserting a `}` after a `}` is ordinary: only a line with a letter or digit is taken for an echo.
fn is_telling(anchor: &str) -> bool {
    crate::scheme::has_word(anchor)
}

#[cfg(test)]
mod tests {
    use super::{append, drop_anchor_echo, prepend};

    type Rule = fn(&str, &[String]) -> Option<Vec<String>>;

    fn check(rule: Rule, anchor: &str, lines: &[&str], left: Option<&[&str]>) {
        let owned = |lines: &[&str]| {
            lines
                .iter()
                .map(|&line| line.to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            rule(anchor, &owned(lines)),
            left.map(owned),
            "{anchor:?} {lines:?}"
        );
    }

    #[test]
    fn omp_needs_a_second_line() {
        check(drop_anchor_echo, "  a b", &["ab", "c"], Some(&["c"]));
        check(drop_anchor_echo, "}", &["}", "c"], Some(&["c"]));
        check(drop_anchor_echo, "a", &["a"], None);
        check(drop_anchor_echo, "a", &["b", "a"], None);
        check(drop_anchor_echo, "", &[], None);
    }

    #[test]
    fn openagent_may_be_left_with_nothing_to_append() {
        check(append, "a", &[" a"], Some(&[]));
        check(append, "a", &["a", "b"], Some(&["b"]));
        check(append, "}", &["}", "b"], None);
        check(append, "", &["", "b"], None);
        check(append, "a", &[], None);
    }

    #[test]
    fn openagent_prepends_at_least_one_line() {
        check(prepend, "日", &["b", " 日"], Some(&["b"]));
        check(prepend, "a", &["a"], None);
        check(prepend, "});", &["b", "});"], None);
        check(prepend, "a", &["a", "b"], None);
    }
}
