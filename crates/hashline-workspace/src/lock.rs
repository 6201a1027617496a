//! Locks on directories: the kernel drops them when a process dies, and no lock file can go stale.

use std::collections::BTreeMap;
use std::io;
use std::time::{Duration, Instant};

use crate::error::{At, Error, trouble};
use crate::system::{Share, System};

/// Directories that are locked until this is dropped.
#[must_use]
#[derive(Debug)]
pub(crate) struct Locks<'a, S: System> {
    system: &'a S,
    held: Vec<&'a S::Dir>,
}

impl<'a, S: System> Locks<'a, S> {
    /// Locks all directories in one order for everybody, each once.
    ///
    /// # Errors
    ///
    /// `busy` if it takes longer than `wait`.
    pub(crate) fn take(
        system: &'a S,
        dirs: impl IntoIterator<Item = &'a S::Dir>,
        share: Share,
        wait: Duration,
        said: &str,
    ) -> Result<Self, Error> {
        let mut ordered = BTreeMap::new();
        for dir in dirs {
            let stat = system
                .stat_dir(dir)
                .map_err(|error| trouble(said, "looking at the directory", &error))?;
            ordered.entry(stat.identity()).or_insert(dir);
        }
        let mut locks = Self {
            system,
            held: Vec::new(),
        };
        let deadline = Instant::now() + wait;
        for dir in ordered.into_values() {
            let locked = wait_for(system, dir, share, deadline);
            match locked {
                Ok(true) => locks.held.push(dir),
                Ok(false) => return Err(Error::Busy(At::new(said))),
                Err(error) => return Err(trouble(said, "locking the directory", &error)),
            }
        }
        Ok(locks)
    }
}

impl<S: System> Drop for Locks<'_, S> {
    fn drop(&mut self) {
        for dir in self.held.iter().rev() {
            // The descriptor is closed in the end, and the lock with it.
            let _ = self.system.unlock(dir);
        }
    }
}

/// Tries until the deadline, more and more seldom.
fn wait_for<S: System>(
    system: &S,
    dir: &S::Dir,
    share: Share,
    deadline: Instant,
) -> io::Result<bool> {
    let mut pause = Duration::from_micros(200);
    loop {
        if system.try_lock(dir, share)? {
            return Ok(true);
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(false);
        }
        std::thread::sleep(pause.min(left));
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}
