//! Removes anchors that were copied in front of the lines of new text.
//!
//! A model is shown `12:a3|text` and sometimes sends that back instead of `text`. One such line may be intended; new text in which at
//! least half of the lines look like that is a copy. Each dialect shows lines in its own way and has its own function to recognise such
//! anchors. Whether an anchor names an existing line is not checked.

use super::strip_plus_markers;
use crate::repair::Rule;
use crate::text::whitespace::trim_start;

/// The letters that dialect openagent uses in its tags.
const OPENAGENT_LETTERS: &[u8] = b"ZPMQVRWSNKTXJBYH";

/// The maximum number of characters that a tag of dialect omp may have.
const OMP_HASH_LIMIT: usize = 16;

/// Removes the prefix from every line that has one, if at least one line has it and at least half of the lines that are not empty do.
///
/// `prefix_len` returns how many bytes at the start of a line are the prefix, or `None` for a line without one.
pub(crate) fn strip_prefixes(
    lines: &[String],
    prefix_len: fn(&str) -> Option<usize>,
) -> Option<Vec<String>> {
    let lengths: Vec<Option<usize>> = lines.iter().map(|line| prefix_len(line)).collect();
    let prefixed = lengths.iter().flatten().count();
    let filled = lines.iter().filter(|line| !line.is_empty()).count();
    if prefixed == 0 || 2 * prefixed < filled {
        return None;
    }
    let stripped = lines
        .iter()
        .zip(lengths)
        .map(|(line, length)| line[length.unwrap_or(0)..].to_owned());
    Some(stripped.collect())
}

/// Removes copied omp anchors (`12:a3|`) from the lines if at least half of the lines have one; otherwise the `+` of a diff, by the same
/// rule. Also returns which of the two it removed.
#[must_use]
pub fn strip_copied_marks(lines: &[String]) -> Option<(Rule, Vec<String>)> {
    let anchors = strip_prefixes(lines, omp_prefix).map(|lines| (Rule::CopiedAnchors, lines));
    anchors.or_else(|| Some((Rule::PlusMarkers, strip_plus_markers(lines)?)))
}

/// Returns the length of a copied omp anchor (`12:a3|`), including white space and a `>>>` or `>>` before it.
pub(crate) fn omp_prefix(line: &str) -> Option<usize> {
    let rest = after_digits(after_marker(line))?.strip_prefix(':')?;
    let hash = leading_bytes(rest, |byte| byte.is_ascii_alphanumeric());
    if !(1..=OMP_HASH_LIMIT).contains(&hash) {
        return None;
    }
    length_up_to(line, rest[hash..].strip_prefix('|')?)
}

/// Returns the length of a copied openagent anchor (`12#NK|`), including white space and a `>>>` or `>>` before it.
pub(crate) fn openagent_prefix(line: &str) -> Option<usize> {
    let rest = trim_start(after_digits(after_marker(line))?);
    let rest = trim_start(rest.strip_prefix('#')?);
    if leading_bytes(rest, |byte| OPENAGENT_LETTERS.contains(byte)) != 2 {
        return None;
    }
    length_up_to(line, rest[2..].strip_prefix('|')?)
}

/// Returns the length of a copied pi anchor (`12:a3|`), including white space before it.
pub(crate) fn pi_prefix(line: &str) -> Option<usize> {
    let rest = after_digits(trim_start(line))?.strip_prefix(':')?;
    if leading_bytes(rest, |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) != 2 {
        return None;
    }
    length_up_to(line, rest[2..].strip_prefix('|')?)
}

/// Returns the line without white space at its start, a marker `>>>` or `>>`, and white space after the marker.
fn after_marker(line: &str) -> &str {
    let rest = trim_start(line);
    let unmarked = rest.strip_prefix(">>>").or_else(|| rest.strip_prefix(">>"));
    unmarked.map_or(rest, trim_start)
}

fn after_digits(text: &str) -> Option<&str> {
    let digits = leading_bytes(text, u8::is_ascii_digit);
    (digits > 0).then(|| &text[digits..])
}

fn leading_bytes(text: &str, belongs: impl Fn(&u8) -> bool) -> usize {
    text.bytes().take_while(|byte| belongs(byte)).count()
}

fn length_up_to(line: &str, rest: &str) -> Option<usize> {
    line.len().checked_sub(rest.len())
}

#[cfg(test)]
mod tests {
    use super::{omp_prefix, openagent_prefix, pi_prefix, strip_prefixes};

    fn owned(lines: &[&str]) -> Vec<String> {
        lines.iter().map(|&line| line.to_owned()).collect()
    }

    #[test]
    fn each_dialect_knows_its_own_prefix() {
        type Prefix = fn(&str) -> Option<usize>;
        let cases: [(Prefix, &str, Option<usize>); 17] = [
            (omp_prefix, "1:ab|x", Some(5)),
            (omp_prefix, "\u{feff} >>>\t12:0123456789abcdef|", Some(28)),
            (omp_prefix, ">> 1:Z|x", Some(7)),
            (omp_prefix, ">>>> 1:ab|x", None),
            (omp_prefix, "1:0123456789abcdefg|x", None),
            (omp_prefix, "1:|x", None),
            (omp_prefix, ":ab|x", None),
            (omp_prefix, "1:ab", None),
            (openagent_prefix, "1#NK|x", Some(5)),
            (openagent_prefix, " >>> 1 # NK|x", Some(12)),
            (openagent_prefix, "1#NKK|x", None),
            (openagent_prefix, "1#nk|x", None),
            (openagent_prefix, "1:NK|x", None),
            (pi_prefix, "\t7:0f|x", Some(6)),
            (pi_prefix, "7:0F|x", None),
            (pi_prefix, ">>> 7:0f|x", None),
            (pi_prefix, "7:0f0|x", None),
        ];
        for (prefix, line, length) in cases {
            assert_eq!(prefix(line), length, "{line:?}");
        }
    }

    #[test]
    fn half_of_the_lines_that_are_not_empty_is_enough() {
        assert_eq!(
            strip_prefixes(&owned(&["1:ab|x", "y", "", ""]), omp_prefix),
            Some(owned(&["x", "y", "", ""]))
        );
        assert_eq!(
            strip_prefixes(&owned(&["1:ab|1:ab|x"]), omp_prefix),
            Some(owned(&["1:ab|x"]))
        );
    }

    #[test]
    fn fewer_than_half_or_none_is_text() {
        assert_eq!(
            strip_prefixes(&owned(&["1:ab|x", "y", " "]), omp_prefix),
            None
        );
        assert_eq!(strip_prefixes(&owned(&["x"]), omp_prefix), None);
        assert_eq!(strip_prefixes(&[], omp_prefix), None);
    }
}
