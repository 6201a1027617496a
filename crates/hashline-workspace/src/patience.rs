//! Waiting for what others hold: tried again and again, more and more seldom.

use std::io;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::fs::FlockOperation;
use rustix::io::Errno;

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

    /// For what others hold for microseconds: asking often is fair and cheap.
    pub(crate) const FOR_NOTES: Self = Self {
        first: Duration::from_micros(20),
        longest: Duration::from_millis(1),
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

/// Takes a lock without waiting; nothing if somebody else has it.
pub(crate) fn try_lock(file: impl AsFd, operation: FlockOperation) -> io::Result<Option<()>> {
    match rustix::fs::flock(file, operation) {
        Ok(()) => Ok(Some(())),
        Err(Errno::WOULDBLOCK | Errno::INTR) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
