//! Dialects: what makes one seed's edits differ from another's, as values.
//!
//! A dialect is a scheme and a handful of choices. The pipeline asks the value; nowhere does it ask which dialect it is.

use crate::scheme::Scheme;

/// One way to speak hashline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// How lines are tagged and anchors are read.
    pub scheme: Scheme,
    /// When two edits get in each other's way.
    pub(crate) overlap: OverlapRule,
    /// What becomes of an edit that stands twice in a request.
    pub(crate) duplicates: Duplicates,
    /// Which of several problems with anchors is reported first.
    pub(crate) refusals: RefusalOrder,
    /// Whether a request that changes nothing is an error.
    pub(crate) no_change: NoChange,
    /// What becomes of edits to a file that is not there.
    pub(crate) missing_file: MissingFile,
    /// How the dialect's own definition looks for a line that is not where it was named.
    pub(crate) relocation: Relocation,
    /// How the dialect's own definition corrects new text.
    pub(crate) corrections: Corrections,
}

/// When two edits get in each other's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OverlapRule {
    /// When both replace a line, or one inserts strictly inside what the other replaces.
    SharedLines,
    /// When both name a line, inserts included.
    NamedLines,
}

/// What becomes of an edit that stands twice in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Duplicates {
    /// It is done once and counted.
    Dropped,
    /// It is refused as an overlap.
    Refused,
    /// It is done twice, where it does not overlap.
    Kept,
}

/// Which of several problems with anchors is reported first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RefusalOrder {
    /// Malformed ones, then those past the end, then changed lines, then reversed ranges; each over all edits.
    KindByKind,
    /// The same, but a line past the end counts as a changed one.
    PastEndIsStale,
    /// The first edit that has a problem.
    EditByEdit,
}

/// Whether a request that changes nothing is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoChange {
    /// It is done, and says so.
    Done,
    /// It is an error.
    Refused,
}

/// What becomes of edits to a file that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissingFile {
    /// They are refused.
    Refused,
    /// If all of them put text at its start or end, the file is made.
    Created,
}

/// How a dialect's own definition looks for a line that is not where it was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relocation {
    /// Not at all.
    Never,
    /// The only line of the file with that tag, for a number inside the file.
    WholeFile,
    /// The only line with that tag at most so many lines away.
    Within(usize),
}

/// How a dialect's own definition corrects new text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Corrections {
    /// Not at all.
    None,
    /// As seed 000 does.
    Omp,
    /// As seed 003 does.
    Openagent,
    /// As seed 004 does.
    Pi,
}

impl Dialect {
    /// Seed 000.
    pub const OMP: Self = Self {
        scheme: Scheme::Omp,
        overlap: OverlapRule::SharedLines,
        duplicates: Duplicates::Dropped,
        refusals: RefusalOrder::KindByKind,
        no_change: NoChange::Done,
        missing_file: MissingFile::Refused,
        relocation: Relocation::WholeFile,
        corrections: Corrections::Omp,
    };
    /// Seed 001.
    pub const PUSH: Self = Self {
        scheme: Scheme::Push,
        overlap: OverlapRule::NamedLines,
        duplicates: Duplicates::Refused,
        refusals: RefusalOrder::PastEndIsStale,
        relocation: Relocation::Never,
        corrections: Corrections::None,
        ..Self::OMP
    };
    /// Seed 002.
    pub const COWBOY: Self = Self {
        scheme: Scheme::Cowboy,
        duplicates: Duplicates::Refused,
        relocation: Relocation::Never,
        corrections: Corrections::None,
        ..Self::OMP
    };
    /// Seed 003.
    pub const OPENAGENT: Self = Self {
        scheme: Scheme::Openagent,
        no_change: NoChange::Refused,
        missing_file: MissingFile::Created,
        relocation: Relocation::Never,
        corrections: Corrections::Openagent,
        ..Self::OMP
    };
    /// Seed 004.
    pub const PI: Self = Self {
        scheme: Scheme::Pi,
        duplicates: Duplicates::Kept,
        refusals: RefusalOrder::EditByEdit,
        relocation: Relocation::Within(100),
        corrections: Corrections::Pi,
        ..Self::OMP
    };
    /// Our own.
    pub const LEAN: Self = Self {
        scheme: Scheme::Lean,
        relocation: Relocation::Never,
        corrections: Corrections::None,
        ..Self::OMP
    };

    /// All dialects; the first is the default.
    pub const ALL: [Self; 6] = [
        Self::OMP,
        Self::PUSH,
        Self::COWBOY,
        Self::OPENAGENT,
        Self::PI,
        Self::LEAN,
    ];

    /// Returns the name people use.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.scheme.name()
    }

    /// Returns the dialect of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name)
    }
}

impl Default for Dialect {
    fn default() -> Self {
        Self::OMP
    }
}
