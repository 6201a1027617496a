//! A file descriptor that the caller left open, by its number: read where it stands, a socket too. (To open it anew by its name in
//! `/dev/fd` would begin a file from its start, and cannot be done with a socket.)

#![allow(
    unsafe_code,
    reason = "no safe call takes the number of a descriptor; the use says why it is sound"
)]

use std::fs::File;
use std::io;
use std::os::fd::{BorrowedFd, RawFd};

/// Returns a copy of the descriptor, so that nobody else's is closed. To be called before the program opens anything of its own.
pub(super) fn open(number: u32) -> io::Result<File> {
    let number = RawFd::try_from(number).map_err(|_| io::ErrorKind::InvalidInput)?;
    // SAFETY: the number is not -1, and is handed to nothing but the call that copies a descriptor: one that is not open is refused by it.
    // Nothing else runs yet that could close it meanwhile.
    let caller = unsafe { BorrowedFd::borrow_raw(number) };
    caller.try_clone_to_owned().map(File::from)
}
