//! Evicts records from the logs of a workspace on Redis; which ones, `survey` decides.
//!
//! The largest logs lose records first, so only these are read, and no more than about [`PART`] of them at a time.

use super::link::RedisFailure;
use super::logs::{RedisLog, RedisLogs};
use super::names::LogId;
use crate::ledger::LedgerLimits;
use crate::ledger::survey::{Goal, LogSurvey, forget_least, forget_old, kept, size_class};

/// From how many logs records are evicted at a time, approximately.
const PART: u64 = 1024;

/// Makes room for `reserve` bytes, as far as every log was looked at twice. `turn` says with which logs to begin if there are many of about the
/// same size; it is another one each time.
pub(super) fn make_room(
    logs: &RedisLogs,
    limits: &LedgerLimits,
    now: u64,
    reserve: u64,
    turn: u64,
) -> Result<(), RedisFailure> {
    let goal = Goal::new(limits.bytes, reserve);
    for round in 0.. {
        let sizes = logs.sizes()?;
        let all = sum(&sizes);
        let largest = largest(&sizes, goal.excess(all));
        let parts = (largest.len() as u64).div_ceil(PART).max(1);
        if all.saturating_add(reserve) <= limits.bytes || round >= 2 * parts {
            break;
        }
        let is_in_turn = |id: &LogId| id.place() % parts == (turn + round) % parts;
        let part = largest.iter().map(|(id, _)| id);
        let mut surveys = survey_all(logs, part.filter(|id| is_in_turn(id)))?;
        let size: u64 = surveys.iter().map(|survey| survey.size).sum();
        forget_old(&mut surveys, limits.oldest(now));
        let others = sum(largest).saturating_sub(size);
        let part = kept(&surveys);
        let goal = goal.besides(all - sum(largest)).share(part, others + part);
        forget_least(&mut surveys, &goal);
        rewrite(logs, surveys, now)?;
    }
    Ok(())
}

/// Removes the records of lines that were shown before the time `oldest` from up to [`PART`] logs; returns whether there were no more.
pub(super) fn remove_old(logs: &RedisLogs, oldest: u64, now: u64) -> Result<bool, RedisFailure> {
    let old = logs.older_than(oldest, PART)?;
    let mut surveys = survey_all(logs, old.iter())?;
    forget_old(&mut surveys, oldest);
    rewrite(logs, surveys, now)?;
    Ok((old.len() as u64) < PART)
}

fn sum(sizes: &[(LogId, u64)]) -> u64 {
    sizes.iter().map(|(_, size)| size).sum()
}

/// Returns the largest logs that take `excess` bytes together, and all others that are about as large as the smallest of these.
fn largest(sizes: &[(LogId, u64)], excess: u64) -> &[(LogId, u64)] {
    let (mut bytes, mut class) = (0, u32::MAX);
    let is_small = |(_, size): &(LogId, u64)| {
        let is_next = size_class(*size) < class;
        if is_next && bytes >= excess {
            return true;
        }
        (bytes, class) = (bytes + size, size_class(*size));
        false
    };
    let end = sizes.iter().position(is_small);
    &sizes[..end.unwrap_or(sizes.len())]
}

/// Reads logs and lists their records.
fn survey_all<'a, 'i>(
    logs: &'a RedisLogs,
    ids: impl Iterator<Item = &'i LogId>,
) -> Result<Vec<LogSurvey<RedisLog<'a>>>, RedisFailure> {
    let survey = |id: &LogId| {
        let (log, bytes) = logs.read(id)?;
        Ok(LogSurvey::of(log, &bytes))
    };
    ids.map(survey).collect()
}

/// Rewrites every log that loses records. One that another machine changes meanwhile is left as it is.
fn rewrite(
    logs: &RedisLogs,
    surveys: Vec<LogSurvey<RedisLog<'_>>>,
    now: u64,
) -> Result<(), RedisFailure> {
    for survey in surveys.into_iter().filter(|survey| !survey.is_whole()) {
        let shortened = if survey.kept == 0 {
            Vec::new()
        } else {
            let (log, bytes) = logs.read(survey.name.id())?;
            if log != survey.name {
                continue;
            }
            survey.shortened(&bytes)
        };
        let oldest = survey.oldest().unwrap_or(now);
        // A log only becomes smaller here, so the limit does not matter.
        survey.name.replace(shortened).write(0, oldest)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::largest;
    use crate::ledger::redis::names::LogId;

    #[test]
    fn logs_of_the_same_class_go_together() {
        let sizes = [900, 600, 500, 300, 260, 100].map(|size| (LogId(String::new()), size));
        for (excess, expected) in [
            (0, 0),
            (1, 2),
            (1_500, 2),
            (1_501, 5),
            (2_560, 5),
            (2_561, 6),
            (9_999, 6),
        ] {
            assert_eq!(largest(&sizes, excess).len(), expected, "{excess}");
        }
    }
}
