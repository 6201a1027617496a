//! What the threads found, put into order and cut to size.
//!
//! Bounds are applied in the byte order of the paths. A file that comes after as much as can be shown is never shown, whatever else
//! is still found, so it is let go at once: what is kept in memory is bounded by what may be shown.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::search::found::{Found, FoundFile, Totals};
use hashline_core::Document;

use super::lines::{cost_of, keep_first};
use super::query::{Audience, Most};
use super::quiet::Moment;
use crate::error::Error;
use crate::root::Root;
use crate::system::System;

/// So many files that could not be searched are named.
const SKIPPED_NAMED: usize = 100;

/// So many bytes of files with matches are kept until it is written down what is shown of them.
const DOCUMENTS_KEPT: usize = 16 << 20;

/// Whether the files with matches are kept, as far as there is room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// They are: what is shown of them is written down afterwards, and they may have changed by then.
    Documents,
    /// Only their lines are.
    Lines,
}

impl Keep {
    /// Returns what is kept for somebody who is shown what is found.
    pub(super) fn for_whom(audience: &Audience<'_>) -> Self {
        match audience.ledger {
            Some(_) => Self::Documents,
            None => Self::Lines,
        }
    }
}

/// Files as they were searched, by their paths in the answer.
pub(super) type Documents = BTreeMap<String, (Key, Document)>;

/// Where a file stands in the order of the answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    root: usize,
    path: OsString,
}

impl Key {
    /// Returns the place of a path below a root.
    pub(super) fn new(root: usize, path: &Path) -> Self {
        let path = path.as_os_str().to_owned();
        Self { root, path }
    }

    /// Returns where the file lies: a search follows no link.
    pub(super) fn canonical<S: System>(&self, roots: &[Root<S>]) -> PathBuf {
        roots[self.root].path().join(&self.path)
    }
}

/// What was found so far.
#[derive(Debug)]
pub(super) struct Gather {
    most: Most,
    after: usize,
    totals: Totals,
    keep: Keep,
    files: BTreeMap<Key, FoundFile>,
    documents: BTreeMap<Key, Document>,
    document_bytes: usize,
    /// What the files that are kept show.
    kept: Shown,
    skipped: BTreeMap<Key, Error>,
}

/// How much is shown.
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
            bytes: cost_of(&file.lines),
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            files: self.files + other.files,
            matches: self.matches + other.matches,
            bytes: self.bytes + other.bytes,
        }
    }

    /// Tells whether nothing can be shown beside this.
    fn fills(self, most: &Most) -> bool {
        self.files >= most.files || self.matches >= most.matches || self.bytes >= most.bytes
    }

    /// Tells whether it is worth while to look for files that will not be shown.
    fn is_twice(self, most: &Most) -> bool {
        self.files / 2 > most.files
            || self.matches / 2 > most.matches
            || self.bytes / 2 > most.bytes
    }
}

impl Gather {
    /// Starts with nothing.
    pub(super) fn new(most: Most, after: usize, keep: Keep) -> Self {
        Self {
            most,
            after,
            totals: Totals::default(),
            keep,
            files: BTreeMap::new(),
            documents: BTreeMap::new(),
            document_bytes: 0,
            kept: Shown::default(),
            skipped: BTreeMap::new(),
        }
    }

    /// Counts files that were searched, and those of them with a line of which only the beginning was looked at.
    pub(super) fn searched(&mut self, files: usize, cut: usize) {
        self.totals.searched += files;
        self.totals.cut += cut;
    }

    /// Takes a file that has matches.
    pub(super) fn found(&mut self, key: Key, file: FoundFile, document: Document) {
        self.totals.files += 1;
        self.totals.matches += file.matches;
        self.kept = self.kept.and(Shown::of(&file));
        let bytes = self.document_bytes.saturating_add(document.bytes().len());
        if self.keep == Keep::Documents && bytes <= DOCUMENTS_KEPT {
            self.document_bytes = bytes;
            self.documents.insert(key.clone(), document);
        }
        self.files.insert(key, file);
        if self.kept.is_twice(&self.most) {
            self.let_go();
        }
    }

    /// Takes a file that could not be searched.
    pub(super) fn skipped(&mut self, key: Key, error: Error) {
        *self.totals.skipped.entry(error.code()).or_default() += 1;
        self.skipped.insert(key, error);
        if self.skipped.len() > SKIPPED_NAMED {
            self.skipped.pop_last();
        }
    }

    /// Lets the files go that come after as much as can be shown.
    fn let_go(&mut self) {
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

    /// Cuts what was found to size. Beside it come the files that are shown, as far as they were kept.
    pub(super) fn finish(mut self, moment: Moment) -> (Found, Documents) {
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
            consistent: moment == Moment::One,
            notes: Vec::new(),
        };
        (found, documents)
    }
}

fn bytes_of<'a>(documents: impl Iterator<Item = &'a Document>) -> usize {
    documents.map(|document| document.bytes().len()).sum()
}
