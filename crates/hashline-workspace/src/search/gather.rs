//! Gathers the results of the search threads: sorts them, applies the limits, and records the shown lines.
//!
//! Limits are applied in the byte order of the paths. A file that comes after enough results to fill the limits can never be shown, so it is dropped
//! early: memory use is bounded by the limits.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::search::found::{Found, FoundFile, Totals};
use hashline_core::Document;

use super::Ground;
use super::query::{Audience, Most, Query};
use super::scan::{AROUND, cost_of, keep_first};
use crate::error::Error;
use crate::ledger::{Ledger, ShownBy, ShownLines};
use crate::read::read;
use crate::root::{Root, find};
use crate::system::System;

/// The maximum number of listed files that could not be searched.
const SKIPPED_NAMED: usize = 100;

/// How many bytes of files with matches are kept in memory until their shown lines are recorded.
const DOCUMENTS_KEPT: usize = 16 << 20;

/// The searched files that were kept in memory, by their paths in the answer.
pub(super) type Documents = BTreeMap<String, (Key, Document)>;

/// The sort key of a file in the answer: the index of its root, then its path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    root: usize,
    path: OsString,
}

impl Key {
    /// Makes the sort key of a path below a root.
    pub(super) fn new(root: usize, path: &Path) -> Self {
        let path = path.as_os_str().to_owned();
        Self { root, path }
    }

    /// Returns the absolute path of the file. It has no symbolic links, since a search follows none.
    pub(super) fn canonical<S: System>(&self, roots: &[Root<S>]) -> PathBuf {
        roots[self.root].path().join(&self.path)
    }
}

/// The results of a search so far, shared by its threads.
#[derive(Debug)]
pub(super) struct Gather {
    most: Most,
    after: usize,
    totals: Totals,
    /// Whether searched files are kept in memory for recording: they may have changed on disk by then.
    keeps_documents: bool,
    files: BTreeMap<Key, FoundFile>,
    documents: BTreeMap<Key, Document>,
    document_bytes: usize,
    /// How much the files in `files` would show together.
    kept: Shown,
    skipped: BTreeMap<Key, Error>,
}

/// An amount of shown results.
#[derive(Clone, Copy, Debug, Default)]
struct Shown {
    files: usize,
    matches: usize,
    bytes: usize,
}

impl Shown {
    fn of(file: &FoundFile) -> Self {
        Self {
            files: 1,
            matches: file.shown(),
            bytes: cost_of(&file.lines) + heading_cost(file),
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            files: self.files + other.files,
            matches: self.matches + other.matches,
            bytes: self.bytes + other.bytes,
        }
    }

    /// Returns whether a limit is reached, so that nothing more can be shown.
    fn fills(self, most: &Most) -> bool {
        self.files >= most.files || self.matches >= most.matches || self.bytes >= most.bytes
    }

    /// Returns whether a limit is exceeded twofold, so that it is worth dropping files that cannot be shown.
    fn is_twice(self, most: &Most) -> bool {
        self.files / 2 > most.files
            || self.matches / 2 > most.matches
            || self.bytes / 2 > most.bytes
    }
}

impl Gather {
    /// Makes an empty result for a query.
    pub(super) fn new(query: &Query, audience: &Audience<'_>) -> Self {
        Self {
            most: query.most,
            after: query.after,
            totals: Totals::default(),
            keeps_documents: audience.ledger.is_some(),
            files: BTreeMap::new(),
            documents: BTreeMap::new(),
            document_bytes: 0,
            kept: Shown::default(),
            skipped: BTreeMap::new(),
        }
    }

    /// Adds to the counts of searched files, and of files with a line of which only the beginning was searched.
    pub(super) fn searched(&mut self, files: usize, cut: usize) {
        self.totals.searched += files;
        self.totals.cut += cut;
    }

    /// Adds a file that has matches, and drops files that can no longer be shown.
    pub(super) fn found(&mut self, key: Key, file: FoundFile, document: Document) {
        self.totals.files += 1;
        self.totals.matches += file.matches;
        self.kept = self.kept.and(Shown::of(&file));
        let bytes = self.document_bytes.saturating_add(document.bytes().len());
        if self.keeps_documents && bytes <= DOCUMENTS_KEPT {
            self.document_bytes = bytes;
            self.documents.insert(key.clone(), document);
        }
        self.files.insert(key, file);
        // Not at every file: dropping goes over all files that are kept, and this is done under the lock that all threads share.
        if self.kept.is_twice(&self.most) {
            self.drop_unseen();
        }
    }

    /// Adds a file that could not be searched.
    pub(super) fn skipped(&mut self, key: Key, error: Error) {
        *self.totals.skipped.entry(error.code()).or_default() += 1;
        self.skipped.insert(key, error);
        if self.skipped.len() > SKIPPED_NAMED {
            self.skipped.pop_last();
        }
    }

    /// Drops the files that come after enough results to fill the limits.
    fn drop_unseen(&mut self) {
        let mut shown = Shown::default();
        let mut last = None;
        for (key, file) in &self.files {
            if shown.fills(&self.most) {
                last = Some(key.clone());
                break;
            }
            shown = shown.and(Shown::of(file));
        }
        if let Some(first_unseen) = last {
            self.files.split_off(&first_unseen);
            let unseen = self.documents.split_off(&first_unseen);
            self.document_bytes -= bytes_of(unseen.values());
        }
        self.kept = shown;
    }

    /// Applies the limits, and returns the result with those of its files that were kept in memory.
    pub(super) fn finish(mut self, consistent: bool) -> (Found, Documents) {
        let mut shown = Shown::default();
        let mut files = Vec::new();
        let mut documents = Documents::new();
        for (key, mut file) in self.files {
            if shown.fills(&self.most) {
                break;
            }
            keep_first(
                &mut file.lines,
                self.most.matches - shown.matches,
                self.after,
            );
            let with = shown.and(Shown::of(&file));
            if with.bytes > self.most.bytes {
                break;
            }
            shown = with;
            if let Some(document) = self.documents.remove(&key) {
                documents.insert(file.path.clone(), (key, document));
            }
            files.push(file);
        }
        let found = Found {
            files,
            totals: self.totals,
            skipped: self.skipped.into_values().collect(),
            consistent,
            notes: Vec::new(),
        };
        (found, documents)
    }
}

/// Returns the most bytes of what a renderer writes around the lines of a file.
fn heading_cost(file: &FoundFile) -> usize {
    // The path is written with escapes, as names with control characters are.
    AROUND + file.path.escape_default().count()
}

fn bytes_of<'a>(documents: impl Iterator<Item = &'a Document>) -> usize {
    documents.map(|document| document.bytes().len()).sum()
}

/// Records in the ledger which lines are shown, so that edits can use their anchors later.
///
/// A record needs all lines of its file. A file that was not kept in memory is read again. If the file changed since, its lines are not recorded,
/// which is always safe.
pub(super) fn record<S: System>(
    ground: &Ground<'_, S>,
    found: &Found,
    documents: &Documents,
    query: &Query,
    audience: &Audience<'_>,
) {
    let Some(ledger) = audience.ledger else {
        return;
    };
    for file in found.files.iter().filter(|file| !file.lines.is_empty()) {
        // Losing a record is harmless: anchors are then checked against the current lines.
        let _ = record_file(ground, file, documents, query, ledger, audience);
    }
}

fn record_file<S: System>(
    ground: &Ground<'_, S>,
    file: &FoundFile,
    documents: &Documents,
    query: &Query,
    ledger: &dyn Ledger,
    audience: &Audience<'_>,
) -> Result<(), Error> {
    let shows = ShownLines {
        session: audience.session,
        scheme: audience.scheme,
        spans: &file.spans(),
        cut: &[],
        tags: None,
        by: ShownBy::Read,
    };
    if let Some((key, document)) = documents.get(&file.path) {
        ledger.showed(&key.canonical(ground.roots), document, &shows);
        return Ok(());
    }
    let place = find(ground.system, ground.roots, &file.path)?;
    let encoding = ground.encodings.choice(&place.path(), query.encoding);
    let snapshot = read(ground.system, &place, ground.limits, encoding)?;
    if snapshot.document.revision() == file.revision {
        let canonical = ground.roots[place.root].path().join(place.path());
        ledger.showed(&canonical, &snapshot.document, &shows);
    }
    Ok(())
}
