//! The ledger: what was shown of which file, and what we wrote.
//!
//! With it an anchor can be followed from the lines that the caller saw to where they are now. It holds hashes of lines and tags, never
//! text. Losing it is harmless: anchors are then checked against the current lines alone.
//!
//! On disk ([`DiskLedger`]) every file has a log. A log is a sequence of frames (`frame`), each with one record (`record`): a revision of
//! the file, or lines that were shown. `writer` appends to a log, `replay` turns it back into a history, `sweep` makes room, and `folder`
//! is where the logs are.

mod disk;
mod folder;
mod frame;
mod memory;
mod note;
mod record;
mod replay;
mod state_dir;
mod sweep;
mod writer;

use std::io;
use std::path::Path;
use std::time::Duration;

use hashline_core::Document;
use hashline_core::scheme::Scheme;
use hashline_core::shown::History;
use hashline_core::text::{Changes, Excerpt, LineSpan};

pub use note::{Damaged, Exposure, NotPrivate, Refused, StateNote};

pub use disk::DiskLedger;
pub(crate) use disk::RecordedFiles;
pub use memory::MemoryLedger;
pub(crate) use state_dir::open_state;
pub use state_dir::state_dir;

/// A store of histories, one for each file. Files are named by their canonical paths.
pub trait Ledger {
    /// Returns the history of a file.
    fn history(&self, file: &Path) -> History;

    /// Records that lines of a file were shown, and by what kind of answer.
    fn showed(&self, file: &Path, document: &Document, showing: &ShownLines<'_>);

    /// Records that all lines of an excerpt were shown. The file has too many lines for more than its revision to be recorded.
    fn showed_excerpt(&self, file: &Path, excerpt: &Excerpt, showing: &ShownLines<'_>);

    /// Records that we wrote `after` over `before`.
    fn wrote(&self, file: &Path, before: &Document, after: &Document, changes: &Changes);

    /// Records that a file now has these bytes, although nobody was shown them, so that a later change is a step of its own. Does nothing
    /// for a file without a history. Returns whether the bytes were new.
    fn noticed(&self, file: &Path, document: &Document) -> bool;

    /// Records that a file was moved.
    fn moved(&self, from: &Path, to: &Path);
}

/// Lines that were shown.
#[derive(Clone, Copy, Debug)]
pub struct ShownLines<'a> {
    /// The session they were shown to; `None` for a caller without one.
    pub session: Option<&'a str>,
    /// The kind of tags.
    pub scheme: Scheme,
    /// The lines.
    pub spans: &'a [LineSpan],
    /// The tag of each line, span after span, if the caller has them already; else they are computed.
    pub tags: Option<&'a [u32]>,
    /// The kind of answer that showed them.
    pub by: ShownBy,
}

impl ShownLines<'_> {
    /// Returns the caller's tags, if they belong to exactly these spans.
    fn tags_of(&self, spans: &[LineSpan]) -> Option<&[u32]> {
        let lines: usize = spans.iter().map(|span| span.len()).sum();
        self.tags
            .filter(|tags| self.spans == spans && tags.len() == lines)
    }
}

/// The kind of answer that showed lines. When room is short, lines that only edits showed are forgotten first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownBy {
    /// A read or a search.
    Read,
    /// The answer to an edit.
    Edit,
}

/// Limits of a ledger on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerLimits {
    /// The most bytes of all its files together.
    pub bytes: u64,
    /// How long what was shown is remembered.
    pub age: Duration,
    /// How long to wait for another process. After that nothing is recorded: a read must not hang because of the ledger.
    pub wait: Duration,
}

impl LedgerLimits {
    /// How long to wait before the record of an edit is given up. Longer, because without it our own change would look like somebody
    /// else's, and anchors near it would be refused.
    pub(super) fn wait_to_write(&self) -> Duration {
        self.wait.saturating_mul(5)
    }
}

impl Default for LedgerLimits {
    fn default() -> Self {
        Self {
            bytes: 64 << 20,
            age: Duration::from_secs(30 * 24 * 60 * 60),
            wait: Duration::from_secs(2),
        }
    }
}

/// A ledger that records nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLedger;

impl Ledger for NoLedger {
    fn history(&self, _file: &Path) -> History {
        History::default()
    }

    fn showed(&self, _file: &Path, _document: &Document, _showing: &ShownLines<'_>) {}

    fn showed_excerpt(&self, _file: &Path, _excerpt: &Excerpt, _showing: &ShownLines<'_>) {}

    fn wrote(&self, _file: &Path, _before: &Document, _after: &Document, _changes: &Changes) {}

    fn noticed(&self, _file: &Path, _document: &Document) -> bool {
        false
    }

    fn moved(&self, _from: &Path, _to: &Path) {}
}

/// Returns a function that turns an error into a note, by what was being done.
pub(crate) fn system(doing: &'static str) -> impl Fn(io::Error) -> StateNote {
    move |error| {
        StateNote::System(Refused {
            doing,
            kind: error.kind(),
        })
    }
}
