//! A ledger that is switched off: nothing was ever shown.

use std::path::Path;

use hashline_core::Document;
use hashline_core::shown::History;
use hashline_core::text::{Changes, Excerpt};

use super::{Ledger, ShownLines};

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
