//! Retries system calls after a temporary failure.

use std::ffi::OsStr;
use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

/// How many times a system call is retried that a signal or a concurrent rename interrupted.
pub(super) const RACES: usize = 128;

/// Retries a system call that a signal interrupted, a limited number of times.
pub(super) fn retry<T>(mut call: impl FnMut() -> rustix::io::Result<T>) -> rustix::io::Result<T> {
    for _ in 0..RACES {
        match call() {
            Err(Errno::INTR) => {}
            done => return done,
        }
    }
    call()
}

/// Opens a name in a directory, and retries if a signal interrupts the call.
pub(super) fn open_retrying(
    dir: &OwnedFd,
    name: &OsStr,
    flags: OFlags,
    mode: Mode,
) -> io::Result<OwnedFd> {
    Ok(retry(|| rustix::fs::openat(dir, name, flags, mode))?)
}
