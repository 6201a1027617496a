//! Our section of a Markdown file such as AGENTS.md: the lines between two marker comments.
//!
//! The first marker has a checksum of the text, which tells a section that the user edited from one that an older setup wrote. Each agent has a
//! section of its own, since several agents read the same AGENTS.md.

use std::ops::Range;

use hashline_wire::agent::Agent;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::{MergeError, MergeProblem, Merged, OnConflict};
use crate::setup::text::{TextSplice, appended, before_blank, ending, spliced, with_endings};

/// The section of a Markdown file that has the instructions for one agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Section {
    /// The agent that the section is for.
    pub(crate) agent: Agent,
    /// The text between the markers; its lines end with a line feed.
    pub(crate) text: String,
}

/// A section that was found in a file.
struct FoundSection {
    /// The range of the section, including both markers.
    range: Range<usize>,
    /// Whether the text still matches the checksum in the first marker, so that nobody edited it.
    is_untouched: bool,
}

/// A line that marks the begin or the end of a section.
enum Marker<'a> {
    /// The begin of a section, with the checksum of the section's text.
    Begin(&'a str),
    /// The end of a section.
    End,
}

impl Section {
    /// Returns the section's name for messages.
    fn name(&self) -> String {
        format!("the section for {}", self.agent.name())
    }

    /// Returns the section's text between its two markers.
    fn marked(&self) -> String {
        let (agent, text) = (self.agent.name(), format!("{}\n", self.text.trim_end()));
        let sum = sum(&text);
        format!("<!-- hashline:{agent} {sum} -->\n{text}<!-- /hashline:{agent} -->")
    }

    fn find(&self, text: &str) -> Result<Option<FoundSection>, MergeError> {
        let torn = |at| MergeProblem::TornSection.at(text, at);
        let mut found = None;
        let mut open: Option<(usize, usize, &str)> = None;
        for (at, line) in lines(text) {
            match (mark(line, self.agent), open) {
                (None, _) => {}
                (Some(Marker::Begin(sum)), None) if found.is_none() => {
                    open = Some((at, at + line.len(), sum));
                }
                (Some(Marker::End), Some((begin, body, written))) => {
                    let body = with_endings(&text[body..at], "\n");
                    found = Some(FoundSection {
                        range: begin..at + line.trim_end().len(),
                        is_untouched: written == sum(&body),
                    });
                    open = None;
                }
                (Some(_), _) => return Err(torn(at)),
            }
        }
        match open {
            Some((begin, ..)) => Err(torn(begin)),
            None => Ok(found),
        }
    }
}

/// Adds the section at the end of a text, or updates it in place.
pub(crate) fn install(
    text: &str,
    section: &Section,
    on_conflict: OnConflict,
) -> Result<Merged, MergeError> {
    let ours = with_endings(&section.marked(), ending(text));
    let Some(found) = section.find(text)? else {
        return Ok(Merged::from(appended(text, &format!("{ours}\n"))));
    };
    if text[found.range.clone()] == ours {
        return Ok(Merged::from(text.to_owned()));
    }
    if !found.is_untouched && on_conflict == OnConflict::Keep {
        return Ok(Merged::kept(text, section.name()));
    }
    Ok(Merged::from(spliced(
        text,
        &[TextSplice::replace(found.range, ours)],
    )))
}

/// Removes the section, with the blank line before it. A section that the user edited is kept, unless `on_conflict` is `Replace`.
pub(crate) fn uninstall(
    text: &str,
    section: &Section,
    on_conflict: OnConflict,
) -> Result<Merged, MergeError> {
    let Some(found) = section.find(text)? else {
        return Ok(Merged::from(text.to_owned()));
    };
    if !found.is_untouched && on_conflict == OnConflict::Keep {
        return Ok(Merged::kept(text, section.name()));
    }
    let before = &text[..before_blank(text, found.range.start)];
    let after = &text[found.range.end..];
    let mut after = strip_ending(after.trim_start_matches([' ', '\t']));
    let next = strip_ending(after);
    // The blank line before the next agent's section is of no use at the very top.
    if before.is_empty() && next != after && begins_section(next) {
        after = next;
    }
    Ok(Merged::from(format!("{before}{after}")))
}

/// Returns whether a text has exactly the section that setup would write; `None` if it has no section for this agent.
pub(crate) fn is_current(text: &str, section: &Section) -> Result<Option<bool>, MergeError> {
    let ours = with_endings(&section.marked(), ending(text));
    let found = section.find(text)?;
    Ok(found.map(|found| text[found.range] == ours))
}

/// Returns whether a text has a hashline section for any agent.
pub(crate) fn has_any(text: &str) -> bool {
    lines(text).any(|(_, line)| begins_section(line))
}

/// Returns whether a text has only hashline sections and blank lines.
pub(crate) fn is_blank(text: &str) -> bool {
    let mut inside = None;
    for (_, line) in lines(text.trim_start_matches('\u{feff}')) {
        match inside {
            None => {
                inside = opened(line);
                if inside.is_none() && !line.trim().is_empty() {
                    return false;
                }
            }
            Some(agent) if matches!(mark(line, agent), Some(Marker::End)) => inside = None,
            Some(_) => {}
        }
    }
    inside.is_none()
}

/// Returns the lines of a text, each with its start offset and its line ending.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let begin = *at;
        *at += line.len();
        Some((begin, line))
    })
}

/// Parses a line as a marker of an agent's section. The marker must be the whole line, because a sentence may quote one.
fn mark(line: &str, agent: Agent) -> Option<Marker<'_>> {
    let inside = line
        .trim_end()
        .strip_prefix("<!-- ")?
        .strip_suffix(" -->")?;
    if let Some(name) = inside.strip_prefix("/hashline:") {
        return (name == agent.name()).then_some(Marker::End);
    }
    let (name, sum) = inside.strip_prefix("hashline:")?.split_once(' ')?;
    let is_sum = sum.len() == 8 && sum.bytes().all(|letter| letter.is_ascii_hexdigit());
    (name == agent.name() && is_sum).then_some(Marker::Begin(sum))
}

/// Returns the agent whose section begins with this line.
fn opened(line: &str) -> Option<Agent> {
    let begins = |agent: &Agent| matches!(mark(line, *agent), Some(Marker::Begin(_)));
    Agent::ALL.into_iter().find(begins)
}

fn begins_section(text: &str) -> bool {
    let first = text.split_inclusive('\n').next();
    first.and_then(opened).is_some()
}

fn strip_ending(text: &str) -> &str {
    let text = text.strip_prefix('\r').unwrap_or(text);
    text.strip_prefix('\n').unwrap_or(text)
}

fn sum(text: &str) -> String {
    let sum = xxh3_64(text.as_bytes());
    format!("{:08x}", sum >> 32)
}

#[cfg(test)]
mod tests {
    use super::{OnConflict, Section, install, is_blank, uninstall};
    use hashline_wire::agent::Agent;

    fn section(agent: Agent) -> Section {
        let text = "Rules.\n".to_owned();
        Section { agent, text }
    }

    #[test]
    fn a_sentence_about_marks_is_no_mark() {
        let ours = section(Agent::Claude);
        let prose = "A section stands between `<!-- hashline:claude 01234567 -->` and\n> <!-- /hashline:claude -->\n<!-- hashline:claude SUM -->\n";
        let with = install(prose, &ours, OnConflict::Keep).map(|merged| merged.text);
        let with = with.unwrap_or_default();
        assert!(
            with.starts_with(prose) && with.len() > prose.len(),
            "{with}"
        );
        let without = uninstall(&with, &ours, OnConflict::Keep).map(|merged| merged.text);
        assert_eq!(without.as_deref(), Ok(prose));
    }

    #[test]
    fn sections_alone_are_blank() {
        let mut text = String::new();
        for agent in [Agent::Codex, Agent::Pi] {
            let merged = install(&text, &section(agent), OnConflict::Keep);
            text = merged.map(|merged| merged.text).unwrap_or_default();
        }
        assert!(is_blank(&text) && is_blank("\u{feff}\n"), "{text}");
        assert!(!is_blank(&format!("{text}x\n")));
        assert!(!is_blank("<!-- hashline:pi 01234567 -->\n"));
    }
}
