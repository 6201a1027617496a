//! Recognises kinds of I/O errors that the standard library does not distinguish.

use std::io;

/// The Windows error code for too many open files (`ERROR_TOO_MANY_OPEN_FILES`).
const TOO_MANY_OPEN_FILES: i32 = 4;

/// The error for a symbolic link that must not be followed. Windows itself opens such a link and reports no error.
#[derive(Debug, thiserror::Error)]
#[error("it is a link")]
struct IsLink;

/// Returns the error for a symbolic link that must not be followed.
pub(super) fn link() -> io::Error {
    io::Error::other(IsLink)
}

/// Returns whether a file was not opened because it is a symbolic link.
pub(crate) fn is_link(error: &io::Error) -> bool {
    (error.get_ref()).is_some_and(|inner| inner.is::<IsLink>())
}

/// Returns `false`: on Windows no device is opened as a file, because names of devices are refused before.
pub(crate) fn is_special(_error: &io::Error) -> bool {
    false
}

/// Returns whether a file was not opened because the process has too many open files.
pub(crate) fn is_too_many_open(error: &io::Error) -> bool {
    error.raw_os_error() == Some(TOO_MANY_OPEN_FILES)
}
