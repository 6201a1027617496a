//! A request that is judged, sent under each of the landings that are compared.

use hashline_core::dialect::Dialect;
use hashline_core::error::{AnchorProblem, Candidate};
use hashline_core::policy::{Landing, RepairPolicy};
use hashline_core::shown::{History, Shown};
use hashline_core::text::{LineSpan, Revision};
use hashline_core::{EditBatch, Edited, Error, Policy, edit};

use super::scene::{Callers, Scene};
use super::verdict::{Verdict, judge};
use super::version::{Author, Identities, Version};
use super::wish::{SCHEME, Wish};

/// One of the ways to send a request that are compared: who the callers are, whether the revision of the answer is sent, and the landing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Rev,
    RevTwoSessions,
    NoRev,
    NoRevOneSession,
    NoRevTwoSessions,
    Strict,
    Seed,
}

impl Mode {
    pub(super) const ALL: [Self; 7] = [
        Self::Rev,
        Self::RevTwoSessions,
        Self::NoRev,
        Self::NoRevOneSession,
        Self::NoRevTwoSessions,
        Self::Strict,
        Self::Seed,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Rev => "rev",
            Self::RevTwoSessions => "rev, two sessions",
            Self::NoRev => "no rev",
            Self::NoRevOneSession => "no rev, one session",
            Self::NoRevTwoSessions => "no rev, two sessions",
            Self::Strict => "strict",
            Self::Seed => "seed",
        }
    }

    /// Returns who reads and edits the file in this mode.
    pub(super) fn callers(self) -> Callers {
        match self {
            Self::Rev | Self::NoRev | Self::Strict | Self::Seed => Callers::Unnamed,
            Self::NoRevOneSession => Callers::OneSession,
            Self::RevTwoSessions | Self::NoRevTwoSessions => Callers::TwoSessions,
        }
    }

    /// Returns whether the landing is the default one, which must never do harm.
    pub(super) fn is_shown(self) -> bool {
        !matches!(self, Self::Strict | Self::Seed)
    }

    pub(super) fn has_rev(self) -> bool {
        matches!(self, Self::Rev | Self::RevTwoSessions)
    }

    fn policy(self) -> Policy<'static> {
        let defaults = Policy::new(Dialect::OMP);
        match self {
            Self::Strict => Policy {
                landing: Landing::Strict,
                ..defaults
            },
            Self::Seed => Policy {
                landing: Landing::Seed,
                repair: RepairPolicy::Off,
                ..defaults
            },
            _ => defaults,
        }
    }
}

/// What came of a request, and of sending it again if it was ambiguous.
pub(super) struct Attempt {
    pub(super) verdict: Verdict,
    pub(super) retries: Vec<Retry>,
    /// What came of sending it again after the refusal had shown lines that were never shown.
    pub(super) after_unseen: Option<Verdict>,
    /// Which lines a request with one edit took for the ones meant.
    pub(super) taken: Option<LineSpan>,
}

/// What came of a request that was sent again with a revision that the refusal offered.
pub(super) struct Retry {
    pub(super) verdict: Verdict,
    pub(super) rev: RetryRev,
}

/// With which of the revisions offered a request was sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RetryRev {
    /// That of the answer the anchors come from.
    Meant,
    /// Another one: the agent would mean something else, so that only ambiguity counts.
    Other,
}

/// Sends the request in one of the modes.
pub(super) fn send(mode: Mode, scene: &Scene<'_>, wishes: &[Wish]) -> Attempt {
    if mode.has_rev() {
        return send_one_by_one(mode, scene, wishes);
    }
    let together: Vec<&Wish> = wishes.iter().collect();
    let outcome = request(
        mode,
        &scene.now,
        &scene.history,
        scene.session(),
        &together,
        None,
    );
    let verdict = match scene.judge(&scene.now, &together, &outcome) {
        Verdict::Harmful | Verdict::Lost
            if mode.is_shown() && is_reused(scene, wishes, &outcome) =>
        {
            Verdict::Reused
        }
        verdict => verdict,
    };
    Attempt {
        verdict,
        retries: retry(mode, scene, &together, &outcome),
        after_unseen: (verdict == Verdict::Unseen)
            .then(|| send_again(mode, scene, &scene.now, &scene.history, &together, &outcome)),
        taken: None,
    }
}

/// Returns whether a request is right if each anchor that was shown again means the line it was shown for then.
fn is_reused(scene: &Scene<'_>, wishes: &[Wish], outcome: &Result<Edited, Error>) -> bool {
    let again = |wish: &Wish| {
        let mut meanings = vec![wish.clone()];
        meanings.extend(scene.shown_again(wish).map(|version| Wish {
            seen: version.clone(),
            ..wish.clone()
        }));
        meanings
    };
    let meanings: Vec<Vec<Wish>> = wishes.iter().map(again).collect();
    let is_right = |chosen: &[&Wish]| judge(&scene.now, chosen, outcome) == Verdict::Right;
    match meanings.as_slice() {
        [one] => one.iter().any(|wish| is_right(&[wish])),
        [one, two] => one
            .iter()
            .any(|first| two.iter().any(|second| is_right(&[first, second]))),
        _ => false,
    }
}

/// A request has one revision: anchors from several answers go one after another, each with its own.
fn send_one_by_one(mode: Mode, scene: &Scene<'_>, wishes: &[Wish]) -> Attempt {
    let (mut now, mut history) = (scene.now.clone(), scene.history.clone());
    let mut attempt = Attempt {
        verdict: Verdict::Right,
        retries: Vec::new(),
        after_unseen: None,
        taken: None,
    };
    for wish in wishes {
        let rev = Some(wish.seen.document.revision());
        let outcome = request(mode, &now, &history, scene.session(), &[wish], rev);
        attempt.verdict = scene.judge(&now, &[wish], &outcome);
        if attempt.verdict == Verdict::Unseen {
            let again = send_again(mode, scene, &now, &history, &[wish], &outcome);
            attempt.after_unseen = Some(again);
        }
        let Ok(edited) = outcome else { return attempt };
        let changes = edited.report.changes;
        attempt.taken = changes.iter().next().map(|change| wish.taken(change));
        let after = now.after(
            &edited.document,
            &changes,
            Author::Agent,
            &mut Identities::late(),
        );
        let Some(after) = after.filter(|_| attempt.verdict == Verdict::Right) else {
            return attempt;
        };
        history.wrote(&now.document, &edited.document, &changes, scene.session());
        now = after;
    }
    attempt
}

/// Sends a request again after its refusal has shown lines that were never shown.
fn send_again(
    mode: Mode,
    scene: &Scene<'_>,
    now: &Version,
    history: &History,
    wishes: &[&Wish],
    outcome: &Result<Edited, Error>,
) -> Verdict {
    let mut history = history.clone();
    if let Err(Error::Anchors(refused)) = outcome {
        let shown = refused.problems.iter().flat_map(|problem| &problem.places);
        let shown: Vec<LineSpan> = shown.copied().collect();
        history.showed(&now.document, scene.session(), SCHEME, &shown);
    }
    let rev = wishes.first().map(|wish| wish.seen.document.revision());
    let rev = rev.filter(|_| mode.has_rev());
    let outcome = request(mode, now, &history, scene.session(), wishes, rev);
    judge(now, wishes, &outcome)
}

fn request(
    mode: Mode,
    now: &Version,
    history: &History,
    session: Option<&str>,
    wishes: &[&Wish],
    rev: Option<Revision>,
) -> Result<Edited, Error> {
    let batch = EditBatch::new(wishes.iter().map(|wish| wish.operation()));
    let batch = EditBatch {
        rev: rev.map(Into::into),
        ..batch
    };
    let shown = Shown::new(history, session);
    let policy = mode.policy();
    debug_assert_eq!(policy.dialect.scheme, SCHEME);
    edit(&now.document, &shown, batch, &policy)
}

/// Sends an ambiguous request again, with each revision that the refusal offers.
fn retry(
    mode: Mode,
    scene: &Scene<'_>,
    wishes: &[&Wish],
    outcome: &Result<Edited, Error>,
) -> Vec<Retry> {
    let offered = outcome.as_ref().err().map(offered).unwrap_or_default();
    let again = offered.into_iter().map(|rev| {
        let outcome = request(
            mode,
            &scene.now,
            &scene.history,
            scene.session(),
            wishes,
            Some(rev),
        );
        let meant = wishes
            .iter()
            .all(|wish| wish.seen.document.revision() == rev);
        Retry {
            verdict: judge(&scene.now, wishes, &outcome),
            rev: if meant {
                RetryRev::Meant
            } else {
                RetryRev::Other
            },
        }
    });
    again.collect()
}

/// Lists the revisions that a refusal offers.
fn offered(error: &Error) -> Vec<Revision> {
    let Error::Anchors(refused) = error else {
        return Vec::new();
    };
    let ambiguous = refused
        .problems
        .iter()
        .filter_map(|problem| match &problem.reason {
            AnchorProblem::Ambiguous(candidates) => Some(candidates),
            _ => None,
        });
    let mut offered: Vec<Revision> = ambiguous
        .flatten()
        .map(|&Candidate { revision, .. }| revision)
        .collect();
    offered.sort_unstable();
    offered.dedup();
    offered
}
