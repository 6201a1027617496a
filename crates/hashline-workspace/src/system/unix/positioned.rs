//! Reads and writes at an offset in a file.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use super::file_size;

/// Reads bytes from the offset `at`; returns how many were read, 0 at the end of the file.
pub(crate) fn read(file: &File, into: &mut [u8], at: u64) -> io::Result<usize> {
    file.read_at(into, at)
}

/// Reads from the offset `at` until `into` is full; fails if the file ends before.
pub(crate) fn read_exact(file: &File, into: &mut [u8], at: u64) -> io::Result<()> {
    file.read_exact_at(into, at)
}

/// Writes all bytes at the offset `at`; fails if that is beyond the limit on file sizes.
pub(crate) fn write_all(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    file_size::allow(at.saturating_add(bytes.len() as u64))?;
    file.write_all_at(bytes, at)
}
