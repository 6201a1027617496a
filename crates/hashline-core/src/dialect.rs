//! Dialects: how the edit formats of the original tools (the seeds, 000 to 004) differ, as values.
//!
//! A dialect is a scheme (how tags and anchors are written) and a few choices. The steps of an edit read the choices and never ask which
//! dialect they have, so that a new dialect is a new value and no step has to be changed.

use crate::scheme::Scheme;

/// The edit format of one tool: how lines are tagged, and what the tool does in cases where tools differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// How the tags of lines are computed, and how anchors are written and read.
    pub scheme: Scheme,
    /// When two edits of a request overlap, which is refused.
    pub(crate) overlap: OverlapRule,
    /// What happens to an edit that a request contains twice.
    pub(crate) duplicates: Duplicates,
    /// Which problem is reported first if several anchors of a request are wrong.
    pub(crate) refusals: RefusalOrder,
    /// Whether a request that changes nothing is an error.
    pub(crate) no_change: NoChange,
    /// What happens to edits of a file that does not exist.
    pub(crate) missing_file: MissingFile,
    /// How the dialect's original tool searches for a line that is not at the number in its anchor.
    pub(crate) relocation: Relocation,
    /// How the dialect's original tool corrects the new text of an edit.
    pub(crate) corrections: Corrections,
}

/// When two edits of a request overlap, which is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OverlapRule {
    /// Two edits overlap if both replace the same line, or if one inserts strictly inside the lines that the other replaces.
    SharedLines,
    /// Two edits overlap if both name the same line, also where one of them only inserts beside that line.
    NamedLines,
}

/// What happens to an edit that a request contains twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Duplicates {
    /// The repeated edit is applied once, and the report counts the repetition.
    Dropped,
    /// The repeated edit is refused as an overlap.
    Refused,
    /// The repeated edit is applied twice, unless the two overlap.
    Kept,
}

/// Which problem is reported first if several anchors of a request are wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RefusalOrder {
    /// First malformed anchors of all edits, then line numbers past the end, then changed lines, then ranges that end before they start.
    KindByKind,
    /// Like `KindByKind`, but a line number past the end of the file is reported as a changed line.
    PastEndIsStale,
    /// The problem of the first edit in the request that has one.
    EditByEdit,
}

/// Whether a request that changes nothing is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoChange {
    /// The request succeeds, and the report says that nothing changed.
    Done,
    /// The request is refused.
    Refused,
}

/// What happens to edits of a file that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissingFile {
    /// The edits are refused.
    Refused,
    /// The file is created if all its edits insert text at its start or end.
    Created,
}

/// How the dialect's original tool searches for a line that is not at the number in its anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relocation {
    /// The tool does not search.
    Never,
    /// The tool takes the only line of the whole file with the anchor's tag, if the anchor's number is inside the file.
    WholeFile,
    /// The tool takes the only line with the anchor's tag that is at most this many lines away from the anchor's number.
    Within(usize),
}

/// How the dialect's original tool corrects the new text of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Corrections {
    /// The tool corrects nothing.
    None,
    /// The corrections that the original tool of dialect omp (seed 000) makes.
    Omp,
    /// The corrections that the original tool of dialect openagent (seed 003) makes.
    Openagent,
    /// The corrections that the original tool of dialect pi (seed 004) makes.
    Pi,
}

impl Dialect {
    /// The edit format of the first original tool (seed 000), which is the default.
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
    /// The edit format of the original tool push (seed 001).
    pub const PUSH: Self = Self {
        scheme: Scheme::Push,
        overlap: OverlapRule::NamedLines,
        duplicates: Duplicates::Refused,
        refusals: RefusalOrder::PastEndIsStale,
        relocation: Relocation::Never,
        corrections: Corrections::None,
        ..Self::OMP
    };
    /// The edit format of the original tool cowboy (seed 002).
    pub const COWBOY: Self = Self {
        scheme: Scheme::Cowboy,
        duplicates: Duplicates::Refused,
        relocation: Relocation::Never,
        corrections: Corrections::None,
        ..Self::OMP
    };
    /// The edit format of the original tool openagent (seed 003).
    pub const OPENAGENT: Self = Self {
        scheme: Scheme::Openagent,
        no_change: NoChange::Refused,
        missing_file: MissingFile::Created,
        relocation: Relocation::Never,
        corrections: Corrections::Openagent,
        ..Self::OMP
    };
    /// The edit format of the original tool pi (seed 004).
    pub const PI: Self = Self {
        scheme: Scheme::Pi,
        duplicates: Duplicates::Kept,
        refusals: RefusalOrder::EditByEdit,
        relocation: Relocation::Within(100),
        corrections: Corrections::Pi,
        ..Self::OMP
    };
    /// Hashline's own edit format, which costs a model the fewest tokens.
    pub const LEAN: Self = Self {
        scheme: Scheme::Lean,
        relocation: Relocation::Never,
        corrections: Corrections::None,
        ..Self::OMP
    };

    /// All edit formats; the first is the default.
    pub const ALL: [Self; 6] = [
        Self::OMP,
        Self::PUSH,
        Self::COWBOY,
        Self::OPENAGENT,
        Self::PI,
        Self::LEAN,
    ];

    /// Returns the dialect's name, as it is written in configuration and requests.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.scheme.name()
    }

    /// Returns the dialect with this name, if there is one.
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
