//! Which kind of error the system reports.

use std::io;

/// The number of the error for too many open files.
const TOO_MANY_OPEN_FILES: i32 = 4;

/// A link where none is followed. Windows opens links as they are and reports no error.
#[derive(Debug, thiserror::Error)]
#[error("it is a link")]
struct IsLink;

/// Returns the error for a link where none is followed.
pub(super) fn link() -> io::Error {
    io::Error::other(IsLink)
}

/// Returns whether the error is a link where none is followed.
pub(crate) fn is_link(error: &io::Error) -> bool {
    (error.get_ref()).is_some_and(|inner| inner.is::<IsLink>())
}

/// Returns whether the error is a device that was opened as a file. It never is: names of devices are refused before.
pub(crate) fn is_special(_error: &io::Error) -> bool {
    false
}

/// Returns whether no more files can be open at once.
pub(crate) fn is_too_many_open(error: &io::Error) -> bool {
    error.raw_os_error() == Some(TOO_MANY_OPEN_FILES)
}
