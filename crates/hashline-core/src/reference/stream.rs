//! The display of many lines, in chunks of bounded size.
//!
//! Where the lines come from, and how they arrived, is not known here.

use super::display::{format_line, numbers_from};

const DEFAULT_LINES: usize = 200;
const DEFAULT_BYTES: usize = 65536;

/// Returns `lines` as shown, the first numbered `start_line`, in chunks of so many lines and bytes at most (200 and 65536 if not told).
///
/// A line longer than a chunk is a chunk of its own; so is every line if a limit is 0. No lines at all are shown as one empty line.
#[must_use]
pub fn chunks<'a>(
    lines: impl Iterator<Item = &'a str>,
    start_line: u64,
    max_lines: Option<usize>,
    max_bytes: Option<usize>,
) -> Vec<String> {
    let mut lines = lines.peekable();
    let stand_in = lines.peek().is_none().then_some("");
    let mut packer = Packer::new(
        max_lines.unwrap_or(DEFAULT_LINES),
        max_bytes.unwrap_or(DEFAULT_BYTES),
    );
    for (line, number) in lines.chain(stand_in).zip(numbers_from(start_line)) {
        packer.add(&format_line(number, line));
    }
    packer.finish()
}

struct Packer {
    max_lines: usize,
    max_bytes: usize,
    chunk: String,
    chunk_lines: usize,
    full: Vec<String>,
}

impl Packer {
    fn new(max_lines: usize, max_bytes: usize) -> Self {
        Self {
            max_lines,
            max_bytes,
            chunk: String::new(),
            chunk_lines: 0,
            full: Vec::new(),
        }
    }

    fn add(&mut self, line: &str) {
        if self.chunk_lines > 0 && self.chunk.len() + 1 + line.len() > self.max_bytes {
            self.emit();
        }
        if self.chunk_lines > 0 {
            self.chunk.push('\n');
        }
        self.chunk.push_str(line);
        self.chunk_lines += 1;
        if self.chunk_lines >= self.max_lines || self.chunk.len() >= self.max_bytes {
            self.emit();
        }
    }

    fn emit(&mut self) {
        self.full.push(std::mem::take(&mut self.chunk));
        self.chunk_lines = 0;
    }

    fn finish(mut self) -> Vec<String> {
        if self.chunk_lines > 0 {
            self.emit();
        }
        self.full
    }
}

#[cfg(test)]
mod tests {
    use super::chunks;

    #[test]
    fn chunks_end_at_either_limit() {
        let lines = || ["x", "x", "x"].into_iter();
        assert_eq!(
            chunks(lines(), 1, Some(2), None),
            ["1:ea|x\n2:ea|x", "3:ea|x"]
        );
        assert_eq!(
            chunks(lines(), 1, None, Some(13)),
            ["1:ea|x\n2:ea|x", "3:ea|x"]
        );
        assert_eq!(
            chunks(lines(), 1, None, Some(12)),
            ["1:ea|x", "2:ea|x", "3:ea|x"]
        );
        assert_eq!(chunks(lines(), 1, Some(0), None).len(), 3);
        assert_eq!(chunks(lines(), 1, None, Some(0)).len(), 3);
    }

    #[test]
    fn no_lines_are_one_empty_line() {
        assert_eq!(chunks(std::iter::empty(), 7, None, None), ["7:05|"]);
    }
}
