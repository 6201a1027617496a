//! What a Perl program opens: `open` with its mode in front of the path, or before it.

use super::expression::{Argument, Expressions};
use super::lex::{Lexicon, Values};
use super::{Access, Way};

/// What its programs look like.
pub(super) const PERL: Lexicon = Lexicon {
    quotes: "'\"",
    triple: false,
    comment: "#",
    values: Values::BySigil,
};

/// What ends a call without brackets.
const ENDS: &[&str] = &["or", "and", "if", "unless", "for", "foreach", "while"];

/// Reads the call at this place.
pub(super) fn access(code: &Expressions<'_>, at: usize) -> Option<Access> {
    if code.name(at)? != "open" || code.mark(at.wrapping_sub(1)) == Some('>') {
        return None;
    }
    let arguments = code.loose_call(at, ENDS)?;
    match arguments.as_slice() {
        [_, both] => in_one(code, both),
        [_, mode, path, ..] => in_two(code, mode, path),
        _ => None,
    }
}

/// `open(F, ">path")`.
fn in_one(code: &Expressions<'_>, both: &Argument) -> Option<Access> {
    let word = code.path(both.value.clone())?;
    let (head, _) = word.head();
    let written = head.trim_start();
    let mode: String = written
        .chars()
        .take_while(|c| "+<>|&=-".contains(*c))
        .collect();
    let begin = head.len() - written.len() + mode.len();
    let blanks = head.get(begin..).unwrap_or_default();
    let begin = begin + (blanks.len() - blanks.trim_start().len());
    let ends_with_pipe = word
        .text()
        .is_some_and(|text| text.trim_end().ends_with('|'));
    if ends_with_pipe {
        return None;
    }
    Some(Access {
        path: word.after(begin),
        way: way(&mode)?,
    })
}

/// `open(F, '>', path)`.
fn in_two(code: &Expressions<'_>, mode: &Argument, path: &Argument) -> Option<Access> {
    let way = match code.string(&mode.value) {
        Some(mode) => way(mode)?,
        None => Way::Read,
    };
    // A reference is a string in memory.
    if code.mark(path.value.start) == Some('\\') {
        return None;
    }
    let path = code.path(path.value.clone())?;
    Some(Access { path, way })
}

/// Reads a mode; none if it is a pipe or copies a descriptor.
fn way(mode: &str) -> Option<Way> {
    if mode.contains(['|', '&']) {
        return None;
    }
    Some(match mode.contains(['>', '+']) {
        true => Way::Write,
        false => Way::Read,
    })
}
