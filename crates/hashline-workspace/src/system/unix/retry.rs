//! System calls that are retried after a temporary failure.

use std::ffi::OsStr;
use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

/// How often a call is retried that a signal or a concurrent rename interrupted.
pub(super) const RACES: usize = 128;

/// Retries a call that a signal interrupted, but not for ever.
pub(super) fn retry<T>(mut call: impl FnMut() -> rustix::io::Result<T>) -> rustix::io::Result<T> {
    for _ in 0..RACES {
        match call() {
            Err(Errno::INTR) => {}
            done => return done,
        }
    }
    call()
}

/// Opens a name in a directory.
pub(super) fn open_retrying(
    dir: &OwnedFd,
    name: &OsStr,
    flags: OFlags,
    mode: Mode,
) -> io::Result<OwnedFd> {
    Ok(retry(|| rustix::fs::openat(dir, name, flags, mode))?)
}
