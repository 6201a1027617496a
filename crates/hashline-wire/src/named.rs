//! Names of files in prose and headings.
//!
//! A file name may contain line breaks and control characters, which could steer a terminal or imitate another line of an answer: an anchored
//! line, a heading, a next step. Such a name is written as a JSON string; every other name is written unchanged.

use std::borrow::Cow;

/// Returns a file name for a sentence: unchanged, or as a JSON string if it has line breaks, control characters or a quote at its start.
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

/// Returns several file names separated by commas, each as [`named`] writes it.
#[must_use]
pub fn all_named<S: AsRef<str>>(paths: &[S]) -> String {
    let spelled: Vec<_> = paths.iter().map(|path| named(path.as_ref())).collect();
    spelled.join(", ")
}

/// Returns whether a character is a line break, another control character, or one that changes the direction of text.
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
