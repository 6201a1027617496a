//! Why an edit was refused. Nothing was written, and each error holds all that is needed to tell the caller what to do next.
//!
//! Errors are data without sentences: `hashline-wire` words them, differently for a model, a person and a program.

use std::fmt;

use crate::anchor::{Anchor, BadAnchor, Claim};
use crate::code::Code;
use crate::edit::EditNo;
use crate::policy::Context;
use crate::shown::LostReason;
use crate::text::{Document, Encoding, LineNo, LineSpan, RevPrefix, Revision};

/// Why the edits of one file were refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// Some anchors of the request match no line of the document.
    Anchors(AnchorsRefused),
    /// Two edits of the request change the same lines.
    Overlap(Overlap),
    /// The file does not have the SHA-256 that the request requires.
    FileHash(FileHashDiffers),
    /// A file has another revision than the request names, and it is to be rewritten, moved or deleted, or another engine edits it.
    OtherRevision(OtherRevision),
    /// The text to replace is not in the file.
    TextNotFound(TextNotFound),
    /// The text to replace is in the file more than once.
    TextNotUnique(TextNotUnique),
    /// The file would have more bytes after a substitution than the policy allows.
    TooLarge(TooLarge),
    /// The insertion with this number has no text to insert.
    EmptyInsert(EditNo),
    /// The encoding of the file does not have a character of the new text.
    NotEncodable(NotEncodable),
    /// The new text of a line repeats an escape with which the line was shown.
    EscapedBytes(EscapedBytes),
    /// The request changes nothing, which its dialect treats as an error. The edits with these numbers would write the text that the file
    /// has already.
    NoChange(Vec<EditNo>),
    /// The engine that the policy uses instead of this crate's own refuses the edit, with its own error message.
    Engine(EngineRefusal),
}

/// The anchors of a request that match no line of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnchorsRefused {
    /// The document as it is now, to show its lines to the caller.
    pub document: Document,
    /// What is wrong with each anchor; never empty, and the problem to report first comes first.
    pub problems: Vec<Problem>,
    /// The edits whose anchors do match lines, in request order. All edits must be sent again, so the caller needs these anchors too.
    pub landed: Vec<LandedEdit>,
}

/// An edit whose lines were found, in a request that is refused because of other edits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LandedEdit {
    /// The number of the edit in the request.
    pub edit: EditNo,
    /// The anchors of the edit as they were sent: one, or the first and last of a range.
    pub claims: Vec<Claim>,
    /// The lines of the current document that the anchors name.
    pub span: LineSpan,
}

impl LandedEdit {
    /// Returns the lines that the anchors of the edit name now, one for each anchor.
    #[must_use]
    pub fn ends(&self) -> Vec<LineNo> {
        let ends = [self.span.start(), self.span.end().saturating_sub(1)];
        let ends = ends.into_iter().take(self.claims.len());
        ends.map(LineNo::from_index).collect()
    }
}

/// One anchor of a request that matches no line of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The number of the edit that has the anchor.
    pub edit: EditNo,
    /// The anchor as it was sent; for a range, the first or last anchor, whichever is wrong.
    pub claim: Claim,
    /// The parsed anchor; `None` if the text is not an anchor.
    pub anchor: Option<Anchor>,
    /// What is wrong with the anchor.
    pub reason: AnchorProblem,
    /// The lines of the current document that the anchor is probably about; empty if that is unknown.
    pub near: LineSpan,
    /// The lines to show to the caller: those of `near`, or of a long range only its first and last lines and the lines that changed.
    pub places: Vec<LineSpan>,
    /// How many changed lines are left out of `places` because there are too many.
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

/// What is wrong with an anchor of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnchorProblem {
    /// The text is not a valid anchor of the dialect.
    Malformed(BadAnchor),
    /// The line number is past the end of the file.
    OutOfRange,
    /// The anchor does not match the file as it is now; [`Stale`] gives the reason.
    Stale(Stale),
    /// The request names no revision, and the anchor was shown for several different lines.
    Ambiguous(Vec<Candidate>),
    /// Lines of the range were never shown to the caller, or only in part.
    Unseen {
        /// These lines of the current document.
        lines: Vec<LineSpan>,
        /// Those of them of which a part was shown: sending the edit again does not show the rest.
        partly: Vec<LineSpan>,
        /// Those of them that the refusal does not show, because there are too many.
        not_listed: Vec<LineSpan>,
    },
    /// Only a part of the line that the anchor names was shown to the caller.
    PartlyShown,
    /// The revision in the request was never shown to the caller and is not the current one.
    UnknownRevision(RevPrefix),
    /// The range ends before it starts.
    Reversed,
}

/// Why an anchor no longer matches the line that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stale {
    /// The line at the anchor's number has another tag, and there is no record that this anchor was ever shown.
    TagDiffers,
    /// The line was shown with this anchor, and the file no longer contains it unchanged.
    Lost(LostReason),
    /// The revision in the request is known, but the line was not shown with this tag in that revision.
    NotShown,
    /// The first and last line of the range were never shown in the same revision.
    EndsApart,
    /// The request's revision is not the current one, and the policies `strict` and `seed` allow no other.
    OtherRevision,
    /// Exact text is to be substituted on a line that is not a line of the request's revision.
    NotOfRevision,
    /// The line was searched for by its tag, as the original tool of the dialect does, and no line or more than one was found.
    NotRelocated {
        /// How many lines have the tag.
        candidates: usize,
    },
}

/// One of several lines that an ambiguous anchor may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The revision of the file in which the line was shown with the anchor's tag.
    pub revision: Revision,
    /// The line's place in the current document; for a lost line, about where it was.
    pub place: LineSpan,
    /// Why the line is no longer in the document; `None` if it still is.
    pub lost: Option<LostReason>,
}

/// Two edits of a request that change the same lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// The document as it is now.
    pub document: Document,
    /// The number of the edit that comes first in the request.
    pub first: EditNo,
    /// The number of the edit that comes later in the request.
    pub second: EditNo,
    /// The lines that both edits change.
    pub lines: LineSpan,
}

/// A file that does not have the SHA-256 that the request requires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileHashDiffers {
    /// The document as it is now.
    pub document: Document,
    /// The SHA-256 in the request, exactly as sent.
    pub expected: String,
    /// The SHA-256 of the file as it is now.
    pub actual: String,
    /// The current lines at the line numbers in the request's anchors, to show to the caller.
    pub near: Vec<LineSpan>,
}

/// A file whose revision is not the one in a request that rewrites, moves or deletes the file, or edits it with another engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherRevision {
    /// The number of the first edit of the file.
    pub edit: EditNo,
    /// The document as it is now.
    pub document: Document,
    /// The revision in the request; `None` if the request names no revision.
    pub rev: Option<RevPrefix>,
}

impl OtherRevision {
    /// How many lines a file may have to be shown whole in the refusal; a longer file must be read again.
    const MAX_SHOWN: usize = 100;

    /// Returns the lines to show in the refusal: all lines of a short file, `None` for a long or empty one.
    #[must_use]
    pub fn lines(&self) -> Option<LineSpan> {
        let lines = self.document.line_count();
        (1..=Self::MAX_SHOWN)
            .contains(&lines)
            .then(|| self.document.all())
    }
}

/// A text to replace that is not in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextNotFound {
    /// The number of the edit that replaces the text.
    pub edit: EditNo,
    /// The text that was searched for.
    pub text: String,
    /// Whether the file contains the text, but earlier edits of the same request remove it.
    pub is_taken: bool,
}

/// A text to replace that is in the file more than once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextNotUnique {
    /// The number of the edit that replaces the text.
    pub edit: EditNo,
    /// The document as it is now. (The text was searched for in the result of the request's anchored edits.)
    pub document: Document,
    /// The text that was searched for.
    pub text: String,
    /// How many times the text occurs.
    pub count: usize,
    /// The lines on which the first occurrences of the text begin. Lines that only the request would add are not listed.
    pub lines: Vec<LineNo>,
}

/// A substitution whose result would have more bytes than the policy allows, or more lines than a file of its size may have; or which would
/// change it at more separate places than can be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The number of the edit.
    pub edit: EditNo,
    /// How many bytes or lines the result would have; of places, how many were counted.
    pub found: usize,
    /// How many are allowed.
    pub limit: usize,
    /// What is counted.
    pub unit: SizeUnit,
}

/// What the size of a file is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SizeUnit {
    /// Its bytes.
    Bytes,
    /// Its lines.
    Lines,
    /// The separate places at which it is changed. Adjacent lines are one place.
    Places,
}

/// An edit whose new text has a character that the encoding of the file does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotEncodable {
    /// The number of the edit.
    pub edit: EditNo,
    /// The first such character.
    pub character: char,
    /// The encoding of the file.
    pub encoding: Encoding,
}

/// An edit whose new text repeats an escape (`\xE9`) that stands for a byte of a replaced line: it would be written as four characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EscapedBytes {
    /// The number of the edit.
    pub edit: EditNo,
    /// The replaced line with the byte.
    pub line: LineNo,
    /// The escape.
    pub escape: String,
}

/// Why another engine ([`crate::policy::Engine`]) refuses an edit, with the message that this engine wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineRefusal {
    /// The request is not well-formed.
    BadRequest(String),
    /// A line number is past the end of the file.
    OutOfRange(String),
    /// The edits change nothing.
    NothingChanged {
        /// The engine's message for the caller.
        message: String,
        /// The substitutions whose text is not in the file.
        not_found: Vec<TextNotFound>,
    },
    /// Some lines do not have the tags in the request's anchors.
    Stale {
        /// The engine's message for the caller.
        message: String,
        /// Every anchor whose tag differs from its line's, in request order, repeated anchors included.
        mismatches: Vec<TagMismatch>,
        /// Pairs of a stale anchor and the current anchor of the same line, without repetitions, in request order.
        remaps: Vec<(String, String)>,
    },
}

/// A line whose tag is not the one in the request's anchor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagMismatch {
    /// The line number in the request's anchor.
    pub line: u64,
    /// The tag in the request's anchor, exactly as sent.
    pub expected: String,
    /// The tag that the line has now.
    pub actual: String,
}

impl EngineRefusal {
    /// Returns the engine's message for the caller.
    #[must_use]
    pub fn message(&self) -> &str {
        match self {
            Self::BadRequest(message)
            | Self::OutOfRange(message)
            | Self::NothingChanged { message, .. }
            | Self::Stale { message, .. } => message,
        }
    }
}

impl Error {
    /// Returns the code of the error, a stable name for programs.
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
            Self::NotEncodable(_) => Code::NotEncodable,
            Self::EscapedBytes(_) => Code::EscapedBytes,
            Self::NoChange(_) => Code::NoChange,
            Self::Engine(EngineRefusal::Stale { .. }) => Code::Stale,
            Self::Engine(EngineRefusal::NothingChanged { not_found, .. })
                if !not_found.is_empty() =>
            {
                Code::TextNotFound
            }
            Self::Engine(EngineRefusal::BadRequest(_) | EngineRefusal::NothingChanged { .. }) => {
                Code::BadRequest
            }
            Self::Engine(EngineRefusal::OutOfRange(_)) => Code::OutOfRange,
        }
    }

    /// Returns the number of the edit that the error is about; `None` if the error is about the whole request.
    #[must_use]
    pub fn edit(&self) -> Option<EditNo> {
        match self {
            Self::Anchors(refused) => refused.problems.first().map(|problem| problem.edit),
            Self::Overlap(overlap) => Some(overlap.second),
            Self::TextNotFound(e) => Some(e.edit),
            Self::TextNotUnique(e) => Some(e.edit),
            Self::TooLarge(e) => Some(e.edit),
            Self::EmptyInsert(edit) => Some(*edit),
            Self::NotEncodable(e) => Some(e.edit),
            Self::EscapedBytes(e) => Some(e.edit),
            Self::OtherRevision(e) => Some(e.edit),
            Self::FileHash(_) | Self::NoChange(_) | Self::Engine(_) => None,
        }
    }
}

impl AnchorProblem {
    /// Returns the code of the problem, a stable name for programs.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Malformed(_) => Code::BadAnchor,
            Self::OutOfRange => Code::OutOfRange,
            Self::Stale(_) => Code::Stale,
            Self::Ambiguous(_) => Code::Ambiguous,
            Self::Unseen { .. } => Code::Unseen,
            Self::PartlyShown => Code::PartlyShown,
            Self::UnknownRevision(_) => Code::UnknownRev,
            Self::Reversed => Code::BadRange,
        }
    }
}

impl AnchorsRefused {
    /// Returns the code of the first problem, a stable name for programs.
    #[must_use]
    pub fn code(&self) -> Code {
        self.problems
            .first()
            .map_or(Code::Stale, |problem| problem.reason.code())
    }

    /// Returns the lines that the caller needs to try again: `context` lines around every problem, and the lines that the other edits
    /// name.
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

    /// Returns the lines that the anchors of the other edits name now; none if all problems are malformed anchors, because then the other
    /// anchors are still valid as they were sent.
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

/// Writes the number of the edit and the error's code; for another engine, its message. Sentences for readers are made in
/// `hashline-wire`.
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
