//! Detects whether hashline committed a change over several files during a search, so that the search may have seen half of it.
//!
//! A search holds no lock, so that no edit waits for it. Instead it compares the journal folder of each root before and after the search. A commit
//! over several files creates a journal in that folder before it changes the first file, and removes the journal after the last: if there was no
//! journal before the search, and the folder did not change since, the search saw no half-done commit.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::Ground;
use crate::commit::{Area, FoundArea, Pending, pending};
use crate::lock::Locks;
use crate::system::{Stat, System};

/// How many times to wait until the journal folder's time stamp is old enough.
const TRIES: usize = 3;

/// The longest tick of a file system's clock, with a margin.
const TICK: Duration = Duration::from_millis(25);

/// The longest tick of a file system that stores time stamps in whole seconds.
const COARSE_TICK: Duration = Duration::from_secs(2);

/// The journal folders as they were before a search.
pub(super) struct CommitWatch<'a, S: System> {
    ground: &'a Ground<'a, S>,
    /// The journal folder of each root; `None` if a commit may have been running.
    before: Option<Vec<Folder>>,
}

/// The state of a root's journal folder.
#[derive(Debug, PartialEq, Eq)]
enum Folder {
    Missing,
    /// Others can write to the folder, or it is no folder: hashline makes no commits over several files in this root.
    Foreign,
    Ours(Stat),
}

impl<'a, S: System> CommitWatch<'a, S> {
    /// Waits, for a limited time, until no commit over several files is running, and stores the state of the journal folders.
    pub(super) fn start(ground: &'a Ground<'a, S>) -> Self {
        let mut before = None;
        for _ in 0..TRIES {
            before = at_rest(ground);
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            let now = now.unwrap_or_default();
            let folders = before.iter().flatten();
            let wait = folders.map(|folder| folder.unrest(now)).max();
            match wait {
                Some(wait) if !wait.is_zero() => {
                    before = None;
                    std::thread::sleep(wait);
                }
                _ => break,
            }
        }
        Self { ground, before }
    }

    /// Returns whether certainly no commit over several files was running since the start.
    pub(super) fn saw_none(&self) -> bool {
        self.before.is_some() && self.before == folders(self.ground)
    }
}

impl Folder {
    /// Returns how long to wait until any further change is sure to give the journal folder a new time stamp: two changes within one tick of the
    /// clock have the same stamp.
    fn unrest(&self, now: Duration) -> Duration {
        let Self::Ours(stat) = self else {
            return Duration::ZERO;
        };
        let tick = match (stat.modified.1, stat.changed.1) {
            (0, 0) => COARSE_TICK,
            _ => TICK,
        };
        let rest = |stamp| tick.saturating_sub(now.abs_diff(since_epoch(stamp)));
        rest(stat.modified).max(rest(stat.changed))
    }
}

/// Returns the journal folders while no commit is running; `None` if one takes longer than a reader waits, or was interrupted.
fn at_rest<S: System>(ground: &Ground<'_, S>) -> Option<Vec<Folder>> {
    let areas = areas(ground)?;
    let dirs = areas.iter().filter_map(|area| match area {
        FoundArea::Ours(area) => Some(area.dir()),
        FoundArea::Nothing | FoundArea::Foreign => None,
    });
    let _nobody_commits = Locks::take(ground.system, dirs, &ground.locking, "").ok()?;
    // Stamps first: a journal that appears after them changes them.
    let folders = folders(ground)?;
    let mut roots = ground.roots.iter();
    let settled = roots.all(|root| {
        let pending = pending(ground.system, root);
        matches!(pending, Ok(Pending::Nothing | Pending::ForeignFolder))
    });
    settled.then_some(folders)
}

fn folders<S: System>(ground: &Ground<'_, S>) -> Option<Vec<Folder>> {
    let folder = |area: FoundArea<S>| match area {
        FoundArea::Nothing => Some(Folder::Missing),
        FoundArea::Foreign => Some(Folder::Foreign),
        FoundArea::Ours(area) => ground.system.stat_dir(area.dir()).ok().map(Folder::Ours),
    };
    areas(ground)?.into_iter().map(folder).collect()
}

fn areas<S: System>(ground: &Ground<'_, S>) -> Option<Vec<FoundArea<S>>> {
    let roots = ground.roots.iter();
    roots
        .map(|root| Area::find(ground.system, &root.dir).ok())
        .collect()
}

fn since_epoch((seconds, nanoseconds): (i64, i64)) -> Duration {
    let [seconds, nanoseconds] = [seconds, nanoseconds].map(|part| u64::try_from(part).ok());
    let seconds = Duration::from_secs(seconds.unwrap_or_default());
    seconds.saturating_add(Duration::from_nanos(nanoseconds.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Folder;
    use crate::system::{FileKind, Stat};

    #[test]
    fn a_folder_has_rested_when_its_next_change_gets_another_stamp() {
        let ms = Duration::from_millis;
        let now = Duration::from_secs(1_000) + ms(500);
        // When it changed, and how long is to be waited.
        let cases = [
            ((1_000, 500_000_000), ms(25)),
            ((1_000, 490_000_000), ms(15)),
            ((1_000, 475_000_000), ms(0)),
            ((1_000, 510_000_000), ms(15)),
            ((999, 499_999_999), ms(0)),
            ((2_000, 1), ms(0)),
            ((-1, 0), ms(0)),
            ((1_000, 0), ms(1_500)),
            ((998, 0), ms(0)),
        ];
        for (stamp, wait) in cases {
            for (modified, changed) in
                [(stamp, stamp), (stamp, (1, stamp.1)), ((1, stamp.1), stamp)]
            {
                let folder = Folder::Ours(Stat {
                    kind: FileKind::Dir,
                    device: 1,
                    inode: 1,
                    mode: 0o700,
                    owner: 0,
                    links: 2,
                    size: 4096,
                    modified,
                    changed,
                });
                assert_eq!(folder.unrest(now), wait, "{modified:?} {changed:?}");
            }
        }
        for folder in [Folder::Missing, Folder::Foreign] {
            assert!(folder.unrest(now).is_zero());
        }
    }
}
