//! Showing less at a time: a view is cut where it would be too long, and says with which line to go on.

use hashline_core::text::{LineNo, LineSpan};

use crate::reading::View;

/// So many bytes an anchor takes, with its separator and the end of the line.
const ANCHOR: usize = 10;

impl View {
    /// Returns the first line that does not fit into so many bytes with all before it, anchors included. The first line always fits.
    #[must_use]
    pub fn overflow(&self, most: usize) -> Option<LineNo> {
        let mut bytes = 0;
        self.lines()
            .enumerate()
            .find_map(|(index, (number, line))| {
                bytes += line.text.len() + ANCHOR;
                (index > 0 && bytes > most).then_some(number)
            })
    }

    /// Leaves out a line and all after it.
    pub fn cut_at(&mut self, first: LineNo) {
        let end = first.index();
        let kept = self.spans.iter().filter(|span| span.start() < end);
        self.spans = kept
            .map(|span| LineSpan::new(span.start()..span.end().min(end)))
            .collect();
    }

    /// Leaves out all lines before one.
    pub fn skip_to(&mut self, first: LineNo) {
        let start = first.index();
        let kept = self.spans.iter().filter(|span| span.end() > start);
        self.spans = kept
            .map(|span| LineSpan::new(span.start().max(start)..span.end()))
            .collect();
    }
}
