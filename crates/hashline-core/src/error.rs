//! Why an edit was refused. Nothing was written, and each error holds all that a renderer needs to say what to do next.
//!
//! Errors are data: the sentences are in `hashline-wire`, so that a model, a person and a program each get their own.

use std::fmt;

use crate::anchor::{Anchor, BadAnchor, Claim};
use crate::code::Code;
use crate::edit::EditNo;
use crate::policy::Context;
use crate::shown::LostReason;
use crate::text::{Document, LineNo, LineSpan, RevPrefix, Revision};

/// Why one file was not edited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// Anchors that have no place in the document.
    Anchors(AnchorsRefused),
    /// Two edits change the same lines.
    Overlap(Overlap),
    /// The file does not have the hash that the request requires.
    FileHash(FileHashDiffers),
    /// A file that is to be rewritten, moved or deleted has another revision than the request names.
    OtherRevision(OtherRevision),
    /// The text to replace is not in the file.
    TextNotFound(TextNotFound),
    /// The text to replace is in the file more than once.
    TextNotUnique(TextNotUnique),
    /// The result would be larger than the policy allows.
    TooLarge(TooLarge),
    /// This edit inserts no text.
    EmptyInsert(EditNo),
    /// The request changes nothing, which its dialect treats as an error. These edits would put back the text that is there.
    NoChange(Vec<EditNo>),
    /// Another engine refuses, with a message of its own.
    Engine(EngineRefusal),
}

/// Anchors that have no place in the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnchorsRefused {
    /// The document as it is now.
    pub document: Document,
    /// The problems, never empty. The first is the one to report first.
    pub problems: Vec<Problem>,
    /// The edits whose anchors do have a place, in request order. All edits must be sent again, so the caller needs these anchors too.
    pub landed: Vec<LandedEdit>,
}

/// An edit whose lines were found, in a request that is refused because of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LandedEdit {
    /// The edit.
    pub edit: EditNo,
    /// Its anchors as they were sent: one, or the two ends of a range.
    pub claims: Vec<Claim>,
    /// Where its lines are now.
    pub span: LineSpan,
}

impl LandedEdit {
    /// Returns the lines that its anchors name now, one for each.
    #[must_use]
    pub fn ends(&self) -> Vec<LineNo> {
        let ends = [self.span.start(), self.span.end().saturating_sub(1)];
        let ends = ends.into_iter().take(self.claims.len());
        ends.map(LineNo::from_index).collect()
    }
}

/// One anchor that has no place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The edit.
    pub edit: EditNo,
    /// The anchor as it was sent; for a range the end that failed.
    pub claim: Claim,
    /// The anchor as it was read.
    pub anchor: Option<Anchor>,
    /// What is wrong.
    pub reason: AnchorProblem,
    /// The lines it is about in the current document, as far as that is known.
    pub near: LineSpan,
    /// The lines to show: those at `near`; of a long range only its ends and what changed in it.
    pub places: Vec<LineSpan>,
    /// How many changed lines had no room among `places`.
    pub left_out: usize,
}

impl Problem {
    pub(crate) fn new(
        edit: EditNo,
        claim: Claim,
        anchor: Option<Anchor>,
        reason: AnchorProblem,
        near: LineSpan,
    ) -> Self {
        Self {
            edit,
            claim,
            anchor,
            reason,
            near,
            places: vec![near],
            left_out: 0,
        }
    }
}

/// What is wrong with an anchor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnchorProblem {
    /// It is not an anchor of the dialect.
    Malformed(BadAnchor),
    /// The line number is past the end of the file.
    OutOfRange,
    /// The line is not what it was.
    Stale(Stale),
    /// Without a revision the anchor may mean several lines.
    Ambiguous(Vec<Candidate>),
    /// The request's revision was never shown and is not the current one.
    UnknownRevision(RevPrefix),
    /// The range ends before it starts.
    Reversed,
}

/// In which way a line is not what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stale {
    /// The line at that number has another tag, and there is no record that the anchor was ever shown.
    TagDiffers,
    /// It was shown, and is no longer in the file as it was.
    Lost(LostReason),
    /// The request's revision is known, but this line was not shown there with this tag.
    NotShown,
    /// The two ends of the range were never shown in one revision.
    EndsApart,
    /// The request's revision is not the current one, and the policy is strict.
    OtherRevision,
    /// It was searched for, as the dialect's own definition says, and not found or found more than once.
    NotRelocated {
        /// How many lines could have been meant.
        candidates: usize,
    },
}

/// One line that an anchor may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The revision in which it was shown with that tag.
    pub revision: Revision,
    /// Where it is now; if it is lost, about where it was.
    pub place: LineSpan,
    /// Why it is lost, if it is.
    pub lost: Option<LostReason>,
}

/// Two edits that change the same lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// The document as it is now.
    pub document: Document,
    /// The earlier edit.
    pub first: EditNo,
    /// The later edit.
    pub second: EditNo,
    /// The lines both change.
    pub lines: LineSpan,
}

/// A file that does not have the hash that the request requires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileHashDiffers {
    /// The document as it is now.
    pub document: Document,
    /// The SHA-256 in the request, as it was sent.
    pub expected: String,
    /// The SHA-256 of the file.
    pub actual: String,
    /// The lines with the numbers that the request names.
    pub near: Vec<LineSpan>,
}

/// A file that is to be rewritten, moved or deleted and has another revision than the request names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherRevision {
    /// The edit.
    pub edit: EditNo,
    /// The document as it is now.
    pub document: Document,
    /// The revision the request names, if it names one.
    pub rev: Option<RevPrefix>,
}

impl OtherRevision {
    /// The longest file that is shown whole; a longer one must be read.
    const MAX_SHOWN: usize = 100;

    /// Returns the lines to show: all of a short file, none of a long one.
    #[must_use]
    pub fn lines(&self) -> Option<LineSpan> {
        let lines = self.document.line_count();
        (1..=Self::MAX_SHOWN)
            .contains(&lines)
            .then(|| self.document.all())
    }
}

/// A text that is not in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextNotFound {
    /// The edit.
    pub edit: EditNo,
    /// The text.
    pub text: String,
    /// Whether the file has the text, and other edits of the request remove it.
    pub is_taken: bool,
}

/// A text that is in the file more than once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextNotUnique {
    /// The edit.
    pub edit: EditNo,
    /// The document as it is now. (The text was looked for after the anchored edits of the request.)
    pub document: Document,
    /// The text.
    pub text: String,
    /// How many times it occurs.
    pub count: usize,
    /// The lines on which the first occurrences begin. Lines that only the request would add are not listed.
    pub lines: Vec<LineNo>,
}

/// A result that would be larger than the policy allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The edit.
    pub edit: EditNo,
    /// How many bytes it would have.
    pub bytes: usize,
    /// How many are allowed.
    pub limit: usize,
}

/// Why another engine ([`crate::policy::Engine`]) refuses. The messages are its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineRefusal {
    /// The request itself is wrong.
    BadRequest(String),
    /// The file has no such line.
    OutOfRange(String),
    /// Lines do not have the tags in the request.
    Stale {
        /// The message for the caller.
        message: String,
        /// Every anchor that does not match, in request order, repeats included.
        mismatches: Vec<TagMismatch>,
        /// Each distinct stale anchor and the fresh one of the same line, in request order.
        remaps: Vec<(String, String)>,
    },
}

/// A line that does not have the tag in the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagMismatch {
    /// The number of the line.
    pub line: u64,
    /// The tag as the anchor spells it.
    pub expected: String,
    /// The tag the line has.
    pub actual: String,
}

impl EngineRefusal {
    /// Returns the message for the caller.
    #[must_use]
    pub fn message(&self) -> &str {
        match self {
            Self::BadRequest(message) | Self::OutOfRange(message) | Self::Stale { message, .. } => {
                message
            }
        }
    }
}

impl Error {
    /// Returns the stable name of the error.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Anchors(refused) => refused.code(),
            Self::Overlap(_) => Code::Overlap,
            Self::FileHash(_) => Code::StaleFile,
            Self::OtherRevision(_) => Code::Stale,
            Self::TextNotFound(_) => Code::TextNotFound,
            Self::TextNotUnique(_) => Code::TextNotUnique,
            Self::TooLarge(_) => Code::TooLarge,
            Self::EmptyInsert(_) => Code::EmptyInsert,
            Self::NoChange(_) => Code::NoChange,
            Self::Engine(EngineRefusal::Stale { .. }) => Code::Stale,
            Self::Engine(EngineRefusal::BadRequest(_)) => Code::BadRequest,
            Self::Engine(EngineRefusal::OutOfRange(_)) => Code::OutOfRange,
        }
    }

    /// Returns the edit the error is about, if it is about one.
    #[must_use]
    pub fn edit(&self) -> Option<EditNo> {
        match self {
            Self::Anchors(refused) => refused.problems.first().map(|problem| problem.edit),
            Self::Overlap(overlap) => Some(overlap.second),
            Self::TextNotFound(e) => Some(e.edit),
            Self::TextNotUnique(e) => Some(e.edit),
            Self::TooLarge(e) => Some(e.edit),
            Self::EmptyInsert(edit) => Some(*edit),
            Self::OtherRevision(e) => Some(e.edit),
            Self::FileHash(_) | Self::NoChange(_) | Self::Engine(_) => None,
        }
    }
}

impl AnchorProblem {
    /// Returns the stable name of the problem.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Malformed(_) => Code::BadAnchor,
            Self::OutOfRange => Code::OutOfRange,
            Self::Stale(_) => Code::Stale,
            Self::Ambiguous(_) => Code::Ambiguous,
            Self::UnknownRevision(_) => Code::UnknownRev,
            Self::Reversed => Code::BadRange,
        }
    }
}

impl AnchorsRefused {
    /// Returns the stable name of the first problem.
    #[must_use]
    pub fn code(&self) -> Code {
        self.problems
            .first()
            .map_or(Code::Stale, |problem| problem.reason.code())
    }

    /// Returns the lines that the caller needs to try again: those around every problem, and those that the other edits name.
    #[must_use]
    pub fn windows(&self, context: Context) -> Vec<LineSpan> {
        // A malformed anchor points at no line, unless one was guessed for it.
        let pointing = self.problems.iter().filter(|problem| {
            !matches!(problem.reason, AnchorProblem::Malformed(_)) || !problem.near.is_empty()
        });
        let lines = self.document.line_count();
        let places = pointing.flat_map(|problem| &problem.places);
        let wide = places.map(|place| place.widened(context.lines(), lines));
        let wide = wide.filter(|span| !span.is_empty());
        LineSpan::merged(wide.chain(self.ends()).collect())
    }

    /// Returns the lines that the anchors of the other edits name now. None if only the spelling of anchors is wrong: then the other
    /// anchors are still good as they were sent.
    fn ends(&self) -> impl Iterator<Item = LineSpan> + '_ {
        let is_spelling = |problem: &Problem| matches!(problem.reason, AnchorProblem::Malformed(_));
        let landed = if self.problems.iter().all(is_spelling) {
            &[]
        } else {
            self.landed.as_slice()
        };
        landed.iter().flat_map(LandedEdit::ends).map(LineSpan::of)
    }
}

/// Writes the code and the edit; for another engine, its message. Sentences for readers are made in `hashline-wire`.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.edit()) {
            (Self::Engine(refusal), _) => f.write_str(refusal.message()),
            (_, Some(edit)) => write!(f, "edit {edit}: {}", self.code()),
            (_, None) => self.code().fmt(f),
        }
    }
}

impl std::error::Error for Error {}
