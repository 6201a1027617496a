//! What the system means by an error.

use std::io;

use rustix::io::Errno;

/// Returns whether a link stands where none is followed, or links go in a circle.
pub(crate) fn is_link(error: &io::Error) -> bool {
    is(error, Errno::LOOP)
}

/// Returns whether a socket or a device stands where a file was to be opened.
pub(crate) fn is_special(error: &io::Error) -> bool {
    is(error, Errno::NXIO) || is(error, Errno::NODEV)
}

/// Returns whether no more files can be open at once.
pub(crate) fn is_too_many_open(error: &io::Error) -> bool {
    is(error, Errno::MFILE) || is(error, Errno::NFILE)
}

fn is(error: &io::Error, errno: Errno) -> bool {
    error.raw_os_error() == Some(errno.raw_os_error())
}
