//! The common shape, `lean`'s own.

use hashline_core::scheme::Scheme;
use hashline_wire::Profile;
use serde_json::{Value, json};

use super::{Anchors, Place, with_rev};
use crate::fidelity::case::{Case, Hunk};

pub(super) fn say(case: &Case, profile: Profile) -> Option<Value> {
    let anchors = Anchors::of(case, Scheme::Lean);
    let edits: Vec<Value> = case.hunks.iter().map(|hunk| edit(&anchors, hunk)).collect();
    Some(with_rev(
        json!({"path": case.path, "edits": edits}),
        case,
        profile,
    ))
}

fn edit(anchors: &Anchors<'_>, hunk: &Hunk) -> Value {
    let lines = &hunk.lines;
    match anchors.place(hunk) {
        Place::Line(at) if hunk.lines.is_empty() => json!({"op": "delete", "at": at}),
        Place::Line(at) => json!({"op": "replace", "at": at, "lines": lines}),
        Place::Range(first, last) if hunk.lines.is_empty() => {
            json!({"op": "delete", "at": first, "to": last})
        }
        Place::Range(first, last) => {
            json!({"op": "replace", "at": first, "to": last, "lines": lines})
        }
        Place::After(at) => json!({"op": "insert_after", "at": at, "lines": lines}),
        Place::OnTop(at) => json!({"op": "insert_before", "at": at, "lines": lines}),
        Place::IntoNothing => json!({"op": "append", "text": lines.join("\n") + "\n"}),
    }
}
