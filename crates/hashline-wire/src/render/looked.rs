//! Where anchors land, and what changed since a revision, in words.

use hashline_core::dialect::Dialect;
use hashline_core::error::AnchorsRefused;
use hashline_core::policy::Context;
use hashline_core::since::{Changed, Known, Since};
use hashline_core::text::{Change, Document, LineSpan};
use hashline_core::verified::Verified;
use hashline_core::{Landed, Placement};

use super::model::lines_named;
use super::named::named;
use super::{marked, reasons};
use crate::response::rendered;

/// Renders where anchors land: a line for each, and the fresh lines around those that have no place.
#[must_use]
pub fn verified(verified: &Verified, dialect: Dialect, context: Context) -> String {
    let mut out = Vec::new();
    for (spelled, landed) in &verified.anchors {
        match landed {
            Ok(landed) => out.push(one(spelled, landed, &verified.document, dialect)),
            Err(refused) => {
                out.push(format!("{spelled} {}", why(refused)));
                out.extend(marked::block(refused, dialect, context));
            }
        }
    }
    out.join("\n")
}

/// Says in one clause why an anchor has no place, with its code.
pub(crate) fn why(refused: &AnchorsRefused) -> String {
    let problem = refused.problems.first();
    let told =
        problem.map(|problem| format!("{}: {}", problem.trouble.code(), reasons::of(problem)));
    told.unwrap_or_else(|| "stale".to_owned())
}

fn one(spelled: &str, landed: &Landed, document: &Document, dialect: Dialect) -> String {
    let how = match landed.found {
        Placement::AsNamed => "ok".to_owned(),
        Placement::Moved { .. } => format!("moved to {}", lines_named(landed.span)),
    };
    let first = LineSpan::new(landed.span.start()..landed.span.start() + 1);
    let lines = rendered(document, first, dialect).join("");
    match landed.span.len() {
        0 | 1 => format!("{spelled} {how}: {lines}"),
        more => format!("{spelled} {how}: {lines} ({more} lines)"),
    }
}

/// Renders what changed since a revision: which lines went, and those that came with their anchors.
#[must_use]
pub fn since(since: &Since, dialect: Dialect) -> String {
    let Since {
        path,
        rev,
        document,
        ..
    } = since;
    let (path, now) = (named(path), document.revision().short());
    match &since.known {
        Known::Nothing => format!(
            "error: {path}: revision {rev} was never shown and is not the current one\nhint: the file is at rev {now}; read it again"
        ),
        Known::TooLong => format!(
            "error: {path}: the file is too long for its lines at revision {rev} to have been recorded\nhint: the file is at rev {now}; read the part you need again"
        ),
        Known::Changes(Changed { changes, .. }) if changes.is_empty() => {
            format!("{path}: no line changed since rev {rev} (now rev {now})")
        }
        Known::Changes(Changed { changes, .. }) => {
            let count = super::model::count(changes.len(), "place");
            let mut out = vec![format!(
                "{path}: {count} changed since rev {rev} (now rev {now})"
            )];
            for change in changes {
                out.push(headline(change));
                out.extend(rendered(document, change.new, dialect));
            }
            out.join("\n")
        }
    }
}

/// Says which lines went and which came.
pub(crate) fn headline(change: &Change) -> String {
    match (change.old.is_empty(), change.new.is_empty()) {
        (true, _) => format!("{} new:", lines_named(change.new)),
        (_, true) => {
            let at = match change.new.start() {
                0 => "at the start".to_owned(),
                after => format!("after line {after}"),
            };
            format!("{} gone, {at} now", lines_named(change.old))
        }
        _ => format!(
            "{} became {}:",
            lines_named(change.old),
            lines_named(change.new)
        ),
    }
}
