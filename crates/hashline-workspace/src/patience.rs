//! Waiting for what others hold: tried again and again, more and more seldom, or in turn.

use std::fs::{File, TryLockError};
use std::io;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::system::Share;

/// How somebody waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// The pause after the first try; each further one is twice as long.
    pub(crate) first: Duration,
    /// No pause is longer.
    pub(crate) longest: Duration,
}

impl Patience {
    /// For what others hold as long as it takes to write files.
    pub(crate) const FOR_FILES: Self = Self {
        first: Duration::from_micros(200),
        longest: Duration::from_millis(20),
    };

    /// Tries until it succeeds; nothing once the deadline has passed.
    pub(crate) fn until<T>(
        self,
        deadline: Instant,
        mut attempt: impl FnMut() -> io::Result<Option<T>>,
    ) -> io::Result<Option<T>> {
        let mut pause = self.first;
        loop {
            if let Some(done) = attempt()? {
                return Ok(Some(done));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            std::thread::sleep(pause.min(left));
            pause = (pause * 2).min(self.longest);
        }
    }
}

/// Takes a lock on an open file, in the order of those who wait for it as far as the system keeps one; nothing if that takes longer
/// than `wait`. The lock goes with the file.
///
/// Whoever asks again and again instead can be overtaken for seconds on a machine that has much to do.
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
    thread::Builder::new().spawn(move || {
        let locked = wait_in_turn(&file, share);
        // Where nobody waits any more, the file is dropped and the lock with it.
        let _ = sender.send(locked.map(|()| file));
    })?;
    match receiver.recv_timeout(wait) {
        Ok(locked) => Ok(Some(locked?)),
        Err(_) => Ok(None),
    }
}

fn wait_in_turn(file: &File, share: Share) -> io::Result<()> {
    loop {
        let locked = match share {
            Share::Readers => file.lock_shared(),
            Share::Nobody => file.lock(),
        };
        match locked {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}
