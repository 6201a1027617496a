//! One thing that is counted. It holds numbers and our own names only.

use std::time::Duration;

use hashline_core::Rule;
use hashline_core::totals::Work;

use crate::applying::Applied;
use crate::error::{DiskError, NotApplied};

/// One thing that is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What was asked for.
    pub work: Work,
    /// What came of it: nothing if it was done, else the code of the refusal.
    pub refused: Option<&'static str>,
    /// The corrections that were made.
    pub repairs: Vec<Rule>,
    /// How many lines were found elsewhere than they were named.
    pub moved: usize,
    /// How long it took, by the caller's clock.
    pub took: Duration,
}

impl Event {
    /// Something was done.
    #[must_use]
    pub fn done(work: Work, took: Duration) -> Self {
        Self {
            work,
            refused: None,
            repairs: Vec::new(),
            moved: 0,
            took,
        }
    }

    /// Something was refused.
    #[must_use]
    pub fn refused(work: Work, code: &'static str, took: Duration) -> Self {
        Self {
            refused: Some(code),
            ..Self::done(work, took)
        }
    }

    /// Something that can only be done or refused by the disk: a read, a search, a recovery.
    #[must_use]
    pub fn of<T>(work: Work, outcome: &Result<T, DiskError>, took: Duration) -> Self {
        match outcome {
            Ok(_) => Self::done(work, took),
            Err(error) => Self::refused(work, error.code(), took),
        }
    }

    /// A request was carried out, tried or refused.
    #[must_use]
    pub fn of_edit(work: Work, outcome: &Result<Applied, NotApplied>, took: Duration) -> Self {
        let edited = match outcome {
            Ok(applied) => &applied.edited,
            Err(why) => return Self::refused(work, why.code(), took),
        };
        let reports = || edited.files.iter().map(|file| &file.edited.report);
        let repairs = reports().flat_map(|report| &report.repairs);
        let moves = reports().flat_map(|report| &report.moves);
        Self {
            repairs: repairs.map(|repair| repair.rule).collect(),
            moved: moves.map(|moved| moved.to.len()).sum(),
            ..Self::done(work, took)
        }
    }
}
