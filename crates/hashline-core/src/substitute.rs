//! Substitutions: replaces an exact text of the document by another.
//!
//! Readers see lines without their line endings, so a `\n` in the text to find matches any line ending, and a `\n` in the new text
//! becomes the line ending that the replaced lines have. Lines that are not UTF-8 are never matched.

use std::borrow::Cow;

use memchr::memmem::{self, Finder};

use crate::edit::Occurrences;
use crate::error::SizeUnit;
use crate::plan::{Endings, LineSplice, NewLines, PlannedSubstitution};
use crate::text::{Document, LineSpan, NewText, most_lines};

/// How many occurrences of a text that is not unique are listed in the refusal.
const LISTED: usize = 20;

/// Why a substitution cannot be made.
pub(crate) enum NotMade {
    /// The text is not in the document.
    NotFound,
    /// The text occurs `count` times; `lines` are the indexes of the lines on which the first occurrences begin.
    NotUnique { count: usize, lines: Vec<usize> },
    /// The result would have this many bytes or lines, which is more than are allowed.
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
    let places = match wanted.count {
        Occurrences::One => vec![view.find_only(&old)?],
        Occurrences::All => view.find_all(&old).collect(),
    };
    if places.is_empty() {
        return Err(NotMade::NotFound);
    }
    let grown = places.len().saturating_mul(wanted.new.len());
    let bytes = document.bytes().len().saturating_add(grown) - places.len() * old.len();
    // A file that is over the limit already may still be edited, as long as it does not grow.
    if bytes > max_bytes.max(document.bytes().len()) {
        return Err(NotMade::TooLarge {
            found: bytes,
            most: max_bytes,
            unit: SizeUnit::Bytes,
        });
    }
    // Before anything is built: each line takes more memory than its bytes.
    let added = places.len() * memchr::memchr_iter(b'\n', wanted.new.as_bytes()).count();
    let (lines, most) = (document.line_count() + added, most_lines(bytes));
    if added > 0 && lines > most {
        return Err(NotMade::TooLarge {
            found: lines,
            most,
            unit: SizeUnit::Lines,
        });
    }
    Ok(view.splices(&places, old.len(), wanted))
}

/// A document's text with `\n` for every line ending, and the offsets at which its lines begin.
struct TextView<'a> {
    document: &'a Document,
    text: Cow<'a, [u8]>,
    starts: Vec<usize>,
}

impl<'a> TextView<'a> {
    fn of(document: &'a Document) -> Self {
        let own = &document.bytes()[document.bom().len()..];
        let (text, starts) = if memmem::find(own, b"\r\n").is_none() {
            let offset = |index| document.offset(index) - document.bom().len();
            let starts = document.all().range().map(offset).collect();
            (Cow::Borrowed(own), starts)
        } else {
            with_plain_endings(document)
        };
        Self {
            document,
            text,
            starts,
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
        self.starts
            .partition_point(|&start| start <= at)
            .saturating_sub(1)
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
        places: &[usize],
        len: usize,
        wanted: &PlannedSubstitution,
    ) -> Vec<LineSplice> {
        let new = wanted.new.replace("\r\n", "\n");
        // Adjacent lines are one group too, unless their endings differ and must stay with their lines.
        let alike = matches!(self.text, Cow::Borrowed(_)) && self.document.bytes().ends_with(b"\n");
        let reach = usize::from(alike);
        let mut splices = Vec::new();
        let mut group: Option<(LineSpan, usize)> = None;
        // Where an occurrence ended in the middle of a line, the next one does not begin a line any more.
        let mut torn = None;
        for (index, &at) in places.iter().enumerate() {
            let begins_a_line = torn != Some(at) && self.starts.binary_search(&at).is_ok();
            let whole = self.keeps_its_end(at + len, begins_a_line, &new);
            let lines = self.lines_of(at, if whole { len - 1 } else { len });
            torn = (!whole).then_some(at + len);
            group = match group {
                Some((span, first)) if lines.start() < span.end() + reach => Some((
                    LineSpan::new(span.start()..lines.end().max(span.end())),
                    first,
                )),
                done => {
                    let rewrite = |(span, first): (LineSpan, usize)| {
                        self.rewrite(span, &places[first..index], len, &new, wanted)
                    };
                    splices.extend(done.map(rewrite));
                    Some((lines, index))
                }
            };
        }
        let rewrite = |(span, first): (LineSpan, usize)| {
            self.rewrite(span, &places[first..], len, &new, wanted)
        };
        splices.extend(group.map(rewrite));
        splices
    }

    fn rewrite(
        &self,
        span: LineSpan,
        places: &[usize],
        len: usize,
        new: &str,
        wanted: &PlannedSubstitution,
    ) -> LineSplice {
        let next = self.starts.get(span.end()).copied();
        let end = next.unwrap_or(self.text.len());
        let mut at = self.starts[span.start()];
        let mut text = Vec::with_capacity(end - at + places.len() * new.len());
        for &place in places {
            text.extend_from_slice(&self.text[at..place]);
            text.extend_from_slice(new.as_bytes());
            at = place + len;
        }
        text.extend_from_slice(&self.text[at..end]);
        // Who sends whole lines knows them.
        let is_whole = places.len() == 1
            && places[0] == self.starts[span.start()]
            && at + usize::from(self.text[..end].ends_with(b"\n")) >= end;
        LineSplice {
            edit: wanted.edit,
            span,
            endings: Endings::EachThenLast,
            lines: self.cut(text, span),
            text: if is_whole {
                NewText::Whole
            } else {
                NewText::Part
            },
        }
    }

    /// Splits rewritten text into lines without endings; whether the document ends in a newline is decided later, by `apply`.
    fn cut(&self, mut text: Vec<u8>, span: LineSpan) -> NewLines {
        let is_last = span.end() == self.document.line_count();
        if text.last() == Some(&b'\n') {
            text.pop();
        } else if text.is_empty() && (!is_last || self.document.bytes().ends_with(b"\n")) {
            // Everything was removed, including the last ending. (A last line without an ending leaves the newline before it.)
            return NewLines::default();
        }
        NewLines::cut(text)
    }
}

/// Returns the document's text with `\n` for every line ending, and the offsets at which its lines begin.
fn with_plain_endings(document: &Document) -> (Cow<'_, [u8]>, Vec<usize>) {
    let mut text = Vec::with_capacity(document.bytes().len());
    let mut starts = Vec::with_capacity(document.line_count());
    for line in document.lines() {
        starts.push(text.len());
        text.extend_from_slice(line.text);
        if line.ending.is_some() {
            text.push(b'\n');
        }
    }
    (Cow::Owned(text), starts)
}

#[cfg(test)]
mod tests {
    use crate::edit::{EditBatch, Occurrences, Operation};
    use crate::text::LineSpan;
    use crate::{Document, Error, Policy, Shown, edit};

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
}
