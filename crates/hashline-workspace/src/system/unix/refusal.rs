//! Recognises kinds of I/O errors that the standard library does not distinguish.

use std::io;

use rustix::io::Errno;

/// Returns whether a file was not opened because it is a symbolic link, or because links form a loop.
pub(crate) fn is_link(error: &io::Error) -> bool {
    is(error, Errno::LOOP)
}

/// Returns whether a file was not opened because it is a socket or a device.
pub(crate) fn is_special(error: &io::Error) -> bool {
    is(error, Errno::NXIO) || is(error, Errno::NODEV)
}

/// Returns whether a file was not opened because the process or the system has too many open files.
pub(crate) fn is_too_many_open(error: &io::Error) -> bool {
    is(error, Errno::MFILE) || is(error, Errno::NFILE)
}

fn is(error: &io::Error, errno: Errno) -> bool {
    error.raw_os_error() == Some(errno.raw_os_error())
}
