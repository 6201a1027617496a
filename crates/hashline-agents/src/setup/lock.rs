//! The lock of setup: runs that write wait for each other, so that none overwrites what another put into a shared file.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::setup::error::SetupError;
use crate::setup::receipt::{FOLDER, make_private};

/// How long a setup waits for others.
const TIMEOUT: Duration = Duration::from_secs(20);
/// How long it waits between two attempts.
const INTERVAL: Duration = Duration::from_millis(10);

/// A lock against other setups, held until it is dropped. Without a state directory, or if that cannot be locked, setup writes without a
/// lock: a file that changed since it was read is not written in any case.
#[derive(Debug)]
#[must_use = "others wait only as long as it is held"]
pub struct SetupLock {
    _file: Option<File>,
}

impl SetupLock {
    /// Waits for the others that write with this state directory.
    ///
    /// # Errors
    ///
    /// If another one is not done in time.
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

/// Opens the folder of receipts itself, so that nothing is left behind.
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
