//! What a search showed is written down, so that its anchors find their lines again.

use hashline_core::found::{Found, FoundFile};

use super::Ground;
use super::query::Audience;
use crate::ledger::{Ledger, ShownBy, Shows};
use crate::read::read;
use crate::root::find;
use crate::system::System;

/// Tells the ledger which lines are shown.
///
/// The record of a revision needs all lines of its file, and a search keeps only those it shows. So the file is read again: it has
/// the same bytes, by their revision, or it changed since; then the lines count as never shown, which is always safe.
pub(super) fn record<S: System>(ground: &Ground<'_, S>, found: &Found, audience: &Audience<'_>) {
    let Some(ledger) = audience.ledger else {
        return;
    };
    for file in found.files.iter().filter(|file| !file.lines.is_empty()) {
        // Losing a record is harmless: anchors are then checked against the current lines.
        let _ = record_file(ground, file, ledger, audience);
    }
}

fn record_file<S: System>(
    ground: &Ground<'_, S>,
    file: &FoundFile,
    ledger: &dyn Ledger,
    audience: &Audience<'_>,
) -> Result<(), crate::error::Error> {
    let place = find(ground.system, ground.roots, &file.path)?;
    let snapshot = read(ground.system, &place, ground.limits)?;
    if snapshot.document.revision() == file.revision {
        let shows = Shows {
            session: audience.session,
            scheme: audience.scheme,
            spans: &file.spans(),
            tags: None,
            by: ShownBy::Read,
        };
        let canonical = ground.roots[place.root].path().join(place.path());
        ledger.showed(&canonical, &snapshot.document, &shows);
    }
    Ok(())
}
