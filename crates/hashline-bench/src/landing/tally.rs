//! What became of many trials.

use super::attempt::{Attempt, Retry, RetryRev};
use super::verdict::Verdict;

/// Counts of verdicts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) trials: u64,
    /// Trials whose lines still stand, unchanged and together, and were shown as far as the edit takes them away.
    pub(super) standing: u64,
    verdicts: [u64; Verdict::ALL.len()],
    /// Requests that were sent again, once with each revision offered.
    pub(super) retried: u64,
    /// Those that were ambiguous again.
    pub(super) retried_ambiguous: u64,
    /// Those with the revision that was meant, and how they ended.
    pub(super) retried_meant: u64,
    pub(super) retried_right: u64,
    pub(super) retried_wrong: u64,
    /// Requests that were sent again after the refusal had shown lines that were never shown.
    pub(super) shown_then: u64,
    /// Those that were wrong, or refused as unseen again.
    pub(super) shown_in_vain: u64,
    /// The first trial that went wrong.
    pub(super) first_wrong: Option<u64>,
}

impl Tally {
    /// Counts one trial.
    pub(super) fn add(&mut self, trial: u64, standing: bool, verdict: Verdict) {
        self.trials += 1;
        self.standing += u64::from(standing);
        self.verdicts[verdict as usize] += 1;
        if verdict.is_wrong() {
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
            self.retried_ambiguous += u64::from(*verdict == Verdict::Ambiguous);
            self.retried_right += u64::from(*verdict == Verdict::Right) * meant;
            self.retried_wrong += u64::from(verdict.is_wrong()) * meant;
        }
        if let Some(again) = attempt.after_unseen {
            self.shown_then += 1;
            self.shown_in_vain += u64::from(again.is_wrong() || again == Verdict::Unseen);
        }
    }

    /// Adds another tally.
    pub(super) fn merge(&mut self, other: &Self) {
        self.trials += other.trials;
        self.standing += other.standing;
        let pairs = self.verdicts.iter_mut().zip(other.verdicts);
        pairs.for_each(|(mine, theirs)| *mine += theirs);
        self.retried += other.retried;
        self.retried_ambiguous += other.retried_ambiguous;
        self.retried_meant += other.retried_meant;
        self.retried_right += other.retried_right;
        self.retried_wrong += other.retried_wrong;
        self.shown_then += other.shown_then;
        self.shown_in_vain += other.shown_in_vain;
        self.first_wrong = [self.first_wrong, other.first_wrong]
            .into_iter()
            .flatten()
            .min();
    }

    /// Returns how many trials ended this way.
    pub(super) fn count(&self, verdict: Verdict) -> u64 {
        self.verdicts[verdict as usize]
    }
}
