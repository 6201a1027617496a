//! Limits on sizes and times. The user can set all of them; a request can set none.

use std::time::Duration;

/// Limits on sizes, counts and waiting times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest file, in bytes.
    pub file: u64,
    /// The most bytes of all files of one request: those it reads, and those it writes.
    pub total: u64,
    /// The longest line, in bytes.
    pub line: usize,
    /// The most files in one request.
    pub files: usize,
    /// The most edits in one request.
    pub edits: usize,
    /// The longest request, in bytes.
    pub body: usize,
    /// The deepest nesting of a request's JSON.
    pub json_depth: usize,
    /// The longest regular expression, in bytes.
    pub pattern: usize,
    /// The most memory a compiled regular expression may use, in bytes.
    pub compiled_pattern: usize,
    /// How much of a line a search looks at, in bytes.
    pub searched_line: usize,
    /// How long to wait for a lock before an edit fails.
    pub lock_wait: Duration,
    /// How long a read waits for a lock before it reads without one.
    pub reader_wait: Duration,
    /// How long one request may take.
    pub request_time: Duration,
}

impl Limits {
    /// Returns the largest file that can have been written under these limits: what was read, and what a request adds to it.
    pub(crate) fn largest_written(&self) -> u64 {
        self.file.saturating_mul(2)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file: 64 << 20,
            total: 256 << 20,
            line: 1 << 20,
            files: 256,
            edits: 1000,
            body: 8 << 20,
            json_depth: 64,
            pattern: 4 << 10,
            compiled_pattern: 1 << 20,
            searched_line: 64 << 10,
            lock_wait: Duration::from_secs(10),
            reader_wait: Duration::from_secs(2),
            request_time: Duration::from_secs(30),
        }
    }
}
