//! Counts of requests, as data. `hashline-session` puts them into words. They hold numbers and our own names, never text or paths.

use std::collections::BTreeMap;
use std::time::Duration;

use hashline_core::Code;

/// What was counted, by kind of work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The kinds of work that were done at least once.
    pub works: BTreeMap<Work, Tally>,
}

/// A kind of request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Work {
    /// Reading files.
    Read,
    /// Searching files.
    Search,
    /// Carrying out a request.
    Apply,
    /// Trying a request without writing.
    DryRun,
    /// Recovering what a dead process left.
    Recover,
}

/// Counts of one kind of work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How often it was done.
    pub done: u64,
    /// How often it was refused, by code.
    pub refused: BTreeMap<String, u64>,
    /// How often new text was corrected, by rule.
    pub repairs: BTreeMap<String, u64>,
    /// How many lines had moved since they were shown.
    pub moved: u64,
    /// The total time.
    pub time: Duration,
}

impl Work {
    /// All kinds of work.
    pub const ALL: [Self; 5] = [
        Self::Read,
        Self::Search,
        Self::Apply,
        Self::DryRun,
        Self::Recover,
    ];

    /// Returns its stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Search => "search",
            Self::Apply => "apply",
            Self::DryRun => "dry_run",
            Self::Recover => "recover",
        }
    }

    /// Returns the work of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|work| work.name() == name)
    }
}

impl Tally {
    /// Counts the refusals because of stale anchors.
    #[must_use]
    pub fn stale(&self) -> u64 {
        self.refusals(|code| Code::named(code).is_some_and(Code::is_stale))
    }

    /// Counts all other refusals.
    #[must_use]
    pub fn errors(&self) -> u64 {
        self.refusals(|code| !Code::named(code).is_some_and(Code::is_stale))
    }

    /// Counts all requests.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.refusals(|_| true).saturating_add(self.done)
    }

    fn refusals(&self, counts: impl Fn(&str) -> bool) -> u64 {
        let counted = self.refused.iter().filter(|(code, _)| counts(code));
        counted.fold(0, |sum, (_, count)| sum.saturating_add(*count))
    }
}
