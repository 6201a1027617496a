//! A reference to a line as a model spells it, `12:a3`, and the liberties it may take.
//!
//! Copied text after the reference, change markers before it and white space around it are forgiven. Whether there is such a line,
//! or ever was, is not looked at here.

use crate::whitespace::{trim, trim_end, trim_start};

/// The most characters a hash may have when nothing follows it.
const HASH_LIMIT: usize = 16;

/// The claim that a line with this number has this hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineRef {
    /// The number, counted from 1. One too large to be held is the largest there is.
    pub line: u64,
    /// The hash as it was spelled.
    pub hash: String,
}

/// Reads a line reference.
///
/// # Errors
///
/// A text that names no line, or line 0, gives the message that says so.
pub fn parse_ref(text: &str) -> Result<LineRef, String> {
    let place = cut_last_line_at(cut_last_line_at(text, "|"), "  ");
    let place = match place.strip_prefix('>') {
        Some(rest) => trim_start(rest.trim_start_matches('>')),
        None => place,
    };
    let Some((digits, hash)) = split_place(trim(place)) else {
        return Err(format!(
            "Invalid line reference \"{text}\". Expected format \"LINE:HASH\" (e.g. \"5:aa\")."
        ));
    };
    if digits.bytes().all(|digit| digit == b'0') {
        return Err(format!("Line number must be >= 1, got 0 in \"{text}\"."));
    }
    let line = digits.parse().unwrap_or(u64::MAX);
    Ok(LineRef {
        line,
        hash: hash.to_owned(),
    })
}

/// Cuts `text` at the first `mark` in its last line; earlier lines are kept whatever they hold.
fn cut_last_line_at<'a>(text: &'a str, mark: &str) -> &'a str {
    let is_terminator = |c| matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}');
    let last_line = text.rsplit(is_terminator).next().unwrap_or(text);
    let start = text.len() - last_line.len();
    last_line
        .find(mark)
        .map_or(text, |place| &text[..start + place])
}

/// Splits `12 : a3` into digits and hash. More than a hash may follow only if the hash has two characters.
fn split_place(place: &str) -> Option<(&str, &str)> {
    let (before, after) = place.split_once(':')?;
    let (digits, rest) = (trim_end(before), trim_start(after));
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let whole = length == rest.len() && (1..=HASH_LIMIT).contains(&length);
    let hash = if whole {
        rest
    } else {
        rest[..length].get(..2)?
    };
    Some((digits, hash))
}

#[cfg(test)]
mod tests {
    use super::parse_ref;

    fn parsed(text: &str) -> Option<(u64, String)> {
        parse_ref(text)
            .ok()
            .map(|reference| (reference.line, reference.hash))
    }

    #[test]
    fn what_was_copied_along_is_forgiven() {
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
    fn anything_else_is_named_in_the_message() {
        for text in [
            "", "5", ":ab", "5:", "a5:ab", "5:a!", " > 5:ab", "|5:ab", "５:ab", "+5:ab",
        ] {
            let message = format!(
                "Invalid line reference \"{text}\". Expected format \"LINE:HASH\" (e.g. \"5:aa\")."
            );
            assert_eq!(parse_ref(text), Err(message));
        }
        assert_eq!(
            parse_ref("00:ab"),
            Err("Line number must be >= 1, got 0 in \"00:ab\".".to_owned())
        );
    }
}
