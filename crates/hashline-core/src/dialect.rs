//! Dialects: how the seeds' edit formats differ, as values.
//!
//! A dialect is a scheme and a few choices. The pipeline looks at the choices and never asks which dialect it is: so a new dialect is
//! a new value, and no step has to be changed.

use crate::scheme::Scheme;

/// An edit format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// How lines are tagged and anchors are read.
    pub scheme: Scheme,
    /// When two edits overlap.
    pub(crate) overlap: OverlapRule,
    /// What happens to an edit that is in a request twice.
    pub(crate) duplicates: Duplicates,
    /// Which of several problems with anchors is reported first.
    pub(crate) refusals: RefusalOrder,
    /// Whether a request that changes nothing is an error.
    pub(crate) no_change: NoChange,
    /// What happens to edits of a missing file.
    pub(crate) missing_file: MissingFile,
    /// How the dialect's own definition searches for a line that is not at its number.
    pub(crate) relocation: Relocation,
    /// How the dialect's own definition corrects new text.
    pub(crate) corrections: Corrections,
}

/// When two edits overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OverlapRule {
    /// When both replace a line, or one inserts strictly inside what the other replaces.
    SharedLines,
    /// When both name a line, inserts included.
    NamedLines,
}

/// What happens to an edit that is in a request twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Duplicates {
    /// It is applied once, and the report counts it.
    Dropped,
    /// It is refused as an overlap.
    Refused,
    /// It is applied twice, unless it overlaps.
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
    /// It succeeds, and the report says so.
    Done,
    /// It is an error.
    Refused,
}

/// What happens to edits of a missing file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissingFile {
    /// They are refused.
    Refused,
    /// If all of them insert text at its start or end, the file is created.
    Created,
}

/// How a dialect's own definition searches for a line that is not at its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relocation {
    /// Not at all.
    Never,
    /// The only line of the file with that tag, if the number is inside the file.
    WholeFile,
    /// The only line with that tag at most this many lines away.
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

    /// Returns the name, as in configuration and requests.
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
