//! From the fields of an edit to the engine's operations, where several dialects do it alike.

use std::fmt;

use hashline_core::edit::{Occurrences, Operation, Target};
use hashline_core::text::Payload;
use schemars::JsonSchema;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::error::{BadRequest, Fault};

/// Text as one string or as a list of lines. Schemas name only one of them; both are taken.
#[derive(Clone, Debug, JsonSchema)]
#[schemars(with = "Vec<String>")]
pub enum Text {
    /// One string.
    One(String),
    /// A list of lines.
    Many(Vec<String>),
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(TextVisitor)
    }
}

/// Reads a string, or a list of strings, and says which of them is none.
struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or a list of strings, one a line")
    }

    fn visit_str<E>(self, text: &str) -> Result<Text, E> {
        Ok(Text::One(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Text, E> {
        Ok(Text::One(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, lines: A) -> Result<Text, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(lines)).map(Text::Many)
    }
}

impl From<Text> for Payload {
    fn from(text: Text) -> Self {
        match text {
            Text::One(text) => Self::Text(text),
            Text::Many(lines) => Self::Lines(lines),
        }
    }
}

impl Text {
    /// Returns the text, or nothing for an empty list. An empty string is a blank line.
    pub(super) fn some_lines(self) -> Option<Self> {
        match self {
            Self::Many(lines) if lines.is_empty() => None,
            text => Some(text),
        }
    }
}

/// Returns a field that an edit needs.
pub(super) fn needed<T>(
    value: Option<T>,
    fault: Fault,
    field: &str,
    why: &str,
) -> Result<T, BadRequest> {
    value.ok_or_else(|| BadRequest::new(fault, field, why))
}

/// Returns the `lines` that an edit needs.
pub(super) fn needed_lines<T>(lines: Option<T>) -> Result<T, BadRequest> {
    needed(
        lines,
        Fault::MissingText,
        "lines",
        "this edit needs its lines here",
    )
}

/// Returns the lines to insert; there must be some.
pub(super) fn inserted(lines: Option<Text>) -> Result<Payload, BadRequest> {
    let lines = lines.and_then(Text::some_lines).map(Payload::from);
    needed(
        lines,
        Fault::EmptyInsert,
        "lines",
        "there is nothing to insert; a blank line is \"\"",
    )
}

/// Names one line, or the lines up to a last one.
pub(super) fn target(first: String, last: Option<String>) -> Target {
    match last {
        Some(last) => Target::Range(first.into(), last.into()),
        None => Target::Line(first.into()),
    }
}

/// Replaces lines, or deletes them where there is nothing in their place.
pub(super) fn replace_or_delete(at: Target, with: Option<Text>) -> Operation {
    match with.and_then(Text::some_lines) {
        Some(with) => Operation::Replace {
            at,
            with: with.into(),
        },
        None => Operation::Delete { at },
    }
}

/// Replaces an exact text, once unless it says `all`.
pub(super) fn substitute(old: String, new: String, all: Option<bool>) -> Operation {
    let count = if all == Some(true) {
        Occurrences::All
    } else {
        Occurrences::One
    };
    Operation::Substitute { old, new, count }
}
