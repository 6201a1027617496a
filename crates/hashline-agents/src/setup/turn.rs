//! Setups take turns: one that writes waits until another is done, so that several at once all land in a file that they share.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::setup::error::Refused;
use crate::setup::receipt::{FOLDER, make_private};

/// How long a setup waits for others.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long it waits between two looks.
const PAUSE: Duration = Duration::from_millis(10);

/// The right to write, until it is dropped. Where there is no state directory, or no lock in it, everybody has it: a file that changed
/// since it was read is not written all the same.
#[derive(Debug)]
#[must_use = "others wait only as long as it is held"]
pub struct Turn {
    _lock: Option<File>,
}

impl Turn {
    /// Waits for the others that write with this state directory.
    ///
    /// # Errors
    ///
    /// If another one is not done in time.
    pub fn wait(state: Option<&Path>) -> Result<Self, Refused> {
        let path = state.map(|state| state.join(FOLDER)).unwrap_or_default();
        let Some(Ok(file)) = state.map(|_| open(&path)) else {
            return Ok(Self { _lock: None });
        };
        let begin = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Self { _lock: Some(file) }),
                Err(TryLockError::WouldBlock) if begin.elapsed() < PATIENCE => {
                    std::thread::sleep(PAUSE);
                }
                Err(TryLockError::WouldBlock) => return Err(Refused::Busy { path }),
                Err(TryLockError::Error(_)) => return Ok(Self { _lock: None }),
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
