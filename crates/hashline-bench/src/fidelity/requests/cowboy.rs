//! Seed 002's shape.

use hashline_core::scheme::Scheme;
use hashline_wire::Profile;
use serde_json::{Value, json};

use super::{Anchors, Place, text, with_rev};
use crate::fidelity::case::{Case, Hunk};

pub(super) fn say(case: &Case, profile: Profile) -> Option<Value> {
    let anchors = Anchors::of(case, Scheme::Cowboy);
    let operations = case.hunks.iter().map(|hunk| operation(&anchors, hunk));
    let operations: Vec<Value> = operations.collect::<Option<_>>()?;
    Some(with_rev(
        json!({"path": case.path, "operations": operations}),
        case,
        profile,
    ))
}

fn operation(anchors: &Anchors<'_>, hunk: &Hunk) -> Option<Value> {
    let content = text(&hunk.lines);
    match anchors.place(hunk) {
        Place::Line(at) if hunk.lines.is_empty() => Some(json!({"action": "delete", "start": at})),
        Place::Line(at) => Some(json!({"action": "replace", "start": at, "content": content})),
        Place::Range(first, last) if hunk.lines.is_empty() => {
            Some(json!({"action": "delete", "start": first, "end": last}))
        }
        Place::Range(first, last) => {
            Some(json!({"action": "replace", "start": first, "end": last, "content": content}))
        }
        Place::After(at) => {
            Some(json!({"action": "insert_after", "start": at, "content": content}))
        }
        Place::OnTop(at) => {
            Some(json!({"action": "insert_before", "start": at, "content": content}))
        }
        Place::IntoNothing => None,
    }
}
