//! Tells whether new lines read like the old ones.
//!
//! Lines are compared as the text they make when joined, in which no lines at all and one empty line are the same. Nothing is
//! joined to find out.

/// Tells whether both lists make the same text when joined with line breaks.
pub(crate) fn reads_the_same(originals: &[&str], lines: &[String]) -> bool {
    match (originals, lines) {
        ([], [only]) => only.is_empty(),
        ([only], []) => only.is_empty(),
        _ => originals == lines,
    }
}

#[cfg(test)]
mod tests {
    use super::reads_the_same;

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
}
