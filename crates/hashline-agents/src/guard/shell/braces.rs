//! Brace expansion: `a.rs{.orig,}` is two words, and which of them is the second one matters to `cp`.

use brush_parser::ParserOptions;
use brush_parser::word::{
    BraceExpression, BraceExpressionMember, BraceExpressionOrText, parse_brace_expansions,
};

/// A word that becomes more words than this is left as it is written.
const MOST: usize = 64;

/// Returns the words that `raw` stands for, still with their quotes; `raw` itself if it has no braces to expand.
pub(super) fn expanded(raw: &str) -> Vec<String> {
    let plain = || vec![raw.to_owned()];
    if !raw.contains('{') || !raw.contains(',') || has_a_long_number(raw) {
        return plain();
    }
    let Ok(Some(parts)) = parse_brace_expansions(raw, &ParserOptions::default()) else {
        return plain();
    };
    let has_braces = |part: &BraceExpressionOrText| matches!(part, BraceExpressionOrText::Expr(_));
    if !parts.iter().any(has_braces) {
        return plain();
    }
    combined(&parts).unwrap_or_else(plain)
}

/// The parser panics at a number in braces that is too long for it.
fn has_a_long_number(raw: &str) -> bool {
    const LONGEST: usize = 18;
    raw.split(|c: char| !c.is_ascii_digit())
        .any(|digits| digits.len() > LONGEST)
}

/// Returns every combination, or nothing if there are too many.
fn combined(parts: &[BraceExpressionOrText]) -> Option<Vec<String>> {
    let mut words = vec![String::new()];
    for part in parts {
        let choices = match part {
            BraceExpressionOrText::Text(text) => vec![text.clone()],
            BraceExpressionOrText::Expr(members) => chosen(members)?,
        };
        if words.len() * choices.len() > MOST {
            return None;
        }
        let with_each = |word: &String| {
            let word = word.clone();
            choices.iter().map(move |choice| word.clone() + choice)
        };
        words = words.iter().flat_map(with_each).collect();
    }
    Some(words)
}

fn chosen(members: &BraceExpression) -> Option<Vec<String>> {
    let mut choices = Vec::new();
    for member in members {
        let BraceExpressionMember::Child(parts) = member else {
            // A sequence (`{1..9}`) is left as it is: it makes no difference to what a path is.
            return None;
        };
        choices.extend(combined(parts)?);
    }
    Some(choices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_in_braces_is_several_words() {
        assert_eq!(expanded("a{.orig,}"), ["a.orig", "a"]);
        assert_eq!(expanded("{a,b}/{c,d}"), ["a/c", "a/d", "b/c", "b/d"]);
        assert_eq!(expanded("../{a,b}"), ["../a", "../b"]);
    }

    #[test]
    fn braces_without_a_list_are_text() {
        for raw in [
            "{}",
            "a{b}c",
            "'{a,b}'",
            "${x}",
            "{1..3},",
            "{a,1..99999999999999999999}",
        ] {
            assert_eq!(expanded(raw), [raw]);
        }
    }
}
