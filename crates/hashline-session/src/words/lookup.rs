//! The answers of `hashline verify` (where anchors land) and `hashline diff` (what changed since a revision), as text and as JSON.

use hashline_core::error::{AnchorProblem, AnchorsRefused};
use hashline_core::text::{Change, LineSpan};
use hashline_core::{Code, Landed};
use hashline_wire::answer::rendered;
use hashline_wire::named;
use hashline_wire::refusal::{anchor_reason, windows_around};
use hashline_wire::render::{count, human, lines_named};
use schemars::JsonSchema;
use serde::Serialize;

use super::RefusalFields;
use crate::lookup::{Since, Verified};

/// The JSON answer of `hashline verify`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct VerifiedAnswer {
    ok: bool,
    #[serde(flatten)]
    refusal: Option<RefusalFields>,
    path: String,
    rev: String,
    anchors: Vec<VerifiedAnchor>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct VerifiedAnchor {
    anchor: String,
    ok: bool,
    #[serde(flatten)]
    place: AnchorPlace,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum AnchorPlace {
    Found {
        moved: bool,
        start_line: usize,
        end_line: usize,
        lines: Vec<String>,
    },
    Lost {
        code: &'static str,
        reason: Option<String>,
        /// The current lines around the former place of the anchor.
        now: Vec<String>,
    },
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct SinceAnswer {
    ok: bool,
    path: String,
    /// The revision to compare with; `rev` is the current revision.
    from: String,
    rev: String,
    changes: Vec<ChangedLines>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct ChangedLines {
    old_start: usize,
    old_lines: usize,
    new_start: usize,
    new_lines: usize,
    now: Vec<String>,
}

/// Renders the anchors that resolve to a line, one line of text for each.
#[must_use]
pub fn landed_text(verified: &Verified) -> String {
    let anchors = verified.anchors.iter();
    let landed = anchors.filter_map(|(spelled, landed)| Some((spelled, landed.as_ref().ok()?)));
    let lines: Vec<_> = landed
        .map(|(spelled, landed)| landed_line(verified, spelled, landed))
        .collect();
    lines.join("\n")
}

/// Returns what to do about anchors that do not land.
#[must_use]
pub fn lost_hint(verified: &Verified) -> String {
    let anchors = verified.anchors.iter();
    let lost = anchors.filter_map(|(_, landed)| landed.as_ref().err());
    let reasons: Vec<&AnchorProblem> = lost
        .flat_map(|refused| &refused.problems)
        .map(|problem| &problem.reason)
        .collect();
    let is_unseen = |reason: &&AnchorProblem| {
        matches!(
            reason,
            AnchorProblem::Unseen { .. } | AnchorProblem::PartlyShown
        )
    };
    let has_more = |reason: &&AnchorProblem| matches!(reason, AnchorProblem::Unseen { not_listed, .. } if !not_listed.is_empty());
    if !reasons.iter().all(is_unseen) {
        let rev = verified.document.revision().short();
        format!("the file is at rev {rev}; send that with the fresh anchors above")
    } else if reasons.iter().any(has_more) {
        "read the lines that have no room here, then edit them".to_owned()
    } else {
        "the lines above count as shown now; if they are meant too, edit them".to_owned()
    }
}

/// Renders the anchors that resolve to no line: the reason, and the current lines around the former place of each.
#[must_use]
pub fn lost_text(verified: &Verified) -> String {
    let mut out = Vec::new();
    for (spelled, landed) in &verified.anchors {
        let Err(refused) = landed else { continue };
        let reason = refused.problems.first().map(anchor_reason);
        let reason = reason.unwrap_or_default();
        out.push(format!("{spelled} {}: {reason}", refused.code()));
        let windows = windows_around(refused, verified.context, verified.dialect);
        out.extend(human::windows(&windows));
    }
    out.join("\n")
}

fn landed_line(verified: &Verified, spelled: &str, landed: &Landed) -> String {
    let how = match landed.moved_from {
        None => "ok".to_owned(),
        Some(_) => format!("moved to {}", lines_named(landed.span)),
    };
    let first = LineSpan::new(landed.span.start()..landed.span.start() + 1);
    let line = rendered(&verified.document, first, verified.dialect).join("");
    match landed.span.len() {
        0 | 1 => format!("{spelled} {how}: {line}"),
        more => format!("{spelled} {how}: {line} ({more} lines)"),
    }
}

/// Returns the results of `hashline verify` as an object for JSON.
#[must_use]
pub fn verified_answer(verified: &Verified) -> VerifiedAnswer {
    let lost = || {
        verified
            .anchors
            .iter()
            .filter_map(|(_, landed)| landed.as_ref().err())
    };
    let refusal = lost().next().map(|first| RefusalFields {
        code: first.code().as_str(),
        message: lost_text(verified),
        written: false,
        retryable: lost().map(AnchorsRefused::code).all(Code::is_stale),
    });
    VerifiedAnswer {
        ok: refusal.is_none(),
        refusal,
        path: verified.path.clone(),
        rev: verified.document.revision().short(),
        anchors: verified
            .anchors
            .iter()
            .map(|(spelled, landed)| VerifiedAnchor {
                anchor: spelled.clone(),
                ok: landed.is_ok(),
                place: place(verified, landed),
            })
            .collect(),
    }
}

fn place(verified: &Verified, landed: &Result<Landed, AnchorsRefused>) -> AnchorPlace {
    let lines = |span| rendered(&verified.document, span, verified.dialect);
    match landed {
        Ok(landed) => AnchorPlace::Found {
            moved: landed.moved_from.is_some(),
            start_line: landed.span.start() + 1,
            end_line: landed.span.end(),
            lines: lines(landed.span),
        },
        Err(refused) => AnchorPlace::Lost {
            code: refused.code().as_str(),
            reason: refused.problems.first().map(anchor_reason),
            now: refused
                .windows(verified.context)
                .into_iter()
                .flat_map(lines)
                .collect(),
        },
    }
}

/// Renders the changes since a revision: the numbers of removed lines, and the new lines with their anchors.
#[must_use]
pub fn since_text(since: &Since) -> String {
    let (path, now) = (named(&since.path), since.document.revision().short());
    let rev = &since.rev;
    if since.changes.is_empty() {
        return format!("{path}: no line changed since rev {rev} (now rev {now})");
    }
    let places = count(since.changes.len(), "place");
    let mut out = vec![format!(
        "{path}: {places} changed since rev {rev} (now rev {now})"
    )];
    for change in &since.changes {
        out.push(change_headline(change));
        out.extend(rendered(&since.document, change.new, since.dialect));
    }
    out.join("\n")
}

/// Formats which line numbers were removed and which are new in one change.
fn change_headline(change: &Change) -> String {
    let (old, new) = (lines_named(change.old), lines_named(change.new));
    match (change.old.is_empty(), change.new.is_empty()) {
        (true, _) => format!("{new} new:"),
        (_, true) => match change.new.start() {
            0 => format!("{old} gone, at the start now"),
            after => format!("{old} gone, after line {after} now"),
        },
        _ => format!("{old} became {new}:"),
    }
}

/// Returns the results of `hashline diff` as an object for JSON.
#[must_use]
pub fn since_answer(since: &Since) -> impl Serialize + use<> {
    let changes = since.changes.iter().map(|change| ChangedLines {
        old_start: change.old.start() + 1,
        old_lines: change.old.len(),
        new_start: change.new.start() + 1,
        new_lines: change.new.len(),
        now: rendered(&since.document, change.new, since.dialect),
    });
    SinceAnswer {
        ok: true,
        path: since.path.clone(),
        from: since.from.short(),
        rev: since.document.revision().short(),
        changes: changes.collect(),
    }
}
