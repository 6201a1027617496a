//! Substitutions: an exact text becomes another.
//!
//! Readers see lines without their endings, so a `\n` in the text to find stands for whatever ends the line, and a `\n` in the new
//! text becomes the ending found where it lands. Lines that are not UTF-8 are never matched.

use std::borrow::Cow;

use memchr::memmem;

use crate::edit::Occurrences;
use crate::plan::{Endings, Splice, Substitution};
use crate::text::{Document, LineSpan};

/// Why a substitution cannot be made.
pub(crate) enum NotMade {
    /// The text is not there.
    NotFound,
    /// The text is there so often; it begins on these lines.
    NotUnique { count: usize, lines: Vec<usize> },
    /// The result would have so many bytes.
    TooLarge { bytes: usize },
}

/// Finds a text and returns the whole lines that change.
pub(crate) fn substitute(
    document: &Document,
    wanted: &Substitution,
    max_bytes: usize,
) -> Result<Vec<Splice>, NotMade> {
    let old = wanted.old.replace("\r\n", "\n");
    let view = View::of(document);
    let places = view.find(&old);
    let lines = |places: &[usize]| places.iter().map(|&at| view.line_of(at)).collect();
    match (places.as_slice(), wanted.count) {
        ([], _) => return Err(NotMade::NotFound),
        (&[only], Occurrences::One) => {
            // Occurrences that overlap count: which of them was meant?
            if let Some(next) = view.find_from(&old, only + 1) {
                return Err(NotMade::NotUnique {
                    count: 2,
                    lines: lines(&[only, next]),
                });
            }
        }
        (places, Occurrences::One) => {
            return Err(NotMade::NotUnique {
                count: places.len(),
                lines: lines(places),
            });
        }
        (_, Occurrences::All) => {}
    }
    let grown = places.len().saturating_mul(wanted.new.len());
    let bytes = document.bytes().len().saturating_add(grown) - places.len() * old.len();
    if bytes > max_bytes.max(document.bytes().len()) {
        return Err(NotMade::TooLarge { bytes });
    }
    Ok(view.splices(&places, old.len(), wanted))
}

/// A document's text with `\n` for every ending, and where its lines begin in it.
struct View<'a> {
    document: &'a Document,
    text: Cow<'a, [u8]>,
    starts: Vec<usize>,
    /// For each line whether it is UTF-8; nothing if all of them are.
    valid: Option<Vec<bool>>,
}

impl<'a> View<'a> {
    fn of(document: &'a Document) -> Self {
        let own = &document.bytes()[document.bom().len()..];
        let (text, starts) = if memmem::find(own, b"\r\n").is_none() {
            let offset = |index| document.offset(index) - document.bom().len();
            let starts = document.all().range().map(offset).collect();
            (Cow::Borrowed(own), starts)
        } else {
            with_plain_endings(document)
        };
        let valid = std::str::from_utf8(own).is_err().then(|| {
            let lines = document.lines();
            lines.map(|line| line.as_str().is_some()).collect()
        });
        Self {
            document,
            text,
            starts,
            valid,
        }
    }

    /// Returns where the text stands, from the left, without overlaps.
    fn find(&self, old: &str) -> Vec<usize> {
        let mut places = Vec::new();
        let mut from = 0;
        while let Some(at) = self.find_from(old, from) {
            places.push(at);
            from = at + old.len();
        }
        places
    }

    /// Returns where the text stands next, at `from` or after it, on lines that are UTF-8.
    fn find_from(&self, old: &str, from: usize) -> Option<usize> {
        let mut from = from;
        while !old.is_empty() {
            let at = from + memmem::find(self.text.get(from..)?, old.as_bytes())?;
            if self
                .lines_of(at, old.len() - 1)
                .range()
                .all(|line| self.valid.as_ref().is_none_or(|valid| valid[line]))
            {
                return Some(at);
            }
            from = at + 1;
        }
        None
    }

    fn line_of(&self, at: usize) -> usize {
        self.starts
            .partition_point(|&start| start <= at)
            .saturating_sub(1)
    }

    /// Returns the lines that `len` bytes at `at` touch, and the one after if the last ending goes.
    fn lines_of(&self, at: usize, len: usize) -> LineSpan {
        LineSpan::new(
            self.line_of(at)..self.line_of((at + len).min(self.text.len().saturating_sub(1))) + 1,
        )
    }

    /// Tells whether whole lines go and whole lines, or none, come: then the line after them is not touched.
    fn keeps_its_end(&self, end: usize, begins_a_line: bool, new: &str) -> bool {
        let ending_goes = self.text[..end].ends_with(b"\n");
        ending_goes && (new.ends_with('\n') || (new.is_empty() && begins_a_line))
    }

    /// Groups the places by lines and rewrites each group of lines as one.
    fn splices(&self, places: &[usize], len: usize, wanted: &Substitution) -> Vec<Splice> {
        let mut groups: Vec<(LineSpan, Vec<usize>)> = Vec::new();
        let mut last_end = None;
        for &at in places {
            // Right after another place, the line that begins here may no longer begin here.
            let begins_a_line = last_end != Some(at) && self.starts.binary_search(&at).is_ok();
            let whole = self.keeps_its_end(at + len, begins_a_line, &wanted.new);
            let lines = self.lines_of(at, if whole { len - 1 } else { len });
            last_end = Some(at + len);
            match groups.last_mut() {
                Some((span, group)) if lines.start() < span.end() => {
                    *span = LineSpan::new(span.start()..lines.end().max(span.end()));
                    group.push(at);
                }
                _ => groups.push((lines, vec![at])),
            }
        }
        groups
            .into_iter()
            .map(|(span, group)| self.rewrite(span, &group, len, wanted))
            .collect()
    }

    fn rewrite(
        &self,
        span: LineSpan,
        places: &[usize],
        len: usize,
        wanted: &Substitution,
    ) -> Splice {
        let end = self
            .starts
            .get(span.end())
            .copied()
            .unwrap_or(self.text.len());
        let mut at = self.starts[span.start()];
        let mut text = Vec::new();
        for &place in places {
            text.extend_from_slice(&self.text[at..place]);
            text.extend_from_slice(wanted.new.replace("\r\n", "\n").as_bytes());
            at = place + len;
        }
        text.extend_from_slice(&self.text[at..end]);
        Splice {
            edit: wanted.edit,
            span,
            endings: Endings::EachThenLast,
            lines: self.cut(&text, span),
        }
    }

    /// Cuts rewritten text into lines; the ending of its last line is the document's own again.
    fn cut(&self, text: &[u8], span: LineSpan) -> Vec<Vec<u8>> {
        let is_last = span.end() == self.document.line_count();
        let text = match text.strip_suffix(b"\n") {
            Some(text) => text,
            // All of it went, the last ending too; a last line that had none leaves the newline before it.
            None if text.is_empty() && (!is_last || self.document.ends_with_newline()) => {
                return Vec::new();
            }
            None => text,
        };
        text.split(|&byte| byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect()
    }
}

/// Writes the lines one after the other, each ending as `\n`, and notes where they begin.
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
