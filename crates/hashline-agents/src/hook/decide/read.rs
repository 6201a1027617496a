//! An agent's own read tool: the lines it shows get anchors, and it is written down that they were shown.
//!
//! Only what the client shows is touched, and only if it is what the file holds now, line by line. Lines that were cut, text in
//! another encoding and files that changed meanwhile stay as the client shows them.

use std::path::Path;

use hashline_core::text::{Line, LineNo};
use hashline_session::{Ask, Lines, View};
use hashline_wire::request::LineRange;
use hashline_workspace::config::ReadRewrite;

use super::Room;
use super::native::Purpose;
use crate::hook::decision::{AnchoredText, Decision, Ends, Showing};
use crate::hook::event::ReadAnswer;

impl Room<'_> {
    /// Puts anchors into the lines a client shows.
    pub(super) fn read(&self, path: &str, answer: &ReadAnswer) -> Decision {
        let wanted = self.settings().read == ReadRewrite::Anchors && self.client.rewrites_reads();
        let showing = wanted.then(|| self.with_anchors(path, answer)).flatten();
        showing.map_or(Decision::Pass, |showing| Decision::Show(Box::new(showing)))
    }

    fn with_anchors(&self, path: &str, answer: &ReadAnswer) -> Option<Showing> {
        let place = self.scene.place(Path::new(path));
        if !self.is_ours(&place, Purpose::Show) {
            return None;
        }
        let session = self.service.session(self.session);
        let dialect = self.dialect;
        let shown: Vec<&str> = answer.text.split('\n').collect();
        let lines = Lines::Range(LineRange {
            first: Some(answer.first),
            last: Some(answer.first.checked_add(shown.len())?.checked_sub(1)?),
            context: 0,
        });
        let ask = Ask {
            path: place.to_str()?.to_owned(),
            lines,
        };
        let mut reading = session.read(&[ask], dialect).ok()?;
        let view = reading.files.pop()?.ok()?;
        let ends = compare(&view, &shown)?;
        session.showed(&view, dialect, None);
        let lines = view.anchored(dialect.scheme).map(|line| AnchoredText {
            anchor: line.anchor(),
            tag: line.tag.to_string(),
            text: line.text.into_owned(),
        });
        Some(Showing {
            path: self.scene.spelled(&place),
            rev: view.revision.short(),
            edit_tool: self.calls.tool("edit"),
            scheme: dialect.scheme,
            line_count: view.line_count,
            lines: lines.collect(),
            ends,
        })
    }
}

/// Tells how the lines of a file end in what a client shows of them; nothing if it does not show just these, or none at all.
fn compare(view: &View, shown: &[&str]) -> Option<Ends> {
    let lines: Vec<(LineNo, Line<'_>)> = view.lines().collect();
    let is_last = |line: &(LineNo, Line<'_>)| line.0.index() + 1 == view.line_count;
    let ends = match shown.split_last() {
        _ if lines.is_empty() => return None,
        _ if lines.len() == shown.len() => Ends::Plainly,
        Some((&"", rest)) if lines.len() == rest.len() && lines.last().is_some_and(is_last) => {
            Ends::WithEmptyLine
        }
        _ => return None,
    };
    let same = |((_, line), shown): (&(LineNo, Line<'_>), &&str)| is_same(line, shown);
    lines.iter().zip(shown).all(same).then_some(ends)
}

/// Tells whether a client shows a line as it is: without its ending and the mark of its encoding, or with them, and with a mark of its
/// own for bytes that are no text.
fn is_same(line: &Line<'_>, shown: &str) -> bool {
    let text = String::from_utf8_lossy(line.text);
    let without = [shown.strip_suffix('\r'), shown.strip_prefix('\u{feff}')];
    text == shown || without.into_iter().flatten().any(|shown| text == shown)
}
