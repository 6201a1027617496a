//! The result of a search over files, as data: `hashline-session` and the MCP server render it.
//!
//! Only the lines to show are kept in memory, not the files they are from, however many files match.

use std::collections::BTreeMap;

use hashline_core::Code;
use hashline_core::render::AnchoredLine;
use hashline_core::text::{LineNo, LineSpan, Revision};

use crate::disk_note::DiskNote;
use crate::error::DiskError;

/// The result of a search over files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The files with lines to show, in the byte order of their paths.
    pub files: Vec<FoundFile>,
    /// The counts of everything that was found, shown or not.
    pub totals: Totals,
    /// The first files that could not be searched, in the byte order of their paths. [`Totals::skipped`] counts all of them.
    pub skipped: Vec<DiskError>,
    /// Whether certainly no commit of hashline over several files was running during the search.
    pub consistent: bool,
    /// Further information about the disk for the answer.
    pub notes: Vec<DiskNote>,
}

/// The matching lines of one file that are shown, with their context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFile {
    /// The path of the file below the first root, or its absolute path if it is in another root.
    pub path: String,
    /// The revision (content hash) of the bytes that were searched.
    pub revision: Revision,
    /// The encoding of the file, if it is not UTF-8.
    pub encoding: Option<&'static str>,
    /// How many lines of the file match, shown or not.
    pub matches: usize,
    /// The lines that are shown, in ascending order.
    pub lines: Vec<FoundLine>,
}

/// One line of a file that is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundLine {
    /// Whether the line matches, or is context around a match.
    pub role: Role,
    /// The line's text and anchor.
    pub line: AnchoredLine<'static>,
}

/// Why a line is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The line matches the pattern.
    Match,
    /// The line is near a matching line, and does not match itself.
    Context,
}

/// The counts of a search, including matches that are not shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// How many files were searched to their end.
    pub searched: usize,
    /// How many of the searched files have a line that is too long, so that only its beginning was searched.
    pub cut: usize,
    /// How many of the searched files have a line that matches.
    pub files: usize,
    /// How many lines match, in all files.
    pub matches: usize,
    /// How many files could not be searched, by error code.
    pub skipped: BTreeMap<Code, usize>,
}

impl Found {
    /// Counts the matching lines that are shown, in all files.
    #[must_use]
    pub fn shown(&self) -> usize {
        self.files.iter().map(FoundFile::shown).sum()
    }
}

impl FoundFile {
    /// Counts the matching lines of this file that are shown.
    #[must_use]
    pub fn shown(&self) -> usize {
        self.matching().count()
    }

    /// Returns the line numbers of this file's matching lines that are shown.
    pub fn matching(&self) -> impl Iterator<Item = LineNo> + '_ {
        let matching = self.lines.iter().filter(|line| line.role == Role::Match);
        matching.map(|line| line.line.number)
    }

    /// Splits the shown lines into blocks of consecutive lines.
    pub fn blocks(&self) -> impl Iterator<Item = &[FoundLine]> {
        self.lines
            .chunk_by(|line, next| line.line.number.get() == next.line.number.index())
    }

    /// Returns the blocks of consecutive shown lines as line spans.
    #[must_use]
    pub fn spans(&self) -> Vec<LineSpan> {
        let ends = self.blocks().filter_map(|block| {
            let (first, last) = (block.first()?, block.last()?);
            Some(LineSpan::new(
                first.line.number.index()..last.line.number.get(),
            ))
        });
        ends.collect()
    }
}
