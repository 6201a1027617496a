//! What other people do to a file: real text comes from other files of the corpus, small changes are made to what stands there.

use std::ops::Range;

use hashline_core::text::LineSpan;

use super::draft::Draft;
use crate::corpus::Files;
use crate::rng::Rng;

/// Somebody who writes to the file without telling hashline.
pub(super) struct Writer<'a> {
    pub(super) rng: &'a mut Rng,
    /// Where new text is taken from.
    pub(super) files: &'a Files,
}

impl Writer<'_> {
    /// Changes the text of a line a little, or replaces it.
    pub(super) fn alter(&mut self, draft: &mut Draft<'_>, index: usize) {
        let old = draft.text(index).to_vec();
        let mut new = match self.rng.below(5) {
            0 => self.real_line(),
            1 => self.with_word_removed(&old),
            2 => self.with_character_replaced(&old),
            _ => self.with_word_added(&old),
        };
        if new == old {
            new.push(b'x');
        }
        draft.rewrite(index, new);
    }

    /// Changes only the white space of a line.
    pub(super) fn reindent(&mut self, draft: &mut Draft<'_>, index: usize) {
        let old = draft.text(index).to_vec();
        let mut new = match self.rng.below(5) {
            0 => [b"    ", &old[..]].concat(),
            1 => [b"\t", &old[..]].concat(),
            2 => old.trim_ascii_start().to_vec(),
            3 => old.trim_ascii_end().to_vec(),
            _ => [&old[..], b" "].concat(),
        };
        if new == old {
            new.insert(0, b' ');
        }
        draft.rewrite(index, new);
    }

    /// Puts new lines before the line at `index`: lines of another file, each that has a word with one word more, so that it is new
    /// here too. (Copies of lines that stand in the file are kinds of their own.)
    pub(super) fn insert(&mut self, draft: &mut Draft<'_>, index: usize, most: usize) {
        let mut lines = self.real_lines(most);
        for line in &mut lines {
            if words(line).next().is_some() {
                *line = self.with_word_added(line);
            }
        }
        draft.insert(index, lines);
    }

    /// Puts in or takes out lines somewhere above the line at `index`, so that its number changes.
    pub(super) fn move_down_or_up(&mut self, draft: &mut Draft<'_>, index: usize) {
        let gap = self.place_before(index);
        if gap > 0 && self.rng.chance(35) {
            let gone = self.rng.between(1, gap.min(10));
            draft.remove(gap - gone..gap);
        } else {
            self.insert(draft, gap, 20);
        }
    }

    /// Changes lines outside of `span` and leaves every number as it is.
    pub(super) fn alter_elsewhere(&mut self, draft: &mut Draft<'_>, span: LineSpan) {
        let changes = if self.rng.chance(30) { 2 } else { 1 };
        for _ in 0..changes {
            let start = self.place_beside(span, draft.len());
            let end = (start + self.rng.between(1, 4)).min(draft.len());
            for index in (start..end).filter(|&index| !span.range().contains(&index)) {
                self.alter(draft, index);
            }
        }
    }

    /// Does anything anywhere.
    pub(super) fn do_anything(&mut self, draft: &mut Draft<'_>) {
        if draft.len() < 4 {
            return self.insert(draft, 0, 8);
        }
        let block = self.block(draft.len(), 12);
        let gap = self.rng.below(draft.len() + 1);
        match self.rng.below(8) {
            0 | 1 => self.insert(draft, gap, 12),
            2 => draft.remove(block),
            3 => draft.copy(block, gap),
            4 if !(block.start..=block.end).contains(&gap) => draft.shift(block, gap),
            5 => self.reindent(draft, block.start),
            _ => block.for_each(|index| self.alter(draft, index)),
        }
    }

    /// Returns some consecutive lines, at most `most` and not all of them.
    pub(super) fn block(&mut self, lines: usize, most: usize) -> Range<usize> {
        let start = self.rng.below(lines);
        let room = (lines - start)
            .min(most)
            .min(lines.saturating_sub(1))
            .max(1);
        start..start + self.rng.between(1, room)
    }

    /// Returns lines of some file, as they stand there.
    pub(super) fn real_lines(&mut self, most: usize) -> Vec<Vec<u8>> {
        let file = self.files.pick(self.rng);
        // Twice, so that a few lines are likelier than many.
        let most = self.rng.between(1, most);
        let wanted = self.rng.between(1, most);
        let start = self.rng.below(file.line_count());
        let lines = file.lines_in(LineSpan::new(start..start + wanted));
        lines.map(|line| line.text.to_vec()).collect()
    }

    fn real_line(&mut self) -> Vec<u8> {
        self.real_lines(1).pop().unwrap_or_default()
    }

    /// Returns a gap above the line at `index`: one in four near it, the others anywhere.
    fn place_before(&mut self, index: usize) -> usize {
        if self.rng.chance(25) {
            index - self.rng.below(3).min(index)
        } else {
            self.rng.below(index + 1)
        }
    }

    /// Returns a line outside of `span`: one in four near it, the others anywhere.
    fn place_beside(&mut self, span: LineSpan, lines: usize) -> usize {
        if self.rng.chance(25) {
            let near = self.rng.between(1, 3);
            let above = span
                .start()
                .checked_sub(near)
                .filter(|_| self.rng.chance(50));
            return above.unwrap_or((span.end() + near - 1).min(lines - 1));
        }
        self.rng.below(lines)
    }

    fn with_word_added(&mut self, old: &[u8]) -> Vec<u8> {
        let donor = self.real_line();
        let choice: Vec<&[u8]> = words(&donor).map(|word| &donor[word]).collect();
        let word = if choice.is_empty() {
            &b"changed"[..]
        } else {
            self.rng.pick(&choice)
        };
        let ends: Vec<usize> = words(old).map(|word| word.end).collect();
        let at = if ends.is_empty() {
            old.len()
        } else {
            *self.rng.pick(&ends)
        };
        [&old[..at], b" ", word, &old[at..]].concat()
    }

    fn with_word_removed(&mut self, old: &[u8]) -> Vec<u8> {
        let choice: Vec<Range<usize>> = words(old).collect();
        if choice.is_empty() {
            return b"// changed".to_vec();
        }
        let word = self.rng.pick(&choice).clone();
        [&old[..word.start], &old[word.end..]].concat()
    }

    fn with_character_replaced(&mut self, old: &[u8]) -> Vec<u8> {
        let ascii: Vec<usize> = (0..old.len())
            .filter(|&at| old[at].is_ascii_alphanumeric())
            .collect();
        let mut new = old.to_vec();
        if !ascii.is_empty() {
            new[*self.rng.pick(&ascii)] = *self.rng.pick(b"abcdefghijklmnopqrstuvwxyz0123456789");
        }
        new
    }
}

/// Lists where the words of a text stand: runs of letters, digits and `_`.
fn words(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let inside = |&byte: &u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + text.get(from..)?.iter().position(inside)?;
        let len = text[start..].iter().take_while(|byte| inside(byte)).count();
        from = start + len;
        Some(start..from)
    })
}
