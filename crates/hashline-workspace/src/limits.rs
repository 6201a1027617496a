//! How much is taken. All of it can be set at the start, none of it by a request.

use std::time::Duration;

/// Bounds on what is read, and for how long is waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest file, in bytes.
    pub file: u64,
    /// The longest line, in bytes.
    pub line: usize,
    /// The most files in one request.
    pub files: usize,
    /// How long a lock is waited for.
    pub lock_wait: Duration,
    /// How long a reader waits for one before it reads without.
    pub reader_wait: Duration,
}

impl Limits {
    /// Returns the most bytes of a file that can have been written under these bounds: what was read, and what a request adds to it.
    pub(crate) fn largest_written(&self) -> u64 {
        self.file.saturating_mul(2)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file: 64 << 20,
            line: 1 << 20,
            files: 256,
            lock_wait: Duration::from_secs(10),
            reader_wait: Duration::from_secs(2),
        }
    }
}
