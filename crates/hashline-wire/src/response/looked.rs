//! Where anchors land, what changed since a revision, what recovery did: as objects.

use hashline_core::Placement;
use hashline_core::dialect::Dialect;
use hashline_core::policy::Context;
use hashline_core::recovered::Recovered;
use hashline_core::since::{Known, Since};
use hashline_core::state_note::StateNote;
use hashline_core::text::LineSpan;
use hashline_core::verified::Verified;
use serde_json::{Value, json};

use super::{places, rendered};
use crate::render::{looked, reasons, state};

/// Returns where anchors land.
#[must_use]
pub fn verified(verified: &Verified, dialect: Dialect, context: Context) -> Value {
    let document = &verified.document;
    let lines = |span: LineSpan| rendered(document, span, dialect);
    let anchors = verified
        .anchors
        .iter()
        .map(|(spelled, landed)| match landed {
            Ok(landed) => json!({
                "anchor": spelled,
                "ok": true,
                "moved": matches!(landed.found, Placement::Moved { .. }),
                "start_line": landed.span.start() + 1,
                "end_line": landed.span.end(),
                "lines": lines(landed.span),
            }),
            Err(refused) => {
                let problem = refused.problems.first();
                let spans = places::around_all(refused, context);
                json!({
                    "anchor": spelled,
                    "ok": false,
                    "code": problem.map_or("stale", |problem| problem.trouble.code()),
                    "reason": problem.map(reasons::of),
                    "now": spans.into_iter().flat_map(lines).collect::<Vec<_>>(),
                })
            }
        });
    json!({
        "ok": verified.is_all_landed(),
        "path": verified.path,
        "rev": document.revision().short(),
        "anchors": anchors.collect::<Vec<_>>(),
    })
}

/// Returns what changed since a revision.
#[must_use]
pub fn since(since: &Since, dialect: Dialect) -> Value {
    let document = &since.document;
    let rev = document.revision().short();
    let Known::Changes(changed) = &since.known else {
        return json!({
            "ok": false,
            "code": "unknown_rev",
            "message": looked::since(since, dialect),
            "path": since.path,
            "rev": rev,
            "written": false,
            "retryable": true,
        });
    };
    let changes = changed.changes.iter().map(|change| {
        json!({
            "old_start": change.old.start() + 1,
            "old_lines": change.old.len(),
            "new_start": change.new.start() + 1,
            "new_lines": change.new.len(),
            "now": rendered(document, change.new, dialect),
        })
    });
    json!({
        "ok": true,
        "path": since.path,
        "from": changed.from.short(),
        "rev": rev,
        "changes": changes.collect::<Vec<_>>(),
    })
}

/// Returns what recovery did, root by root.
#[must_use]
pub fn recovered(all: &[Recovered]) -> Value {
    let one = |recovered: &Recovered| {
        let (name, paths, without) = match recovered {
            Recovered::Nothing => ("nothing", &[][..], &[][..]),
            Recovered::TakenBack(left) => ("taken_back", left.paths.as_slice(), &[][..]),
            Recovered::Finished(left) => ("finished", left.paths.as_slice(), &[][..]),
            Recovered::Decided { left, without } => {
                ("decided", left.paths.as_slice(), without.as_slice())
            }
            Recovered::Foreign => ("foreign_journal", &[][..], &[][..]),
            Recovered::ForeignFolder => ("foreign_folder", &[][..], &[][..]),
        };
        let mut object =
            json!({"did": name, "paths": paths, "message": state::recovered(recovered)});
        if !without.is_empty() {
            object["without"] = without.into();
        }
        object
    };
    json!({"ok": true, "roots": all.iter().map(one).collect::<Vec<_>>()})
}

/// Returns what could not be remembered or counted.
#[must_use]
pub fn state_notes(notes: &[StateNote]) -> Value {
    let one = |note: &StateNote| json!({"note": state::name(note), "message": state::note(note)});
    notes.iter().map(one).collect::<Vec<_>>().into()
}
