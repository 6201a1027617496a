//! Showing: lines with their anchors go out, and it is written down that they did.
//!
//! The end of what is shown is held back until it is written down: whoever has read all of it can use it.

use std::io::{self, Write};

use hashline_core::dialect::Dialect;
use hashline_core::render::{self, AnchoredLine};
use hashline_core::scheme::Scheme;
use hashline_core::text::{Line, LineNo, LineSlice};
use hashline_workspace::ledger::ShownBy;

use crate::pieces::{Piece, render_in_order};
use crate::reading::{Body, View};
use crate::service::Session;

impl View {
    /// Lists the lines that are shown, without anchors: their numbers and bytes.
    pub fn lines(&self) -> impl Iterator<Item = (LineNo, Line<'_>)> + '_ {
        let whole = match &self.body {
            Body::Whole { document, .. } => Some(self.spans.iter().flat_map(move |&span| {
                let numbers = span.range().map(LineNo::from_index);
                numbers.zip(document.lines_in(span))
            })),
            Body::Part(_) => None,
        };
        let part = match &self.body {
            Body::Whole { .. } => None,
            Body::Part(part) => {
                let is_shown = |number: &LineNo| {
                    let mut spans = self.spans.iter();
                    spans.any(|span| span.range().contains(&number.index()))
                };
                Some(
                    part.excerpt
                        .lines()
                        .filter(move |(number, _)| is_shown(number)),
                )
            }
        };
        whole
            .into_iter()
            .flatten()
            .chain(part.into_iter().flatten())
    }

    /// Tells whether every line that is shown matches what was searched for: each stands for itself.
    fn shows_matches_only(&self) -> bool {
        let lines: usize = self.spans.iter().map(|span| span.len()).sum();
        let is_shown = |line: &&LineNo| {
            let mut spans = self.spans.iter();
            spans.any(|span| span.range().contains(&line.index()))
        };
        self.matches.is_some() && self.matching.iter().filter(is_shown).count() == lines
    }

    /// Lists the lines that are shown, with their anchors.
    pub fn anchored(&self, scheme: Scheme) -> impl Iterator<Item = AnchoredLine<'_>> + '_ {
        render::anchored_lines(self.lines(), scheme)
    }
}

/// Tells whether lines are left out between two pieces.
fn is_gap(before: &Piece, after: &Piece) -> bool {
    match (before.span, after.span) {
        (Some(before), Some(after)) => before.end() != after.start(),
        _ => false,
    }
}

impl Session<'_> {
    /// Writes the lines of a view with their anchors, `--` between parts unless they are nothing but matches, and writes down that they were shown. Whoever stops listening
    /// was shown them all the same, as far as anybody knows.
    ///
    /// # Errors
    ///
    /// If `out` takes no more.
    pub fn show(&self, view: &View, dialect: Dialect, out: &mut dyn Write) -> io::Result<()> {
        let Body::Whole { document, .. } = &view.body else {
            return self.show_lines(view, dialect, out);
        };
        let parts = view.spans.iter().map(|&span| document.slice(span));
        let parts: Vec<LineSlice<'_>> = parts.collect();
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
        self.showed(view, dialect, Some(&tags));
        written?;
        out.write_all(&held.lines)
    }

    fn show_lines(&self, view: &View, dialect: Dialect, out: &mut dyn Write) -> io::Result<()> {
        self.showed(view, dialect, None);
        let mut lines = view.anchored(dialect.scheme);
        lines.try_for_each(|line| writeln!(out, "{line}"))
    }

    /// Writes down that the lines of a view were shown with their anchors, for a surface that renders them in its own way.
    pub fn showed(&self, view: &View, dialect: Dialect, tags: Option<&[u32]>) {
        let ledger = self.service.state.ledger();
        let shows = self.shows(dialect.scheme, &view.spans, tags, ShownBy::Read);
        match &view.body {
            Body::Whole { file, document } => ledger.showed(file, document, &shows),
            Body::Part(part) => part.showed(ledger, &shows),
        }
    }
}
