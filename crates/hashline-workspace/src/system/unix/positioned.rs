//! Reads and writes at an offset in a file.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// Reads some bytes; none at the end.
pub(crate) fn read(file: &File, into: &mut [u8], at: u64) -> io::Result<usize> {
    file.read_at(into, at)
}

/// Fills all of `into`.
pub(crate) fn read_exact(file: &File, into: &mut [u8], at: u64) -> io::Result<()> {
    file.read_exact_at(into, at)
}

/// Writes all bytes.
pub(crate) fn write_all(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    file.write_all_at(bytes, at)
}
