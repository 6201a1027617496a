//! A request that is judged, sent under each of the landings that are compared.

use hashline_core::dialect::Dialect;
use hashline_core::error::{AnchorProblem, Candidate};
use hashline_core::policy::{Landing, RepairPolicy};
use hashline_core::shown::{History, Shown};
use hashline_core::text::{LineSpan, Revision};
use hashline_core::{EditBatch, Edited, Error, Policy, edit};

use super::scene::Scene;
use super::verdict::{Verdict, judge};
use super::version::{Author, Identities, Version};
use super::wish::{SCHEME, Wish};

/// One of the landings that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    ShownWithRev,
    ShownWithoutRev,
    Strict,
    Seed,
}

impl Mode {
    pub(super) const ALL: [Self; 4] = [
        Self::ShownWithRev,
        Self::ShownWithoutRev,
        Self::Strict,
        Self::Seed,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::ShownWithRev => "shown, rev",
            Self::ShownWithoutRev => "shown",
            Self::Strict => "strict",
            Self::Seed => "seed",
        }
    }

    fn policy(self) -> Policy<'static> {
        let defaults = Policy::new(Dialect::OMP);
        match self {
            Self::ShownWithRev | Self::ShownWithoutRev => defaults,
            Self::Strict => Policy {
                landing: Landing::Strict,
                ..defaults
            },
            Self::Seed => Policy {
                landing: Landing::Seed,
                repair: RepairPolicy::Off,
                ..defaults
            },
        }
    }
}

/// What came of a request, and of sending it again if it was ambiguous.
pub(super) struct Attempt {
    pub(super) verdict: Verdict,
    pub(super) retries: Vec<Retry>,
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

/// Sends the request under one of the landings.
pub(super) fn send(mode: Mode, scene: &Scene<'_>, wishes: &[Wish]) -> Attempt {
    if mode == Mode::ShownWithRev {
        return send_one_by_one(scene, wishes);
    }
    let together: Vec<&Wish> = wishes.iter().collect();
    let outcome = request(
        mode,
        &scene.now,
        &scene.history,
        scene.session,
        &together,
        None,
    );
    let verdict = match judge(&scene.now, &together, &outcome) {
        Verdict::Harmful | Verdict::Lost
            if mode == Mode::ShownWithoutRev && is_reused(scene, wishes, &outcome) =>
        {
            Verdict::Reused
        }
        verdict => verdict,
    };
    Attempt {
        verdict,
        retries: retry(mode, scene, &together, &outcome),
        taken: None,
    }
}

/// Returns whether a request is right if each anchor that was shown again in the current file means the line it was shown for last.
//
// Without a session this counts only for lines of the same bytes: another showing of other bytes is an objection.
fn is_reused(scene: &Scene<'_>, wishes: &[Wish], outcome: &Result<Edited, Error>) -> bool {
    let current = |wish: &Wish| {
        let mut current = wish.clone();
        if scene.shown_again(wish) {
            current.seen = scene.now.clone();
        }
        current
    };
    let current: Vec<Wish> = wishes.iter().map(current).collect();
    let current: Vec<&Wish> = current.iter().collect();
    judge(&scene.now, &current, outcome) == Verdict::Right
}

/// A request has one revision: anchors from several answers go one after another, each with its own.
fn send_one_by_one(scene: &Scene<'_>, wishes: &[Wish]) -> Attempt {
    let (mut now, mut history) = (scene.now.clone(), scene.history.clone());
    let mut attempt = Attempt {
        verdict: Verdict::Right,
        retries: Vec::new(),
        taken: None,
    };
    for wish in wishes {
        let rev = Some(wish.seen.document.revision());
        let outcome = request(
            Mode::ShownWithRev,
            &now,
            &history,
            scene.session,
            &[wish],
            rev,
        );
        attempt.verdict = judge(&now, &[wish], &outcome);
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
        history.wrote(&now.document, &edited.document, &changes, scene.session);
        now = after;
    }
    attempt
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
            scene.session,
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
