//! The lines of a file while edits change them.
//!
//! Edits come from the bottom of the file to its top, so the lines are two stacks that meet at the last edit: an edit costs the distance
//! to the last one, not the length of the file. Positions past the end are moved to the end, because overlapping edits may name lines
//! that were removed.

use std::borrow::Cow;

/// A list of lines that is cheap to change near the place of the last change.
pub(super) struct WorkingLines<'a> {
    before: Vec<Cow<'a, str>>,
    /// The lines after `before` in reverse order, so that the next line is at the end of this vector.
    after: Vec<Cow<'a, str>>,
}

impl<'a> WorkingLines<'a> {
    pub(super) fn new(lines: &[&'a str]) -> Self {
        Self {
            before: lines.iter().map(|&line| Cow::Borrowed(line)).collect(),
            after: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.before.len() + self.after.len()
    }

    pub(super) fn get(&self, index: usize) -> Option<&str> {
        let line = match index.checked_sub(self.before.len()) {
            None => self.before.get(index),
            Some(below) => self.after.iter().rev().nth(below),
        };
        line.map(Cow::as_ref)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.before
            .iter()
            .chain(self.after.iter().rev())
            .map(Cow::as_ref)
    }

    /// Replaces `count` lines from the index `start` on by `lines`.
    pub(super) fn splice(&mut self, start: usize, count: usize, lines: Vec<String>) {
        self.move_to(start.min(self.len()));
        self.after.truncate(self.after.len().saturating_sub(count));
        self.before.extend(lines.into_iter().map(Cow::Owned));
    }

    /// Returns the lines, joined with `\n`.
    pub(super) fn to_content(&self) -> String {
        let mut content = String::with_capacity(self.iter().map(|line| line.len() + 1).sum());
        for (index, line) in self.iter().enumerate() {
            if index > 0 {
                content.push('\n');
            }
            content.push_str(line);
        }
        content
    }

    /// Moves lines between the two stacks so that they meet at `index`, which is at most the number of lines.
    fn move_to(&mut self, index: usize) {
        match index.checked_sub(self.before.len()) {
            None => self.after.extend(self.before.drain(index..).rev()),
            Some(below) => {
                let kept = self.after.len().saturating_sub(below);
                self.before.extend(self.after.drain(kept..).rev());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::WorkingLines;

    fn owned(lines: &[&str]) -> Vec<String> {
        lines.iter().map(|&line| line.to_owned()).collect()
    }

    #[test]
    fn splices_go_up_and_down() {
        let mut lines = WorkingLines::new(&["a", "b", "c", "d"]);
        lines.splice(3, 1, owned(&["D", "E"]));
        lines.splice(1, 2, owned(&["x"]));
        assert_eq!(lines.to_content(), "a\nx\nD\nE");
        lines.splice(3, 0, owned(&["y"]));
        assert_eq!(lines.to_content(), "a\nx\nD\ny\nE");
        assert_eq!(
            [0, 1, 4, 5].map(|index| lines.get(index)),
            [Some("a"), Some("x"), Some("E"), None]
        );
    }

    #[test]
    fn places_past_the_end_are_clamped() {
        let mut lines = WorkingLines::new(&["a", "b"]);
        lines.splice(1, 9, vec![]);
        lines.splice(7, 3, owned(&["z"]));
        assert_eq!(lines.to_content(), "a\nz");
        lines.splice(0, 9, vec![]);
        assert_eq!((lines.len(), lines.to_content()), (0, String::new()));
    }
}
