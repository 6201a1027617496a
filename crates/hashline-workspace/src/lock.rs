//! Locks on directories. The kernel releases a lock when its process dies, so no stale lock can remain.
//!
//! Where directories cannot be locked, as on some network mounts, a lock file in the user's state directory is locked instead.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};
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

/// A queue in which the threads of this process wait for a lock that other processes take, too.
///
/// Without it every thread that has to wait needs another thread, because the system's wait has no time limit; and dozens of calls at once would spend
/// their time on starting threads.
#[derive(Debug)]
pub(crate) struct Turns {
    users: Mutex<Users>,
    freed: Condvar,
}

/// The threads that have their turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Users {
    /// So many that only read.
    Readers(usize),
    /// One that writes.
    Writer,
}

/// A thread's turn; dropping it lets the next thread in.
#[must_use]
#[derive(Debug)]
pub(crate) struct Turn<'a>(&'a Turns);

/// A lock that other processes respect, held by the only thread of this process that has its turn.
#[must_use]
#[derive(Debug)]
pub(crate) struct TurnLock<'a> {
    // Dropped first: whoever has the next turn finds the file unlocked.
    file: File,
    _turn: Turn<'a>,
}

impl TurnLock<'_> {
    /// Returns the locked file.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }
}

impl Turns {
    /// Makes a queue in which nobody waits.
    pub(crate) const fn new() -> Self {
        Self {
            users: Mutex::new(Users::Readers(0)),
            freed: Condvar::new(),
        }
    }

    /// Waits for a turn, and then locks an open file, as [`lock_in_turn`] does; returns `None` if both together take longer than `wait`.
    pub(crate) fn lock(
        &self,
        file: File,
        share: Share,
        wait: Duration,
    ) -> io::Result<Option<TurnLock<'_>>> {
        let deadline = Instant::now() + wait;
        let Some(turn) = self.take(share, wait) else {
            return Ok(None);
        };
        let left = deadline.saturating_duration_since(Instant::now());
        let locked = lock_in_turn(file, share, left)?;
        Ok(locked.map(|file| TurnLock { file, _turn: turn }))
    }

    /// Waits for a turn; returns `None` if that takes longer than `wait`.
    fn take(&self, share: Share, wait: Duration) -> Option<Turn<'_>> {
        let must_wait = |users: &mut Users| users.with(share).is_none();
        let waited = self.freed.wait_timeout_while(self.users(), wait, must_wait);
        let (mut users, _) = waited.unwrap_or_else(PoisonError::into_inner);
        *users = users.with(share)?;
        // The next one may be a reader, too, which can come in at once.
        if share == Share::Readers {
            self.freed.notify_one();
        }
        Some(Turn(self))
    }

    fn users(&self) -> MutexGuard<'_, Users> {
        self.users.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Users {
    /// Returns the users with one more; `None` if it has to wait.
    fn with(self, share: Share) -> Option<Self> {
        match (self, share) {
            (Self::Readers(0), Share::Nobody) => Some(Self::Writer),
            (Self::Readers(count), Share::Readers) => Some(Self::Readers(count + 1)),
            (Self::Readers(_), Share::Nobody) | (Self::Writer, _) => None,
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut users = self.0.users();
        *users = match *users {
            Users::Readers(count) => Users::Readers(count.saturating_sub(1)),
            Users::Writer => Users::Readers(0),
        };
        drop(users);
        self.0.freed.notify_one();
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::Turns;
    use crate::system::Share;

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn a_writer_has_its_turn_alone_and_readers_have_theirs_together() {
        let turns = Turns::new();
        let reader = turns.take(Share::Readers, LONG);
        let other = turns.take(Share::Readers, LONG);
        assert!(reader.is_some() && other.is_some());
        assert!(turns.take(Share::Nobody, Duration::ZERO).is_none());
        drop((reader, other));
        let writer = turns.take(Share::Nobody, LONG);
        assert!(writer.is_some());
        for share in [Share::Readers, Share::Nobody] {
            assert!(turns.take(share, Duration::ZERO).is_none());
        }
        drop(writer);
        assert!(turns.take(Share::Nobody, Duration::ZERO).is_some());
    }

    #[test]
    fn everybody_who_waits_gets_a_turn() {
        let (turns, inside, most) = (Turns::new(), AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for thread in 0..16 {
                let (turns, inside, most) = (&turns, &inside, &most);
                scope.spawn(move || {
                    for round in 0..200 {
                        if (thread + round) % 3 == 0 {
                            let turn = turns.take(Share::Nobody, LONG);
                            most.fetch_max(
                                inside.fetch_add(1, Ordering::SeqCst) + 1,
                                Ordering::SeqCst,
                            );
                            inside.fetch_sub(1, Ordering::SeqCst);
                            assert!(turn.is_some());
                        } else {
                            assert!(turns.take(Share::Readers, LONG).is_some());
                        }
                    }
                });
            }
        });
        assert_eq!(most.into_inner(), 1);
    }
}
