//! Which kind of error the system reports.

use std::io;

use rustix::io::Errno;

/// Returns whether the error is a link where none is followed, or links that form a loop.
pub(crate) fn is_link(error: &io::Error) -> bool {
    is(error, Errno::LOOP)
}

/// Returns whether the error is a socket or a device that was opened as a file.
pub(crate) fn is_special(error: &io::Error) -> bool {
    is(error, Errno::NXIO) || is(error, Errno::NODEV)
}

/// Returns whether the process or the system has too many open files.
pub(crate) fn is_too_many_open(error: &io::Error) -> bool {
    is(error, Errno::MFILE) || is(error, Errno::NFILE)
}

fn is(error: &io::Error, errno: Errno) -> bool {
    error.raw_os_error() == Some(errno.raw_os_error())
}
