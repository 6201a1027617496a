//! Search over files: finds the lines that match a pattern, each with its anchor.
//!
//! The tree is walked through open directory handles, name by name and without following symbolic links, so that nothing outside of a root is
//! opened, even if folders are renamed meanwhile. Several threads share the work. Results are sorted by the bytes of their paths, and the limits on
//! what is shown are applied in that order: the answer is the same for any number of threads.
//!
//! No lock is held, so that no edit waits for a search; `commit_watch` checks afterwards whether a commit over several files was running.
//!
//! Files are selected with ripgrep's libraries: globs, file types, `.ignore` and `.gitignore`. Unlike in ripgrep, nothing above the root and no user
//! settings are read, a `.gitignore` applies even outside of a repository, and `.git`, `.hashline` and our staging files are never searched.

mod commit_watch;
mod filter;
pub mod found;
mod gather;
mod matcher;
mod query;
mod rules;
mod scan;
mod start;
mod walk;

use std::num::NonZeroUsize;
use std::sync::Mutex;

use crate::search::found::Found;

pub use matcher::Matcher;
pub use query::{Audience, Case, Extent, Most, Pattern, Query, TypeChoice};

use crate::deadline::Deadline;
use crate::encoding::EncodingRules;
use crate::error::{DiskFault, Error, Excess};
use crate::limits::Limits;
use crate::lock::Locking;
use crate::root::RootSet;
use crate::system::System;
use commit_watch::CommitWatch;
use filter::Filter;
use gather::Gather;
use scan::Scanner;
use walk::{Queue, Walk};

/// The limit on the number of threads; more only wait for each other.
const MOST_THREADS: usize = 12;

/// The context of a search: the roots to search, the limits, the locks and the deadline.
pub(crate) struct Ground<'a, S: System> {
    pub(crate) system: &'a S,
    pub(crate) roots: &'a RootSet<S>,
    pub(crate) limits: &'a Limits,
    pub(crate) encodings: &'a EncodingRules,
    pub(crate) locking: Locking<'a>,
    pub(crate) deadline: Deadline<'a>,
}

/// Runs a search, and records the shown lines in the ledger.
pub(crate) fn search<S>(
    ground: &Ground<'_, S>,
    query: &Query,
    audience: &Audience<'_>,
) -> Result<Found, Error>
where
    S: System + Sync,
    S::Dir: Send + Sync,
{
    refuse_many(ground, query)?;
    let matcher = Matcher::new(&query.pattern, query.case, query.extent, ground.limits)?;
    let filter = Filter::new(query, ground.limits.pattern)?;
    let gather = Mutex::new(Gather::new(query, audience));
    let commits = CommitWatch::start(ground);
    let beyond = start::beyond(ground, query)?;
    let (tasks, named) = start::tasks(ground, query, &gather);
    let walk = Walk {
        ground,
        query,
        filter: &filter,
        named: &named,
        beyond: beyond.as_ref(),
        gather: &gather,
        queue: Queue::new(tasks),
        seen: audience.seen,
    };
    run(&walk, &matcher, audience);
    ground.deadline.check()?;
    let gathered = gather.into_inner();
    let gathered = gathered.unwrap_or_else(std::sync::PoisonError::into_inner);
    let (found, documents) = gathered.finish(commits.saw_none());
    gather::record(ground, &found, &documents, query, audience);
    Ok(found)
}

/// Runs the threads of a search until no task is left. The calling thread is one of them.
fn run<S>(walk: &Walk<'_, S>, matcher: &Matcher, audience: &Audience<'_>)
where
    S: System + Sync,
    S::Dir: Send + Sync,
{
    let here = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = walk.query.threads.map_or(here.get(), NonZeroUsize::get);
    let large = Mutex::new(());
    let scanner = || {
        Scanner::new(
            walk.ground,
            walk.query,
            matcher.clone(),
            audience.scheme,
            &large,
        )
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(MOST_THREADS) {
            let scanner = scanner();
            // Without it the others do its work.
            let _ = std::thread::Builder::new().spawn_scoped(scope, || walk.work(scanner));
        }
        walk.work(scanner());
    });
}

/// Refuses a query with more paths, globs or file types than the limit allows.
fn refuse_many<S: System>(ground: &Ground<'_, S>, query: &Query) -> Result<(), Error> {
    let most = ground.limits.files;
    let counts = [query.paths.len(), query.globs.len(), query.types.len()];
    match counts.into_iter().find(|&count| count > most) {
        None => Ok(()),
        Some(found) => Err(DiskFault::TooMany(Excess {
            found: found as u64,
            most: most as u64,
        })
        .into()),
    }
}
