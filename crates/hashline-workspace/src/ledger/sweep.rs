//! Evicts records from the logs of the ledger on disk; which ones, `survey` decides. A log that loses records is rewritten to a new file,
//! which replaces the log; a log without records is removed.
//!
//! All processes wait while records are evicted, so this is done in steps: each step looks at about [`PART`] logs, chosen by the hash in
//! their names. A full sweep has as many steps as are needed to look at every log.

use std::io;

use super::folder::{LedgerFolder, LogName, Total};
use super::survey::{Goal, LogSurvey, forget_least, forget_old, kept};
use super::{LedgerLimits, StateNotes, system};

/// From how many logs old records are removed at a time, approximately; other processes wait meanwhile.
const PART: u64 = 1024;

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
    if all > limits.bytes.saturating_sub(reserve) {
        let goal = Goal::new(limits.bytes, reserve).share(part, all);
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

/// Reads logs and lists their records; also returns the total size of logs that could not be read and were removed.
fn survey_all(
    folder: &LedgerFolder,
    names: Vec<LogName>,
    notes: &StateNotes,
) -> io::Result<(Vec<LogSurvey<LogName>>, u64)> {
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

/// Rewrites every log that loses records; the old logs stay until all new ones are written.
fn rewrite(
    folder: &LedgerFolder,
    surveys: &mut [LogSurvey<LogName>],
    notes: &StateNotes,
) -> io::Result<()> {
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

fn write_shortened(folder: &LedgerFolder, survey: &LogSurvey<LogName>) -> io::Result<()> {
    let log = folder.log(&survey.name)?.ok_or(io::ErrorKind::NotFound)?;
    folder.write_unfinished(&survey.name, &survey.shortened(&log.bytes()?))
}
