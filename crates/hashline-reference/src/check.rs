//! Checks that every anchor names a line of the file, and finds lines that have moved.
//!
//! If a line no longer has the hash in its anchor, the whole file is searched; if exactly one other line has that hash, this line is
//! taken. With a hash of one byte this is often wrong, which is why `hashline-core` does not do it.

use hashline_core::Moved;
use hashline_core::anchor::Anchor;
use hashline_core::edit::EditNo;
use hashline_core::error::{EngineRefusal, TagMismatch};
use hashline_core::text::LineSpan;

use super::display::{hash, hash_byte, index_of};
use super::failure::stale;
use super::request::{Claimed, ClaimedLines, NewText};

/// An edit whose anchors were found in the file.
pub(super) struct Checked {
    pub(super) kind: EditKind,
    /// The index of the first line that the edit names.
    pub(super) first: usize,
    /// The index of the last line that the edit names. Invariant: not before `first`, and inside the file.
    pub(super) last: usize,
    /// The hash in the edit's first anchor, as written in the request.
    pub(super) hash: String,
    pub(super) text: NewText,
    /// Where the lines were found, if not at the numbers in the anchors.
    pub(super) moved: Option<Moved>,
}

/// Whether an edit replaces one line, replaces a range, or inserts after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum EditKind {
    Single,
    Range,
    Insert,
}

/// Checks that the line with the anchor's number has the anchor's hash; no other line is searched for.
///
/// # Errors
///
/// `OutOfRange` if the file has no such line, `Stale` if the line has another hash.
pub fn validate(lines: &[&str], reference: &Anchor) -> Result<(), EngineRefusal> {
    let index = index_in(lines, reference)?;
    if fits(lines[index], reference) {
        return Ok(());
    }
    let mismatch = mismatch_at(lines[index], reference);
    Err(stale(lines, vec![mismatch]))
}

/// Checks the anchors of all edits. An invalid edit ends the check at once; hashes that do not match are collected and reported together.
pub(super) fn check(lines: &[&str], claims: Vec<Claimed>) -> Result<Vec<Checked>, EngineRefusal> {
    let mut checker = Checker {
        lines,
        only_lines: None,
        mismatches: Vec::new(),
    };
    let mut checked = Vec::with_capacity(claims.len());
    for claim in claims {
        checked.extend(checker.check(claim)?);
    }
    if checker.mismatches.is_empty() {
        return Ok(checked);
    }
    Err(stale(lines, checker.mismatches))
}

struct Checker<'a> {
    lines: &'a [&'a str],
    /// An index of lines by their hash. Built when the first anchor does not match, because most requests never need it.
    only_lines: Option<OnlyLines>,
    mismatches: Vec<TagMismatch>,
}

impl Checker<'_> {
    /// Returns the checked edit; `None` if a hash does not match, which is recorded in `mismatches`.
    fn check(&mut self, claim: Claimed) -> Result<Option<Checked>, EngineRefusal> {
        let Claimed { target, text } = claim;
        if matches!(target, ClaimedLines::Insert(_)) && text.lines.is_empty() {
            return error("Insert-after edit (src \"N:HH..\") requires non-empty dst".to_owned());
        }
        let (kind, span, anchors) = match target {
            ClaimedLines::Single(line) => (EditKind::Single, self.locate_line(&line)?, vec![line]),
            ClaimedLines::Insert(line) => (EditKind::Insert, self.locate_line(&line)?, vec![line]),
            ClaimedLines::Range(start, end) => {
                let span = self.locate_range(&start, &end)?;
                (EditKind::Range, span, vec![start, end])
            }
        };
        let hash = anchors[0].tag.to_string();
        Ok(span.map(|(first, last)| Checked {
            kind,
            first,
            last,
            hash,
            moved: self.moved(text.no, anchors, first, last),
            text,
        }))
    }

    /// Returns the report on lines that were found at other numbers than the anchors have; `None` if they are where the anchors say.
    fn moved(
        &self,
        edit: EditNo,
        anchors: Vec<Anchor>,
        first: usize,
        last: usize,
    ) -> Option<Moved> {
        let named = index_of(anchors[0].line, self.lines.len()).filter(|&named| named != first)?;
        Some(Moved {
            edit,
            anchors,
            from: LineSpan::new(named..named + (last - first) + 1),
            to: LineSpan::new(first..last + 1),
            text: self.lines[first].to_owned(),
        })
    }

    fn locate_line(&mut self, reference: &Anchor) -> Result<Option<(usize, usize)>, EngineRefusal> {
        Ok(self.locate(reference)?.map(|index| (index, index)))
    }

    fn locate_range(
        &mut self,
        start: &Anchor,
        end: &Anchor,
    ) -> Result<Option<(usize, usize)>, EngineRefusal> {
        if start.line > end.line {
            return error(format!(
                "Range start line {} must be <= end line {}",
                start.line, end.line
            ));
        }
        let (first, last) = (self.locate(start)?, self.locate(end)?);
        let Some((first, last)) = first.zip(last) else {
            return Ok(None);
        };
        let distance = end.line - start.line;
        if last
            .checked_sub(first)
            .is_some_and(|moved| u64::try_from(moved) == Ok(distance))
        {
            return Ok(Some((first, last)));
        }
        for reference in [start, end] {
            let index = index_in(self.lines, reference)?;
            self.mismatches
                .push(mismatch_at(self.lines[index], reference));
        }
        Ok(None)
    }

    /// Returns the index of the line that the anchor means; `None` if no line matches, which is recorded in `mismatches`.
    fn locate(&mut self, reference: &Anchor) -> Result<Option<usize>, EngineRefusal> {
        let index = index_in(self.lines, reference)?;
        if fits(self.lines[index], reference) {
            return Ok(Some(index));
        }
        let moved = self
            .only_lines
            .get_or_insert_with(|| OnlyLines::new(self.lines))
            .with_hash(reference.tag.as_str());
        if moved.is_none() {
            self.mismatches
                .push(mismatch_at(self.lines[index], reference));
        }
        Ok(moved)
    }
}

/// For each of the 256 hash values: the line of the file that has this hash, if exactly one line has it.
struct OnlyLines {
    by_hash: [Holder; 256],
}

#[derive(Clone, Copy)]
enum Holder {
    None,
    Only(usize),
    Several,
}

impl OnlyLines {
    fn new(lines: &[&str]) -> Self {
        let mut by_hash = [Holder::None; 256];
        for (index, line) in lines.iter().enumerate() {
            let holder = &mut by_hash[usize::from(hash_byte(line))];
            *holder = if matches!(holder, Holder::None) {
                Holder::Only(index)
            } else {
                Holder::Several
            };
        }
        Self { by_hash }
    }

    fn with_hash(&self, spelled: &str) -> Option<usize> {
        // The length goes first: `a` and `0a` are the same number, but only one of them is a hash.
        let digits = Some(spelled).filter(|digits| digits.len() == 2)?;
        let byte = u8::from_str_radix(digits, 16).ok()?;
        match self.by_hash[usize::from(byte)] {
            Holder::Only(index) => Some(index),
            Holder::None | Holder::Several => None,
        }
    }
}

fn index_in(lines: &[&str], reference: &Anchor) -> Result<usize, EngineRefusal> {
    let missing = || {
        format!(
            "Line {} does not exist (file has {} lines)",
            reference.line,
            lines.len()
        )
    };
    index_of(reference.line, lines.len()).ok_or_else(|| EngineRefusal::OutOfRange(missing()))
}

fn fits(line: &str, reference: &Anchor) -> bool {
    hash(line).eq_ignore_ascii_case(reference.tag.as_str())
}

fn mismatch_at(line: &str, reference: &Anchor) -> TagMismatch {
    TagMismatch {
        line: reference.line,
        expected: reference.tag.to_string(),
        actual: hash(line),
    }
}

fn error<T>(message: String) -> Result<T, EngineRefusal> {
    Err(EngineRefusal::BadRequest(message))
}

#[cfg(test)]
mod tests {
    use super::{check, validate};
    use hashline_core::anchor::{Anchor, Tag};
    use hashline_core::edit::EditNo;
    use hashline_core::error::EngineRefusal;

    use crate::display::hash;
    use crate::request::{Claimed, ClaimedLines, NewText};

    fn anchor(line: u64, tag: &str) -> Anchor {
        Anchor {
            line,
            tag: Tag::new(tag).expect("it is a tag"),
            text: None,
        }
    }

    fn at(line: u64, text: &str) -> Anchor {
        anchor(line, &hash(text).to_uppercase())
    }

    /// The span of the one checked edit, or how many anchors do not match.
    fn span(lines: &[&str], start: Anchor, end: Anchor) -> Result<(usize, usize), usize> {
        let claim = Claimed {
            target: ClaimedLines::Range(start, end),
            text: NewText::new(EditNo::from_index(0), vec![]),
        };
        match check(lines, vec![claim]) {
            Ok(checked) => Ok((checked[0].first, checked[0].last)),
            Err(EngineRefusal::Stale { mismatches, .. }) => Err(mismatches.len()),
            Err(_) => Err(0),
        }
    }

    #[test]
    fn a_range_that_moved_as_a_whole_is_followed() {
        assert_eq!(
            span(&["new", "a", "b", "z"], at(1, "a"), at(2, "b")),
            Ok((1, 2))
        );
    }

    #[test]
    fn a_range_that_was_torn_apart_is_not() {
        assert_eq!(
            span(&["a", "new", "b", "z"], at(1, "a"), at(2, "b")),
            Err(2)
        );
        assert_eq!(span(&["b", "a"], at(1, "a"), at(2, "b")), Err(2));
    }

    #[test]
    fn a_hash_that_several_lines_have_is_not_followed() {
        assert_eq!(span(&["x", "a", "a", "b"], at(1, "a"), at(4, "b")), Err(1));
    }

    #[test]
    fn numbers_outside_the_file_are_errors() {
        assert_eq!(span(&["a"], at(1, "a"), at(u64::MAX, "a")), Err(0));
        assert_eq!(span(&["a", "b"], at(2, "b"), at(1, "a")), Err(0));
        let missing =
            EngineRefusal::OutOfRange("Line 1 does not exist (file has 0 lines)".to_owned());
        assert_eq!(validate(&[], &at(1, "")), Err(missing));
    }

    #[test]
    fn hashes_are_compared_without_case() {
        assert_eq!(validate(&["x"], &anchor(1, "EA")), Ok(()));
        assert!(validate(&["x"], &anchor(1, "za")).is_err());
    }
}
