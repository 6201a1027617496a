//! A lock that makes concurrent runs of setup wait for each other, so that none overwrites what another wrote into the same file.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::setup::error::SetupError;
use crate::setup::receipt::{FOLDER, make_private};

/// How long setup waits for the lock while another setup holds it.
const TIMEOUT: Duration = Duration::from_secs(20);
/// The pause between two attempts to take the lock.
const INTERVAL: Duration = Duration::from_millis(10);

/// A lock that keeps other setups from writing until it is dropped. If there is no state directory, or the lock cannot be taken for another reason
/// than a running setup, setup continues without a lock: a file that changed since it was read is never overwritten anyway.
#[derive(Debug)]
#[must_use = "others wait only as long as it is held"]
pub struct SetupLock {
    _file: Option<File>,
}

impl SetupLock {
    /// Takes the lock of a state directory, and waits if another setup holds it.
    ///
    /// # Errors
    ///
    /// If another setup still holds the lock after 20 seconds.
    pub fn acquire(state: Option<&Path>) -> Result<Self, SetupError> {
        let path = state.map(|state| state.join(FOLDER)).unwrap_or_default();
        let Some(Ok(file)) = state.map(|_| open(&path)) else {
            return Ok(Self { _file: None });
        };
        let begin = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _file: Some(file) }),
                Err(TryLockError::WouldBlock) if begin.elapsed() < TIMEOUT => {
                    std::thread::sleep(INTERVAL);
                }
                Err(TryLockError::WouldBlock) => return Err(SetupError::Busy(path)),
                Err(TryLockError::Error(_)) => return Ok(Self { _file: None }),
            }
        }
    }
}

/// Opens the folder of the receipts, which is locked itself: on Unix no separate lock file is needed.
#[cfg(unix)]
fn open(folder: &Path) -> io::Result<File> {
    make_private(folder)?;
    File::open(folder)
}

#[cfg(not(unix))]
fn open(folder: &Path) -> io::Result<File> {
    make_private(folder)?;
    let mut options = File::options();
    let options = options.create(true).truncate(false).write(true);
    options.open(folder.join("lock"))
}
