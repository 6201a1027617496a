//! The ledger: what was shown of which file, and what we wrote.
//!
//! It holds fingerprints and tags, never text. Losing it is harmless: anchors are then checked against the current lines alone.

mod disk;
mod folder;
mod frame;
mod memory;
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

pub use hashline_core::state_note::{Damaged, Exposure, NotPrivate, Refused, StateNote as Note};

pub use disk::DiskLedger;
pub(crate) use disk::RecordedFiles;
pub use memory::MemoryLedger;
pub(crate) use state_dir::open_state;
pub use state_dir::state_dir;

/// A store of histories, one for each file. A file is its canonical path.
pub trait Ledger {
    /// Returns what is known of a file.
    fn history(&self, file: &Path) -> History;

    /// Notes that lines of a file were shown, and by what kind of answer.
    fn showed(&self, file: &Path, document: &Document, showing: &ShownLines<'_>);

    /// Notes that all lines of an excerpt were shown, of a file that is too long for more than its revision to be remembered.
    fn showed_excerpt(&self, file: &Path, excerpt: &Excerpt, showing: &ShownLines<'_>);

    /// Notes that we wrote `after` over `before`.
    fn wrote(&self, file: &Path, before: &Document, after: &Document, changes: &Changes);

    /// Notes that a file which is on record has these bytes, although nobody was shown them: what comes after is then a step of its
    /// own. Of a file that is not on record nothing is noted. Returns whether that was news.
    fn noticed(&self, file: &Path, document: &Document) -> bool;

    /// Notes that a file has another path now.
    fn moved(&self, from: &Path, to: &Path);
}

/// Lines that were shown.
#[derive(Clone, Copy, Debug)]
pub struct ShownLines<'a> {
    /// To whom; `None` for a caller without a session.
    pub session: Option<&'a str>,
    /// With which tags.
    pub scheme: Scheme,
    /// Which lines.
    pub spans: &'a [LineSpan],
    /// The value of each line's tag, span after span, if whoever rendered the lines has them; else they are made again.
    pub tags: Option<&'a [u32]>,
    /// By what kind of answer.
    pub by: ShownBy,
}

impl ShownLines<'_> {
    /// Returns the tags that were told, if they are those of just these spans.
    fn tags_of(&self, spans: &[LineSpan]) -> Option<&[u32]> {
        let lines: usize = spans.iter().map(|span| span.len()).sum();
        self.tags
            .filter(|tags| self.spans == spans && tags.len() == lines)
    }
}

/// What kind of answer showed lines. When room is short, what only edits showed goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownBy {
    /// A read or a search.
    Read,
    /// The answer to an edit.
    Edit,
}

/// Bounds of a ledger on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerLimits {
    /// The most bytes it takes, all files together.
    pub bytes: u64,
    /// For how long a showing counts.
    pub age: Duration,
    /// How long another process is waited for before something is forgotten rather than somebody kept waiting.
    pub wait: Duration,
}

impl LedgerLimits {
    /// How long another process is waited for before it is forgotten what we wrote: our own step would count as somebody else's, and
    /// anchors near it would be refused.
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

/// No histories at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLedger;

impl Ledger for NoLedger {
    fn history(&self, _file: &Path) -> History {
        History::new()
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
pub(crate) fn system(doing: &'static str) -> impl Fn(io::Error) -> Note {
    move |error| {
        Note::System(Refused {
            doing,
            kind: error.kind(),
        })
    }
}
