//! How a line is shown with its anchor: `12:a3|text`.
//!
//! The hash is the tag of dialect omp in `hashline-core`. Line numbers may be any `u64`, and a text that ends in a line break has an
//! empty last line.

use hashline_core::render::{self, ChunkLimits};
use hashline_core::scheme::Scheme;
use hashline_core::text::LineNo;

/// Returns the hash of a line as two lower-case hexadecimal digits.
#[must_use]
pub fn hash(line: &str) -> String {
    // The number plays no part in this hash.
    Scheme::Omp.tag(line.as_bytes(), LineNo::FIRST).to_string()
}

/// Returns every line of `content` with its anchor; the first line has the number `start_line`.
#[must_use]
pub fn format(content: &str, start_line: u64) -> String {
    let lines: Vec<String> = numbered(content.split('\n'), start_line).collect();
    lines.join("\n")
}

/// Returns `lines` with their anchors, numbered from `start_line`, in chunks within `limits`. An empty list is shown as one empty line.
#[must_use]
pub fn chunks<'a>(
    lines: impl Iterator<Item = &'a str>,
    start_line: u64,
    limits: ChunkLimits,
) -> Vec<String> {
    let mut lines = lines.peekable();
    let stand_in = lines.peek().is_none().then_some("");
    render::chunks(numbered(lines.chain(stand_in), start_line), limits)
}

pub(super) fn format_line(number: u64, line: &str) -> String {
    format!("{number}:{}|{line}", hash(line))
}

/// Returns the lines with their anchors, numbered from `start`; at `u64::MAX` the numbers stop growing.
fn numbered<'a>(lines: impl Iterator<Item = &'a str>, start: u64) -> impl Iterator<Item = String> {
    let numbers = std::iter::successors(Some(start), |number| Some(number.saturating_add(1)));
    lines
        .zip(numbers)
        .map(|(line, number)| format_line(number, line))
}

/// Returns the line number, counted from 1, of the line at `index`.
pub(super) fn number_of(index: usize) -> u64 {
    u64::try_from(index).unwrap_or(u64::MAX).saturating_add(1)
}

/// Returns the index of the line `number` (counted from 1); `None` if the file of `count` lines does not have it.
pub(super) fn index_of(number: u64, count: usize) -> Option<usize> {
    let index = usize::try_from(number.checked_sub(1)?).ok()?;
    (index < count).then_some(index)
}

/// Returns the hash of a line as a number.
pub(super) fn hash_byte(line: &str) -> u8 {
    let tag = Scheme::Omp.tag(line.as_bytes(), LineNo::FIRST);
    u8::from_str_radix(tag.as_str(), 16).expect("omp's tags are two hex digits")
}

#[cfg(test)]
mod tests {
    use super::{ChunkLimits, chunks, format, hash, index_of};

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

    #[test]
    fn chunks_end_at_either_limit() {
        let cut = |lines: Option<usize>, bytes: Option<usize>| {
            let default = ChunkLimits::default();
            let limits = ChunkLimits {
                lines: lines.unwrap_or(default.lines),
                bytes: bytes.unwrap_or(default.bytes),
            };
            chunks(["x", "x", "x"].into_iter(), 1, limits)
        };
        assert_eq!(cut(Some(2), None), ["1:ea|x\n2:ea|x", "3:ea|x"]);
        assert_eq!(cut(None, Some(13)), ["1:ea|x\n2:ea|x", "3:ea|x"]);
        assert_eq!(cut(None, Some(12)), ["1:ea|x", "2:ea|x", "3:ea|x"]);
        assert_eq!(cut(Some(0), None).len(), 3);
        assert_eq!(cut(None, Some(0)).len(), 3);
    }

    #[test]
    fn no_lines_are_one_empty_line() {
        let none = chunks(std::iter::empty(), 7, ChunkLimits::default());
        assert_eq!(none, ["7:05|"]);
    }
}
