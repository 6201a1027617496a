//! Which lines were removed and which were added between two documents.
//!
//! This is the record of what an edit did, and not a diff, which could only guess which of several equal lines were changed.

use super::LineSpan;

/// Lines of the old document, and the lines of the new document that replace them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The removed lines of the old document; empty for an insertion.
    pub old: LineSpan,
    /// The added lines of the new document; empty for a deletion.
    pub new: LineSpan,
    /// Whether the new lines were sent whole.
    pub text: NewText,
}

/// How much of the new lines of a change was sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NewText {
    /// The new lines were sent whole.
    #[default]
    Whole,
    /// Only a part was sent: text in the old lines was substituted. Who sent it need not have seen the rest of the lines.
    Part,
}

/// Where a line of a new document comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineSource {
    /// It is the old line with this index.
    Unchanged(usize),
    /// It was sent whole.
    Sent,
    /// It is the old line with this index, in which text was substituted; `None` if lines were joined or split.
    Rewritten(Option<usize>),
}

/// All changes between two documents, in order.
///
/// Invariant: the changes are sorted and disjoint on both sides, with at least one untouched line between two of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes(Vec<Change>);

impl Changes {
    /// Makes changes from replacements `(old span, number of new lines)` whose new lines were sent whole, sorted by place. Adjacent replacements
    /// become one change.
    #[must_use]
    pub fn from_replacements(replacements: impl IntoIterator<Item = (LineSpan, usize)>) -> Self {
        let replacements = replacements.into_iter();
        let whole = replacements.map(|(old, added)| (old, added, NewText::Whole));
        whole.collect()
    }

    /// Returns the changes in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Change> + '_ {
        self.0.iter().copied()
    }

    /// Returns the place of the old lines `span` in the new document; `None` if one of them was removed or a line was added between them.
    #[must_use]
    pub fn carry(&self, span: LineSpan) -> Option<LineSpan> {
        let before = self.0.partition_point(|c| c.old.end() <= span.start());
        let blocked = self
            .0
            .get(before)
            .is_some_and(|c| c.old.start() < span.end());
        (!blocked).then(|| span.moved_to(self.shifted(before, span.start())))
    }

    /// Returns the index in the old document of an unchanged line of the new one; `None` for an added line.
    pub(crate) fn uncarry(&self, index: usize) -> Option<usize> {
        match self.source(index) {
            LineSource::Unchanged(old) => Some(old),
            LineSource::Sent | LineSource::Rewritten(_) => None,
        }
    }

    /// Returns where a line of the new document comes from.
    pub(crate) fn source(&self, index: usize) -> LineSource {
        let before = self.0.partition_point(|c| c.new.end() <= index);
        if let Some(change) = self.0.get(before).filter(|c| c.new.start() <= index) {
            let is_paired = change.old.len() == change.new.len();
            let paired = change.old.start() + (index - change.new.start());
            return match change.text {
                NewText::Whole => LineSource::Sent,
                NewText::Part => LineSource::Rewritten(is_paired.then_some(paired)),
            };
        }
        let last = before.checked_sub(1).and_then(|i| self.0.get(i));
        LineSource::Unchanged(last.map_or(index, |change| {
            change.old.end() + (index - change.new.end())
        }))
    }

    /// Returns the new lines that are in the place of the old lines `span`. Lines inserted right after `span` are not included.
    pub(crate) fn carry_region(&self, span: LineSpan) -> LineSpan {
        let before = self.0.partition_point(|c| c.old.end() <= span.start());
        let start = match self.0.get(before) {
            Some(change) if change.old.start() <= span.start() => change.new.start(),
            _ => self.shifted(before, span.start()),
        };
        let before = self.0.partition_point(|c| c.old.end() < span.end());
        let end = match self.0.get(before) {
            Some(change) if change.old.start() < span.end() => change.new.end(),
            _ => self.shifted(before, span.end()),
        };
        LineSpan::new(start..end)
    }

    /// Combines these changes with the changes `next`, which start from the document that these changes lead to.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        let mut combining = Combining::default();
        let (mut mine, mut theirs) = (self.0.iter().peekable(), next.0.iter().peekable());
        loop {
            match (mine.peek(), theirs.peek()) {
                (Some(a), Some(b)) if a.new.start() > b.old.start() => combining.add_theirs(**b),
                (None, Some(b)) => combining.add_theirs(**b),
                (Some(a), _) => {
                    combining.add_mine(**a);
                    mine.next();
                    continue;
                }
                (None, None) => return combining.finish(),
            }
            theirs.next();
        }
    }

    /// Combines changes that follow one another.
    //
    // By halves, because one after the other takes time that grows with the square of their number.
    #[must_use]
    pub(crate) fn in_turn(steps: &[&Self]) -> Self {
        match steps {
            [] => Self::default(),
            [one] => (*one).clone(),
            _ => {
                let (first, last) = steps.split_at(steps.len() / 2);
                Self::in_turn(first).then(&Self::in_turn(last))
            }
        }
    }

    /// Adds the removal of the last line of the new document, which has `lines` lines: used when that line turns out to have no bytes.
    pub(crate) fn without_last_line(&self, lines: usize) -> Self {
        self.then(&Self(vec![Change {
            old: LineSpan::new(lines - 1..lines),
            new: LineSpan::gap(lines - 1),
            text: NewText::Whole,
        }]))
    }

    fn shifted(&self, before: usize, index: usize) -> usize {
        match before.checked_sub(1).and_then(|i| self.0.get(i)) {
            Some(change) => change.new.end() + (index - change.old.end()),
            None => index,
        }
    }
}

/// Collects replacements `(old span, number of new lines, how much of them was sent)`, sorted by place. Adjacent replacements become one change.
impl FromIterator<(LineSpan, usize, NewText)> for Changes {
    fn from_iter<I: IntoIterator<Item = (LineSpan, usize, NewText)>>(replacements: I) -> Self {
        let replacements = replacements.into_iter();
        let mut changes: Vec<Change> = Vec::with_capacity(replacements.size_hint().0);
        for (old, added, text) in replacements {
            let (last_old, last_new) = changes
                .last()
                .map_or((0, 0), |c| (c.old.end(), c.new.end()));
            let start = last_new + (old.start() - last_old);
            match changes.last_mut() {
                Some(last) if last.old.end() == old.start() => {
                    last.old = LineSpan::new(last.old.start()..old.end());
                    last.new = LineSpan::new(last.new.start()..last.new.end() + added);
                    if text == NewText::Part {
                        last.text = text;
                    }
                }
                _ => changes.push(Change {
                    old,
                    new: LineSpan::new(start..start + added),
                    text,
                }),
            }
        }
        changes.retain(|c| !(c.old.is_empty() && c.new.is_empty()));
        Self(changes)
    }
}

/// Two lists of changes while they are combined, group by group. A group consists of changes that touch in the document between the two
/// lists.
#[derive(Default)]
struct Combining {
    done: Vec<Change>,
    group: Option<ChangeGroup>,
    /// The line indexes in the old, the middle and the new document at which the last group ended.
    ends: (usize, usize, usize),
}

struct ChangeGroup {
    middle: LineSpan,
    /// How many lines of the middle document the first list added, and how many lines of the old document it removed for them.
    mine: (usize, usize),
    /// How many lines of the middle document the second list removed, and how many lines of the new document it added for them.
    theirs: (usize, usize),
    text: NewText,
}

impl Combining {
    fn add_mine(&mut self, change: Change) {
        let group = self.group_for(change.new, change.text);
        group.mine.0 += change.new.len();
        group.mine.1 += change.old.len();
    }

    fn add_theirs(&mut self, change: Change) {
        let group = self.group_for(change.old, change.text);
        group.theirs.0 += change.old.len();
        group.theirs.1 += change.new.len();
    }

    fn group_for(&mut self, middle: LineSpan, text: NewText) -> &mut ChangeGroup {
        let touches = self
            .group
            .as_ref()
            .is_some_and(|g| middle.start() <= g.middle.end());
        if !touches {
            self.close();
        }
        let group = self.group.get_or_insert(ChangeGroup {
            middle,
            mine: (0, 0),
            theirs: (0, 0),
            text,
        });
        if text == NewText::Part {
            group.text = text;
        }
        group.middle = LineSpan::new(group.middle.start()..group.middle.end().max(middle.end()));
        group
    }

    fn close(&mut self) {
        let Some(ChangeGroup {
            middle,
            mine,
            theirs,
            text,
        }) = self.group.take()
        else {
            return;
        };
        let gap = middle.start() - self.ends.1;
        let (old, new) = (self.ends.0 + gap, self.ends.2 + gap);
        let old = LineSpan::new(old..old + middle.len() - mine.0 + mine.1);
        let new = LineSpan::new(new..new + middle.len() - theirs.0 + theirs.1);
        self.ends = (old.end(), middle.end(), new.end());
        if !(old.is_empty() && new.is_empty()) {
            self.done.push(Change { old, new, text });
        }
    }

    fn finish(mut self) -> Changes {
        self.close();
        Changes(self.done)
    }
}

#[cfg(test)]
mod tests {
    use super::{Changes, LineSpan};

    fn changes(list: &[(usize, usize, usize)]) -> Changes {
        Changes::from_replacements(
            list.iter()
                .map(|&(start, end, added)| (LineSpan::new(start..end), added)),
        )
    }

    #[test]
    fn untouched_lines_are_carried_and_touched_ones_are_not() {
        let changes = changes(&[(2, 3, 0), (5, 5, 2)]);
        let cases = [
            ((0, 1), Some(0)),
            ((2, 3), None),
            ((3, 4), Some(2)),
            ((4, 6), None),
            ((5, 6), Some(6)),
        ];
        for ((start, end), expected) in cases {
            let carried = changes.carry(LineSpan::new(start..end));
            assert_eq!(carried.map(LineSpan::start), expected, "{start}..{end}");
        }
    }

    #[test]
    fn two_lists_are_combined_into_one() {
        let first = changes(&[(1, 2, 3), (8, 9, 0)]);
        let second = changes(&[(0, 1, 1), (3, 5, 1), (9, 9, 1)]);
        let folded = first.then(&second);
        for index in 0..12 {
            let line = LineSpan::new(index..index + 1);
            let stepwise = first.carry(line).and_then(|line| second.carry(line));
            assert_eq!(folded.carry(line), stepwise, "{index}");
        }
    }
}
