//! Repairs: corrects known mistakes of models in new text, only where there is a proof or where the original tool of a dialect does so.
//!
//! Without a proof a repair does more harm than good: on real commits, the repairs of the original tools altered 4 to 9 % of edits that
//! were correct.
//!
//! The module `candidates` has a pure function for each known mistake. The file `proven` or `seed`, named after the policy, decides which
//! correction functions run and in which order. Every repair is reported.

pub mod candidates;
mod copied_anchors;
mod proven;
mod seed;

use std::borrow::Cow;

pub use copied_anchors::{CopiedAnchor, Evidence, copied_anchors};

use crate::anchor::Anchor;
use crate::edit::{EditNo, Occurrences};
use crate::policy::{Policy, RepairPolicy};
use crate::resolve::{Gap, Landed, NamedKind, PlacedAction, Resolved, RevisionLines, Twin};
use crate::shown::Shown;
use crate::text::{Document, LineSpan, Payload};

/// Edits with their final new text, and the corrections that were made.
#[derive(Clone, Debug)]
pub(crate) struct Repaired {
    pub(crate) edits: Vec<RepairedEdit>,
    pub(crate) repairs: Vec<Repair>,
    pub(crate) hints: Vec<Hint>,
    pub(crate) twins: Vec<Twin>,
    pub(crate) substitutable: Option<RevisionLines>,
}

/// One edit with the lines it changes and its final new text.
#[derive(Clone, Debug)]
pub(crate) struct RepairedEdit {
    pub(crate) no: EditNo,
    pub(crate) work: EditWork,
    pub(crate) landed: Option<Landed>,
    pub(crate) anchors: Vec<Anchor>,
}

/// What an edit does to the document, with its final new text.
#[derive(Clone, Debug)]
pub(crate) enum EditWork {
    Replace {
        span: LineSpan,
        lines: Vec<String>,
        target: NamedKind,
    },
    Insert {
        gap: Gap,
        lines: Vec<String>,
    },
    Substitute {
        old: String,
        new: String,
        count: Occurrences,
    },
}

/// A correction that was made to the new text of an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The kind of mistake that was corrected.
    pub rule: Rule,
    /// The number of the edit that was corrected.
    pub edit: EditNo,
    /// The new lines as the request sent them.
    pub before: Vec<String>,
    /// The new lines after the correction.
    pub after: Vec<String>,
    /// Why the correction is right.
    pub proof: Proof,
}

/// A note that new text looks like a known mistake, without proof. The text was applied as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The kind of mistake that the text looks like.
    pub rule: Rule,
    /// The number of the edit.
    pub edit: EditNo,
}

/// The kinds of mistakes that models are known to make in new text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Anchors were copied into the text.
    CopiedAnchors,
    /// The `+` markers of a diff were copied into the text.
    PlusMarkers,
    /// The first or last line of the text repeats a neighbour of the replaced range.
    BoundaryEcho,
    /// Inserted text repeats the line beside which it is inserted.
    AnchorEcho,
    /// Several lines of the replaced range were joined into one.
    MergedLines,
    /// The text of one replaced line also contains the line's neighbour.
    AbsorbedNeighbour,
    /// A line of the replaced range was wrapped into several.
    Rewrapped,
    /// The indentation was left out.
    Indentation,
    /// Typographic hyphens were sent back unchanged where plain ones were meant.
    Hyphens,
}

impl Rule {
    /// Returns the stable name of the kind of mistake, as it is used in answers.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::CopiedAnchors => "copied_anchors",
            Self::PlusMarkers => "plus_markers",
            Self::BoundaryEcho => "boundary_echo",
            Self::AnchorEcho => "anchor_echo",
            Self::MergedLines => "merged_lines",
            Self::AbsorbedNeighbour => "absorbed_neighbour",
            Self::Rewrapped => "rewrapped",
            Self::Indentation => "indentation",
            Self::Hyphens => "hyphens",
        }
    }
}

/// Why a correction of new text is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The text contained an anchor that the edit itself names.
    OwnAnchor,
    /// The text contained copied anchors whose tags match, with this many bits together.
    Tags {
        /// How many bits the matching tags have together.
        bits: u32,
    },
    /// The file parses before the edit but not after the edit as sent, and only with this correction it parses again.
    Syntax,
    /// The original tool of the dialect makes this correction, without a proof.
    Definition,
}

/// Corrects the new text of every edit where the policy allows it.
pub(crate) fn repair(
    document: &Document,
    shown: &Shown<'_>,
    resolved: Resolved,
    policy: &Policy<'_>,
) -> Repaired {
    match policy.repair {
        RepairPolicy::Off => as_written(document, resolved),
        RepairPolicy::Seed => seed::repair(document, resolved, policy.dialect.corrections),
        RepairPolicy::Proven => {
            proven::repair(document, shown, as_written(document, resolved), policy)
        }
    }
}

impl Repaired {
    /// Replaces the new lines of the edit at `index` by `after`, and records that as a repair.
    fn make(&mut self, index: usize, rule: Rule, after: Vec<String>, proof: Proof) {
        let edit = &mut self.edits[index];
        let before = edit.work.replace_lines(&after);
        self.repairs.push(Repair {
            rule,
            edit: edit.no,
            before,
            after,
            proof,
        });
    }
}

impl EditWork {
    /// Returns the new lines of a replacement or an insertion; `None` for a substitution.
    pub(crate) fn lines(&self) -> Option<&[String]> {
        match self {
            Self::Replace { lines, .. } | Self::Insert { lines, .. } => Some(lines),
            Self::Substitute { .. } => None,
        }
    }

    /// Returns the lines of the new text of any edit.
    fn new_lines(&self) -> Cow<'_, [String]> {
        match self {
            Self::Replace { lines, .. } | Self::Insert { lines, .. } => Cow::Borrowed(lines),
            Self::Substitute { new, .. } => new.split('\n').map(str::to_owned).collect(),
        }
    }

    /// Replaces the new lines by `after` and returns the lines before.
    fn replace_lines(&mut self, after: &[String]) -> Vec<String> {
        let before = self.new_lines().into_owned();
        match self {
            Self::Replace { lines, .. } | Self::Insert { lines, .. } => *lines = after.to_vec(),
            Self::Substitute { new, .. } => *new = after.join("\n"),
        }
        before
    }
}

/// Takes the new text as it was sent. For a file without lines it is not normalised at all, because it becomes the whole file.
fn as_written(document: &Document, resolved: Resolved) -> Repaired {
    let edits = resolved
        .edits
        .into_iter()
        .map(|edit| RepairedEdit {
            no: edit.no,
            work: written(document, edit.action),
            landed: edit.landed,
            anchors: edit.anchors,
        })
        .collect();
    let (repairs, hints) = (Vec::new(), Vec::new());
    Repaired {
        edits,
        repairs,
        hints,
        twins: resolved.twins,
        substitutable: resolved.substitutable,
    }
}

fn written(document: &Document, action: PlacedAction) -> EditWork {
    match action {
        PlacedAction::Replace { span, with, target } => EditWork::Replace {
            span,
            lines: new_lines(document, span, &with),
            target,
        },
        PlacedAction::Delete { span } => EditWork::Replace {
            span,
            lines: Vec::new(),
            target: NamedKind::Range,
        },
        PlacedAction::Insert { gap, text } => EditWork::Insert {
            gap,
            lines: new_lines(document, LineSpan::gap(gap.index), &text),
        },
        PlacedAction::Substitute { old, new, count } => EditWork::Substitute { old, new, count },
    }
}

/// Splits the text that replaces the lines of `span` into lines.
fn new_lines(document: &Document, span: LineSpan, text: &Payload) -> Vec<String> {
    match text {
        Payload::Lines(list) if document.line_count() == 0 && list.is_empty() => Vec::new(),
        text if document.line_count() == 0 => {
            text.verbatim().split('\n').map(str::to_owned).collect()
        }
        text => text.lines_replacing(document.lines_in(span)),
    }
}

/// Returns the texts of the lines in a span; `None` if one of them is not UTF-8.
fn texts(document: &Document, span: LineSpan) -> Option<Vec<&str>> {
    document
        .lines_in(span)
        .map(crate::text::Line::as_str)
        .collect()
}

/// Returns the text of the line at `index`; `None` if there is no such line or it is not UTF-8.
fn text_at(document: &Document, index: Option<usize>) -> Option<&str> {
    document.line_at(index?)?.as_str()
}
