//! The limit on the size of files: there is none that kills who meets it.

use std::io;

/// Allows every write; the system refuses by itself.
pub(crate) fn allow(_end: u64) -> io::Result<()> {
    Ok(())
}
