//! Removes the anchor line (the line beside which text is inserted) from inserted text that repeats it.
//!
//! "Insert after line 5" is sometimes sent as line 5 followed by the new lines. White space is ignored in the comparison. The two
//! dialects that correct this differ for texts of one line and for lines such as `}`, so each has functions of its own.

use crate::text::whitespace::squash;

/// Removes the first line of text inserted after the line `anchor` if it repeats that line and more lines follow (dialect omp).
pub fn drop_anchor_echo(anchor: &str, lines: &[String]) -> Option<Vec<String>> {
    let (first, rest) = lines.split_first()?;
    (!rest.is_empty() && repeats(first, anchor)).then(|| rest.to_vec())
}

/// Removes the first line of text inserted after the line `anchor` if it repeats that line, even if no line is left (dialect openagent).
pub(crate) fn append(anchor: &str, lines: &[String]) -> Option<Vec<String>> {
    let (first, rest) = lines.split_first()?;
    (is_telling(anchor) && repeats(first, anchor)).then(|| rest.to_vec())
}

/// Removes the last line of text inserted before the line `anchor` if it repeats that line and is not the only one (dialect openagent).
pub(crate) fn prepend(anchor: &str, lines: &[String]) -> Option<Vec<String>> {
    let (last, rest) = lines.split_last()?;
    (!rest.is_empty() && is_telling(anchor) && repeats(last, anchor)).then(|| rest.to_vec())
}

fn repeats(line: &str, anchor: &str) -> bool {
    squash(line) == squash(anchor)
}

/// Returns whether the line has a letter or digit. Other lines are not taken for a repetition, because inserting a `}` after a `}` is
/// ordinary.
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
