//! Resolve: from claims to places in this document, or the reasons why not.
//!
//! Everything is checked against the document as it is, before anything is changed. Each landing policy is one small file with the
//! same shape: what is wanted in, places or problems out.

mod claims;
mod excerpt;
mod locate;
mod named;
mod relocated;
mod shown;

pub(crate) use claims::Twin;
pub use locate::locate;

use crate::anchor::Anchor;
use crate::dialect::RefusalOrder;
use crate::edit::{EditBatch, EditNo, Occurrences, Operation, Place, Target};
use crate::error::{
    AnchorProblem, AnchorsRefused, Error, FileHashDiffers, LandedEdit, Problem, Stale,
};
use crate::policy::{Landing, Policy};
use crate::scheme;
use crate::shown::Shown;
use crate::text::{Document, LineSpan, Payload, RevPrefix};

/// Edits whose places are known.
#[derive(Clone, Debug)]
pub(crate) struct Resolved {
    pub(crate) edits: Vec<ResolvedEdit>,
    /// Edits that say the same as an earlier one; left out of `edits` where the dialect drops them.
    pub(crate) twins: Vec<Twin>,
}

/// One edit whose place is known. Only `resolve` makes one.
#[derive(Clone, Debug)]
pub(crate) struct ResolvedEdit {
    pub(crate) no: EditNo,
    pub(crate) action: PlacedAction,
    pub(crate) landed: Option<Landed>,
    /// The anchors as they were read, for repairs that look at them.
    pub(crate) anchors: Vec<Anchor>,
}

/// What an edit does, with places instead of claims.
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

/// Whether one line was named or a range. (A range may have one line.)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamedKind {
    Line,
    Range,
}

/// A place between two lines, and which of them it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Gap {
    /// The index of the line after the gap.
    pub(crate) index: usize,
    /// The order of texts in one gap.
    pub(crate) side: Side,
}

/// Texts in one gap stand in this order, those of one side in request order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Side {
    FileStart,
    AfterLine,
    BeforeLine,
    FileEnd,
}

impl Gap {
    /// Returns the index of the line the text was anchored at, if it was.
    pub(crate) fn anchor(self) -> Option<usize> {
        match self.side {
            Side::AfterLine => self.index.checked_sub(1),
            Side::BeforeLine => Some(self.index),
            Side::FileStart | Side::FileEnd => None,
        }
    }
}

/// Where named lines are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Landed {
    /// The lines.
    pub span: LineSpan,
    /// How they were found.
    pub found: Placement,
    /// Whether the lines between the ends of a range were compared with what was shown.
    pub inner: InnerLines,
}

/// How named lines were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// At the numbers that were named.
    AsNamed,
    /// Elsewhere.
    Moved {
        /// The lines as they were named.
        from: LineSpan,
    },
}

/// Whether the lines between the ends of a range were compared with what was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InnerLines {
    /// They were, or there are none.
    Checked,
    /// Nobody knows what was shown: only the ends were checked.
    Unchecked,
}

/// What an edit names: one line, or the two ends of a range.
#[derive(Clone, Debug)]
pub(crate) struct AnchoredEdit {
    /// Where the edit stands in the batch. (Its number is only what its reader calls it.)
    index: usize,
    pub(crate) edit: EditNo,
    pub(crate) first: Anchor,
    pub(crate) last: Option<Anchor>,
    claims: Vec<crate::anchor::Claim>,
}

impl AnchoredEdit {
    fn anchors(&self) -> Vec<&Anchor> {
        std::iter::once(&self.first).chain(&self.last).collect()
    }

    /// Returns the lines as they were named; nothing if no document can hold them or the range is reversed.
    fn named_span(&self) -> Option<LineSpan> {
        let start = crate::shown::claimed_index(&self.first)?;
        let end = crate::shown::claimed_index(self.last.as_ref().unwrap_or(&self.first))?;
        (start <= end).then(|| LineSpan::new(start..end + 1))
    }

    fn problem(&self, end: usize, trouble: AnchorProblem, near: LineSpan) -> Problem {
        let end = end.min(self.claims.len() - 1);
        let anchor = self.anchors().get(end).copied().cloned();
        Problem {
            edit: self.edit,
            claim: self.claims[end].clone(),
            anchor,
            trouble,
            near,
            excerpt: None,
        }
    }
}

/// What became of what an edit names.
type Landings = Result<Landed, Vec<Problem>>;

/// Finds the place of every edit, or says what is wrong with all that have none.
///
/// # Errors
///
/// [`Error::FileHash`] if the request asks for other bytes; [`Error::Anchors`] with every anchor that has no place.
pub(crate) fn resolve(
    document: &Document,
    shown: &Shown<'_>,
    batch: EditBatch,
    policy: &Policy<'_>,
) -> Result<Resolved, Error> {
    let (asked, twins) = claims::read(document, batch.edits, policy.dialect);
    let (wanted, mut problems): (Vec<AnchoredEdit>, Vec<Problem>) = claims::sort(&asked);
    check_file_hash(document, batch.file_hash, || {
        let anchors = wanted.iter().flat_map(AnchoredEdit::anchors);
        let near = anchors.map(|anchor| named::about(document, anchor));
        near.collect()
    })?;
    problems.extend(check_revision(
        document,
        shown,
        batch.rev.as_ref(),
        &asked,
        policy.landing,
    ));
    let outcomes = match policy.landing {
        Landing::Shown => shown::land(
            document,
            shown,
            batch.rev.as_ref(),
            policy.dialect.scheme,
            &wanted,
        ),
        Landing::Strict => {
            named::land_at_revision(document, batch.rev.as_ref(), policy.dialect.scheme, &wanted)
        }
        Landing::Seed => relocated::land(document, policy.dialect, &wanted),
    };
    let mut landed: Vec<Option<(AnchoredEdit, Landed)>> = vec![None; asked.len()];
    for (wanted, outcome) in wanted.into_iter().zip(outcomes) {
        match outcome {
            Ok(place) => {
                let index = wanted.index;
                landed[index] = Some((wanted, place));
            }
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() {
        let edits = place_edits(document, asked, landed);
        return Ok(Resolved { edits, twins });
    }
    rank(&mut problems, policy.dialect.refusals);
    let standing = landed
        .into_iter()
        .flatten()
        .map(|(wanted, place)| LandedEdit {
            edit: wanted.edit,
            claims: wanted.claims,
            span: place.span,
        });
    Err(Error::Anchors(AnchorsRefused {
        document: document.clone(),
        problems,
        standing: standing.collect(),
    }))
}

/// A revision is looked at even where no edit has an anchor: one that is unknown, or under `strict` not the current one, refuses.
fn check_revision(
    document: &Document,
    shown: &Shown<'_>,
    rev: Option<&RevPrefix>,
    asked: &[claims::ParsedEdit],
    landing: Landing,
) -> Option<Problem> {
    let rev = rev.filter(|rev| !rev.matches(document.revision()))?;
    let first = asked.first().filter(|_| {
        asked
            .iter()
            .all(|asked| asked.edit.operation.claims().is_empty())
    })?;
    let trouble = match landing {
        Landing::Shown if shown.revisions(rev).is_empty() => {
            AnchorProblem::UnknownRevision(rev.clone())
        }
        Landing::Strict => AnchorProblem::Stale(Stale::OtherRevision),
        Landing::Shown | Landing::Seed => return None,
    };
    let (claim, near) = (rev.to_string().into(), LineSpan::gap(0));
    Some(Problem {
        edit: first.edit.no,
        claim,
        anchor: None,
        trouble,
        near,
        excerpt: None,
    })
}

/// Refuses a document that has not the SHA-256 a request asks for; `near` finds the lines that the request names.
pub(crate) fn check_file_hash(
    document: &Document,
    expected: Option<String>,
    near: impl FnOnce() -> Vec<LineSpan>,
) -> Result<(), Error> {
    let Some(expected) = expected else {
        return Ok(());
    };
    let actual = scheme::sha256(document.bytes());
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

/// Puts the problem to report first in front.
fn rank(problems: &mut [Problem], order: RefusalOrder) {
    problems.sort_by_key(|problem| {
        let kind = match (&problem.trouble, order) {
            (_, RefusalOrder::EditByEdit) => 0,
            (AnchorProblem::Malformed(_), _) => 1,
            (AnchorProblem::UnknownRevision(_), _) => 2,
            (AnchorProblem::OutOfRange, RefusalOrder::KindByKind) => 3,
            (
                AnchorProblem::OutOfRange | AnchorProblem::Stale(_) | AnchorProblem::Ambiguous(_),
                _,
            ) => 4,
            (AnchorProblem::Reversed, _) => 5,
        };
        (kind, problem.edit)
    });
}

fn place_edits(
    document: &Document,
    asked: Vec<claims::ParsedEdit>,
    landed: Vec<Option<(AnchoredEdit, Landed)>>,
) -> Vec<ResolvedEdit> {
    asked
        .into_iter()
        .zip(landed)
        .map(|(claims::ParsedEdit { edit, .. }, place)| {
            let (anchors, landed) = place.map_or((Vec::new(), None), |(wanted, landed)| {
                (
                    wanted.anchors().into_iter().cloned().collect(),
                    Some(landed),
                )
            });
            let action = act(
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

/// Puts a place where the claims were. Operations without claims need none; all others have landed.
fn act(operation: Operation, span: Option<LineSpan>, lines: usize) -> PlacedAction {
    let landed =
        || span.expect("an edit with claims has landed here, or its problems were returned");
    match operation {
        Operation::Replace { at, with } => {
            let target = if matches!(at, Target::Line(_)) {
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
