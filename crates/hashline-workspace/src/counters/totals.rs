//! Counts of requests, as data, which `hashline-session` turns into text. They have numbers and names of our own, never text or paths of files.

use std::collections::BTreeMap;
use std::time::Duration;

use hashline_core::Code;

/// The counts for `hashline stats`, by kind of request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The counts of each kind of request that occurred at least once.
    pub works: BTreeMap<Work, Tally>,
}

/// A kind of request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Work {
    /// Reading files.
    Read,
    /// Searching files.
    Search,
    /// Applying an edit request.
    Apply,
    /// Checking an edit request without writing (a dry run).
    DryRun,
    /// Recovering files after a process died during a commit.
    Recover,
}

/// The counts of one kind of request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many requests succeeded.
    pub done: u64,
    /// How many requests were refused, by error code.
    pub refused: BTreeMap<String, u64>,
    /// How many times new text was corrected, by repair rule.
    pub repairs: BTreeMap<String, u64>,
    /// How many lines that edits named had moved since they were shown.
    pub moved: u64,
    /// The total time of all requests.
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

    /// Returns the stable name of this kind of request.
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

    /// Returns the kind of request with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|work| work.name() == name)
    }
}

impl Tally {
    /// Returns how many requests were refused because of stale anchors.
    #[must_use]
    pub fn stale(&self) -> u64 {
        self.refusals(|code| Code::named(code).is_some_and(Code::is_stale))
    }

    /// Returns how many requests were refused for other reasons than stale anchors.
    #[must_use]
    pub fn errors(&self) -> u64 {
        self.refusals(|code| !Code::named(code).is_some_and(Code::is_stale))
    }

    /// Returns how many requests there were, successful or refused.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.refusals(|_| true).saturating_add(self.done)
    }

    fn refusals(&self, counts: impl Fn(&str) -> bool) -> u64 {
        let counted = self.refused.iter().filter(|(code, _)| counts(code));
        counted.fold(0, |sum, (_, count)| sum.saturating_add(*count))
    }
}
