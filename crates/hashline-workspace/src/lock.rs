//! Locks on directories. The kernel releases a lock when its process dies, so no stale lock can remain.
//!
//! Where directories cannot be locked, as on some network mounts, a lock file in the user's state directory is locked instead.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::deadline::CancelToken;
use crate::error::{DiskFault, Error, io_error};
use crate::system::{Share, System};

/// The pause after the first attempt to take a lock; each further pause is twice as long.
const FIRST_PAUSE: Duration = Duration::from_micros(200);
/// The longest pause between two attempts to take a lock. Short, so that who has waited long is not overtaken by everybody who came later.
const LONGEST_PAUSE: Duration = Duration::from_millis(2);

/// How locks are taken: shared or not, and how long to wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Locking<'a> {
    /// Who else may hold the same lock.
    pub(crate) share: Share,
    /// How long to wait for all locks of one request together.
    pub(crate) wait: Duration,
    /// The folder with lock files, for directories that cannot be locked.
    pub(crate) files: Option<&'a Path>,
    /// The token that ends the wait for a lock when the request is cancelled.
    pub(crate) cancel: Option<&'a CancelToken>,
}

/// Locked directories; dropping this value unlocks them.
#[must_use]
#[derive(Debug)]
pub(crate) struct Locks<'a, S: System> {
    system: &'a S,
    held: Vec<HeldLock<'a, S>>,
}

#[derive(Debug)]
enum HeldLock<'a, S: System> {
    Dir(&'a S::Dir),
    /// A locked lock file; dropping the file releases the lock.
    File {
        _file: S::File,
    },
}

impl<'a, S: System> Locks<'a, S> {
    /// Locks all directories, each once even if it is listed twice.
    ///
    /// # Errors
    ///
    /// `busy` if the locks are not free within `locking.wait`.
    pub(crate) fn take(
        system: &'a S,
        dirs: impl IntoIterator<Item = &'a S::Dir>,
        locking: &Locking<'_>,
        requested: &str,
    ) -> Result<Self, Error> {
        // By device and inode: all processes lock in the same order, so that two of them cannot wait for each other.
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
            // Polled instead of waited for: the wait must end at the deadline, and when the request is cancelled.
            let stopped = || locking.cancel.is_some_and(CancelToken::is_cancelled);
            let attempt = || {
                if stopped() {
                    return Err(io::ErrorKind::Interrupted.into());
                }
                try_once(system, dir, identity, locking)
            };
            match retry_until(deadline, attempt) {
                Err(_) if stopped() => return Err(DiskFault::Cancelled.into()),
                Ok(Some(held)) => locks.held.push(held),
                Ok(None) => return Err(DiskFault::Busy.at(requested)),
                Err(error) => return Err(io_error(requested, "locking the directory", &error)),
            }
        }
        Ok(locks)
    }

    /// Returns whether a lock file was used instead of locking a directory. Processes of other users and other machines do not see lock
    /// files.
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
        // Any other error is reported: a lock must not become a weaker one unnoticed.
        (Err(error), Some(folder)) if error.kind() == io::ErrorKind::Unsupported => {
            let name = OsString::from(format!("{device:x}-{inode:x}"));
            let file = system.lock_file(folder, &name, locking.share)?;
            Ok(file.map(|_file| HeldLock::File { _file }))
        }
        (locked, _) => Ok(locked?.then_some(HeldLock::Dir(dir))),
    }
}

/// Calls `attempt` until it returns a value; returns `None` once the deadline has passed.
fn retry_until<T>(
    deadline: Instant,
    mut attempt: impl FnMut() -> io::Result<Option<T>>,
) -> io::Result<Option<T>> {
    let mut pause = FIRST_PAUSE;
    loop {
        if let Some(done) = attempt()? {
            return Ok(Some(done));
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(None);
        }
        thread::sleep(pause.min(left));
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Locks an open file, waiting in the kernel's queue for that lock; returns `None` if the wait takes longer than `wait`. Dropping the
/// returned file releases the lock.
///
/// Polling would be simpler, but on a busy machine a poller can be overtaken for seconds.
pub(crate) fn lock_in_turn(file: File, share: Share, wait: Duration) -> io::Result<Option<File>> {
    let now = match share {
        Share::Readers => file.try_lock_shared(),
        Share::Nobody => file.try_lock(),
    };
    match now {
        Ok(()) => return Ok(Some(file)),
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => {}
        Err(TryLockError::Error(error)) => return Err(error),
    }
    let (sender, receiver) = mpsc::channel();
    // The calls that wait have no timeout, so another thread waits.
    thread::Builder::new().spawn(move || {
        let locked = loop {
            let locked = match share {
                Share::Readers => file.lock_shared(),
                Share::Nobody => file.lock(),
            };
            match locked {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                locked => break locked,
            }
        };
        // If the receiver gave up, the file is dropped here and the lock with it.
        let _ = sender.send(locked.map(|()| file));
    })?;
    receiver.recv_timeout(wait).ok().transpose()
}
