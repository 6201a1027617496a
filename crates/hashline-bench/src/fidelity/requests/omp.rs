//! Seed 000's shape. It has no word for "before the first line", and its own definition none for one blank line alone.

use hashline_core::scheme::Scheme;
use hashline_wire::Profile;
use serde_json::{Value, json};

use super::{Anchors, Place, text, with_rev};
use crate::fidelity::case::{Case, Hunk};

pub(super) fn say(case: &Case, profile: Profile) -> Option<Value> {
    let anchors = Anchors::of(case, Scheme::Omp);
    let hunks = case.widened(|hunk| is_unsayable(hunk, profile))?;
    let edits = hunks.iter().map(|hunk| edit(&anchors, hunk, profile));
    let edits: Vec<Value> = edits.collect::<Option<_>>()?;
    Some(with_rev(
        json!({"path": case.path, "edits": edits}),
        case,
        profile,
    ))
}

fn is_unsayable(hunk: &Hunk, profile: Profile) -> bool {
    let blank_alone = profile == Profile::Seed && hunk.lines == [""];
    blank_alone || (hunk.start == 0 && hunk.is_insertion())
}

fn edit(anchors: &Anchors<'_>, hunk: &Hunk, profile: Profile) -> Option<Value> {
    let new_text = match profile {
        Profile::Default => text(&hunk.lines),
        Profile::Seed => hunk.lines.join("\n"),
    };
    match anchors.place(hunk) {
        Place::Line(anchor) => Some(json!({"set_line": {"anchor": anchor, "new_text": new_text}})),
        Place::Range(first, last) => Some(json!({"replace_lines": {
            "start_anchor": first, "end_anchor": last, "new_text": new_text,
        }})),
        Place::After(anchor) => Some(json!({"insert_after": {"anchor": anchor, "text": new_text}})),
        Place::OnTop(_) | Place::IntoNothing => None,
    }
}
