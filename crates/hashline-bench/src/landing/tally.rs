//! What became of many trials.

use super::attempt::{Attempt, Retry, RetryRev};
use super::verdict::Verdict;

/// Counts of verdicts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) trials: u64,
    /// Trials whose lines still stand, unchanged and together.
    pub(super) standing: u64,
    pub(super) right: u64,
    pub(super) harmful: u64,
    pub(super) twin: u64,
    pub(super) reused: u64,
    pub(super) lost: u64,
    pub(super) stale: u64,
    pub(super) ambiguous: u64,
    pub(super) other: u64,
    /// Requests that were sent again, once with each revision offered.
    pub(super) retried: u64,
    /// Those that were ambiguous again.
    pub(super) retried_ambiguous: u64,
    /// Those with the revision that was meant, and how they ended.
    pub(super) retried_meant: u64,
    pub(super) retried_right: u64,
    pub(super) retried_wrong: u64,
    /// The first trial that went wrong.
    pub(super) first_wrong: Option<u64>,
}

impl Tally {
    /// Counts one trial.
    pub(super) fn add(&mut self, trial: u64, standing: bool, verdict: Verdict) {
        self.trials += 1;
        self.standing += u64::from(standing);
        *self.count(verdict) += 1;
        if matches!(verdict, Verdict::Harmful | Verdict::Lost) {
            self.first_wrong = self.first_wrong.or(Some(trial));
        }
    }

    /// Counts one trial with its retries.
    pub(super) fn add_attempt(&mut self, trial: u64, standing: bool, attempt: &Attempt) {
        self.add(trial, standing, attempt.verdict);
        for Retry { verdict, rev } in &attempt.retries {
            let meant = u64::from(*rev == RetryRev::Meant);
            self.retried += 1;
            self.retried_meant += meant;
            match verdict {
                Verdict::Ambiguous => self.retried_ambiguous += 1,
                Verdict::Right => self.retried_right += meant,
                Verdict::Harmful | Verdict::Lost => self.retried_wrong += meant,
                Verdict::Twin | Verdict::Reused | Verdict::Stale | Verdict::Other => {}
            }
        }
    }

    /// Adds another tally.
    pub(super) fn merge(&mut self, other: &Self) {
        self.trials += other.trials;
        self.standing += other.standing;
        self.right += other.right;
        self.harmful += other.harmful;
        self.twin += other.twin;
        self.reused += other.reused;
        self.lost += other.lost;
        self.stale += other.stale;
        self.ambiguous += other.ambiguous;
        self.other += other.other;
        self.retried += other.retried;
        self.retried_meant += other.retried_meant;
        self.retried_right += other.retried_right;
        self.retried_wrong += other.retried_wrong;
        self.retried_ambiguous += other.retried_ambiguous;
        self.first_wrong = [self.first_wrong, other.first_wrong]
            .into_iter()
            .flatten()
            .min();
    }

    fn count(&mut self, verdict: Verdict) -> &mut u64 {
        match verdict {
            Verdict::Right => &mut self.right,
            Verdict::Harmful => &mut self.harmful,
            Verdict::Twin => &mut self.twin,
            Verdict::Reused => &mut self.reused,
            Verdict::Lost => &mut self.lost,
            Verdict::Stale => &mut self.stale,
            Verdict::Ambiguous => &mut self.ambiguous,
            Verdict::Other => &mut self.other,
        }
    }
}
