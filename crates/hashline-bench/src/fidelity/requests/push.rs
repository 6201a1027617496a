//! Seed 001's shape. Two edits may not name one line, insertions included: such hunks are sent as one.

use hashline_core::scheme::Scheme;
use hashline_wire::Profile;
use serde_json::{Value, json};

use super::{Anchors, Place, text, with_rev};
use crate::fidelity::case::{Case, Hunk};

pub(super) fn say(case: &Case, profile: Profile) -> Option<Value> {
    let anchors = Anchors::of(case, Scheme::Push);
    let hunks = case.merged(|last, next| named(next).start < named(last).end);
    let edits = hunks.iter().map(|hunk| edit(&anchors, hunk));
    let edits: Vec<Value> = edits.collect::<Option<_>>()?;
    Some(with_rev(
        json!({"path": case.path, "edits": edits}),
        case,
        profile,
    ))
}

/// Returns the lines that an edit for this hunk names.
fn named(hunk: &Hunk) -> std::ops::Range<usize> {
    if hunk.is_insertion() {
        let anchor = hunk.start.saturating_sub(1);
        anchor..anchor + 1
    } else {
        hunk.start..hunk.end
    }
}

fn edit(anchors: &Anchors<'_>, hunk: &Hunk) -> Option<Value> {
    let content = text(&hunk.lines);
    match anchors.place(hunk) {
        Place::Line(at) if hunk.lines.is_empty() => Some(json!({"type": "delete_line", "ref": at})),
        Place::Line(at) => Some(json!({"type": "replace_line", "ref": at, "new_content": content})),
        Place::Range(first, last) if hunk.lines.is_empty() => {
            Some(json!({"type": "delete_range", "start_ref": first, "end_ref": last}))
        }
        Place::Range(first, last) => Some(json!({
            "type": "replace_range", "start_ref": first, "end_ref": last, "new_content": content,
        })),
        Place::After(at) => {
            Some(json!({"type": "insert_after", "ref": at, "new_content": content}))
        }
        Place::OnTop(at) => {
            Some(json!({"type": "insert_before", "ref": at, "new_content": content}))
        }
        Place::IntoNothing => None,
    }
}
