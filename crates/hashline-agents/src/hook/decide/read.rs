//! Decides whether the output of an agent's own read tool gets anchors, and records the lines as shown. (How the lines are written is in
//! `clients`.)
//!
//! Anchors are added only if the output is, line by line, the current content of the file. Output with shortened lines, in another encoding,
//! or of a file that changed in the meantime is left unchanged.

use std::path::Path;

use hashline_core::text::{Line, LineNo};
use hashline_session::{ReadLines, ReadSpec, View};
use hashline_wire::request::LineRange;
use hashline_workspace::config::ReadRewrite;

use super::Decider;
use super::native::Purpose;
use crate::hook::answer::{AnchoredRead, AnchoredText, Decision, ShownEnd};
use crate::hook::event::ReadOutput;

impl Decider<'_> {
    /// Decides whether the output of a client's read tool is replaced by the same lines with anchors.
    pub(super) fn read(&self, path: &str, answer: &ReadOutput) -> Decision {
        let wanted = self.settings().read == ReadRewrite::Anchors && self.client.rewrites_reads();
        let showing = wanted.then(|| self.with_anchors(path, answer)).flatten();
        showing.map_or(Decision::Pass, |showing| Decision::Show(Box::new(showing)))
    }

    fn with_anchors(&self, path: &str, answer: &ReadOutput) -> Option<AnchoredRead> {
        let place = self.location.place(Path::new(path));
        if !self.is_ours(&place, Purpose::Show) {
            return None;
        }
        let session = self.service.session(self.session);
        let dialect = self.dialect;
        let shown: Vec<&str> = answer.text.split('\n').collect();
        let lines = ReadLines::Range(LineRange {
            first: Some(answer.first),
            last: Some(answer.first.checked_add(shown.len())?.checked_sub(1)?),
            context: 0,
        });
        let spec = ReadSpec {
            encoding: None,
            path: place.to_str()?.to_owned(),
            lines,
        };
        let mut reading = session.read(&[spec], dialect, None).ok()?;
        let view = reading.files.pop()?.ok()?;
        let end = compare(&view, &shown)?;
        // With anchors it must still be a page that no client cuts: else the output stays as it is, and nothing counts as shown.
        let room = self.page().without_notes().bytes();
        (view.cost(dialect.scheme) <= room).then_some(())?;
        session.showed(&view, dialect, None);
        let lines = view.anchored(dialect.scheme).map(|line| AnchoredText {
            anchor: line.anchor(),
            tag: line.tag.to_string(),
            text: line.text.into_owned(),
        });
        Some(AnchoredRead {
            path: self.location.server_path(&place),
            rev: view.revision.short(),
            edit_tool: self.tools.tool("edit"),
            scheme: dialect.scheme,
            line_count: view.line_count,
            lines: lines.collect(),
            end,
        })
    }
}

/// Returns how the client's output ends; `None` if it differs from the lines of the file, or is empty.
fn compare(view: &View, shown: &[&str]) -> Option<ShownEnd> {
    let lines: Vec<(LineNo, Line<'_>)> = view.lines().collect();
    let is_last = |line: &(LineNo, Line<'_>)| line.0.index() + 1 == view.line_count;
    let ends = match shown.split_last() {
        _ if lines.is_empty() => return None,
        _ if lines.len() == shown.len() => ShownEnd::LastLine,
        Some((&"", rest)) if lines.len() == rest.len() && lines.last().is_some_and(is_last) => {
            ShownEnd::EmptyLine
        }
        _ => return None,
    };
    let same = |((_, line), shown): (&(LineNo, Line<'_>), &&str)| is_same(line, shown);
    lines.iter().zip(shown).all(same).then_some(ends)
}

/// Returns whether a client shows a line unchanged, apart from a `\r` at its end, a byte order mark, and replacement characters for bytes
/// that are not UTF-8.
fn is_same(line: &Line<'_>, shown: &str) -> bool {
    let text = String::from_utf8_lossy(line.text);
    let without = [shown.strip_suffix('\r'), shown.strip_prefix('\u{feff}')];
    let mut variants = [Some(shown)].into_iter().chain(without).flatten();
    variants.any(|shown| text == shown || is_replaced(&text, shown))
}

/// Returns whether a client shows a replacement character for each character of a line that is not ASCII: it does not decode the file as we do.
fn is_replaced(text: &str, shown: &str) -> bool {
    let replaced = |c: char| if c.is_ascii() { c } else { '\u{fffd}' };
    shown.contains('\u{fffd}') && text.chars().map(replaced).eq(shown.chars())
}
