//! The limit on the size of files: Windows has none that kills the process.

use std::io;

/// Allows every write; the system call fails if it cannot be done.
pub(crate) fn allow(_end: u64) -> io::Result<()> {
    Ok(())
}
