//! The lines of a file that an answer shows: limited to one page, written with their anchors, recorded as shown.

use std::io::{self, Write};
use std::path::PathBuf;

use hashline_core::dialect::Dialect;
use hashline_core::render::{self, AnchoredLine, bytes_displayed, line_cost};
use hashline_core::scheme::{Scheme, sha256};
use hashline_core::shown::CutLine;
use hashline_core::text::{Document, Line, LineNo, LineSlice, LineSpan, Revision};
use hashline_wire::render::model::{self, Heading};
use hashline_workspace::PartRead;
use hashline_workspace::ledger::{ShownBy, ShownLines};

use crate::render::{Piece, render_in_order};
use crate::service::Session;

/// Lines of one file that are to be shown to the caller.
#[derive(Clone, Debug)]
pub struct View {
    /// The path of the file, as the caller wrote it.
    pub path: String,
    /// The revision (a hash of all bytes) of the file.
    pub revision: Revision,
    /// The encoding of the file, if it is not UTF-8.
    pub encoding: Option<&'static str>,
    /// How many lines the whole file has.
    pub line_count: usize,
    /// The ranges of lines that are shown, in ascending order.
    pub spans: Vec<LineSpan>,
    /// How many matching lines are shown; `None` if the file was not searched.
    pub matches: Option<usize>,
    /// The numbers of the matching lines, at most as many as the search's limit.
    pub matching: Vec<LineNo>,
    /// Whether more lines match than the search's limit allows.
    pub more: bool,
    /// Whether the file was certainly not read in the middle of one of our own commits over several files.
    pub consistent: bool,
    /// The lines of which only the beginning is shown, because they are too long for the answer.
    pub cut: Vec<CutLine>,
    pub(crate) body: Body,
}

/// The source of a view's lines: a whole file in memory, or only a part of it.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Whole { file: PathBuf, document: Document },
    Part(Box<PartRead>),
}

impl View {
    /// Returns the heading above the lines, with the name of the file as it is to be printed: `a.rs (rev ed6e23d4, lines 4-6 of 80)`.
    #[must_use]
    pub fn heading(&self, name: &str) -> String {
        model::heading(&Heading {
            path: name,
            rev: &self.revision.short(),
            encoding: self.encoding,
            lines: self.line_count,
            spans: &self.spans,
            matches: self.matches.map(|matches| (matches, self.more)),
        })
    }

    /// Returns the numbers of the first and the last line that are shown; `None` if no line is shown.
    #[must_use]
    pub fn ends(&self) -> Option<(usize, usize)> {
        let (first, last) = (self.spans.first()?, self.spans.last()?);
        (!first.is_empty()).then(|| (first.start() + 1, last.end()))
    }

    /// Returns the SHA-256 of the file; `None` if only a part of it was read.
    #[must_use]
    pub fn sha256(&self) -> Option<String> {
        match &self.body {
            Body::Whole { document, .. } => Some(sha256(document.file_bytes())),
            Body::Part(_) => None,
        }
    }

    /// Lists the numbers and bytes of the lines that are shown, without anchors.
    #[must_use]
    pub fn lines(&self) -> Box<dyn Iterator<Item = (LineNo, Line<'_>)> + '_> {
        match &self.body {
            Body::Whole { document, .. } => Box::new(self.spans.iter().flat_map(|&span| {
                let numbers = span.range().map(LineNo::from_index);
                numbers.zip(document.lines_in(span))
            })),
            Body::Part(part) => {
                let lines = part.excerpt.lines();
                Box::new(lines.filter(|(number, _)| self.shows(*number)))
            }
        }
    }

    fn shows(&self, line: LineNo) -> bool {
        let mut spans = self.spans.iter();
        spans.any(|span| span.range().contains(&line.index()))
    }

    /// Returns whether every line that is shown is a match, so that none is context.
    fn shows_matches_only(&self) -> bool {
        let lines: usize = self.spans.iter().map(|span| span.len()).sum();
        let shown = self.matching.iter().filter(|line| self.shows(**line));
        self.matches.is_some() && shown.count() == lines
    }

    /// Lists the lines that are shown, with their anchors in this scheme.
    pub fn anchored(&self, scheme: Scheme) -> impl Iterator<Item = AnchoredLine<'_>> + '_ {
        render::anchored_lines(self.lines(), scheme)
    }

    /// Returns the first line at which the shown lines and their anchors exceed `most` bytes of a page. The first shown line is always accepted,
    /// however long.
    #[must_use]
    pub fn overflow(&self, most: usize, scheme: Scheme) -> Option<LineNo> {
        if self.most_cost(scheme) <= most {
            return None;
        }
        let mut bytes: usize = 0;
        let mut before = None;
        self.anchored(scheme).find_map(|line| {
            // A mark stands where lines between two spans are not shown.
            let is_gap = before.is_some_and(|before: LineNo| before.get() != line.number.index());
            bytes = bytes.saturating_add(line.cost() + if is_gap { line_cost(0) } else { 0 });
            let is_first = before.replace(line.number).is_none();
            (!is_first && bytes > most).then_some(line.number)
        })
    }

    /// Returns a bound on the bytes of a page that the shown lines take, with their anchors, which needs no tags: nearly always it is enough.
    fn most_cost(&self, scheme: Scheme) -> usize {
        // An escape has up to eight characters for a byte.
        let is_plain = |byte: &&u8| matches!(byte, b' '..=b'~');
        let most = |text: &[u8]| 8 * text.len() - 7 * text.iter().filter(is_plain).count();
        let lines = self.lines().map(|(_, line)| most(line.text));
        let (gaps, anchor) = (self.spans.len() * line_cost(0), self.longest_anchor(scheme));
        gaps + lines.map(|text| line_cost(anchor + text)).sum::<usize>()
    }

    /// Returns a bound on the bytes of an anchor of this file, with the sign behind it.
    fn longest_anchor(&self, scheme: Scheme) -> usize {
        let digits = self.line_count.max(1).ilog10() as usize + 1;
        // All tags of a scheme have as many letters.
        digits + 2 + scheme.spell(0).as_str().len()
    }

    /// Returns how many bytes of a page the shown lines take, with their anchors.
    #[must_use]
    pub fn cost(&self, scheme: Scheme) -> usize {
        self.anchored(scheme).map(|line| line.cost()).sum()
    }

    /// Returns where a page of matches must end so that it does not pass `end`, and how many matches the page has. A page ends after the context
    /// lines of its last match, or right before the next match in the same span, so that a search that continues from that line skips nothing and
    /// repeats nothing.
    #[must_use]
    pub fn break_before(&self, end: LineNo) -> Option<(LineNo, usize)> {
        let span_of = |line: &LineNo| {
            let mut spans = self.spans.iter();
            spans.find(|span| span.range().contains(&line.index()))
        };
        let breaks = self.matching.iter().enumerate().map(|(index, line)| {
            let span = span_of(line)?;
            let next = self.matching.get(index + 1).map(|next| next.index());
            let behind = next.filter(|next| *next < span.end());
            Some((behind.unwrap_or(span.end()), index + 1))
        });
        let fits = |(behind, _): &(usize, usize)| *behind <= end.index();
        let last = breaks.flatten().take_while(fits).last();
        last.map(|(behind, count)| (LineNo::from_index(behind), count))
    }

    /// Notes the lines of which an answer shows only the beginning, because they have more than `longest` bytes with their anchors. `shown`
    /// returns how many bytes of such a line are shown.
    pub fn cut_long_lines(
        &mut self,
        scheme: Scheme,
        longest: usize,
        shown: impl Fn(&str, usize) -> Option<usize>,
    ) {
        // Nearly always no line is that long, even if each of its bytes were shown as an escape.
        let anchor = self.longest_anchor(scheme);
        let may_be_long = |(_, line): (LineNo, Line<'_>)| 8 * line.text.len() + anchor > longest;
        if !self.lines().any(may_be_long) {
            return;
        }
        let cut: Vec<CutLine> = self
            .anchored(scheme)
            .zip(self.lines())
            .filter_map(|(anchored, (_, line))| {
                let index = anchored.number.index();
                let rendered = anchored.to_string();
                let prefix = rendered.len() - anchored.text.len();
                let shown = shown(&rendered, longest)?.saturating_sub(prefix);
                let bytes = bytes_displayed(line.text, shown);
                Some(CutLine { index, bytes })
            })
            .collect();
        self.cut = cut;
    }

    /// Removes the line `first` and all lines after it from the view.
    pub fn cut_at(&mut self, first: LineNo) {
        let end = first.index();
        let kept = self.spans.iter().filter(|span| span.start() < end);
        self.spans = kept
            .map(|span| LineSpan::new(span.start()..span.end().min(end)))
            .collect();
    }
}

/// Returns whether the file has lines between two rendered pieces that are not shown.
fn is_gap(before: &Piece, after: &Piece) -> bool {
    match (before.span, after.span) {
        (Some(before), Some(after)) => before.end() != after.start(),
        _ => false,
    }
}

impl Session<'_> {
    /// Writes the lines of a view with their anchors, with `--` between spans unless every line is a match, and records the lines as shown.
    ///
    /// # Errors
    ///
    /// If writing to `out` fails. The lines are recorded as shown even then, because it is not known how many of them arrived.
    pub fn show(&self, view: &View, dialect: Dialect, out: &mut dyn Write) -> io::Result<()> {
        let Body::Whole { document, .. } = &view.body else {
            return self.show_lines(view, dialect, out);
        };
        let parts = view.spans.iter().map(|&span| document.slice(span));
        let parts: Vec<LineSlice<'_>> = parts.collect();
        // One piece is held back, so that the lines can be recorded before the last one is written.
        let (mut held, mut tags) = (Piece::default(), Vec::new());
        let marks_gaps = !view.shows_matches_only();
        let mut written = Ok(());
        render_in_order(&parts, dialect.scheme, |piece| {
            let before = std::mem::replace(&mut held, piece);
            tags.extend_from_slice(&held.tags);
            if written.is_ok() {
                written = out.write_all(&before.lines);
            }
            if written.is_ok() && marks_gaps && is_gap(&before, &held) {
                written = out.write_all(b"--\n");
            }
            before
        });
        // Recorded before the last piece is written: a caller that has read everything can send an edit at once.
        self.showed(view, dialect, Some(&tags));
        written?;
        out.write_all(&held.lines)
    }

    fn show_lines(&self, view: &View, dialect: Dialect, out: &mut dyn Write) -> io::Result<()> {
        self.showed(view, dialect, None);
        let mut lines = view.anchored(dialect.scheme);
        lines.try_for_each(|line| writeln!(out, "{line}"))
    }

    /// Records that the lines of a view were shown with their anchors, for callers that do not render them with [`Session::show`].
    pub fn showed(&self, view: &View, dialect: Dialect, tags: Option<&[u32]>) {
        let ledger = self.service.state.ledger();
        let shows = ShownLines {
            cut: &view.cut,
            ..self.shows(dialect.scheme, &view.spans, tags, ShownBy::Read)
        };
        match &view.body {
            Body::Whole { file, document } => ledger.showed(file, document, &shows),
            Body::Part(part) => part.showed(ledger, &shows),
        }
    }
}
