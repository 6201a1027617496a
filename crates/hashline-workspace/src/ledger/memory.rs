//! A ledger (record of which lines were shown) in memory, lost when the program ends.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashline_core::Document;
use hashline_core::shown::{CutLines, History, Showing};
use hashline_core::text::{Changes, Excerpt, Fingerprint, FingerprintKey};

use super::{Ledger, ShownLines};

/// A ledger that keeps the histories of files in memory.
#[derive(Debug, Default)]
pub struct MemoryLedger {
    files: Mutex<HashMap<PathBuf, History>>,
    /// The fingerprints of all lines of which only a part was shown.
    cut: Mutex<HashSet<Fingerprint>>,
    key: FingerprintKey,
}

impl MemoryLedger {
    /// Returns an empty ledger whose fingerprints are computed with this key.
    #[must_use]
    pub fn with_key(key: FingerprintKey) -> Self {
        Self {
            key,
            ..Self::default()
        }
    }

    fn new_history(&self) -> History {
        History::keyed(self.key)
    }

    /// Changes the history of a file, an empty one if it has none.
    fn change(&self, file: &Path, change: impl FnOnce(&mut History)) {
        let mut files = self.files();
        let history = files.entry(file.to_path_buf());
        change(history.or_insert_with(|| self.new_history()));
    }

    fn add_cut(&self, lines: Vec<Fingerprint>) {
        self.cut().extend(lines);
    }

    fn cut(&self) -> MutexGuard<'_, HashSet<Fingerprint>> {
        self.cut.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn files(&self) -> MutexGuard<'_, HashMap<PathBuf, History>> {
        // A record that a panic left half written is still a record: every entry is whole.
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ledger for MemoryLedger {
    fn history(&self, file: &Path) -> History {
        self.files()
            .get(file)
            .cloned()
            .unwrap_or_else(|| self.new_history())
    }

    fn showed(&self, file: &Path, document: &Document, showing: &ShownLines<'_>) {
        let spans = Showing::spans_in(document, showing.spans);
        self.add_cut(showing.cut_fingerprints(document, self.key));
        self.change(file, |history| {
            history.saw(document);
            let shown = showing.showing(document, &spans, history.key());
            history.restore_showing(shown.with_cut_lines(showing.cut));
        });
    }

    fn showed_excerpt(&self, file: &Path, excerpt: &Excerpt, showing: &ShownLines<'_>) {
        self.add_cut(showing.cut_fingerprints_in(excerpt, self.key));
        self.change(file, |history| {
            history.showed_excerpt(excerpt, showing.session, showing.scheme);
        });
    }

    fn wrote(
        &self,
        file: &Path,
        session: Option<&str>,
        before: &Document,
        after: &Document,
        changes: &Changes,
    ) {
        self.change(file, |history| {
            history.wrote(before, after, changes, session);
        });
    }

    fn noticed(&self, file: &Path, document: &Document) -> bool {
        let mut files = self.files();
        let Some(history) = files.get_mut(file) else {
            return false;
        };
        let last = history.recorded().last();
        let is_news = last.is_some_and(|last| last.revision != document.revision());
        history.saw(document);
        is_news
    }

    fn moved(&self, from: &Path, to: &Path) {
        let mut files = self.files();
        if let Some(history) = files.remove(from) {
            files.insert(to.to_path_buf(), history);
        }
    }

    fn partly_shown(&self) -> CutLines {
        CutLines::new(self.key, self.cut().iter().copied())
    }
}
