//! White space as the dialects define it: the white space characters of ECMAScript.
//!
//! The set differs from `char::is_whitespace`: U+FEFF is included, U+0085 is not. Three of the dialects come from JavaScript tools, which
//! remove `\s` before they hash a line, so this set affects the tags.

/// Returns whether `c` is white space by the ECMAScript definition, which the dialects' tags depend on.
#[must_use]
pub fn is_whitespace(c: char) -> bool {
    matches!(
        c,
        '\u{9}'..='\u{d}'
            | ' '
            | '\u{a0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200a}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202f}'
            | '\u{205f}'
            | '\u{3000}'
            | '\u{feff}'
    )
}

/// Returns whether the ASCII byte `b` is white space.
#[must_use]
pub(crate) const fn is_ascii_whitespace(b: u8) -> bool {
    matches!(b, 9..=13 | b' ')
}

/// Returns `text` with every white space character removed.
#[must_use]
pub(crate) fn squash(text: &str) -> String {
    text.chars().filter(|&c| !is_whitespace(c)).collect()
}

/// Returns the white space at the start of `text`.
#[must_use]
pub(crate) fn leading(text: &str) -> &str {
    &text[..text.len() - trim_start(text).len()]
}

/// Returns `text` without white space at either end.
#[must_use]
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_whitespace)
}

/// Returns `text` without white space at its start.
#[must_use]
pub(crate) fn trim_start(text: &str) -> &str {
    text.trim_start_matches(is_whitespace)
}

/// Returns `text` without white space at its end.
#[must_use]
pub(crate) fn trim_end(text: &str) -> &str {
    text.trim_end_matches(is_whitespace)
}
