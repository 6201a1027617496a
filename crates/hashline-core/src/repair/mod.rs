//! Repairs: known mistakes of models, undone only where there is a proof or where a dialect's own definition says so.
//!
//! Without a proof a repair does more harm than good: on real commits, the seeds' repairs altered 4 to 9 % of edits that were correct.
//!
//! `candidates` has a pure function over lines for each mistake. Which of them run, and in which order, is decided by the files named
//! for the policies: `proven` and `seed`. Every repair is reported.

pub mod candidates;
mod copied_anchors;
mod proven;
mod seed;

pub use copied_anchors::{CopiedAnchor, Evidence, copied_anchors};

use crate::anchor::Anchor;
use crate::edit::{EditNo, Occurrences};
use crate::policy::{Policy, RepairPolicy};
use crate::resolve::{Gap, Landed, NamedKind, PlacedAction, Resolved, Twin};
use crate::shown::Shown;
use crate::text::{Document, LineSpan, Payload};

/// Edits with their final text, and what was corrected.
#[derive(Clone, Debug)]
pub(crate) struct Repaired {
    pub(crate) edits: Vec<RepairedEdit>,
    pub(crate) repairs: Vec<Repair>,
    pub(crate) hints: Vec<Hint>,
    pub(crate) twins: Vec<Twin>,
}

/// One edit with its place and its final lines.
#[derive(Clone, Debug)]
pub(crate) struct RepairedEdit {
    pub(crate) no: EditNo,
    pub(crate) work: EditWork,
    pub(crate) landed: Option<Landed>,
    pub(crate) anchors: Vec<Anchor>,
}

/// What an edit does to the document.
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

/// A correction that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// Which mistake was undone.
    pub rule: Rule,
    /// The edit.
    pub edit: EditNo,
    /// The new lines as they were sent.
    pub before: Vec<String>,
    /// The new lines as they were used.
    pub after: Vec<String>,
    /// Why it is right.
    pub proof: Proof,
}

/// Something that looks like a mistake without a proof. It was applied as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Which mistake it looks like.
    pub rule: Rule,
    /// The edit.
    pub edit: EditNo,
}

/// The known mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// Anchors copied into the text.
    CopiedAnchors,
    /// `+` markers of a diff copied into the text.
    PlusMarkers,
    /// A neighbour of the range repeated at the edge of the text.
    BoundaryEcho,
    /// The anchor line of an insertion repeated in the text.
    AnchorEcho,
    /// Several lines of the range joined into one.
    MergedLines,
    /// A neighbour of the line joined to its new text.
    AbsorbedNeighbour,
    /// A line of the range split into several.
    Rewrapped,
    /// Indentation left out.
    Indentation,
    /// Typographic hyphens written as plain ones.
    Hyphens,
}

impl Rule {
    /// Returns the stable name of the rule.
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

/// Why a correction is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The text had the edit's own anchor in it.
    OwnAnchor,
    /// The text had tags in it that verify, worth this many bits in all.
    Tags {
        /// How many bits.
        bits: u32,
    },
    /// The file parses without the edit and not with the text as written, and this is the only correction with which it parses again.
    Syntax,
    /// The dialect's own definition says so.
    Definition,
}

/// Corrects the new text of every edit, as far as the policy allows.
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
    /// Makes a correction and records it.
    fn make(&mut self, index: usize, rule: Rule, after: Vec<String>, proof: Proof) {
        let edit = &mut self.edits[index];
        if let Some(before) = edit.work.replace_lines(&after) {
            self.repairs.push(Repair {
                rule,
                edit: edit.no,
                before,
                after,
                proof,
            });
        }
    }
}

impl EditWork {
    /// Returns the new lines, if the work has any of its own.
    pub(crate) fn lines(&self) -> Option<&[String]> {
        match self {
            Self::Replace { lines, .. } | Self::Insert { lines, .. } => Some(lines),
            Self::Substitute { .. } => None,
        }
    }

    /// Puts other lines in place of the new ones; returns what they were.
    fn replace_lines(&mut self, after: &[String]) -> Option<Vec<String>> {
        match self {
            Self::Replace { lines, .. } | Self::Insert { lines, .. } => {
                Some(std::mem::replace(lines, after.to_vec()))
            }
            Self::Substitute { .. } => None,
        }
    }
}

/// Takes the new text as it was sent. For a file without lines it is not normalised at all: it becomes the whole file.
fn as_written(document: &Document, resolved: Resolved) -> Repaired {
    let cut = if document.line_count() == 0 {
        whole
    } else {
        Payload::lines
    };
    let edits = resolved
        .edits
        .into_iter()
        .map(|edit| RepairedEdit {
            no: edit.no,
            work: written(edit.action, cut),
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
    }
}

fn whole(text: &Payload) -> Vec<String> {
    match text {
        Payload::Lines(list) if list.is_empty() => Vec::new(),
        text => text.verbatim().split('\n').map(str::to_owned).collect(),
    }
}

fn written(action: PlacedAction, cut: fn(&Payload) -> Vec<String>) -> EditWork {
    match action {
        PlacedAction::Replace { span, with, target } => EditWork::Replace {
            span,
            lines: cut(&with),
            target,
        },
        PlacedAction::Delete { span } => EditWork::Replace {
            span,
            lines: Vec::new(),
            target: NamedKind::Range,
        },
        PlacedAction::Insert { gap, text } => EditWork::Insert {
            gap,
            lines: cut(&text),
        },
        PlacedAction::Substitute { old, new, count } => EditWork::Substitute { old, new, count },
    }
}

/// Returns the lines of a span as text; `None` if one of them is not UTF-8.
fn texts(document: &Document, span: LineSpan) -> Option<Vec<&str>> {
    document
        .lines_in(span)
        .map(crate::text::Line::as_str)
        .collect()
}

/// Returns the line at `index` as text, if there is one and it is UTF-8.
fn text_at(document: &Document, index: Option<usize>) -> Option<&str> {
    document.line_at(index?)?.as_str()
}
