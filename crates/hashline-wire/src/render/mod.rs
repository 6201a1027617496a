//! Answers as text: [`model`] for a language model, [`human`] for a person at a terminal. JSON is in [`mod@crate::answer`].
//!
//! A message says, in this order: what happened, that nothing was written, what is true now, what to do next.

pub mod human;
pub mod model;

use hashline_core::text::LineSpan;

/// Names a span: `line 4`, `lines 4-6`.
#[must_use]
pub fn lines_named(span: LineSpan) -> String {
    if span.len() > 1 {
        format!("lines {span}")
    } else {
        format!("line {span}")
    }
}

/// Begins a clause with a capital letter.
#[must_use]
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// Counts things: `1 line`, `3 lines`.
#[must_use]
pub fn count(number: usize, what: &str) -> String {
    if number == 1 {
        format!("1 {what}")
    } else {
        format!("{number} {what}s")
    }
}
