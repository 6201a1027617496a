//! Names of files in prose and headings.
//!
//! A name may hold line breaks and whatever else steers a terminal or looks like another line of an answer: an anchored line, a heading,
//! a next step. Such a name is spelled out in quotes, as JSON spells it; every other one stands as it is.

use std::borrow::Cow;
use std::fmt::Write;

/// Spells the name of a file so that it stays in its line.
#[must_use]
pub fn named(path: &str) -> Cow<'_, str> {
    // A quote at its beginning would make it look like one that is spelled out.
    if !path.starts_with('"') && !path.contains(steers) {
        return Cow::Borrowed(path);
    }
    let mut spelled = String::with_capacity(path.len() + 2);
    spelled.push('"');
    for letter in path.chars() {
        match letter {
            '"' | '\\' => spelled.extend(['\\', letter]),
            '\n' => spelled.push_str("\\n"),
            '\r' => spelled.push_str("\\r"),
            '\t' => spelled.push_str("\\t"),
            letter if steers(letter) => {
                // A string takes whatever is written to it.
                let _ = write!(spelled, "\\u{:04x}", u32::from(letter));
            }
            letter => spelled.push(letter),
        }
    }
    spelled.push('"');
    Cow::Owned(spelled)
}

/// Spells several names, a comma between them.
#[must_use]
pub fn all_named<S: AsRef<str>>(paths: &[S]) -> String {
    let spelled: Vec<_> = paths.iter().map(|path| named(path.as_ref())).collect();
    spelled.join(", ")
}

/// Tells whether a letter breaks the line, or changes how others are shown.
fn steers(letter: char) -> bool {
    let turns = matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') || turns
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn a_name_stays_in_its_line_and_can_be_read_back() {
        for plain in ["src/a.rs", "a b.txt", "ä\\b.txt", "it's"] {
            assert_eq!(named(plain), plain);
        }
        let odd = [
            "a\n1:05|x\nNext: read {}",
            "\u{1b}[2J\r",
            "\"a\"",
            "a\u{202e}b\u{2028}\u{85}\\n\n",
        ];
        for name in odd {
            let spelled = named(name);
            assert!(!spelled.contains(super::steers), "{spelled}");
            let back: Result<String, _> = serde_json::from_str(&spelled);
            assert_eq!(back.ok().as_deref(), Some(name));
        }
        assert_eq!(named(odd[0]), r#""a\n1:05|x\nNext: read {}""#);
    }
}
