//! What a search showed is written down, so that its anchors find their lines again.

use crate::search::found::{Found, FoundFile};

use super::Ground;
use super::gather::Documents;
use super::query::Audience;
use crate::error::Error;
use crate::ledger::{Ledger, ShownBy, ShownLines};
use crate::read::read;
use crate::root::find;
use crate::system::System;

/// Tells the ledger which lines are shown.
///
/// The record of a revision needs all lines of its file. Files that were too many to be kept are read again: such a file has the same
/// bytes, by its revision, or it changed since; then its lines count as never shown, which is always safe.
pub(super) fn record<S: System>(
    ground: &Ground<'_, S>,
    found: &Found,
    documents: &Documents,
    audience: &Audience<'_>,
) {
    let Some(ledger) = audience.ledger else {
        return;
    };
    for file in found.files.iter().filter(|file| !file.lines.is_empty()) {
        // Losing a record is harmless: anchors are then checked against the current lines.
        let _ = record_file(ground, file, documents, ledger, audience);
    }
}

fn record_file<S: System>(
    ground: &Ground<'_, S>,
    file: &FoundFile,
    documents: &Documents,
    ledger: &dyn Ledger,
    audience: &Audience<'_>,
) -> Result<(), Error> {
    let shows = ShownLines {
        session: audience.session,
        scheme: audience.scheme,
        spans: &file.spans(),
        tags: None,
        by: ShownBy::Read,
    };
    if let Some((key, document)) = documents.get(&file.path) {
        ledger.showed(&key.canonical(ground.roots), document, &shows);
        return Ok(());
    }
    let place = find(ground.system, ground.roots, &file.path)?;
    let snapshot = read(ground.system, &place, ground.limits)?;
    if snapshot.document.revision() == file.revision {
        let canonical = ground.roots[place.root].path().join(place.path());
        ledger.showed(&canonical, &snapshot.document, &shows);
    }
    Ok(())
}
