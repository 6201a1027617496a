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
