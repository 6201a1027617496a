//! Decodes the backslash escapes in bash's `$'..'` strings, such as `\n` and `\x63`.

/// Decodes the text between the quotes of `$'..'` as bash does. A NUL ends the text; bytes that are not UTF-8 become replacement characters.
pub(super) fn decoded(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        out.extend(before.bytes());
        rest = escape_into(&mut out, escape);
    }
    out.extend(rest.bytes());
    let end = out.iter().position(|byte| *byte == 0);
    out.truncate(end.unwrap_or(out.len()));
    String::from_utf8_lossy(&out).into_owned()
}

/// Decodes one escape, of which `text` begins after the backslash, and appends its bytes to `out`. Returns the text after the escape.
fn escape_into<'a>(out: &mut Vec<u8>, text: &'a str) -> &'a str {
    let mut chars = text.chars();
    let byte = match chars.next() {
        Some('n') => b'\n',
        Some('t') => b'\t',
        Some('r') => b'\r',
        Some('a') => 0x07,
        Some('b') => 0x08,
        Some('e' | 'E') => 0x1b,
        Some('f') => 0x0c,
        Some('v') => 0x0b,
        Some(quoted @ ('\\' | '\'' | '"' | '?')) => quoted as u8,
        _ => return number_into(out, text),
    };
    out.push(byte);
    chars.as_str()
}

/// Decodes a numeric or control escape (`143`, `x63`, `u0063`, `U00000063`, `cX`), appends it to `out` and returns the text after it.
fn number_into<'a>(out: &mut Vec<u8>, text: &'a str) -> &'a str {
    let spelled = match text.as_bytes().first() {
        Some(b'0'..=b'7') => number(text, 8, 3),
        Some(b'x') => number(&text[1..], 16, 2),
        Some(b'u') => number(&text[1..], 16, 4),
        Some(b'U') => number(&text[1..], 16, 8),
        Some(b'c') => control(&text[1..]),
        _ => None,
    };
    let Some((number, rest)) = spelled else {
        // What is no escape is left as it is, with its backslash.
        out.push(b'\\');
        return text;
    };
    match char::from_u32(number) {
        Some(c) if text.starts_with(['u', 'U']) => out.extend(c.to_string().bytes()),
        // Of a number that is too large for a byte, the lower bits count.
        _ => out.push((number & 0xff) as u8),
    }
    rest
}

/// Parses a number of at most `most` digits; returns it and the text after it.
fn number(text: &str, radix: u32, most: usize) -> Option<(u32, &str)> {
    let digits = text.chars().take(most).take_while(|c| c.is_digit(radix));
    let (digits, rest) = text.split_at(digits.count());
    Some((u32::from_str_radix(digits, radix).ok()?, rest))
}

fn control(text: &str) -> Option<(u32, &str)> {
    let mut chars = text.chars();
    let number = match chars.next().filter(char::is_ascii)? {
        '?' => 0x7f,
        c => u32::from(c) & 0x1f,
    };
    Some((number, chars.as_str()))
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn escapes_are_decoded() {
        for (text, means) in [
            ("cat", "cat"),
            (r"\x63at", "cat"),
            (r"\x9", "\t"),
            (r"\143at", "cat"),
            (r"\1434", "c4"),
            (r"a\x2elog", "a.log"),
            (r"\u0063\u61\U00000074", "cat"),
            (r"\u00e9", "é"),
            (r"\xc3\xa9", "é"),
            (r"\n\t\r\a\b\e\E\f\v", "\n\t\r\x07\x08\x1b\x1b\x0c\x0b"),
            (r#"\\\'\"\?"#, r#"\'"?"#),
            (r"\cA\c?", "\x01\x7f"),
            (r"a\0b", "a"),
            (r"\x00", ""),
        ] {
            assert_eq!(decoded(text), means, "{text}");
        }
    }

    #[test]
    fn what_is_no_escape_stays() {
        for text in [r"\q", r"\xg", r"\u", r"\9", r"\", r"\c", r"\é", r"é\cé"] {
            assert_eq!(decoded(text), text);
        }
    }
}
