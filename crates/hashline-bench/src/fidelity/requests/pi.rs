//! Seed 004's shape. It has no word for "before the first line".

use hashline_core::Document;
use hashline_core::scheme::Scheme;
use hashline_wire::Profile;
use serde_json::{Value, json};

use super::{Anchors, Place, text};
use crate::fidelity::case::{Case, Hunk};

pub(super) fn say(case: &Case, profile: Profile) -> Option<Value> {
    let anchors = Anchors::of(case, Scheme::Pi);
    let hunks = case.widened(|hunk| hunk.start == 0 && hunk.is_insertion())?;
    let operations = hunks
        .iter()
        .map(|hunk| operation(&anchors, &case.path, hunk));
    let operations: Vec<Value> = operations.collect::<Option<_>>()?;
    let mut request = json!({"patch": operations});
    if profile == Profile::Default {
        let rev = Document::new(case.before.as_str()).revision().short();
        request["revs"] = json!({&case.path: rev});
    }
    Some(request)
}

fn operation(anchors: &Anchors<'_>, path: &str, hunk: &Hunk) -> Option<Value> {
    let text = text(&hunk.lines);
    match anchors.place(hunk) {
        Place::Line(at) if hunk.lines.is_empty() => {
            Some(json!({"op": "delete", "path": path, "anchor": at}))
        }
        Place::Line(at) => {
            Some(json!({"op": "set_line", "path": path, "anchor": at, "text": text}))
        }
        Place::Range(first, last) if hunk.lines.is_empty() => {
            Some(json!({"op": "delete", "path": path, "start_anchor": first, "end_anchor": last}))
        }
        Place::Range(first, last) => Some(json!({
            "op": "replace_range", "path": path, "start_anchor": first, "end_anchor": last, "text": text,
        })),
        Place::After(at) => {
            Some(json!({"op": "insert_after", "path": path, "anchor": at, "text": text}))
        }
        Place::OnTop(_) | Place::IntoNothing => None,
    }
}
