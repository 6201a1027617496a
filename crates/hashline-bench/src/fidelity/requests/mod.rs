//! A change as the JSON that an agent sends, one file for each dialect's shape.

mod common;
mod cowboy;
mod omp;
mod openagent;
mod pi;
mod push;

use hashline_core::Document;
use hashline_core::dialect::Dialect;
use hashline_core::scheme::Scheme;
use hashline_core::text::LineNo;
use hashline_wire::Profile;
use serde_json::{Value, json};

use super::case::{Case, Hunk};

/// Somebody who speaks a dialect.
pub(super) struct Speaker {
    pub(super) dialect: Dialect,
    /// Says a change; nothing where the dialect has no words for it.
    pub(super) say: fn(&Case, Profile) -> Option<Value>,
}

/// One for each dialect.
pub(super) const SPEAKERS: [Speaker; 6] = [
    Speaker {
        dialect: Dialect::OMP,
        say: omp::say,
    },
    Speaker {
        dialect: Dialect::PUSH,
        say: push::say,
    },
    Speaker {
        dialect: Dialect::COWBOY,
        say: cowboy::say,
    },
    Speaker {
        dialect: Dialect::OPENAGENT,
        say: openagent::say,
    },
    Speaker {
        dialect: Dialect::PI,
        say: pi::say,
    },
    Speaker {
        dialect: Dialect::LEAN,
        say: common::say,
    },
];

/// Where a hunk's text goes, in the words that most dialects have.
enum Place {
    /// In place of one line.
    Line(String),
    /// In place of a range.
    Range(String, String),
    /// After a line.
    After(String),
    /// Before the first line.
    OnTop(String),
    /// Into a file without lines.
    IntoNothing,
}

/// Spells the anchors of a file.
struct Anchors<'a> {
    scheme: Scheme,
    lines: Vec<&'a str>,
}

impl<'a> Anchors<'a> {
    fn of(case: &'a Case, scheme: Scheme) -> Self {
        Self {
            scheme,
            lines: case.lines(),
        }
    }

    fn at(&self, index: usize) -> String {
        let number = LineNo::from_index(index);
        let text = self.lines.get(index).copied().unwrap_or_default();
        self.scheme
            .anchor(number, self.scheme.tag(text.as_bytes(), number))
    }

    fn place(&self, hunk: &Hunk) -> Place {
        match (hunk.start, hunk.end - hunk.start) {
            (0, 0) if self.lines.is_empty() => Place::IntoNothing,
            (0, 0) => Place::OnTop(self.at(0)),
            (start, 0) => Place::After(self.at(start - 1)),
            (start, 1) => Place::Line(self.at(start)),
            (start, _) => Place::Range(self.at(start), self.at(hunk.end - 1)),
        }
    }
}

/// Spells lines as one text. A last line that is blank needs its newline, as one newline at the end says nothing.
fn text(lines: &[String]) -> String {
    let joined = lines.join("\n");
    if lines.last().is_some_and(String::is_empty) {
        joined + "\n"
    } else {
        joined
    }
}

/// Adds the revision to a request, which the dialects' own definitions do not know.
fn with_rev(mut request: Value, case: &Case, profile: Profile) -> Value {
    if profile == Profile::Default {
        request["rev"] = json!(Document::new(case.before.as_str()).revision().short());
    }
    request
}
