//! Answers as text: [`model`] for a language model, [`human`] for a person at a terminal. JSON is in [`mod@crate::answer`].
//!
//! The text of a refusal says, in this order: what happened, that nothing was written, how the lines are now, what to do next.

pub mod human;
pub mod model;

use hashline_core::text::LineSpan;

/// Returns a span in words: `line 4` or `lines 4-6`.
#[must_use]
pub fn lines_named(span: LineSpan) -> String {
    if span.len() > 1 {
        format!("lines {span}")
    } else {
        format!("line {span}")
    }
}

/// Returns the text with its first letter in upper case.
#[must_use]
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// Returns a number with its noun, in the plural if needed: `1 line`, `3 lines`.
#[must_use]
pub fn count(number: usize, what: &str) -> String {
    if number == 1 {
        format!("1 {what}")
    } else {
        format!("{number} {what}s")
    }
}

/// Returns the sentence in the place of lines of an answer that are left out.
pub(crate) fn not_shown(lines: usize) -> String {
    match lines {
        1 => "[... 1 line of this answer is not shown]".to_owned(),
        _ => format!("[... {lines} lines of this answer are not shown]"),
    }
}
