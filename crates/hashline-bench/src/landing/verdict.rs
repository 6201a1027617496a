//! Judges where an edit landed (right, harmful, lost), by the resulting document and the lines that were removed.

use hashline_core::Code;
use hashline_core::text::{Change, LineSpan};
use hashline_core::{Edited, Error};

use super::version::{Author, Identities, Version};
use super::wish::Wish;

/// How many neighbours each way make two lines twins.
const NEIGHBOURS: usize = 3;

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The document is what it must be.
    Right,
    /// Another line was hit, and it does not read like the one meant.
    Harmful,
    /// A line that somebody else wrote meanwhile was overwritten.
    Lost,
    /// The lines meant were hit, but one that is gone now was never shown to the agent.
    Blind,
    /// Another line was hit that reads like the one meant, three neighbours each way included: nobody could have told.
    Twin,
    /// Another line was hit, which was shown in the current file under the same anchor: by the rule (L2, L10) the anchor means this line.
    Reused,
    /// Another line was hit, and the answer says that it was not followed: there was no record, or the file is too long for one (L5, L8).
    Told,
    /// Refused: a line is not what it was.
    Stale,
    /// Refused: without a revision it may be several lines.
    Ambiguous,
    /// Refused: lines of the range were never shown.
    Unseen,
    /// Refused for another reason.
    Other,
}

impl Verdict {
    /// All verdicts, in the order of the columns in which they are printed.
    pub(super) const ALL: [Self; 11] = [
        Self::Right,
        Self::Harmful,
        Self::Lost,
        Self::Blind,
        Self::Twin,
        Self::Reused,
        Self::Told,
        Self::Stale,
        Self::Ambiguous,
        Self::Unseen,
        Self::Other,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Harmful => "harmful",
            Self::Lost => "lost",
            Self::Blind => "blind",
            Self::Twin => "twin",
            Self::Reused => "reused",
            Self::Told => "told",
            Self::Stale => "stale",
            Self::Ambiguous => "ambiguous",
            Self::Unseen => "unseen",
            Self::Other => "other",
        }
    }

    /// Returns whether the contract was broken.
    pub(super) fn is_wrong(self) -> bool {
        matches!(self, Self::Harmful | Self::Lost | Self::Blind)
    }
}

/// Judges the outcome of a request with these wishes on the file as it was.
pub(super) fn judge(now: &Version, wishes: &[&Wish], outcome: &Result<Edited, Error>) -> Verdict {
    let edited = match outcome {
        Ok(edited) => edited,
        Err(error) => return refused(error),
    };
    if is_expected(now, wishes, edited) {
        return Verdict::Right;
    }
    let changes = &edited.report.changes;
    let is_true = now
        .after(
            &edited.document,
            changes,
            Author::Agent,
            &mut Identities::default(),
        )
        .is_some();
    if !is_true || changes.iter().len() != wishes.len() {
        return Verdict::Harmful;
    }
    let verdicts = changes.iter().map(|change| {
        let wish = wishes.iter().find(|wish| brought(wish, edited, change));
        wish.map_or(Verdict::Harmful, |wish| judge_one(now, wish, change))
    });
    let verdicts: Vec<Verdict> = verdicts.collect();
    let worst = [Verdict::Lost, Verdict::Harmful, Verdict::Twin];
    let found = worst.into_iter().find(|verdict| verdicts.contains(verdict));
    // Each edit is where it should be and the document is not: something else went wrong.
    match found.unwrap_or(Verdict::Harmful) {
        Verdict::Twin => Verdict::Twin,
        _ if is_told(edited) => Verdict::Told,
        wrong => wrong,
    }
}

/// Returns whether the answer says of every edit that its lines were not followed through the record.
fn is_told(edited: &Edited) -> bool {
    let report = &edited.report;
    report.unrecorded.len() + report.not_followed.len() == report.applied
}

fn refused(error: &Error) -> Verdict {
    match error.code() {
        Code::Stale => Verdict::Stale,
        Code::Ambiguous => Verdict::Ambiguous,
        Code::Unseen => Verdict::Unseen,
        _ => Verdict::Other,
    }
}

/// Returns whether the document is the old one with every wish done to the very lines it means.
fn is_expected(now: &Version, wishes: &[&Wish], edited: &Edited) -> bool {
    let places = wishes
        .iter()
        .map(|wish| Some((wish.replaced(wish.place_in(now)?), *wish)));
    let Some(mut places) = places.collect::<Option<Vec<(LineSpan, &Wish)>>>() else {
        return false;
    };
    places.sort_by_key(|(place, _)| *place);
    let mut expected: Vec<&[u8]> = Vec::with_capacity(now.lines());
    let mut done = 0;
    let texts = |from: usize, to: usize| {
        now.document
            .lines_in(LineSpan::new(from..to))
            .map(|line| line.text)
    };
    for (place, wish) in places {
        expected.extend(texts(done, place.start()));
        expected.extend(wish.lines.iter().map(|line| line.as_bytes()));
        done = place.end();
    }
    expected.extend(texts(done, now.lines()));
    // A blank last line has no bytes in a file without a final newline, so that it is no line.
    if !now.document.bytes().ends_with(b"\n") && expected.last().is_some_and(|last| last.is_empty())
    {
        expected.pop();
    }
    expected
        .into_iter()
        .eq(edited.document.lines().map(|line| line.text))
}

/// Returns whether a change brought the lines of a wish.
fn brought(wish: &Wish, edited: &Edited, change: Change) -> bool {
    let came = edited.document.lines_in(change.new).map(|line| line.text);
    came.eq(wish.lines.iter().map(|line| line.as_bytes()))
}

fn judge_one(now: &Version, wish: &Wish, change: Change) -> Verdict {
    let hit = wish.taken(change);
    if Some(hit) == wish.place_in(now) {
        return Verdict::Right;
    }
    if reads_alike(&wish.seen, wish.span, now, hit) {
        return Verdict::Twin;
    }
    let gone = now.ids_in(change.old);
    let lost = gone
        .iter()
        .any(|id| id.author == Author::Other && !wish.seen.ids().contains(id));
    if lost {
        Verdict::Lost
    } else {
        Verdict::Harmful
    }
}

/// Returns whether two spans read alike, with their neighbours each way; the edge of a file is a neighbour too.
fn reads_alike(old: &Version, meant: LineSpan, new: &Version, hit: LineSpan) -> bool {
    let text = |version: &Version, start: usize, step: usize| {
        let index = (start + step).checked_sub(NEIGHBOURS)?;
        version.text(index).map(<[u8]>::to_vec)
    };
    meant.len() == hit.len()
        && (0..meant.len() + 2 * NEIGHBOURS)
            .all(|step| text(old, meant.start(), step) == text(new, hit.start(), step))
}
