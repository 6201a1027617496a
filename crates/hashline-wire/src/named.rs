//! Names of files in prose and headings.
//!
//! A name may hold line breaks and whatever else steers a terminal or looks like another line of an answer: an anchored line, a heading,
//! a next step. Such a name is spelled out in quotes, as JSON spells it; every other one stands as it is.

use std::borrow::Cow;

/// Spells the name of a file so that it stays in its line.
#[must_use]
pub fn named(path: &str) -> Cow<'_, str> {
    // A quote at its beginning would make it look like one that is spelled out.
    if !path.starts_with('"') && !path.contains(steers) {
        return Cow::Borrowed(path);
    }
    // JSON escapes quotes and most control characters, but not those that turn the direction of text.
    let quoted = serde_json::Value::from(path).to_string();
    let spelled = quoted.chars().map(|letter| {
        if steers(letter) {
            format!("\\u{:04x}", u32::from(letter))
        } else {
            letter.to_string()
        }
    });
    Cow::Owned(spelled.collect())
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
