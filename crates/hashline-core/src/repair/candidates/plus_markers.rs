//! Removes the `+` of a diff from the start of the lines of new text.
//!
//! As with copied anchors, at least half of the lines must have a `+`. A line that starts with `++` is taken for an increment, and a
//! leading `-` is never removed.

use super::copied_prefixes;

/// Removes one leading `+` from every line that has it, if at least one line has it and at least half of the lines that are not empty do.
pub(crate) fn strip_plus_markers(lines: &[String]) -> Option<Vec<String>> {
    copied_prefixes::strip_prefixes(lines, plus_marker)
}

fn plus_marker(line: &str) -> Option<usize> {
    let rest = line.strip_prefix('+')?;
    (!rest.starts_with('+')).then_some(1)
}

#[cfg(test)]
mod tests {
    use super::strip_plus_markers;

    fn owned(lines: &[&str]) -> Vec<String> {
        lines.iter().map(|&line| line.to_owned()).collect()
    }

    #[test]
    fn a_payload_that_is_half_diff_loses_its_markers() {
        assert_eq!(
            strip_plus_markers(&owned(&["+a", "+ b", "+"])),
            Some(owned(&["a", " b", ""]))
        );
        assert_eq!(
            strip_plus_markers(&owned(&["+a", "++b", ""])),
            Some(owned(&["a", "++b", ""]))
        );
    }

    #[test]
    fn increments_and_lone_markers_are_text() {
        for lines in [&["++i"][..], &["a", "b", "+c"], &[" +a"], &["-a"], &[]] {
            assert_eq!(strip_plus_markers(&owned(lines)), None, "{lines:?}");
        }
    }
}
