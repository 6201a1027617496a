//! Decides which records of the ledger's logs are evicted: old records first, and if the logs are still too large, the least important ones.
//!
//! The largest logs lose records first, so that reading a few large files does not make the ledger forget many small ones. Among logs of
//! about the same size, the least important records are lines that only answers to edits showed, the oldest first; then lines that were
//! read, the oldest first. More is evicted than the new records need, so that the next ones find room; but logs that are smaller than the new
//! records lose only what these need.
//! A revision is removed when no shown lines of that revision or of an earlier one are left, so that shown lines can still be followed to
//! the current content.

use std::cmp::Reverse;

use super::ShownBy;
use super::frame::{self, Seal};
use super::logged::LineFingerprints;
use super::record::{self, LogRecord};
use super::replay::entries;

/// The records of one log, and which of them are kept.
#[derive(Debug)]
pub(super) struct LogSurvey<N> {
    /// The name of the log in its store.
    pub(super) name: N,
    revisions: Vec<SurveyedRevision>,
    showings: Vec<SurveyedShowing>,
    /// The index of the first revision that is kept; all later revisions are kept too.
    first: usize,
    /// How many bytes of the log are kept.
    pub(super) kept: u64,
    /// The size of the log in bytes.
    pub(super) size: u64,
}

#[derive(Debug)]
struct SurveyedRevision {
    /// The size of the revision's frame in bytes.
    bytes: u64,
    /// The size that the frame would have if the revision were stored in full, as the first of its log must be.
    whole: u64,
    /// How many records of shown lines of this revision are kept.
    shown: usize,
}

#[derive(Debug)]
struct SurveyedShowing {
    revision: usize,
    by: ShownBy,
    time: u64,
    bytes: u64,
    kept: bool,
}

/// How many bytes the logs may take when records were evicted to make room for new ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    /// The most with which there is room for the new records.
    enough: u64,
    /// Less than that, so that the next records do not make room again.
    ample: u64,
    /// The size of the new records.
    reserve: u64,
}

impl Goal {
    /// Returns the goal for logs that may take `most` bytes together with `reserve` bytes of new records.
    pub(super) fn new(most: u64, reserve: u64) -> Self {
        Self {
            enough: most.saturating_sub(reserve),
            ample: (most / 4 * 3).saturating_sub(reserve),
            reserve,
        }
    }

    /// Returns by how much logs that take `all` bytes are larger than they should be after an eviction.
    #[cfg(feature = "redis")]
    pub(super) fn excess(self, all: u64) -> u64 {
        all.saturating_sub(self.ample)
    }

    /// Returns the goal for all logs but some that take `rest` bytes.
    #[cfg(feature = "redis")]
    pub(super) fn besides(self, rest: u64) -> Self {
        Self {
            enough: self.enough.saturating_sub(rest),
            ample: self.ample.saturating_sub(rest),
            ..self
        }
    }

    /// Returns the goal for some of the logs, which take `part` of `all` bytes.
    pub(super) fn share(self, part: u64, all: u64) -> Self {
        Self {
            enough: share(self.enough, part, all),
            ample: share(self.ample, part, all),
            ..self
        }
    }
}

/// Returns how many bytes of the logs are kept.
pub(super) fn kept<N>(surveys: &[LogSurvey<N>]) -> u64 {
    surveys.iter().map(|survey| survey.kept).sum()
}

/// Returns `most * part / all`: the share of a limit for some of all bytes.
fn share(most: u64, part: u64, all: u64) -> u64 {
    let share = u128::from(most) * u128::from(part) / u128::from(all.max(1));
    u64::try_from(share).unwrap_or(most)
}

/// Marks the records of lines that were shown before the time `oldest` as not kept.
pub(super) fn forget_old<N>(surveys: &mut [LogSurvey<N>], oldest: u64) {
    for survey in surveys {
        for index in 0..survey.showings.len() {
            if survey.showings[index].time < oldest {
                survey.forget(index);
            }
        }
        survey.forget_unshown();
    }
}

/// Sizes within a factor of two count as equal.
pub(super) fn size_class(bytes: u64) -> u32 {
    bytes.max(1).ilog2()
}

/// Marks the least important records of shown lines as not kept, until the logs are as small as the goal says.
pub(super) fn forget_least<N>(surveys: &mut [LogSurvey<N>], goal: &Goal) {
    let mut ranked = Vec::new();
    for (log, survey) in surveys.iter().enumerate() {
        let size = Reverse(size_class(survey.kept));
        let showings = survey.showings.iter().enumerate();
        ranked.extend(
            showings
                .filter(|(_, showing)| showing.kept)
                .map(|(index, showing)| {
                    (size, showing.by == ShownBy::Read, showing.time, log, index)
                }),
        );
    }
    ranked.sort_unstable();
    let mut bytes = kept(surveys);
    for (Reverse(size), _, _, log, index) in ranked {
        let is_small = size < size_class(goal.reserve);
        if bytes <= if is_small { goal.enough } else { goal.ample } {
            return;
        }
        let survey = &mut surveys[log];
        bytes -= survey.kept;
        survey.forget(index);
        survey.forget_unshown();
        bytes += survey.kept;
    }
}

impl<N> LogSurvey<N> {
    /// Lists the records of a log; all are kept so far.
    pub(super) fn of(name: N, bytes: &[u8]) -> Self {
        let mut survey = Self {
            name,
            revisions: Vec::new(),
            showings: Vec::new(),
            first: 0,
            kept: 0,
            size: bytes.len() as u64,
        };
        for entry in entries(bytes) {
            let bytes = entry.frame.bytes.len() as u64;
            survey.kept += bytes;
            match entry.record {
                LogRecord::Revision(record) => survey.revisions.push(SurveyedRevision {
                    bytes,
                    whole: record.whole_frame(),
                    shown: 0,
                }),
                LogRecord::Showing(record) => {
                    let Some(revision) = survey.revisions.len().checked_sub(1) else {
                        continue;
                    };
                    survey.revisions[revision].shown += 1;
                    survey.showings.push(SurveyedShowing {
                        revision,
                        by: record.by,
                        time: entry.frame.seal.time,
                        bytes,
                        kept: true,
                    });
                }
            }
        }
        survey
    }

    /// Returns when the oldest of the kept records was shown; `None` if there is none.
    #[cfg(feature = "redis")]
    pub(super) fn oldest(&self) -> Option<u64> {
        let kept = self.showings.iter().filter(|showing| showing.kept);
        kept.map(|showing| showing.time).min()
    }

    /// Returns whether all records of the log are kept.
    pub(super) fn is_whole(&self) -> bool {
        let all = self.first == 0 && self.showings.iter().all(|showing| showing.kept);
        all && self.kept == self.size && self.size > 0
    }

    fn forget(&mut self, index: usize) {
        let showing = &mut self.showings[index];
        showing.kept = false;
        self.kept -= showing.bytes;
        self.revisions[showing.revision].shown -= 1;
    }

    /// Drops the revisions before the first that has shown lines. The first revision that is kept is stored in full.
    fn forget_unshown(&mut self) {
        while let Some(first) = self.revisions.get(self.first)
            && first.shown == 0
        {
            self.kept -= if self.first == 0 {
                first.bytes
            } else {
                first.whole
            };
            self.first += 1;
            if let Some(next) = self.revisions.get(self.first) {
                self.kept += next.whole;
                self.kept -= next.bytes;
            }
        }
    }

    /// Returns the log with only the frames that are kept. The first revision is stored in full; all other frames are copied unchanged.
    pub(super) fn shortened(&self, log: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut lines = LineFingerprints::default();
        let mut showings = self.showings.iter();
        let mut revision = 0;
        for entry in entries(log) {
            match &entry.record {
                LogRecord::Revision(record) => {
                    if revision <= self.first && lines.follow(log, record).is_none() {
                        break;
                    }
                    if revision == self.first {
                        let seal = Seal {
                            shown: 0,
                            ..entry.frame.seal
                        };
                        frame::put(&mut out, seal, |out| {
                            record::put_whole(out, record.lines, None, lines.all(log).as_deref());
                        });
                    } else if revision > self.first {
                        out.extend_from_slice(entry.frame.bytes);
                    }
                    revision += 1;
                }
                LogRecord::Showing(_) => {
                    if showings.next().is_some_and(|showing| showing.kept) {
                        out.extend_from_slice(entry.frame.bytes);
                    }
                }
            }
        }
        out
    }
}
