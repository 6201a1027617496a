//! Seed 003's shape: new text is a list of lines, an empty list deletes.

use hashline_core::scheme::Scheme;
use hashline_wire::Profile;
use serde_json::{Value, json};

use super::{Anchors, Place, with_rev};
use crate::fidelity::case::{Case, Hunk};

pub(super) fn say(case: &Case, profile: Profile) -> Option<Value> {
    let anchors = Anchors::of(case, Scheme::Openagent);
    let edits: Vec<Value> = case.hunks.iter().map(|hunk| edit(&anchors, hunk)).collect();
    Some(with_rev(
        json!({"filePath": case.path, "edits": edits}),
        case,
        profile,
    ))
}

fn edit(anchors: &Anchors<'_>, hunk: &Hunk) -> Value {
    let lines = &hunk.lines;
    match anchors.place(hunk) {
        Place::Line(at) => json!({"op": "replace", "pos": at, "lines": lines}),
        Place::Range(first, last) => {
            json!({"op": "replace", "pos": first, "end": last, "lines": lines})
        }
        Place::After(at) => json!({"op": "append", "pos": at, "lines": lines}),
        Place::OnTop(at) => json!({"op": "prepend", "pos": at, "lines": lines}),
        // For a file without lines the text is taken as it is, so that the last newline must be said.
        Place::IntoNothing => json!({"op": "append", "lines": lines.join("\n") + "\n"}),
    }
}
