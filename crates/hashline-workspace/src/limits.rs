//! Limits on sizes, counts and times. Only the user can set them; a request cannot.

use std::time::Duration;

/// Limits on sizes, counts and waiting times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The size limit of one file, in bytes.
    pub file: u64,
    /// The size limit of all files of one request together, in bytes; applies to the files that it reads and to those that it writes.
    pub total: u64,
    /// The length limit of a line, in bytes.
    pub line: usize,
    /// The maximum number of files in one request.
    pub files: usize,
    /// The maximum number of edits in one request.
    pub edits: usize,
    /// The size limit of a request, in bytes.
    pub body: usize,
    /// The deepest nesting of a request's JSON.
    pub json_depth: usize,
    /// The length limit of a regular expression in a search, in bytes.
    pub pattern: usize,
    /// The maximum memory a compiled regular expression may use, in bytes.
    pub compiled_pattern: usize,
    /// How many bytes of a line, from its beginning, a search looks at.
    pub searched_line: usize,
    /// How long an edit waits for locks before it fails with `busy`.
    pub lock_wait: Duration,
    /// How long a read waits for a lock before it reads without one.
    pub reader_wait: Duration,
    /// How long one request may take.
    pub request_time: Duration,
}

impl Limits {
    /// Returns how large a file can be that a commit wrote: twice the size limit, because a request adds text to a file that was read.
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
