//! Replaces typographic hyphens by plain ones in new text that would otherwise change nothing.
//!
//! A model often cannot tell U+2010 from `-`: asked to replace it, the model sends back the line as it was, so that nothing would change.
//! If the new text equals the old and has such a character, plain hyphens are meant. (Dialect omp only.)

/// Replaces typographic hyphens in `lines` by `-` if `lines` equals the replaced lines, so that the edit would otherwise change nothing.
#[must_use]
pub fn plain_hyphens(originals: &[&str], lines: &[String]) -> Option<Vec<String>> {
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

/// Returns whether both lists are the same text when joined with line breaks; an empty list equals a list of one empty line.
fn reads_the_same(originals: &[&str], lines: &[String]) -> bool {
    match (originals, lines) {
        ([], [only]) => only.is_empty(),
        ([only], []) => only.is_empty(),
        _ => originals == lines,
    }
}

fn is_typographic_hyphen(c: char) -> bool {
    matches!(
        c,
        '\u{2010}'..='\u{2014}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}'
    )
}

#[cfg(test)]
mod tests {
    use super::{plain_hyphens, reads_the_same};

    #[test]
    fn text_that_would_change_nothing_loses_its_typographic_hyphens() {
        let old = ["a \u{2010} b", "\u{2014}\u{2212}\u{fe63}\u{ff0d}"];
        let new = old.map(str::to_owned);
        assert_eq!(
            plain_hyphens(&old, &new),
            Some(vec!["a - b".to_owned(), "----".to_owned()])
        );
    }

    #[test]
    fn no_lines_and_one_empty_line_are_the_same_text() {
        let empty = String::new();
        assert!(reads_the_same(&[""], &[]));
        assert!(reads_the_same(&[], &[empty]));
        assert!(reads_the_same(&[], &[]));
        assert!(reads_the_same(&["a", ""], &["a".to_owned(), String::new()]));
        assert!(!reads_the_same(&["", ""], &[]));
        assert!(!reads_the_same(&["a"], &["a".to_owned(), String::new()]));
    }

    #[test]
    fn other_text_keeps_them() {
        assert_eq!(plain_hyphens(&["a"], &["a".to_owned()]), None);
        assert_eq!(
            plain_hyphens(&["\u{2013}"], &["\u{2013} b".to_owned()]),
            None
        );
        assert_eq!(plain_hyphens(&["\u{2015}"], &["\u{2015}".to_owned()]), None);
    }
}
