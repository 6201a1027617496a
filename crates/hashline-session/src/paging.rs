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

    /// Returns the line behind the matches that can be shown with what stands around them before `end`, and how many they are: whoever goes
    /// on there misses nothing and sees nothing twice.
    #[must_use]
    pub fn break_before(&self, end: LineNo) -> Option<(LineNo, usize)> {
        let span_of = |line: &LineNo| {
            let mut spans = self.spans.iter();
            spans.find(|span| span.range().contains(&line.index()))
        };
        let breaks = self.matching.iter().enumerate().map(|(index, line)| {
            let span = span_of(line)?;
            // Where the next match stands in the same part, that part is broken right before it.
            let next = self.matching.get(index + 1).map(|next| next.index());
            let behind = next.filter(|next| *next < span.end());
            Some((behind.unwrap_or(span.end()), index + 1))
        });
        let fits = |(behind, _): &(usize, usize)| *behind <= end.index();
        let last = breaks.flatten().take_while(fits).last();
        last.map(|(behind, count)| (LineNo::from_index(behind), count))
    }

    /// Leaves out a line and all after it.
    pub fn cut_at(&mut self, first: LineNo) {
        let end = first.index();
        let kept = self.spans.iter().filter(|span| span.start() < end);
        self.spans = kept
            .map(|span| LineSpan::new(span.start()..span.end().min(end)))
            .collect();
    }
}
