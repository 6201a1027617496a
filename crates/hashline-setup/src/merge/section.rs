//! A section of ours in a Markdown file, between two comments.
//!
//! The first comment carries a sum of the text, so that a section that a person edited is told from one that an older setup wrote.
//! Each agent has a section of its own: several of them read one AGENTS.md.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::{Differing, Merged, Unmerged};
use crate::lines::{Position, before_blank, ending, with_endings};
use crate::splice::{Splice, spliced};

/// A section: for whom, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The name of the agent.
    pub agent: &'static str,
    /// The text, without marks; its lines end with a line feed.
    pub text: String,
}

/// A section that stands in a file.
struct Found {
    /// From the first byte of the one mark to the last of the other.
    range: Range<usize>,
    /// Whether its text is as some setup wrote it.
    is_untouched: bool,
}

impl Section {
    fn begin(&self) -> String {
        format!("<!-- hashline:{} ", self.agent)
    }

    fn end(&self) -> String {
        format!("<!-- /hashline:{} -->", self.agent)
    }

    /// Returns the section with its marks.
    fn marked(&self) -> String {
        let text = format!("{}\n", self.text.trim_end());
        format!("{}{} -->\n{text}{}", self.begin(), sum(&text), self.end())
    }

    fn find(&self, text: &str) -> Result<Option<Found>, Unmerged> {
        let torn = |at| Unmerged::TornSection {
            at: Position::of(text, at),
        };
        let (begin, end) = (text.find(&self.begin()), text.find(&self.end()));
        let (begin, end) = match (begin, end) {
            (None, None) => return Ok(None),
            (Some(begin), Some(end)) if begin < end => (begin, end),
            (Some(at), _) | (None, Some(at)) => return Err(torn(at)),
        };
        let range = begin..end + self.end().len();
        if let Some(second) = text[range.end..].find(&self.begin()) {
            return Err(torn(range.end + second));
        }
        let written = with_endings(&text[begin..end], "\n");
        let head = &written[self.begin().len()..];
        let untouched = head
            .split_once(" -->\n")
            .map(|(said, body)| said == sum(body));
        let is_untouched = untouched.unwrap_or(false);
        Ok(Some(Found {
            range,
            is_untouched,
        }))
    }
}

/// Adds the section at the end of a text, or brings it up to date where it stands.
pub(crate) fn install(
    text: &str,
    section: &Section,
    differing: Differing,
) -> Result<Merged, Unmerged> {
    let ours = with_endings(&section.marked(), ending(text));
    let Some(found) = section.find(text)? else {
        return Ok(Merged::from(appended(text, &ours)));
    };
    if text[found.range.clone()] == ours {
        return Ok(Merged::from(text.to_owned()));
    }
    if !found.is_untouched && differing == Differing::Respect {
        return Ok(Merged {
            text: text.to_owned(),
            kept: vec![name(section)],
        });
    }
    Ok(Merged::from(spliced(
        text,
        &[Splice::replace(found.range, ours)],
    )))
}

/// Takes the section out of a text, with the blank line that was put before it.
pub(crate) fn uninstall(text: &str, section: &Section) -> Result<String, Unmerged> {
    let Some(found) = section.find(text)? else {
        return Ok(text.to_owned());
    };
    let before = &text[..before_blank(text, found.range.start)];
    let after = strip_ending(&text[found.range.end..]);
    Ok(format!("{before}{after}"))
}

/// Tells whether the section stands in a text just as it should; nothing if it does not stand there at all.
pub(crate) fn is_current(text: &str, section: &Section) -> Result<Option<bool>, Unmerged> {
    let ours = with_endings(&section.marked(), ending(text));
    let found = section.find(text)?;
    Ok(found.map(|found| text[found.range] == ours))
}

/// Tells whether a text holds nothing but sections of ours.
pub(crate) fn is_blank(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim();
    while let Some(section) = rest.strip_prefix("<!-- hashline:") {
        let Some((_, after)) = section.split_once("<!-- /hashline:") else {
            return false;
        };
        rest = after.split_once("-->").map_or("", |(_, rest)| rest).trim();
    }
    rest.is_empty()
}

fn name(section: &Section) -> String {
    format!("the section for {}", section.agent)
}

fn appended(text: &str, ours: &str) -> String {
    let ending = ending(text);
    let gap = match text {
        "" | "\u{feff}" => String::new(),
        text if text.ends_with('\n') => ending.to_owned(),
        _ => format!("{ending}{ending}"),
    };
    format!("{text}{gap}{ours}{ending}")
}

fn strip_ending(text: &str) -> &str {
    let text = text.strip_prefix('\r').unwrap_or(text);
    text.strip_prefix('\n').unwrap_or(text)
}

fn sum(text: &str) -> String {
    let sum = xxh3_64(text.as_bytes());
    format!("{:08x}", sum >> 32)
}
