//! What is true of every edit that was done, whatever was asked for.
//!
//! Read from the documents and the report alone: nothing here knows which edits were asked for, or how they are done.

use hashline_core::text::{Document, LineNo, LineSpan};
use hashline_core::{Edited, Report};

/// Checks an edit that was done.
///
/// # Errors
///
/// Says in one sentence what is not so.
pub fn check(before: &Document, edited: &Edited) -> Result<(), String> {
    let (after, report) = (&edited.document, &edited.report);
    reads_as_its_bytes(after)?;
    marks_survive(before, after)?;
    untouched_lines_are_kept(before, after, report)?;
    windows_lie_inside(after, report)
}

/// A document made by an edit is the one that a reader of its bytes gets.
fn reads_as_its_bytes(after: &Document) -> Result<(), String> {
    let reread = Document::new(after.bytes());
    if !after.lines().eq(reread.lines()) || after.bom() != reread.bom() {
        return Err(format!(
            "{} lines were made where a reader finds {}: {}",
            after.line_count(),
            reread.line_count(),
            shown(after)
        ));
    }
    Ok(())
}

/// The byte order mark stays, and so does a final newline, unless no line is left.
fn marks_survive(before: &Document, after: &Document) -> Result<(), String> {
    if !after.bytes().starts_with(before.bom()) {
        return Err(format!("the byte order mark is gone: {}", shown(after)));
    }
    if before.bytes().ends_with(b"\n") && !after.bytes().ends_with(b"\n") && after.line_count() > 0
    {
        return Err(format!("the final newline is gone: {}", shown(after)));
    }
    Ok(())
}

/// Lines that the report does not list as changed are the same bytes in the same order.
fn untouched_lines_are_kept(
    before: &Document,
    after: &Document,
    report: &Report,
) -> Result<(), String> {
    let (mut old, mut new) = (0, 0);
    for change in report.changes.iter() {
        let kept = LineSpan::new(old..change.old.start());
        same_lines(
            (before, kept),
            (after, LineSpan::new(new..change.new.start())),
        )?;
        (old, new) = (change.old.end(), change.new.end());
    }
    let kept = LineSpan::new(old..before.line_count());
    same_lines(
        (before, kept),
        (after, LineSpan::new(new..after.line_count())),
    )
}

fn same_lines(
    (before, old): (&Document, LineSpan),
    (after, new): (&Document, LineSpan),
) -> Result<(), String> {
    if old.len() != new.len() || new.end() > after.line_count() || old.end() > before.line_count() {
        return Err(format!("lines {old} are said to stand at {new} unchanged"));
    }
    for (was, is) in old.range().zip(new.range()) {
        if !is_kept(before, was, after, is) {
            return Err(format!(
                "untouched line {was} is not what stands at {is} in {}",
                shown(after)
            ));
        }
    }
    Ok(())
}

/// Returns whether the line at index `was` stands at index `is` with every byte it had.
///
/// Only the last line of a file without a final newline has no ending: it gets one if another comes after it, and whichever line
/// becomes the last one loses its own.
#[must_use]
pub fn is_kept(before: &Document, was: usize, after: &Document, is: usize) -> bool {
    let (Some(line), Some(_)) = (
        before.line(LineNo::from_index(was)),
        after.line(LineNo::from_index(is)),
    ) else {
        return false;
    };
    let old = before.slice(LineSpan::new(was..was + 1)).bytes();
    let mut new = after.slice(LineSpan::new(is..is + 1)).bytes().to_vec();
    if is == 0 && before.bom().is_empty() {
        // Its text may begin with U+FEFF: now that it is the first line, that is a byte order mark.
        new = [after.bom(), &new].concat();
    }
    let was_last = was + 1 == before.line_count() && !before.bytes().ends_with(b"\n");
    let is_last = is + 1 == after.line_count() && !before.bytes().ends_with(b"\n");
    let got_an_ending = || matches!(new.strip_prefix(old), Some(b"\n" | b"\r\n"));
    new == old || (was_last && got_an_ending()) || (is_last && new == line.text)
}

fn windows_lie_inside(after: &Document, report: &Report) -> Result<(), String> {
    let windows = report.windows(hashline_core::policy::Context::default());
    let outside = windows
        .iter()
        .find(|window| window.end() > after.line_count() || window.is_empty());
    outside.map_or(Ok(()), |window| {
        Err(format!("window {window} lies outside {}", shown(after)))
    })
}

fn shown(document: &Document) -> String {
    format!("b\"{}\"", document.bytes().escape_ascii())
}
