//! Why an edit was refused. Nothing was written, and each error holds all that a renderer needs to say what to do next.

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
    /// Anchors that have no place, the one to report first in front.
    Anchors(AnchorsRefused),
    /// Two edits get in each other's way.
    Overlap(Overlap),
    /// The file's bytes are not those the request asked for.
    FileHash(FileHashDiffers),
    /// A file that is to be written anew has other bytes than whoever wrote it saw.
    OtherRevision(OtherRevision),
    /// The text to replace is not in the file.
    TextNotFound(TextNotFound),
    /// The text to replace is in the file more than once.
    TextNotUnique(TextNotUnique),
    /// The result would be larger than is taken.
    TooLarge(TooLarge),
    /// An insertion has no text left.
    EmptyInsert(EmptyInsert),
    /// The request changes nothing, and its dialect calls that an error.
    NoChange(NothingChanged),
    /// Another engine refuses, in its own words.
    Engine(EngineRefusal),
}

/// Anchors that have no place in the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnchorsRefused {
    /// The document as it is now.
    pub document: Document,
    /// The problems, never empty; the one to report first in front.
    pub problems: Vec<Problem>,
    /// The edits that have no problem, in the order of the request: whoever sends all of them again needs their anchors too.
    pub standing: Vec<LandedEdit>,
}

/// An edit whose lines were found.
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
    pub trouble: AnchorProblem,
    /// Where to look in the current document.
    pub near: LineSpan,
    /// What of that is worth a look, if it is too long to be shown whole.
    pub excerpt: Option<RangeExcerpt>,
}

impl Problem {
    /// Returns the lines to look at in the current document: all of a short stretch, else its ends and what changed.
    #[must_use]
    pub fn places(&self) -> Vec<LineSpan> {
        match &self.excerpt {
            Some(excerpt) => excerpt.spans.clone(),
            None => vec![self.near],
        }
    }

    /// Tells whether more has changed than there is room for in an answer.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.excerpt
            .as_ref()
            .is_some_and(|excerpt| excerpt.unseen > 0)
    }
}

/// What is worth a look of a long stretch of lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RangeExcerpt {
    /// Its ends and the lines in it that changed, ascending.
    pub spans: Vec<LineSpan>,
    /// How many lines changed that are not among them.
    pub unseen: usize,
}

/// What is wrong with an anchor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnchorProblem {
    /// It is no anchor of the dialect.
    Malformed(BadAnchor),
    /// The line number lies past the end of the file.
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
    /// The line at that number has another tag; nothing says that it was ever shown.
    TagDiffers,
    /// It was shown, and has no place any more.
    Lost(LostReason),
    /// The request's revision is known, but this line was not shown there with this tag.
    NotShown,
    /// The two ends of the range were never shown in one revision.
    EndsApart,
    /// The request's revision is not the current one, and no anchors are mapped.
    OtherRevision,
    /// Looked for as the dialect's own definition says: so many lines could have been meant.
    NotRelocated {
        /// How many lines could have been meant.
        candidates: usize,
    },
}

/// One line that an anchor may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The revision in which it was shown so.
    pub revision: Revision,
    /// Where it stands now, or only about where.
    pub place: LineSpan,
    /// Why it has no place, if it has none.
    pub lost: Option<LostReason>,
}

/// Two edits that get in each other's way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// The document as it is now.
    pub document: Document,
    /// The earlier edit.
    pub first: EditNo,
    /// The later edit.
    pub second: EditNo,
    /// The lines both are about.
    pub lines: LineSpan,
}

/// The file's bytes are not those the request asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileHashDiffers {
    /// The document as it is now.
    pub document: Document,
    /// The SHA-256 the request asked for, as it was sent.
    pub expected: String,
    /// The SHA-256 of the bytes.
    pub actual: String,
    /// The lines that have the numbers the request names.
    pub near: Vec<LineSpan>,
}

/// A file that is to be written anew, moved or deleted has another revision than the request names.
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
    /// So many lines can be looked over in an answer; a longer file must be read.
    const MOST_LINES: usize = 100;

    /// Returns the lines to be shown: all of a short file.
    #[must_use]
    pub fn lines(&self) -> Option<LineSpan> {
        let lines = self.document.line_count();
        (1..=Self::MOST_LINES)
            .contains(&lines)
            .then(|| self.document.all())
    }
}

/// A text that is not in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextNotFound {
    /// The edit.
    pub edit: EditNo,
    /// The document as it is now. (The text was looked for after the anchored edits of the request.)
    pub document: Document,
    /// The text.
    pub text: String,
}

impl TextNotFound {
    /// Tells whether the text is in the file, and other edits of the request take it away.
    #[must_use]
    pub fn is_taken(&self) -> bool {
        memchr::memmem::find(self.document.bytes(), self.text.as_bytes()).is_some()
    }
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
    /// How often it stands there.
    pub count: usize,
    /// The lines on which the first of them begin; those that only the request would bring are left out.
    pub lines: Vec<LineNo>,
}

/// A result that would be larger than is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooLarge {
    /// The edit.
    pub edit: EditNo,
    /// How many bytes it would have.
    pub bytes: usize,
    /// How many are taken.
    pub limit: usize,
}

/// An insertion without text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmptyInsert {
    /// The edit.
    pub edit: EditNo,
}

/// A request that changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NothingChanged {
    /// The document as it is.
    pub document: Document,
    /// The edits whose new text is what stands there already.
    pub noops: Vec<EditNo>,
}

/// Why another engine refuses ([`crate::policy::Engine`]). The messages are its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineRefusal {
    /// The request itself is wrong.
    BadRequest(String),
    /// The file has no such line.
    OutOfRange(String),
    /// Lines do not have the tags they were named by.
    Stale {
        /// What the caller is told.
        message: String,
        /// Every anchor that does not fit, in the order of the request, repeats included.
        mismatches: Vec<TagMismatch>,
        /// From each distinct stale anchor to the fresh one of the same line, in the order of the request.
        remaps: Vec<(String, String)>,
    },
}

/// A line that does not have the tag it was named by.
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
    /// Returns what the caller is told.
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
            Self::EmptyInsert(e) => Some(e.edit),
            Self::OtherRevision(e) => Some(e.edit),
            Self::FileHash(_) | Self::NoChange(_) | Self::Engine(_) => None,
        }
    }
}

impl AnchorsRefused {
    /// Returns the stable name of the first problem.
    #[must_use]
    pub fn code(&self) -> Code {
        self.problems
            .first()
            .map_or(Code::Stale, |problem| problem.trouble.code())
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
    /// Returns the lines around every place that a problem is about, each once: what it takes to try again.
    #[must_use]
    pub fn windows(&self, context: Context) -> Vec<LineSpan> {
        // A malformed anchor points nowhere, unless a line was guessed for it.
        let pointing = self.problems.iter().filter(|problem| {
            !matches!(problem.trouble, AnchorProblem::Malformed(_)) || !problem.near.is_empty()
        });
        let lines = self.document.line_count();
        let places = pointing.flat_map(Problem::places);
        let wide = places.map(|place| place.widened(context.lines(), lines));
        let wide = wide.filter(|span| !span.is_empty());
        LineSpan::merged(wide.chain(self.ends()).collect())
    }

    /// Returns the lines that the anchors of the other edits name now, unless only the spelling of an anchor is wrong: then nothing else
    /// has to be sent otherwise.
    pub(crate) fn ends(&self) -> impl Iterator<Item = LineSpan> + '_ {
        let is_spelling =
            |problem: &Problem| matches!(problem.trouble, AnchorProblem::Malformed(_));
        let standing = if self.problems.iter().all(is_spelling) {
            &[]
        } else {
            self.standing.as_slice()
        };
        standing.iter().flat_map(LandedEdit::ends).map(LineSpan::of)
    }
}

/// The code and the edit; of another engine its own words. Sentences for readers are made in `hashline-wire`.
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
