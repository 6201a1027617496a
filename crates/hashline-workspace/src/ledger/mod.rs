//! The ledger: a record of which lines of which files were shown, and of our own edits.
//!
//! With the ledger an anchor can be followed from the line that the caller saw to where that line is now. The ledger stores hashes of lines
//! and tags, never text. Losing it is harmless: anchors are then checked against the current lines alone.
//!
//! On disk ([`DiskLedger`]) and on Redis (`redis`, for several machines) every file has a log. A log is a sequence of frames (`frame`), each
//! with one record (`record`): a revision of the file, or lines that were shown. `writer` appends to a log, `replay` turns a log back into a
//! history, `shorten` drops old revisions of one log, and `survey` decides which records are evicted when the logs are too large or too old.
//! On disk `sweep` evicts them, and `folder` opens and lists the logs.

mod cut_lines;
mod difference;
mod disk;
mod folder;
mod frame;
mod logged;
mod memory;
mod record;
#[cfg(feature = "redis")]
mod redis;
mod replay;
mod shorten;
mod state_dir;
mod state_note;
mod survey;
mod sweep;
mod writer;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hashline_core::Document;
use hashline_core::scheme::Scheme;
use hashline_core::shown::{CutLine, CutLines, History, Showing};
use hashline_core::text::{Changes, Excerpt, Fingerprint, FingerprintKey, LineNo, LineSpan};

pub(crate) use state_note::StateNotes;
pub use state_note::{Exposure, StateNote};

pub use disk::DiskLedger;
pub(crate) use disk::RecordedFiles;
pub use memory::MemoryLedger;
#[cfg(feature = "redis")]
pub use redis::{BadRedisUrl, FleetKey, FleetOptions, RedisHealth, RedisLedger, RedisNode};
pub use state_dir::state_dir;
pub(crate) use state_dir::{open_state, user_folder};

/// The longest time for which the same lines, shown again to the same session, are not recorded again, in seconds.
const REPEAT_AFTER: u64 = 60 * 60;
/// How many times old records are evicted to make room for one new record. The new record can grow in between: if the revision that it is a
/// difference to was evicted, it is stored in full.
const TRIES: usize = 3;
/// The longest time between two searches for old records, in seconds.
const DAY: u64 = 24 * 60 * 60;
/// The length limit of a session name, in bytes.
const MAX_SESSION: usize = 256;

/// A store of histories, one for each file. Files are identified by their canonical paths.
pub trait Ledger {
    /// Returns the history of a file; empty if nothing was recorded.
    fn history(&self, file: &Path) -> History;

    /// Records that an answer showed lines of a file.
    fn showed(&self, file: &Path, document: &Document, showing: &ShownLines<'_>);

    /// Records that all lines of an excerpt were shown. Used for files with so many lines that the hashes of their lines are not recorded.
    fn showed_excerpt(&self, file: &Path, excerpt: &Excerpt, showing: &ShownLines<'_>);

    /// Records that an edit of ours replaced the content `before` by `after`.
    /// `session` is the one that sent the edit, if it has a name.
    fn wrote(
        &self,
        file: &Path,
        session: Option<&str>,
        before: &Document,
        after: &Document,
        changes: &Changes,
    );

    /// Records that a file now has the content `document`, although no line of it was shown, so that a later change is recorded separately.
    /// Does nothing for a file without a history. Returns whether the content was new.
    fn noticed(&self, file: &Path, document: &Document) -> bool;

    /// Records that a file was moved, so that its history belongs to the new path.
    fn moved(&self, from: &Path, to: &Path);

    /// Returns the lines of all files of which only a part was shown.
    fn partly_shown(&self) -> CutLines;
}

/// Lines of a file that an answer showed.
#[derive(Clone, Copy, Debug)]
pub struct ShownLines<'a> {
    /// The session that the lines were shown to; `None` for a caller without a session.
    pub session: Option<&'a str>,
    /// The scheme (method) by which the tags of the lines were computed.
    pub scheme: Scheme,
    /// The ranges of lines that were shown.
    pub spans: &'a [LineSpan],
    /// The lines that were shown only in part, because they are too long for the answer.
    pub cut: &'a [CutLine],
    /// The tags of the lines, in the order of `spans`; `None` if the ledger has to compute them.
    pub tags: Option<&'a [u32]>,
    /// The kind of answer that showed the lines.
    pub by: ShownBy,
}

impl ShownLines<'_> {
    /// Returns the record of these lines; `spans` are those of them that the document has. The caller's tags are used if they belong to exactly these.
    fn showing(&self, document: &Document, spans: &[LineSpan], key: FingerprintKey) -> Showing {
        let with_tags = self.tags_of(spans).and_then(|tags| {
            let session = self.session.map(Arc::from);
            Showing::restored(
                session,
                self.scheme,
                spans.to_vec(),
                tags.to_vec(),
                Vec::new(),
            )
        });
        let showing =
            with_tags.unwrap_or_else(|| Showing::of(document, self.session, self.scheme, spans));
        showing.fingerprinted(document, key)
    }

    /// Returns whether the session can be recorded; otherwise adds a note.
    fn has_short_session(&self, notes: &StateNotes) -> bool {
        let is_short = self.session.is_none_or(|name| name.len() <= MAX_SESSION);
        if !is_short {
            notes.add(StateNote::SessionTooLong);
        }
        is_short
    }

    /// Returns the fingerprints of the lines that were shown only in part.
    fn cut_fingerprints(&self, document: &Document, key: FingerprintKey) -> Vec<Fingerprint> {
        let cut = self.cut.iter();
        let lines = cut.filter_map(|line| document.line(LineNo::from_index(line.index)));
        lines.map(|line| Fingerprint::of(line.text, key)).collect()
    }

    /// Returns the same for lines of an excerpt.
    fn cut_fingerprints_in(&self, excerpt: &Excerpt, key: FingerprintKey) -> Vec<Fingerprint> {
        let is_cut = |number: &LineNo| self.cut.iter().any(|line| line.index == number.index());
        let lines = excerpt.lines().filter(|(number, _)| is_cut(number));
        lines
            .map(|(_, line)| Fingerprint::of(line.text, key))
            .collect()
    }

    /// Returns the caller's tags, if they belong to exactly these spans.
    fn tags_of(&self, spans: &[LineSpan]) -> Option<&[u32]> {
        let lines: usize = spans.iter().map(|span| span.len()).sum();
        self.tags
            .filter(|tags| self.spans == spans && tags.len() == lines)
    }
}

/// The kind of answer that showed lines. When space is short, lines that only answers to edits showed are evicted first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownBy {
    /// A read or a search.
    Read,
    /// The answer to an edit.
    Edit,
}

/// The limits of a ledger that is stored: on disk, or on Redis for each workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedgerLimits {
    /// The size limit of all logs together, in bytes.
    pub bytes: u64,
    /// How long the record of shown lines is kept.
    pub age: Duration,
    /// How long to wait for others who write the ledger. After that nothing is recorded, because a read must not hang because of the ledger.
    pub wait: Duration,
}

impl LedgerLimits {
    /// Returns the time before which the record of shown lines no longer counts, in seconds since 1970.
    pub(super) fn oldest(&self, now: u64) -> u64 {
        now.saturating_sub(self.age.as_secs())
    }

    /// Returns for how many seconds the same lines are not recorded again.
    pub(super) fn repeat_after(&self) -> u64 {
        (self.age.as_secs() / 16).min(REPEAT_AFTER)
    }

    /// Returns how long to wait for others before an edit is left unrecorded. The wait is longer than for a read, because an unrecorded
    /// edit would look like another program's change, and anchors near it would be refused.
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

    fn wrote(
        &self,
        _file: &Path,
        _session: Option<&str>,
        _before: &Document,
        _after: &Document,
        _changes: &Changes,
    ) {
    }

    fn noticed(&self, _file: &Path, _document: &Document) -> bool {
        false
    }

    fn moved(&self, _from: &Path, _to: &Path) {}

    fn partly_shown(&self) -> CutLines {
        CutLines::default()
    }
}

/// Returns the name of the session that sent an edit, unless it is too long to be recorded.
fn recorded_session(session: Option<&str>) -> Option<&str> {
    session.filter(|name| name.len() <= MAX_SESSION)
}

/// Returns the note that the log of a file was damaged.
fn damaged(file: &Path) -> StateNote {
    let path = file.to_path_buf();
    StateNote::Damaged { path }
}

/// Returns a function that turns an I/O error into a note; `doing` describes what was being done.
pub(crate) fn system(doing: &'static str) -> impl Fn(io::Error) -> StateNote {
    move |error| StateNote::System {
        doing,
        kind: error.kind(),
    }
}
