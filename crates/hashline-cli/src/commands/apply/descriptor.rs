//! Reading a request from a file descriptor that the calling process left open, from its current position; it may be a socket. (Opening `/dev/fd/N`
//! instead would read a file from its start, and fails for a socket.)

#![allow(
    unsafe_code,
    reason = "no safe call takes the number of a descriptor; the use says why it is sound"
)]

use std::fs::File;
use std::io;
use std::os::fd::{BorrowedFd, RawFd};

/// Returns a duplicate of the descriptor, so that the original is never closed by us. Must be called before the program opens files of its own.
pub(super) fn open(number: u32) -> io::Result<File> {
    let number = RawFd::try_from(number).map_err(|_| io::ErrorKind::InvalidInput)?;
    // SAFETY: the number is not -1, and is handed to nothing but the call that copies a descriptor: one that is not open is refused by it.
    // Nothing else runs yet that could close it meanwhile.
    let caller = unsafe { BorrowedFd::borrow_raw(number) };
    caller.try_clone_to_owned().map(File::from)
}
