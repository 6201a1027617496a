//! Substitutions: replaces an exact text of the document by another.
//!
//! Readers see lines without their line endings, so a `\n` in the text to find matches any line ending, and a `\n` in the new text
//! becomes the line ending that the replaced lines have. Lines that are not UTF-8 are never matched.

use std::borrow::Cow;
use std::iter;
use std::sync::Arc;

use memchr::memmem::{self, Finder};

use crate::edit::Occurrences;
use crate::error::SizeUnit;
use crate::plan::{Endings, LineSplice, NewLines, PlannedSubstitution};
use crate::text::{Document, LineEnding, LineSpan, NewText, most_lines};

/// How many occurrences of a text that is not unique are listed in the refusal.
const LISTED: usize = 20;

/// Returns at how many separate places of a file of so many bytes a text may be replaced at once. Adjacent lines are one place.
//
// Each place takes some 150 bytes of memory; the limit keeps the memory for a file below four times its size before and after plus 64 MiB.
const fn most_places(bytes: usize) -> usize {
    const PLACES: usize = 192 << 10;
    const BYTES_A_PLACE: usize = 64;
    PLACES + bytes / BYTES_A_PLACE
}

/// Why a substitution cannot be made.
pub(crate) enum NotMade {
    /// The text is not in the document.
    NotFound,
    /// The text occurs `count` times; `lines` are the indexes of the lines on which the first occurrences begin.
    NotUnique { count: usize, lines: Vec<usize> },
    /// The result would have this many bytes or lines, or changed places, which is more than are allowed.
    TooLarge {
        found: usize,
        most: usize,
        unit: SizeUnit,
    },
}

/// Finds the text to replace and returns the lines that change, as whole lines.
pub(crate) fn substitute(
    document: &Document,
    wanted: &PlannedSubstitution,
    max_bytes: usize,
) -> Result<Vec<LineSplice>, NotMade> {
    let old = wanted.old.replace("\r\n", "\n");
    if old.is_empty() {
        return Err(NotMade::NotFound);
    }
    let view = TextView::of(document);
    let (count, only) = match wanted.count {
        Occurrences::One => (1, Some(view.find_only(&old)?)),
        Occurrences::All => (view.find_all(&old).count(), None),
    };
    if count == 0 {
        return Err(NotMade::NotFound);
    }
    let grown = count.saturating_mul(wanted.new.len());
    let bytes = document.bytes().len().saturating_add(grown) - count * old.len();
    // A file that is over the limit already may still be edited, as long as it does not grow.
    if bytes > max_bytes.max(document.bytes().len()) {
        return Err(NotMade::TooLarge {
            found: bytes,
            most: max_bytes,
            unit: SizeUnit::Bytes,
        });
    }
    // Before anything is built: each line takes more memory than its bytes.
    let added = count * memchr::memchr_iter(b'\n', wanted.new.as_bytes()).count();
    let (lines, most) = (document.line_count() + added, most_lines(bytes));
    if added > 0 && lines > most {
        return Err(NotMade::TooLarge {
            found: lines,
            most,
            unit: SizeUnit::Lines,
        });
    }
    match only {
        Some(only) => view.splices(iter::once(only), old.len(), wanted),
        None => view.splices(view.find_all(&old), old.len(), wanted),
    }
}

/// A document's text with `\n` for every line ending.
struct TextView<'a> {
    document: &'a Document,
    text: Cow<'a, [u8]>,
    /// The offsets at which the lines begin, if they are not those of the document without its byte order mark.
    starts: Option<Vec<usize>>,
    /// Whether all lines have the same ending.
    alike: bool,
}

/// Adjacent lines that are rewritten together.
struct LineGroup {
    span: LineSpan,
    /// The offset of the first occurrence in the lines, and how many there are.
    first: usize,
    places: usize,
    /// How much of the text was copied.
    copied: usize,
    /// Where the new text of the lines begins in the text of all groups.
    start: usize,
}

impl<'a> TextView<'a> {
    fn of(document: &'a Document) -> Self {
        let own = &document.bytes()[document.bom().len()..];
        if memmem::find(own, b"\r\n").is_none() {
            return Self {
                document,
                text: Cow::Borrowed(own),
                starts: None,
                alike: own.ends_with(b"\n"),
            };
        }
        Self::with_plain_endings(document)
    }

    /// Copies the text of a document with other line endings.
    fn with_plain_endings(document: &'a Document) -> Self {
        let mut text = Vec::with_capacity(document.bytes().len());
        let mut starts = Vec::with_capacity(document.line_count());
        let mut alike = true;
        for line in document.lines() {
            starts.push(text.len());
            text.extend_from_slice(line.text);
            if line.ending.is_some() {
                text.push(b'\n');
            }
            alike &= line.ending == LineEnding::CrLf;
        }
        Self {
            document,
            text: Cow::Owned(text),
            starts: Some(starts),
            alike,
        }
    }

    /// Returns the offset at which the line at `index` begins.
    fn start(&self, index: usize) -> Option<usize> {
        match &self.starts {
            Some(starts) => starts.get(index).copied(),
            None => (index < self.document.line_count())
                .then(|| self.document.offset(index) - self.document.bom().len()),
        }
    }

    /// Returns the offset of the text if it occurs exactly once. Overlapping occurrences count too, because it is unclear which one is
    /// meant.
    fn find_only(&self, old: &str) -> Result<usize, NotMade> {
        let mut places = self.find_all(old);
        let first = places.next().ok_or(NotMade::NotFound)?;
        let mut named = vec![first];
        let mut count = 1;
        for place in places {
            count += 1;
            if named.len() < LISTED {
                named.push(place);
            }
        }
        if count == 1
            && let Some(next) = self.find_next(&Finder::new(old), first + 1)
        {
            named.push(next);
            count = 2;
        }
        if count == 1 {
            return Ok(first);
        }
        let lines = named.into_iter().map(|at| self.line_of(at)).collect();
        Err(NotMade::NotUnique { count, lines })
    }

    /// Returns the offsets at which the text occurs, from the left, without overlaps.
    fn find_all<'b>(&'b self, old: &'b str) -> impl Iterator<Item = usize> + 'b {
        let finder = Finder::new(old);
        let mut from = 0;
        std::iter::from_fn(move || {
            let at = self.find_next(&finder, from)?;
            from = at + old.len();
            Some(at)
        })
    }

    /// Returns the offset of the first occurrence at or after `from`.
    //
    // Bytes that are not UTF-8 are no obstacle: UTF-8 begins with a byte that cannot continue another character, so an occurrence is text that is
    // shown.
    fn find_next(&self, finder: &Finder<'_>, from: usize) -> Option<usize> {
        Some(from + finder.find(self.text.get(from..)?)?)
    }

    fn line_of(&self, at: usize) -> usize {
        if let Some(starts) = &self.starts {
            let begun = starts.partition_point(|&start| start <= at);
            return begun.saturating_sub(1);
        }
        let (at, ends) = (at + self.document.bom().len(), self.document.ends());
        let begun = &ends[..ends.len().saturating_sub(1)];
        begun.partition_point(|&end| end <= at)
    }

    /// Returns the lines from the one with the byte `at` to the one with the byte `at + len` (inclusive): also the next line if the text
    /// ends in a newline.
    fn lines_of(&self, at: usize, len: usize) -> LineSpan {
        LineSpan::new(
            self.line_of(at)..self.line_of((at + len).min(self.text.len().saturating_sub(1))) + 1,
        )
    }

    /// Returns whether an occurrence that ends in a newline is replaced by text that does too, or consists of whole lines that are removed:
    /// then the line after it is not touched.
    fn keeps_its_end(&self, end: usize, begins_a_line: bool, new: &str) -> bool {
        let ending_goes = self.text[..end].ends_with(b"\n");
        ending_goes && (new.ends_with('\n') || (new.is_empty() && begins_a_line))
    }

    /// Groups the occurrences by lines and returns one splice for each group of lines.
    fn splices(
        &self,
        places: impl Iterator<Item = usize>,
        len: usize,
        wanted: &PlannedSubstitution,
    ) -> Result<Vec<LineSplice>, NotMade> {
        let new = wanted.new.replace("\r\n", "\n");
        // Adjacent lines are one group too, unless their endings differ and must stay with their lines.
        let reach = usize::from(self.alike);
        let most = most_places(self.document.bytes().len());
        let (mut splices, mut text) = (Vec::new(), Vec::new());
        let mut group: Option<LineGroup> = None;
        // Where an occurrence ended in the middle of a line, the next one does not begin a line any more.
        let mut torn = None;
        for at in places {
            let begins_a_line = torn != Some(at) && self.start(self.line_of(at)) == Some(at);
            let whole = self.keeps_its_end(at + len, begins_a_line, &new);
            let lines = self.lines_of(at, if whole { len - 1 } else { len });
            torn = (!whole).then_some(at + len);
            let mut here = match group.take() {
                Some(group) if lines.start() < group.span.end() + reach => group,
                done => {
                    splices.extend(done.map(|done| self.close(done, &mut text, wanted)));
                    self.begin(lines, at, text.len())
                }
            };
            if splices.len() >= most {
                return Err(NotMade::TooLarge {
                    found: splices.len() + 1,
                    most,
                    unit: SizeUnit::Places,
                });
            }
            here.span = LineSpan::new(here.span.start()..lines.end().max(here.span.end()));
            here.places += 1;
            text.extend_from_slice(&self.text[here.copied..at]);
            text.extend_from_slice(new.as_bytes());
            here.copied = at + len;
            group = Some(here);
        }
        splices.extend(group.map(|group| self.close(group, &mut text, wanted)));
        let text = Arc::new(text);
        for splice in &mut splices {
            splice.lines = splice.lines.of_text(&text);
        }
        Ok(splices)
    }

    /// Begins the group of lines whose first occurrence is at `first`; `start` is the length of the text of the groups before.
    fn begin(&self, span: LineSpan, first: usize, start: usize) -> LineGroup {
        LineGroup {
            span,
            first,
            places: 0,
            copied: self.start(span.start()).unwrap_or(first),
            start,
        }
    }

    /// Copies the rest of the lines of a group to `text`, and returns its splice, whose lines have no text yet.
    fn close(
        &self,
        group: LineGroup,
        text: &mut Vec<u8>,
        wanted: &PlannedSubstitution,
    ) -> LineSplice {
        let LineGroup { span, copied, .. } = group;
        let end = self.start(span.end()).unwrap_or(self.text.len());
        text.extend_from_slice(&self.text[copied..end]);
        // Who sends whole lines knows them.
        let is_whole = group.places == 1
            && self.start(span.start()) == Some(group.first)
            && copied + usize::from(self.text[..end].ends_with(b"\n")) >= end;
        LineSplice {
            edit: wanted.edit,
            span,
            endings: Endings::EachThenLast,
            lines: self.cut(text, group.start, span),
            text: if is_whole {
                NewText::Whole
            } else {
                NewText::Part
            },
        }
    }

    /// Splits the rewritten text after `start` into lines without endings; whether the document ends in a newline is decided later, by
    /// `apply`.
    fn cut(&self, text: &[u8], start: usize, span: LineSpan) -> NewLines {
        let is_last = span.end() == self.document.line_count();
        let new = &text[start..];
        if new.is_empty() && (!is_last || self.document.bytes().ends_with(b"\n")) {
            // Everything was removed, including the last ending. (A last line without an ending leaves the newline before it.)
            return NewLines::default();
        }
        let end = text.len() - usize::from(new.ends_with(b"\n"));
        NewLines::within(text, start..end)
    }
}

#[cfg(test)]
mod tests {
    use crate::edit::{EditBatch, Occurrences, Operation};
    use crate::text::LineSpan;
    use crate::{Code, Document, Error, Policy, Shown, edit};

    #[test]
    fn a_line_after_lines_that_went_whole_is_not_touched() -> Result<(), Error> {
        let substitute = |old: &str, new: &str| Operation::Substitute {
            old: old.to_owned(),
            new: new.to_owned(),
            count: Occurrences::All,
        };
        let document = Document::new("a\nx\nx\nkeep\nb\n");
        for (operation, after, keep) in [
            (substitute("x\n", ""), &b"a\nkeep\nb\n"[..], 1),
            (substitute("x\n", "y\nz\n"), b"a\ny\nz\ny\nz\nkeep\nb\n", 5),
        ] {
            let batch = EditBatch::new([operation]);
            let edited = edit(&document, &Shown::nothing(), batch, &Policy::default())?;
            assert_eq!(edited.document.bytes(), after);
            let carried = edited.report.changes.carry(LineSpan::new(3..4));
            assert_eq!(carried.map(LineSpan::start), Some(keep));
        }
        Ok(())
    }

    #[test]
    fn a_text_is_replaced_at_as_many_separate_places_as_can_be_recorded() {
        // With one place in every five bytes.
        const MOST: usize = 213_269;
        for (places, code) in [(MOST, None), (MOST + 1, Some(Code::TooLarge))] {
            let document = Document::new("aa\nb\n".repeat(places));
            let batch = EditBatch::new([Operation::Substitute {
                old: "aa".to_owned(),
                new: "bb".to_owned(),
                count: Occurrences::All,
            }]);
            let edited = edit(&document, &Shown::nothing(), batch, &Policy::default());
            assert_eq!(edited.err().map(|error| error.code()), code);
        }
    }

    #[test]
    fn adjacent_lines_that_end_in_crlf_are_one_place() -> Result<(), Error> {
        let document = Document::new("a1\r\na2\r\nb\r\na3\r\n");
        let batch = EditBatch::new([Operation::Substitute {
            old: "a".to_owned(),
            new: "x\ny".to_owned(),
            count: Occurrences::All,
        }]);
        let edited = edit(&document, &Shown::nothing(), batch, &Policy::default())?;
        let after = b"x\r\ny1\r\nx\r\ny2\r\nb\r\nx\r\ny3\r\n";
        assert_eq!(edited.document.bytes(), after);
        assert_eq!(edited.report.changes.iter().count(), 2);
        Ok(())
    }
}
