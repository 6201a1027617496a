//! Lets typographic hyphens be replaced by plain ones.
//!
//! A model often cannot tell U+2010 from `-` and sends back the line it was shown in order to "fix" it, so that nothing would
//! change. If the new text is the old text and that has such a character, plain hyphens are what was meant. (omp only.)

use super::same_text::reads_the_same;

/// Replaces typographic hyphens in `lines` by `-` if they would otherwise change nothing.
pub(crate) fn make_plain(originals: &[&str], lines: &[String]) -> Option<Vec<String>> {
    if !reads_the_same(originals, lines) {
        return None;
    }
    let suspect = originals
        .iter()
        .any(|line| line.contains(is_typographic_hyphen));
    if !suspect {
        return None;
    }
    Some(
        lines
            .iter()
            .map(|line| line.replace(is_typographic_hyphen, "-"))
            .collect(),
    )
}

fn is_typographic_hyphen(c: char) -> bool {
    matches!(
        c,
        '\u{2010}'..='\u{2014}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}'
    )
}

#[cfg(test)]
mod tests {
    use super::make_plain;

    #[test]
    fn text_that_would_change_nothing_loses_its_typographic_hyphens() {
        let old = ["a \u{2010} b", "\u{2014}\u{2212}\u{fe63}\u{ff0d}"];
        let new = old.map(str::to_owned);
        assert_eq!(
            make_plain(&old, &new),
            Some(vec!["a - b".to_owned(), "----".to_owned()])
        );
    }

    #[test]
    fn other_text_keeps_them() {
        assert_eq!(make_plain(&["a"], &["a".to_owned()]), None);
        assert_eq!(make_plain(&["\u{2013}"], &["\u{2013} b".to_owned()]), None);
        assert_eq!(make_plain(&["\u{2015}"], &["\u{2015}".to_owned()]), None);
    }
}
