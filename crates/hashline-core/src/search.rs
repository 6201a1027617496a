//! Search in one document: which lines match, and what to show around them.
//!
//! Each line is asked once whether it matches; nothing counts matches within a line. Lines that are not UTF-8 never match.

use std::fmt;

use regex::{Regex, RegexBuilder};

use crate::text::{Document, LineNo, LineSpan};

/// So many lines are looked at before somebody is asked whether to go on.
const ASKED_EVERY: usize = 256;

/// What to look for.
#[derive(Clone, Debug)]
pub struct Search {
    matcher: LineMatcher,
    before: usize,
    after: usize,
    max_matches: usize,
    /// How many lines are passed over first.
    skipped: usize,
    /// How many lines are looked at, those passed over included.
    end: usize,
}

#[derive(Clone, Debug)]
enum LineMatcher {
    Text(String),
    LowerCase(String),
    Pattern(Regex),
}

/// How the text to look for is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// As it stands.
    Text,
    /// As a regular expression, tried on each line.
    Pattern,
}

/// Whether upper and lower case differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// They do.
    Sensitive,
    /// They do not.
    Insensitive,
}

/// What was found in one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matches {
    /// How many lines match, as far as was looked.
    pub count: usize,
    /// Which they are, ascending.
    pub lines: Vec<LineNo>,
    /// The lines to show: matches and what stands around them; touching parts are one.
    pub spans: Vec<LineSpan>,
}

/// A regular expression that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPattern {
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for BadPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for BadPattern {}

impl Search {
    /// The longest regular expression that is taken, in bytes.
    pub(crate) const MAX_PATTERN: usize = 4096;
    /// The most memory a compiled regular expression may use, in bytes.
    pub(crate) const MAX_COMPILED: usize = 1 << 20;
    /// How many matching lines are looked for, unless told otherwise.
    pub const DEFAULT_MATCHES: usize = 200;
    /// The most matching lines that can be asked for.
    pub const MAX_MATCHES: usize = 1000;

    /// Looks for a text or pattern, showing matching lines only.
    ///
    /// # Errors
    ///
    /// Says what is wrong with a regular expression.
    pub fn new(text: &str, kind: Kind, case: Case) -> Result<Self, BadPattern> {
        let matcher = match (kind, case) {
            (Kind::Text, Case::Sensitive) => LineMatcher::Text(text.to_owned()),
            (Kind::Text, Case::Insensitive) => LineMatcher::LowerCase(text.to_lowercase()),
            (Kind::Pattern, case) => LineMatcher::Pattern(compile(text, case)?),
        };
        Ok(Self {
            matcher,
            before: 0,
            after: 0,
            max_matches: Self::DEFAULT_MATCHES,
            skipped: 0,
            end: usize::MAX,
        })
    }

    /// Shows so many lines before and after each match too.
    #[must_use]
    pub fn with_context(self, before: usize, after: usize) -> Self {
        Self {
            before,
            after,
            ..self
        }
    }

    /// Stops after so many matching lines: 1 to 1000.
    #[must_use]
    pub fn with_max_matches(self, matches: usize) -> Self {
        Self {
            max_matches: matches.clamp(1, Self::MAX_MATCHES),
            ..self
        }
    }

    /// Returns after how many matching lines it stops.
    #[must_use]
    pub fn max_matches(&self) -> usize {
        self.max_matches
    }

    /// Begins at a line: those before it are not looked at, and not shown.
    #[must_use]
    pub fn starting_at(self, first: LineNo) -> Self {
        Self {
            skipped: first.index(),
            ..self
        }
    }

    /// Begins behind a line.
    #[must_use]
    pub fn behind(self, line: LineNo) -> Self {
        Self {
            skipped: line.get(),
            ..self
        }
    }

    /// Ends behind so many lines: the others are not looked at, and not shown.
    #[must_use]
    pub fn ending_after(self, lines: usize) -> Self {
        Self { end: lines, ..self }
    }

    /// Looks through a document.
    #[must_use]
    pub fn run(&self, document: &Document) -> Matches {
        let found = self.run_unless(document, || false);
        found.unwrap_or(Matches {
            count: 0,
            lines: Vec::new(),
            spans: Vec::new(),
        })
    }

    /// Looks through a document; nothing comes of it once somebody says so, who is asked every few lines.
    pub fn run_unless(
        &self,
        document: &Document,
        mut is_over: impl FnMut() -> bool,
    ) -> Option<Matches> {
        let end = document.line_count().min(self.end);
        let mut lines = Vec::new();
        for (index, line) in document.lines().enumerate().take(end).skip(self.skipped) {
            if index % ASKED_EVERY == 0 && is_over() {
                return None;
            }
            if line.as_str().is_some_and(|text| self.matches(text)) {
                lines.push(LineNo::from_index(index));
                if lines.len() == self.max_matches {
                    break;
                }
            }
        }
        let around = |line: &LineNo| {
            let at = line.index();
            let first = at.saturating_sub(self.before).max(self.skipped);
            LineSpan::new(first..at.saturating_add(1).saturating_add(self.after).min(end))
        };
        Some(Matches {
            count: lines.len(),
            spans: LineSpan::merged(lines.iter().map(around).collect()),
            lines,
        })
    }

    fn matches(&self, line: &str) -> bool {
        match &self.matcher {
            LineMatcher::Text(text) => line.contains(text.as_str()),
            LineMatcher::LowerCase(text) => line.to_lowercase().contains(text.as_str()),
            LineMatcher::Pattern(pattern) => pattern.is_match(line),
        }
    }
}

fn compile(source: &str, case: Case) -> Result<Regex, BadPattern> {
    if source.len() > Search::MAX_PATTERN {
        let reason = format!(
            "the pattern has {} bytes; at most {} are taken",
            source.len(),
            Search::MAX_PATTERN
        );
        return Err(BadPattern { reason });
    }
    RegexBuilder::new(source)
        .case_insensitive(case == Case::Insensitive)
        .size_limit(Search::MAX_COMPILED)
        .dfa_size_limit(Search::MAX_COMPILED)
        .build()
        .map_err(|error| BadPattern {
            reason: error.to_string(),
        })
}
