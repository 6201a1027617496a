//! Reads and writes at an offset in a file. On Windows this also moves the file position, which no caller relies on.

use std::fs::File;
use std::io;
use std::os::windows::fs::FileExt;

/// Reads bytes from the offset `at`; returns how many were read, 0 at the end of the file.
pub(crate) fn read(file: &File, into: &mut [u8], at: u64) -> io::Result<usize> {
    file.seek_read(into, at)
}

/// Reads from the offset `at` until `into` is full; fails if the file ends before.
pub(crate) fn read_exact(file: &File, into: &mut [u8], at: u64) -> io::Result<()> {
    let mut filled = 0;
    while filled < into.len() {
        match file.seek_read(&mut into[filled..], at + filled as u64)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => filled += count,
        }
    }
    Ok(())
}

/// Writes all bytes at the offset `at`.
pub(crate) fn write_all(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    let mut written = 0;
    while written < bytes.len() {
        match file.seek_write(&bytes[written..], at + written as u64)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            count => written += count,
        }
    }
    Ok(())
}
