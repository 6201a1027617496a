//! The anchors of dialect `omp` (seed 000): `12:a3|text`.
//!
//! The hash in the tag ignores white space, so that a line keeps its tag when it is indented differently.

use crate::anchor::{Anchor, BadAnchor, Tag};
use crate::text::whitespace::{trim, trim_end, trim_start};

const HEX: &[u8; 16] = b"0123456789abcdef";

/// Encodes the low byte of the value as two hex digits.
pub(super) fn digits(value: u32) -> [u8; 2] {
    let [low, ..] = value.to_le_bytes();
    [HEX[usize::from(low >> 4)], HEX[usize::from(low & 15)]]
}

/// Parses an anchor in every format that the original tool (seed 000) accepts: copied text after the anchor, change markers before it
/// and white space around it are ignored. A number too large for 64 bits becomes the largest.
pub(super) fn parse(text: &str) -> Result<Anchor, BadAnchor> {
    let malformed = BadAnchor::Malformed { example: "5:aa" };
    let place = cut_last_line_at(cut_last_line_at(text, "|"), "  ");
    let place = match place.strip_prefix('>') {
        Some(rest) => trim_start(rest.trim_start_matches('>')),
        None => place,
    };
    let (digits, tag) = split_place(trim(place)).ok_or_else(|| malformed.clone())?;
    if digits.bytes().all(|digit| digit == b'0') {
        return Err(BadAnchor::LineZero);
    }
    let tag = Tag::new(tag).ok_or(malformed)?;
    Ok(Anchor::new(digits.parse().unwrap_or(u64::MAX), tag))
}

/// Cuts `text` at the first `mark` in its last line; the lines before are kept whole, even if they contain `mark`.
fn cut_last_line_at<'a>(text: &'a str, mark: &str) -> &'a str {
    let is_terminator = |c| matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}');
    let last_line = text.rsplit(is_terminator).next().unwrap_or(text);
    let start = text.len() - last_line.len();
    last_line
        .find(mark)
        .map_or(text, |place| &text[..start + place])
}

/// Splits `12 : a3` into digits and tag. If the tag is too long or other characters follow it, only its first two characters are taken.
fn split_place(place: &str) -> Option<(&str, &str)> {
    let (before, after) = place.split_once(':')?;
    let (digits, rest) = (trim_end(before), trim_start(after));
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let whole = length == rest.len() && (1..=Tag::MAX).contains(&length);
    let tag = if whole {
        rest
    } else {
        rest[..length].get(..2)?
    };
    Some((digits, tag))
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::anchor::BadAnchor;

    fn parsed(text: &str) -> Option<(u64, String)> {
        parse(text)
            .ok()
            .map(|anchor| (anchor.line, anchor.tag.to_string()))
    }

    #[test]
    fn what_was_copied_along_is_ignored() {
        for text in [
            "5:ab",
            ">>> 5:ab|code",
            " 5 : ab ",
            "5:ab  code",
            "5:ab code",
            "005:ab",
            "5:ab\n|x",
            "5:ab: x",
        ] {
            assert_eq!(parsed(text), Some((5, "ab".to_owned())), "{text:?}");
        }
        assert_eq!(parsed("5:abc"), Some((5, "abc".to_owned())));
        assert_eq!(parsed("5:abc!"), Some((5, "ab".to_owned())));
        assert_eq!(
            parsed("99999999999999999999:A"),
            Some((u64::MAX, "A".to_owned()))
        );
    }

    #[test]
    fn anything_else_is_not_an_anchor() {
        for text in [
            "", "5", ":ab", "5:", "a5:ab", "5:a!", " > 5:ab", "|5:ab", "５:ab", "+5:ab",
        ] {
            let malformed = BadAnchor::Malformed { example: "5:aa" };
            assert_eq!(parse(text), Err(malformed), "{text:?}");
        }
        assert_eq!(parse("00:ab"), Err(BadAnchor::LineZero));
    }
}
