//! Locks on directories: the kernel drops them when a process dies, and no lock file can go stale.
//!
//! Where directories cannot be locked, as on some network mounts, a file in the user's state directory stands for each of them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::deadline::CancelToken;
use crate::error::{At, Error, io_error};
use crate::patience::Patience;
use crate::system::{Share, System};

/// How locks are taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Locking<'a> {
    /// Who may hold one beside us.
    pub(crate) share: Share,
    /// How long is waited for all of them.
    pub(crate) wait: Duration,
    /// Where lock files are, for directories that cannot be locked.
    pub(crate) files: Option<&'a Path>,
    /// The word that ends the waiting.
    pub(crate) stop: Option<&'a CancelToken>,
}

/// Directories that are locked until this is dropped.
#[must_use]
#[derive(Debug)]
pub(crate) struct Locks<'a, S: System> {
    system: &'a S,
    held: Vec<HeldLock<'a, S>>,
}

#[derive(Debug)]
enum HeldLock<'a, S: System> {
    Dir(&'a S::Dir),
    /// Dropping it gives the lock back.
    File {
        _file: S::File,
    },
}

impl<'a, S: System> Locks<'a, S> {
    /// Locks all directories in one order for everybody, each once.
    ///
    /// # Errors
    ///
    /// `busy` if it takes longer than is to be waited.
    pub(crate) fn take(
        system: &'a S,
        dirs: impl IntoIterator<Item = &'a S::Dir>,
        locking: &Locking<'_>,
        requested: &str,
    ) -> Result<Self, Error> {
        let mut ordered = BTreeMap::new();
        for dir in dirs {
            let stat = system
                .stat_dir(dir)
                .map_err(|error| io_error(requested, "looking at the directory", &error))?;
            ordered.entry(stat.identity()).or_insert(dir);
        }
        let mut locks = Self {
            system,
            held: Vec::new(),
        };
        let deadline = Instant::now() + locking.wait;
        for (identity, dir) in ordered {
            let stopped = || locking.stop.is_some_and(CancelToken::is_cancelled);
            let attempt = || match stopped() {
                true => Err(io::ErrorKind::Interrupted.into()),
                false => try_once(system, dir, identity, locking),
            };
            match Patience::FOR_FILES.until(deadline, attempt) {
                Err(_) if stopped() => return Err(Error::Cancelled),
                Ok(Some(held)) => locks.held.push(held),
                Ok(None) => return Err(Error::Busy(At::new(requested))),
                Err(error) => return Err(io_error(requested, "locking the directory", &error)),
            }
        }
        Ok(locks)
    }

    /// Tells whether lock files had to be used.
    pub(crate) fn are_advisory(&self) -> bool {
        let file = |held: &HeldLock<'_, S>| matches!(held, HeldLock::File { .. });
        self.held.iter().any(file)
    }
}

impl<S: System> Drop for Locks<'_, S> {
    fn drop(&mut self) {
        for held in self.held.iter().rev() {
            if let HeldLock::Dir(dir) = held {
                // The descriptor is closed in the end, and the lock with it.
                let _ = self.system.unlock(dir);
            }
        }
    }
}

fn try_once<'a, S: System>(
    system: &S,
    dir: &'a S::Dir,
    (device, inode): (u64, u64),
    locking: &Locking<'_>,
) -> io::Result<Option<HeldLock<'a, S>>> {
    match (system.try_lock(dir, locking.share), locking.files) {
        (Err(error), Some(folder)) if error.kind() == io::ErrorKind::Unsupported => {
            let name = OsString::from(format!("{device:x}-{inode:x}"));
            let file = system.lock_file(folder, &name, locking.share)?;
            Ok(file.map(|_file| HeldLock::File { _file }))
        }
        (locked, _) => Ok(locked?.then_some(HeldLock::Dir(dir))),
    }
}
