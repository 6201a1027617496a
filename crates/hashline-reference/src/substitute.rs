//! Substitutions: finds a text in the file and replaces it by another.
//!
//! A text that occurs more than once, where not every occurrence is to be replaced, is refused with a list of the occurrences. A text
//! that does not occur is ignored: the original tool (seed 000) then tries a fuzzy match, which this crate does not imitate.

use std::borrow::Cow;

use super::display::number_of;
use super::request::TextReplacement;

/// How many occurrences the refusal shows.
const PREVIEWS: usize = 5;

/// How many lines are shown before and after each occurrence.
const CONTEXT: (usize, usize) = (5, 6);

/// The maximum number of UTF-16 code units of a line that is shown whole.
const LONGEST_LINE: usize = 80;

/// Returns the content after one substitution, `None` if the text does not occur, or the message of a refusal.
pub(super) fn substitute(
    content: &str,
    substitution: &TextReplacement,
) -> Result<Option<String>, String> {
    if substitution.old_text.is_empty() {
        return Err("replace.old_text must not be empty.".to_owned());
    }
    let content = with_plain_line_ends(content);
    let old = with_plain_line_ends(&substitution.old_text);
    let new = with_plain_line_ends(&substitution.new_text);
    match content.matches(&*old).count() {
        0 => Ok(None),
        1 => Ok(Some(content.replace(&*old, &new))),
        _ if substitution.all => Ok(Some(content.replace(&*old, &new))),
        times => Err(ambiguous(&content, &old, times)),
    }
}

/// Replaces every `\r\n`, then every `\r`, by `\n`.
pub(super) fn with_plain_line_ends(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

fn ambiguous(content: &str, old: &str, times: usize) -> String {
    let more = if times > PREVIEWS {
        format!(" (showing first {PREVIEWS} of {times})")
    } else {
        String::new()
    };
    let lines: Vec<&str> = content.split('\n').collect();
    let previews: Vec<String> = places(content, old)
        .take(PREVIEWS)
        .map(|place| preview(&lines, line_index(content, place)))
        .collect();
    format!(
        "Found {times} occurrences{more}:\n\n{}\n\nAdd more context lines to disambiguate.",
        previews.join("\n\n")
    )
}

/// Returns the offsets at which `old` occurs, including overlapping occurrences.
fn places<'a>(content: &'a str, old: &'a str) -> impl Iterator<Item = usize> + 'a {
    let find_from = move |start: usize| content.get(start..)?.find(old).map(|place| start + place);
    let first_width = old.chars().next().map_or(1, char::len_utf8);
    std::iter::successors(find_from(0), move |place| find_from(place + first_width))
}

fn line_index(content: &str, place: usize) -> usize {
    content[..place].matches('\n').count()
}

fn preview(lines: &[&str], index: usize) -> String {
    let (above, below) = CONTEXT;
    let start = index.saturating_sub(above);
    let end = (index + below + 1).min(lines.len());
    let shown =
        (start..end).map(|index| format!("  {} | {}", number_of(index), shorten(lines[index])));
    shown.collect::<Vec<_>>().join("\n")
}

fn shorten(line: &str) -> Cow<'_, str> {
    if line.encode_utf16().count() <= LONGEST_LINE {
        return Cow::Borrowed(line);
    }
    let mut units = 0;
    let fitting = line.chars().take_while(|c| {
        units += c.len_utf16();
        units < LONGEST_LINE
    });
    Cow::Owned(fitting.chain(['…']).collect())
}

#[cfg(test)]
mod tests {
    use super::{shorten, substitute};
    use crate::TextReplacement;

    fn replaced(content: &str, old: &str, new: &str, all: bool) -> Result<Option<String>, String> {
        let (old_text, new_text) = (old.to_owned(), new.to_owned());
        substitute(
            content,
            &TextReplacement {
                old_text,
                new_text,
                all,
            },
        )
    }

    #[test]
    fn one_place_or_all_are_replaced() {
        assert_eq!(
            replaced("a\r\nb", "a\nb", "$&\r", false),
            Ok(Some("$&\n".to_owned()))
        );
        assert_eq!(replaced("aaa", "a", "b", true), Ok(Some("bbb".to_owned())));
        assert_eq!(replaced("a", "b", "c", true), Ok(None));
        assert_eq!(
            replaced("a", "", "c", true),
            Err("replace.old_text must not be empty.".to_owned())
        );
    }

    #[test]
    fn several_places_are_shown() {
        let shown = "Found 2 occurrences:\n\n  1 | éé\n  2 | éé\n\n  1 | éé\n  2 | éé\n\nAdd more context lines to disambiguate.";
        assert_eq!(replaced("éé\néé", "éé", "x", false), Err(shown.to_owned()));
        let many = replaced("aaaaaa", "a", "x", false).unwrap_or_else(Some);
        assert!(many.is_some_and(|message| {
            message.starts_with("Found 6 occurrences (showing first 5 of 6):\n")
        }));
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        assert_eq!(shorten(&"x".repeat(80)), "x".repeat(80));
        assert_eq!(shorten(&"x".repeat(81)), format!("{}…", "x".repeat(79)));
        assert_eq!(shorten(&"😀".repeat(41)), format!("{}…", "😀".repeat(39)));
    }
}
