//! Substitutions: an exact text becomes another.
//!
//! Readers see lines without their endings, so a `\n` in the text to find stands for whatever ends the line, and a `\n` in the new
//! text becomes the ending found where it lands. Lines that are not UTF-8 are never matched.

use memchr::memmem;

use crate::edit::Occurrences;
use crate::error::{Error, TextNotFound, TextNotUnique};
use crate::plan::{Splice, Substitution};
use crate::text::{Document, LineNo, LineSpan};

/// How many places of a text that is not unique are named.
const NAMED_PLACES: usize = 20;

/// Finds a text and returns the whole lines that change.
pub(crate) fn substitute(document: &Document, wanted: &Substitution) -> Result<Vec<Splice>, Error> {
    let old = wanted.old.replace("\r\n", "\n");
    let view = View::of(document);
    let places = view.find(&old);
    match (places.len(), wanted.count) {
        (0, _) => Err(Error::TextNotFound(TextNotFound {
            edit: wanted.edit,
            document: document.clone(),
            text: wanted.old.clone(),
        })),
        (2.., Occurrences::One) => Err(Error::TextNotUnique(TextNotUnique {
            edit: wanted.edit,
            document: document.clone(),
            text: wanted.old.clone(),
            count: places.len(),
            lines: places
                .iter()
                .take(NAMED_PLACES)
                .map(|&at| LineNo::from_index(view.line_of(at)))
                .collect(),
        })),
        _ => Ok(view.splices(&places, old.len(), wanted)),
    }
}

/// A document's text with `\n` for every ending, and where its lines begin in it.
struct View<'a> {
    document: &'a Document,
    text: Vec<u8>,
    starts: Vec<usize>,
    valid: Vec<bool>,
}

impl<'a> View<'a> {
    fn of(document: &'a Document) -> Self {
        let mut text = Vec::with_capacity(document.bytes().len());
        let (mut starts, mut valid) = (Vec::new(), Vec::new());
        for line in document.lines() {
            starts.push(text.len());
            valid.push(line.as_str().is_some());
            text.extend_from_slice(line.text);
            if line.ending.is_some() {
                text.push(b'\n');
            }
        }
        Self {
            document,
            text,
            starts,
            valid,
        }
    }

    /// Returns where the text stands, from the left, without overlaps.
    fn find(&self, old: &str) -> Vec<usize> {
        if old.is_empty() {
            return Vec::new();
        }
        let touches_valid = |&at: &usize| {
            self.lines_of(at, old.len())
                .range()
                .all(|line| self.valid[line])
        };
        memmem::find_iter(&self.text, old.as_bytes())
            .filter(touches_valid)
            .collect()
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

    /// Groups the places by lines and rewrites each group of lines as one.
    fn splices(&self, places: &[usize], len: usize, wanted: &Substitution) -> Vec<Splice> {
        let mut groups: Vec<(LineSpan, Vec<usize>)> = Vec::new();
        for &at in places {
            let lines = self.lines_of(at, len);
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
            ending_of: None,
            lines: self.cut(&text, span),
        }
    }

    /// Cuts rewritten text into lines; the ending of its last line is the document's own again.
    fn cut(&self, text: &[u8], span: LineSpan) -> Vec<String> {
        let is_last = span.end() == self.document.line_count();
        let text = match text.strip_suffix(b"\n") {
            Some(text) => text,
            None if text.is_empty() && !is_last => return Vec::new(),
            None if text.is_empty() && span.start() == 0 => return Vec::new(),
            None => text,
        };
        // Only lines that are UTF-8 are matched, and the new text is too.
        String::from_utf8_lossy(text)
            .split('\n')
            .map(str::to_owned)
            .collect()
    }
}
