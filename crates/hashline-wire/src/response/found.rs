//! What a search found, as an object.

use hashline_core::found::{Found, FoundFile, FoundLine, Role};
use serde_json::{Value, json};

use super::common::disk_notes;
use crate::render::disk;

/// Returns what a search found as our own answer.
#[must_use]
pub fn found(found: &Found) -> Value {
    let totals = &found.totals;
    let skipped = found.skipped.iter().map(|error| {
        let (path, code) = (error.path(), error.code());
        json!({"path": path, "code": code, "message": disk::happened(error)})
    });
    let mut answer = json!({
        "ok": true,
        "files": found.files.iter().map(file).collect::<Vec<_>>(),
        "totals": {
            "searched": totals.searched,
            "files": totals.files,
            "matches": totals.matches,
            "shown": found.shown(),
            "skipped": totals.skipped,
        },
        "skipped": skipped.collect::<Vec<_>>(),
        "consistent": found.consistent,
    });
    if totals.cut > 0 {
        answer["totals"]["cut"] = totals.cut.into();
    }
    if !found.notes.is_empty() {
        answer["disk"] = disk_notes(&found.notes);
    }
    answer
}

fn file(file: &FoundFile) -> Value {
    let blocks = file.blocks().map(|block| block.iter().map(line).collect());
    json!({
        "path": file.path,
        "rev": file.revision.short(),
        "matches": file.matches,
        "shown": file.shown(),
        "blocks": blocks.collect::<Vec<Vec<Value>>>(),
    })
}

fn line(FoundLine { role, line }: &FoundLine) -> Value {
    json!({
        "anchor": line.anchor(),
        "text": line.text,
        "match": *role == Role::Match,
    })
}
