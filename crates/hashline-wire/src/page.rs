//! How large one answer to a model may be.
//!
//! A client that finds an answer too long cuts it, most of them in the middle, and the model never sees lines that are recorded as shown. So no
//! answer is longer than a page, and a page fits every client that is known: [`Agent::page`] has a row for each, `docs/mcp.md` says where its limit was
//! seen.
//!
//! A page is measured in bytes alone. No character takes less than a byte, in UTF-8 or as a unit of UTF-16 (as clients in JavaScript count them), so
//! the bytes bound the characters; and a line counts at least 24 bytes ([`line_cost`]), so they bound the lines. Tokens are bytes too: the clients that
//! have a limit in tokens take four bytes for one, whatever the text.
//!
//! [`Agent::page`]: crate::agent::Agent::page

use hashline_core::render::line_cost;

use crate::render::not_shown;

/// The most bytes of the sentence that says how much was left out.
pub(crate) const MARK: usize = 80;

/// The most bytes of one answer to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageSize {
    answer: usize,
    refusal: usize,
}

impl Default for PageSize {
    /// Returns the size for a client that is not known.
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl PageSize {
    /// The usual size: below 40,000 bytes, where the strictest of the known clients begins to cut, with room for what it writes around an answer.
    pub const DEFAULT: Self = Self::new(36_000);

    /// Returns the size of a page of so many bytes.
    #[must_use]
    pub const fn new(bytes: usize) -> Self {
        let (answer, refusal) = (bytes, bytes);
        Self { answer, refusal }
    }

    /// Returns this size with less room for refusals: some clients cut what is marked as an error much earlier.
    #[must_use]
    pub const fn with_refusals(self, refusal: usize) -> Self {
        Self { refusal, ..self }
    }

    /// Returns this size with another number of bytes; refusals do not become larger.
    #[must_use]
    pub fn with_bytes(self, bytes: usize) -> Self {
        let refusal = self.refusal.min(bytes);
        Self {
            answer: bytes,
            refusal,
        }
    }

    /// Returns the most bytes of an answer.
    #[must_use]
    pub const fn bytes(self) -> usize {
        self.answer
    }

    /// Returns the size of a refusal.
    #[must_use]
    pub const fn of_refusal(self) -> Self {
        Self::new(self.refusal)
    }

    /// Returns the size of an answer that leaves room for notes which are added later: about calls that were cancelled, or about the ledger.
    #[must_use]
    pub const fn without_notes(self) -> Self {
        Self {
            answer: self.answer - self.answer / 16,
            refusal: self.refusal - self.refusal / 16,
        }
    }

    /// Returns the most bytes of a next step: the call that goes on where an answer ends.
    #[must_use]
    pub const fn next_step(self) -> usize {
        self.answer / 32
    }

    /// Returns the most bytes of one line, so that it does not crowd out all others.
    pub(crate) const fn longest_line(self) -> usize {
        self.answer / 8
    }
}

/// Cuts a text to at most `most` bytes: long lines at their ends, then lines from its middle, because an answer begins with what was done and ends with
/// what to do next.
#[must_use]
pub fn within(text: &str, most: usize) -> String {
    if cost_of(text) <= most {
        return text.to_owned();
    }
    let lines: Vec<String> = text
        .lines()
        .map(|line| clipped(line.to_owned(), Some(most / 4)))
        .collect();
    without_middle(lines, most).join("\n")
}

/// Returns how many bytes of a page a text takes.
#[must_use]
pub fn cost_of(text: &str) -> usize {
    text.lines().map(|line| line_cost(line.len())).sum()
}

/// Leaves out lines from the middle until the rest takes at most `most` bytes.
pub(crate) fn without_middle(mut lines: Vec<String>, most: usize) -> Vec<String> {
    let costs: Vec<usize> = lines.iter().map(|line| line_cost(line.len())).collect();
    if costs.iter().sum::<usize>() <= most {
        return lines;
    }
    let left_out = middle(&costs, most.saturating_sub(MARK));
    let mark = not_shown(left_out.len());
    lines.splice(left_out, [mark]);
    lines
}

/// Returns the indexes of the lines to leave out so that the rest takes at most `room` bytes: two thirds of them at the beginning.
pub(crate) fn middle(costs: &[usize], room: usize) -> std::ops::Range<usize> {
    let head = how_many_fit(room / 3 * 2, costs.iter());
    let tail = how_many_fit(room / 3, costs[head..].iter().rev());
    head..costs.len() - tail
}

/// Counts how many of the leading `costs` add up to at most `room` bytes.
fn how_many_fit<'a>(room: usize, costs: impl Iterator<Item = &'a usize>) -> usize {
    let mut sum = 0;
    let fits = |cost: &&usize| {
        sum += **cost;
        sum <= room
    };
    costs.take_while(fits).count()
}

/// Returns how many bytes of a line are shown if it is cut to `most` bytes; `None` if it is shown whole.
#[must_use]
pub fn shown_bytes(line: &str, most: usize) -> Option<usize> {
    let is_long = line.len() > most;
    is_long.then(|| line.floor_char_boundary(most.saturating_sub(MARK)))
}

/// Cuts a line to at most `most` bytes; the line then ends with how many of its bytes are not shown.
#[must_use]
pub fn clipped(line: String, most: Option<usize>) -> String {
    let Some(end) = most.and_then(|most| shown_bytes(&line, most)) else {
        return line;
    };
    let left = line.len() - end;
    format!(
        "{} [... {left} more bytes of this line are not shown]",
        &line[..end]
    )
}

#[cfg(test)]
mod tests {
    use super::{PageSize, clipped, within};

    #[test]
    fn a_text_is_cut_to_its_size_at_long_lines_and_in_the_middle() {
        let texts = [
            "x".repeat(10_000),
            "one\n".repeat(1000),
            format!("{}\n{}", "漢".repeat(3000), "🎉".repeat(3000)),
            "a\n".repeat(500) + &"é".repeat(9000),
        ];
        for text in texts {
            for most in [500, 2000, 4000] {
                let cut = within(&text, most);
                assert!(cut.len() <= most, "{} > {most}", cut.len());
                assert!(cut.contains("not shown"), "{cut}");
            }
        }
        assert_eq!(within("one\ntwo", 500), "one\ntwo");
    }

    #[test]
    fn a_line_that_is_cut_says_how_much_is_not_shown() {
        let cut = clipped("é".repeat(100), Some(120));
        assert_eq!(
            cut,
            format!(
                "{} [... 160 more bytes of this line are not shown]",
                "é".repeat(20)
            )
        );
        assert!(cut.len() <= 120);
    }

    #[test]
    fn refusals_and_room_for_notes_are_parts_of_the_page() {
        let size = PageSize::new(32_000).with_refusals(8_000);
        let sizes = |size: PageSize| (size.bytes(), size.of_refusal().bytes());
        assert_eq!(sizes(size), (32_000, 8_000));
        assert_eq!(sizes(size.without_notes()), (30_000, 7_500));
        assert_eq!(sizes(size.with_bytes(64_000)), (64_000, 8_000));
        assert_eq!(sizes(size.with_bytes(4_000)), (4_000, 4_000));
    }
}
