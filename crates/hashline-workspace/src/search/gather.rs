//! What the threads found, put into order and cut to size.
//!
//! Bounds are applied in the byte order of the paths. A file that comes after as much as can be shown is never shown, whatever else
//! is still found, so it is let go at once: what is kept in memory is bounded by what may be shown.

use std::collections::BTreeMap;
use std::path::Path;

use hashline_core::found::{Found, FoundFile, Totals};

use super::lines::{cost_of, keep_first};
use super::query::Most;
use crate::error::Error;

/// So many files that could not be searched are named.
const SKIPPED_NAMED: usize = 100;

/// Where a file stands in the order of the answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    root: usize,
    path: Vec<u8>,
}

impl Key {
    /// Returns the place of a path below a root.
    pub(super) fn new(root: usize, path: &Path) -> Self {
        let path = path.as_os_str().as_encoded_bytes().to_vec();
        Self { root, path }
    }
}

/// What was found so far.
#[derive(Debug)]
pub(super) struct Gather {
    most: Most,
    after: usize,
    totals: Totals,
    files: BTreeMap<Key, FoundFile>,
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
    pub(super) fn new(most: Most, after: usize) -> Self {
        Self {
            most,
            after,
            totals: Totals::default(),
            files: BTreeMap::new(),
            kept: Shown::default(),
            skipped: BTreeMap::new(),
        }
    }

    /// Counts files that were searched.
    pub(super) fn searched(&mut self, files: usize) {
        self.totals.searched += files;
    }

    /// Takes a file that has matches.
    pub(super) fn found(&mut self, key: Key, file: FoundFile) {
        self.totals.files += 1;
        self.totals.matches += file.matches;
        self.kept = self.kept.and(Shown::of(&file));
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
        }
        self.kept = shown;
    }

    /// Cuts what was found to size.
    pub(super) fn finish(self, consistent: bool) -> Found {
        let mut shown = Shown::default();
        let mut files = Vec::new();
        for mut file in self.files.into_values() {
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
            files.push(file);
        }
        Found {
            files,
            totals: self.totals,
            skipped: self.skipped.into_values().collect(),
            consistent,
        }
    }
}
