//! Search: which lines of which files match, each with its anchor.
//!
//! The tree is walked by open directories, name by name and without following a link, so that nothing outside of a root is opened,
//! listed or read, whatever is renamed meanwhile. Threads share the folders and files; what they find is put into the byte order of
//! the paths, and the bounds on what is shown are applied in that order: the answer is the same however many threads there are.
//!
//! No lock is held, so that no edit waits for a search; whether a commit over several files was under way is checked afterwards.
//!
//! Which names are looked at is ripgrep's business and done with its libraries: globs, types of files, `.ignore` and `.gitignore`.
//! Different from it: nothing above the root and no settings of the user are read, a `.gitignore` counts without a repository around
//! it, and `.git`, `.hashline` and our staging files are never searched.

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

/// More threads than this only get in each other's way.
const MOST_THREADS: usize = 12;

/// Where is searched.
pub(crate) struct Ground<'a, S: System> {
    pub(crate) system: &'a S,
    pub(crate) roots: &'a RootSet<S>,
    pub(crate) limits: &'a Limits,
    pub(crate) locking: Locking<'a>,
    pub(crate) deadline: Deadline<'a>,
}

/// Searches, and writes down what is shown.
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
    gather::record(ground, &found, &documents, audience);
    Ok(found)
}

/// Lets threads work until nothing is left to do. One of them is this one.
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

/// Refuses more paths, globs or types than are taken.
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
