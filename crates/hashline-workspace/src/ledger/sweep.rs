//! Evicts records from the ledger's logs: old records first, and if the logs are still too large, the least important ones.
//!
//! The largest logs lose records first, so that reading a few large files does not make the ledger forget many small ones. Among logs of
//! about the same size, the least important records are lines that only answers to edits showed, the oldest first; then lines that were
//! read, the oldest first. More is evicted than the new records need, so that the next ones find room; but logs that are smaller than the new
//! records lose only what these need.
//! A revision is removed when no shown lines of that revision or of an earlier one are left, so that shown lines can still be followed to
//! the current content. A log that loses records is rewritten to a new file, which replaces the log; a log without records is removed.
//!
//! All processes wait while records are evicted, so this is done in steps: each step looks at about [`PART`] logs, chosen by the hash in
//! their names. A full sweep has as many steps as are needed to look at every log.

use std::cmp::Reverse;
use std::io;

use super::folder::{LedgerFolder, LogName, Total};
use super::frame::{self, Seal};
use super::record::{self, LogRecord};
use super::replay::{LineFingerprints, entries};
use super::{LedgerLimits, ShownBy, StateNotes, system};

/// From how many logs old records are removed at a time, approximately; other processes wait meanwhile.
const PART: u64 = 1024;

/// The records of one log, and which of them are kept.
#[derive(Debug)]
struct LogSurvey {
    name: LogName,
    revisions: Vec<SurveyedRevision>,
    showings: Vec<SurveyedShowing>,
    /// The index of the first revision that is kept; all later revisions are kept too.
    first: usize,
    /// How many bytes of the log are kept.
    kept: u64,
    /// The size of the log in bytes.
    size: u64,
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
struct Goal {
    /// The most with which there is room for the new records.
    enough: u64,
    /// Less than that, so that the next records do not make room again.
    ample: u64,
    /// The size of the new records.
    reserve: u64,
}

/// Evicts records from about [`PART`] logs, to make room for `reserve` bytes; returns the new total size of all logs. If there is enough
/// room already, only old records are removed.
pub(super) fn step(
    folder: &LedgerFolder,
    limits: &LedgerLimits,
    now: u64,
    reserve: u64,
    total: Total,
    notes: &StateNotes,
) -> io::Result<Total> {
    let mut names = folder.logs()?;
    let parts = (names.len() as u64).div_ceil(PART).max(1);
    let end = total.next + LogName::PLACES.div_ceil(parts);
    names.retain(|name| (total.next..end).contains(&name.place()));
    let (mut surveys, lost) = survey_all(folder, names, notes)?;
    let before: u64 = surveys.iter().map(|survey| survey.size).sum();
    let elsewhere = total.bytes.saturating_sub(before + lost);
    forget_old(&mut surveys, now.saturating_sub(limits.age.as_secs()));
    let (part, all) = (kept(&surveys), elsewhere + kept(&surveys));
    let most = limits.bytes.saturating_sub(reserve);
    if all > most {
        let ample = (limits.bytes / 4 * 3).saturating_sub(reserve);
        let goal = Goal {
            enough: share(most, part, all),
            ample: share(ample, part, all),
            reserve,
        };
        forget_least(&mut surveys, &goal);
    }
    rewrite(folder, &mut surveys, notes)?;
    let begun = if total.next == 0 { now } else { total.begun };
    let total = if end < LogName::PLACES {
        Total {
            bytes: elsewhere + kept(&surveys),
            next: end,
            begun,
            ..total
        }
    } else {
        // The sweep is finished. Crashes may have made the total too high; now it is counted anew.
        Total {
            swept: begun,
            ..Total::count(folder)?
        }
    };
    total.write(folder)?;
    Ok(total)
}

fn kept(surveys: &[LogSurvey]) -> u64 {
    surveys.iter().map(|survey| survey.kept).sum()
}

/// Returns `most * part / all`: the share of a limit for some of all bytes.
fn share(most: u64, part: u64, all: u64) -> u64 {
    let share = u128::from(most) * u128::from(part) / u128::from(all.max(1));
    u64::try_from(share).unwrap_or(most)
}

/// Reads logs and lists their records; also returns the total size of logs that could not be read and were removed.
fn survey_all(
    folder: &LedgerFolder,
    names: Vec<LogName>,
    notes: &StateNotes,
) -> io::Result<(Vec<LogSurvey>, u64)> {
    let (mut surveys, mut lost) = (Vec::new(), 0);
    for name in names {
        let read = folder
            .log(&name)
            .and_then(|log| log.map(|log| log.bytes()).transpose());
        match read {
            Ok(None) => {}
            Ok(Some(bytes)) => surveys.push(LogSurvey::of(name, &bytes)),
            Err(error) => {
                notes.add(system("reading a record")(error));
                lost += folder.size(&name);
                folder.remove(&name)?;
            }
        }
    }
    Ok((surveys, lost))
}

/// Marks the records of lines that were shown before the time `oldest` as not kept.
fn forget_old(surveys: &mut [LogSurvey], oldest: u64) {
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
fn size_class(bytes: u64) -> u32 {
    bytes.max(1).ilog2()
}

/// Marks the least important records of shown lines as not kept, until the logs are as small as the goal says.
fn forget_least(surveys: &mut [LogSurvey], goal: &Goal) {
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

impl LogSurvey {
    fn of(name: LogName, bytes: &[u8]) -> Self {
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

    /// Returns whether all records of the log are kept.
    fn is_whole(&self) -> bool {
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
}

/// Rewrites every log that loses records; the old logs stay until all new ones are written.
fn rewrite(folder: &LedgerFolder, surveys: &mut [LogSurvey], notes: &StateNotes) -> io::Result<()> {
    let mut anew = Vec::new();
    // Logs are removed last: right after many removals ext4 is slow to create files (measured: 970 us against 24).
    let mut gone = Vec::new();
    for survey in surveys.iter_mut().filter(|survey| !survey.is_whole()) {
        if survey.kept == 0 {
            gone.push(&survey.name);
            continue;
        }
        match write_shortened(folder, survey) {
            Ok(()) => anew.push(&survey.name),
            Err(error) => {
                notes.add(system("writing a record anew")(error));
                // The disk may be full. Losing the history of one file is harmless; a ledger that stays too large is not.
                survey.kept = 0;
                gone.push(&survey.name);
            }
        }
    }
    // Nothing is synced: a power cut may lose what was just rewritten, and an incomplete frame has no valid seal.
    anew.into_iter().try_for_each(|name| folder.finish(name))?;
    gone.into_iter().try_for_each(|name| folder.remove(name))
}

fn write_shortened(folder: &LedgerFolder, survey: &LogSurvey) -> io::Result<()> {
    let log = folder.log(&survey.name)?.ok_or(io::ErrorKind::NotFound)?;
    folder.write_unfinished(&survey.name, &shortened(survey, &log.bytes()?))
}

/// Returns the log with only the frames that are kept. The first revision is stored in full; all other frames are copied unchanged.
fn shortened(survey: &LogSurvey, log: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut lines = LineFingerprints::default();
    let mut showings = survey.showings.iter();
    let mut revision = 0;
    for entry in entries(log) {
        match &entry.record {
            LogRecord::Revision(record) => {
                if revision <= survey.first && lines.follow(record).is_none() {
                    break;
                }
                if revision == survey.first {
                    let seal = Seal {
                        shown: 0,
                        ..entry.frame.seal
                    };
                    frame::put(&mut out, seal, |out| {
                        record::put_whole(out, record.lines, None, lines.get());
                    });
                } else if revision > survey.first {
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
