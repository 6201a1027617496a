//! What a search over files found, as data: `hashline-workspace` finds it, `hashline-wire` shows it.
//!
//! The lines are kept, the files are not: however many files match, only what is shown of them is in memory.

use std::collections::BTreeMap;

use hashline_core::Code;
use hashline_core::render::AnchoredLine;
use hashline_core::text::{LineNo, LineSpan, Revision};

use crate::disk_note::DiskNote;
use crate::error::DiskError;

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What is shown, in the byte order of the paths.
    pub files: Vec<FoundFile>,
    /// How much there is in all.
    pub totals: Totals,
    /// The first files that could not be searched, in the byte order of their paths. [`Totals::skipped`] counts all of them.
    pub skipped: Vec<DiskError>,
    /// Whether no commit of ours over several files can have been under way.
    pub consistent: bool,
    /// What there is to know beside.
    pub notes: Vec<DiskNote>,
}

/// What is shown of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFile {
    /// Its path below the root; absolute if it lies in another root than the first.
    pub path: String,
    /// The bytes that were searched: those the lines were taken from.
    pub revision: Revision,
    /// How many of its lines match, shown or not.
    pub matches: usize,
    /// The lines that are shown, ascending.
    pub lines: Vec<FoundLine>,
}

/// One line that is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundLine {
    /// Why it is shown.
    pub role: Role,
    /// The line and its anchor.
    pub line: AnchoredLine<'static>,
}

/// Why a line is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It matches.
    Match,
    /// It stands near one that matches, and does not match itself.
    Context,
}

/// How much was found in all, shown or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// How many files were searched to their end.
    pub searched: usize,
    /// How many of them have a line of which only the beginning was looked at.
    pub cut: usize,
    /// How many of them have a line that matches.
    pub files: usize,
    /// How many lines match.
    pub matches: usize,
    /// How many files could not be searched, by the code of the reason.
    pub skipped: BTreeMap<Code, usize>,
}

impl Found {
    /// Counts the matching lines that are shown.
    #[must_use]
    pub fn shown(&self) -> usize {
        self.files.iter().map(FoundFile::shown).sum()
    }
}

impl FoundFile {
    /// Counts its matching lines that are shown.
    #[must_use]
    pub fn shown(&self) -> usize {
        self.matching().count()
    }

    /// Lists the numbers of its matching lines that are shown.
    pub fn matching(&self) -> impl Iterator<Item = LineNo> + '_ {
        let matching = self.lines.iter().filter(|line| line.role == Role::Match);
        matching.map(|line| line.line.number)
    }

    /// Cuts what is shown into blocks of lines that follow each other.
    pub fn blocks(&self) -> impl Iterator<Item = &[FoundLine]> {
        self.lines
            .chunk_by(|line, next| line.line.number.get() == next.line.number.index())
    }

    /// Lists the blocks as spans of the file.
    #[must_use]
    pub fn spans(&self) -> Vec<LineSpan> {
        let ends = self.blocks().filter_map(|block| {
            let (first, last) = (block.first()?, block.last()?);
            Some(LineSpan::between(first.line.number, last.line.number))
        });
        ends.collect()
    }
}
