//! Resolve: finds the lines of the document that the anchors of a request mean, or the reasons why there are none.
//!
//! All anchors are checked against the current document before anything changes, so that no edit has to be undone. Each landing policy
//! (way to find the line of an anchor) is one file with the same interface: takes edits with anchors, returns spans or problems.

mod claims;
mod excerpt;
mod named;
mod relocated;
mod shown;

pub(crate) use claims::Twin;

use crate::anchor::{Anchor, Claim};
use crate::dialect::RefusalOrder;
use crate::edit::{
    EditBatch, EditNo, Occurrences, Operation, Place, Target, TargetLines, UnseenLines,
};
use crate::error::{
    AnchorProblem, AnchorsRefused, Error, FileHashDiffers, LandedEdit, Problem, Stale,
};
use crate::policy::{Landing, Policy};
use crate::scheme;
use crate::shown::Shown;
use crate::text::{Document, LineSpan, Payload, RevPrefix};

/// The edits of a request after the lines that their anchors mean were found.
#[derive(Clone, Debug)]
pub(crate) struct Resolved {
    pub(crate) edits: Vec<ResolvedEdit>,
    /// The edits that repeat an earlier one; they are missing in `edits` if the dialect drops repeated edits.
    pub(crate) twins: Vec<Twin>,
    /// Which lines exact text may be substituted on, if the request names a revision that is not the current one.
    pub(crate) substitutable: Option<RevisionLines>,
}

/// Which lines of the document are lines of another revision, found by the record of shown lines.
#[derive(Clone, Debug)]
pub(crate) struct RevisionLines {
    pub(crate) rev: RevPrefix,
    /// For each line of the document whether it is a line of the revision.
    is_found: Vec<bool>,
}

impl RevisionLines {
    /// Returns whether the line at an index of the document is a line of the revision.
    pub(crate) fn has(&self, index: usize) -> bool {
        self.is_found.get(index).copied().unwrap_or(false)
    }
}

/// One edit after the lines that its anchors mean were found. A `ResolvedEdit` can only be made by `resolve`.
#[derive(Clone, Debug)]
pub(crate) struct ResolvedEdit {
    pub(crate) no: EditNo,
    pub(crate) action: PlacedAction,
    pub(crate) landed: Option<Landed>,
    /// The parsed anchors, which some repairs compare with the new text.
    pub(crate) anchors: Vec<Anchor>,
}

/// What an edit does, with spans of the document instead of anchors.
#[derive(Clone, Debug)]
pub(crate) enum PlacedAction {
    Replace {
        span: LineSpan,
        with: Payload,
        target: NamedKind,
    },
    Delete {
        span: LineSpan,
    },
    Insert {
        gap: Gap,
        text: Payload,
    },
    Substitute {
        old: String,
        new: String,
        count: Occurrences,
    },
}

/// Whether an edit names one line or a range. (Repairs also treat a range of one line differently from one line.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamedKind {
    Line,
    Range,
}

/// The place of an insertion between two lines, and the line that its anchor names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Gap {
    /// The index of the line after the insertion.
    pub(crate) index: usize,
    /// Whether the text is inserted after a line, before a line, or at the start or end of the file.
    pub(crate) side: Side,
}

/// Whether text is inserted after a line, before a line, or at the start or end of the file; texts inserted at the same place are sorted
/// by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Side {
    FileStart,
    AfterLine,
    BeforeLine,
    FileEnd,
}

impl Gap {
    /// Returns the index of the line that the insertion's anchor names; `None` at the start or end of the file.
    pub(crate) fn anchor(self) -> Option<usize> {
        match self.side {
            Side::AfterLine => self.index.checked_sub(1),
            Side::BeforeLine => Some(self.index),
            Side::FileStart | Side::FileEnd => None,
        }
    }
}

/// The lines of the document that the anchors of an edit mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Landed {
    /// The place of the lines in the current document.
    pub span: LineSpan,
    /// The lines with the numbers in the anchors, if the lines have moved since they were shown.
    pub moved_from: Option<LineSpan>,
    /// What the lines were compared with.
    pub(crate) by: LandedBy,
}

/// What the lines of an edit were compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LandedBy {
    /// The record of shown lines: every line equals the line that was shown.
    Record,
    /// Only number and tag of the first and last line, because there is no record that they were shown.
    NumberAndTag,
    /// The numbers of the lines, and their bytes as they were shown: the file has too many lines to follow them, and has changed since.
    SameNumber,
    /// Only number and tag of the first and last line, because the policy (`strict` or `seed`) uses no record.
    Policy,
}

impl Landed {
    /// Lines with the numbers `named` in the anchors that are at `span` now; all of them equal the lines that were shown.
    fn checked(span: LineSpan, named: LineSpan) -> Self {
        Self {
            span,
            moved_from: (span != named).then_some(named),
            by: LandedBy::Record,
        }
    }

    /// Lines with the numbers `named` in the anchors that are at `span` now; only the first and the last were checked.
    fn by_ends(span: LineSpan, named: LineSpan) -> Self {
        Self {
            by: LandedBy::Policy,
            ..Self::checked(span, named)
        }
    }

    /// The same lines, of a file that has too many lines to follow them.
    fn not_followed(self) -> Self {
        Self {
            by: LandedBy::SameNumber,
            ..self
        }
    }

    /// The same lines, found by number and tag because there is no record of them.
    fn unrecorded(self) -> Self {
        Self {
            by: LandedBy::NumberAndTag,
            ..self
        }
    }
}

/// An edit that has anchors: one, or the first and last of a range.
#[derive(Clone, Debug)]
pub(crate) struct AnchoredEdit {
    /// The index of the edit in the batch. (`edit` is its number in the request, which several edits can share.)
    index: usize,
    pub(crate) edit: EditNo,
    pub(crate) first: Anchor,
    pub(crate) last: Option<Anchor>,
    claims: Vec<Claim>,
    /// Whether the lines that the edit changes may be unseen; `None` for an insertion, which does not change its anchor line.
    unseen: Option<UnseenLines>,
}

impl AnchoredEdit {
    fn anchors(&self) -> Vec<&Anchor> {
        std::iter::once(&self.first).chain(&self.last).collect()
    }

    /// Returns the lines with the numbers in the anchors; `None` if the range is reversed or a number is 0 or too large for any document.
    fn named_span(&self) -> Option<LineSpan> {
        let start = crate::shown::claimed_index(&self.first)?;
        let end = crate::shown::claimed_index(self.last.as_ref().unwrap_or(&self.first))?;
        (start <= end).then(|| LineSpan::new(start..end + 1))
    }

    fn problem(&self, end: usize, reason: AnchorProblem, near: LineSpan) -> Problem {
        let end = end.min(self.claims.len() - 1);
        let anchor = self.anchors().get(end).copied().cloned();
        Problem::new(self.edit, self.claims[end].clone(), anchor, reason, near)
    }
}

/// The lines that an edit's anchors mean, or what is wrong with the anchors.
type LandingResult = Result<Landed, Vec<Problem>>;

/// Finds the lines that an anchor or a range means, in the same way as an edit does that replaces or deletes them.
///
/// # Errors
///
/// Every reason why such an edit would be refused, with the current lines. Lines that were never shown, or only in part, are no such reason for
/// [`Target::seen_or_not`].
pub fn locate(
    document: &Document,
    shown: &Shown<'_>,
    rev: Option<&RevPrefix>,
    target: Target,
    policy: &Policy<'_>,
) -> Result<Landed, AnchorsRefused> {
    let batch = EditBatch {
        rev: rev.cloned(),
        ..EditBatch::new([Operation::Delete { at: target }])
    };
    let landed = match resolve(document, shown, batch, policy) {
        Ok(resolved) => resolved.edits.first().and_then(|edit| edit.landed),
        Err(Error::Anchors(refused)) => return Err(refused),
        // The batch has one edit and no file hash: nothing else can be wrong.
        Err(_) => None,
    };
    landed.ok_or_else(|| AnchorsRefused {
        document: document.clone(),
        problems: Vec::new(),
        landed: Vec::new(),
    })
}

/// Finds the lines that the anchors of every edit mean, or reports all anchors that match no line.
///
/// # Errors
///
/// [`Error::FileHash`] if the file does not have the SHA-256 in the request; [`Error::Anchors`] with every anchor that matches no line.
pub(crate) fn resolve(
    document: &Document,
    shown: &Shown<'_>,
    batch: EditBatch,
    policy: &Policy<'_>,
) -> Result<Resolved, Error> {
    let rev = batch.rev.as_ref();
    let scheme = policy.dialect.scheme;
    let (parsed, twins) = claims::parse(document, batch.edits, policy);
    let (anchored, mut problems) = claims::anchored(&parsed);
    check_file_hash(document, batch.file_hash, || {
        let anchors = anchored.iter().flat_map(AnchoredEdit::anchors);
        let near = anchors.map(|anchor| named::about(document, anchor));
        near.collect()
    })?;
    problems.extend(check_revision(document, shown, rev, &parsed, policy));
    let results = match policy.landing {
        Landing::Shown => shown::land(document, shown, rev, scheme, &anchored),
        Landing::Strict => named::land_at_revision(document, rev, scheme, &anchored),
        // The original tools know no revision and search by tag, so another revision than the current one cannot be honoured.
        Landing::Seed if is_other(document, rev) => {
            named::land_at_revision(document, rev, scheme, &anchored)
        }
        Landing::Seed => relocated::land(document, policy.dialect, &anchored),
    };
    let mut landed: Vec<Option<(AnchoredEdit, Landed)>> = vec![None; parsed.len()];
    // Every edit is tried, even after a problem: the caller then learns of all stale lines at once.
    for (edit, result) in anchored.into_iter().zip(results) {
        match result {
            Ok(place) => {
                let index = edit.index;
                landed[index] = Some((edit, place));
            }
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() {
        let substitutes =
            |edit: &claims::ParsedEdit| matches!(edit.edit.operation, Operation::Substitute { .. });
        let substitutable = rev
            .filter(|rev| policy.landing == Landing::Shown && !rev.matches(document.revision()))
            .filter(|_| parsed.iter().any(substitutes))
            .map(|rev| shown::lines_of(document, shown, rev));
        let edits = place_edits(document, parsed, landed);
        return Ok(Resolved {
            edits,
            twins,
            substitutable,
        });
    }
    rank(&mut problems, policy.dialect.refusals);
    let landed = landed
        .into_iter()
        .flatten()
        .map(|(edit, place)| LandedEdit {
            edit: edit.edit,
            claims: edit.claims,
            span: place.span,
        });
    Err(Error::Anchors(AnchorsRefused {
        document: document.clone(),
        problems,
        landed: landed.collect(),
    }))
}

/// Checks the revision of a request in which no edit has an anchor, such as one that only substitutes text. Where there are anchors, the
/// revision is checked together with them.
fn check_revision(
    document: &Document,
    shown: &Shown<'_>,
    rev: Option<&RevPrefix>,
    parsed: &[claims::ParsedEdit],
    policy: &Policy<'_>,
) -> Option<Problem> {
    let rev = rev.filter(|rev| !rev.matches(document.revision()))?;
    let has_claims = |parsed: &claims::ParsedEdit| !parsed.edit.operation.claims().is_empty();
    let first = parsed.first().filter(|_| !parsed.iter().any(has_claims))?;
    let reason = match policy.landing {
        Landing::Shown if shown.revisions(rev).is_empty() => {
            AnchorProblem::UnknownRevision(rev.clone())
        }
        Landing::Strict | Landing::Seed => AnchorProblem::Stale(Stale::OtherRevision),
        Landing::Shown => return None,
    };
    let (claim, near) = (rev.to_string().into(), LineSpan::gap(0));
    Some(Problem::new(first.edit.no, claim, None, reason, near))
}

/// Returns whether a request names a revision that is not the current one.
fn is_other(document: &Document, rev: Option<&RevPrefix>) -> bool {
    rev.is_some_and(|rev| !rev.matches(document.revision()))
}

/// Refuses the edit if the document does not have the SHA-256 `expected`; `near` returns the lines to show in the refusal.
pub(crate) fn check_file_hash(
    document: &Document,
    expected: Option<String>,
    near: impl FnOnce() -> Vec<LineSpan>,
) -> Result<(), Error> {
    let Some(expected) = expected else {
        return Ok(());
    };
    let actual = scheme::sha256(document.file_bytes());
    if expected.eq_ignore_ascii_case(&actual) {
        return Ok(());
    }
    Err(Error::FileHash(FileHashDiffers {
        document: document.clone(),
        expected,
        actual,
        near: near(),
    }))
}

/// Sorts the problems by the dialect's order, so that the problem to report comes first.
fn rank(problems: &mut [Problem], order: RefusalOrder) {
    problems.sort_by_key(|problem| {
        let kind = match (&problem.reason, order) {
            (_, RefusalOrder::EditByEdit) => 0,
            (AnchorProblem::Malformed(_), _) => 1,
            (AnchorProblem::UnknownRevision(_), _) => 2,
            (AnchorProblem::OutOfRange, RefusalOrder::KindByKind) => 3,
            (
                AnchorProblem::OutOfRange | AnchorProblem::Stale(_) | AnchorProblem::Ambiguous(_),
                _,
            ) => 4,
            (AnchorProblem::Reversed, _) => 5,
            (AnchorProblem::Unseen { .. } | AnchorProblem::PartlyShown, _) => 6,
        };
        (kind, problem.edit)
    });
}

fn place_edits(
    document: &Document,
    parsed: Vec<claims::ParsedEdit>,
    landed: Vec<Option<(AnchoredEdit, Landed)>>,
) -> Vec<ResolvedEdit> {
    parsed
        .into_iter()
        .zip(landed)
        .map(|(claims::ParsedEdit { edit, .. }, place)| {
            let (anchors, landed) = place.map_or((Vec::new(), None), |(edit, landed)| {
                (edit.anchors().into_iter().cloned().collect(), Some(landed))
            });
            let action = placed(
                edit.operation,
                landed.map(|landed| landed.span),
                document.line_count(),
            );
            ResolvedEdit {
                no: edit.no,
                action,
                landed,
                anchors,
            }
        })
        .collect()
}

/// Returns the operation with a span instead of anchors. `span` is `None` only for operations that have no anchors.
fn placed(operation: Operation, span: Option<LineSpan>, lines: usize) -> PlacedAction {
    let landed =
        || span.expect("an edit with claims has landed here, or its problems were returned");
    match operation {
        Operation::Replace { at, with } => {
            let target = if matches!(at.lines, TargetLines::One(_)) {
                NamedKind::Line
            } else {
                NamedKind::Range
            };
            PlacedAction::Replace {
                span: landed(),
                with,
                target,
            }
        }
        Operation::Delete { .. } => PlacedAction::Delete { span: landed() },
        Operation::Insert { place, text } => {
            let gap = match place {
                Place::Before(_) => Gap {
                    index: landed().start(),
                    side: Side::BeforeLine,
                },
                Place::After(_) => Gap {
                    index: landed().end(),
                    side: Side::AfterLine,
                },
                Place::Start => Gap {
                    index: 0,
                    side: Side::FileStart,
                },
                Place::End => Gap {
                    index: lines,
                    side: Side::FileEnd,
                },
            };
            PlacedAction::Insert { gap, text }
        }
        Operation::Substitute { old, new, count } => PlacedAction::Substitute { old, new, count },
    }
}
