//! How a line is named and shown: `12:a3|text`.
//!
//! The hash is one byte of xxHash32 over the line without white space; the line number plays no part in it.

use xxhash_rust::xxh32::xxh32;

use crate::whitespace::squash;

/// Returns the hash of a line as two lower-case hexadecimal digits.
#[must_use]
pub fn hash(line: &str) -> String {
    format!("{:02x}", hash_byte(line))
}

/// Returns every line of `content` with its number and hash, the first numbered `start_line`.
#[must_use]
pub fn format(content: &str, start_line: u64) -> String {
    let mut formatted = String::with_capacity(content.len() * 2);
    for (line, number) in content.split('\n').zip(numbers_from(start_line)) {
        if !formatted.is_empty() {
            formatted.push('\n');
        }
        formatted.push_str(&format_line(number, line));
    }
    formatted
}

pub(super) fn format_line(number: u64, line: &str) -> String {
    format!("{number}:{:02x}|{line}", hash_byte(line))
}

/// Counts up from `start`; at the largest number there is, it stays there.
pub(super) fn numbers_from(start: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(start), |number| Some(number.saturating_add(1)))
}

/// Returns the number of the line at `index`.
pub(super) fn number_of(index: usize) -> u64 {
    u64::try_from(index).unwrap_or(u64::MAX).saturating_add(1)
}

/// Returns the index of line `number` in a file of `count` lines.
pub(super) fn index_of(number: u64, count: usize) -> Option<usize> {
    let index = usize::try_from(number.checked_sub(1)?).ok()?;
    (index < count).then_some(index)
}

pub(super) fn hash_byte(line: &str) -> u8 {
    let [lowest, ..] = xxh32(squash(line).as_bytes(), 0).to_le_bytes();
    lowest
}

#[cfg(test)]
mod tests {
    use super::{format, hash, index_of};

    #[test]
    fn white_space_is_not_hashed() {
        assert_eq!(hash(""), "05");
        assert_eq!(hash(" \u{feff}\t"), "05");
        assert_eq!(hash("function hello() {"), "42");
        assert_eq!(hash("\tfunctionhello(){"), "42");
    }

    #[test]
    fn a_final_line_break_shows_an_empty_line() {
        assert_eq!(format("x\n", 9), "9:ea|x\n10:05|");
        assert_eq!(format("", 1), "1:05|");
        assert_eq!(
            format("x\nx", u64::MAX),
            "18446744073709551615:ea|x\n18446744073709551615:ea|x"
        );
    }

    #[test]
    fn only_numbers_of_lines_have_an_index() {
        assert_eq!(
            [0, 1, 2, 3, u64::MAX].map(|number| index_of(number, 2)),
            [None, Some(0), Some(1), None, None]
        );
    }
}
