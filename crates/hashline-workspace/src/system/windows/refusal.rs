//! What the system means by an error.

use std::fmt;
use std::io;

/// The number of the error for too many open files.
const TOO_MANY_OPEN_FILES: i32 = 4;

/// A link stands where none is followed. The system opens links as they are and says nothing.
#[derive(Debug)]
struct LinkStands;

impl fmt::Display for LinkStands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a link stands there")
    }
}

impl std::error::Error for LinkStands {}

/// Returns the error for a link where none is followed.
pub(super) fn link() -> io::Error {
    io::Error::other(LinkStands)
}

/// Returns whether a link stands where none is followed.
pub(crate) fn is_link(error: &io::Error) -> bool {
    (error.get_ref()).is_some_and(|inner| inner.is::<LinkStands>())
}

/// Returns whether a device stands where a file was to be opened: no path leads to one, names of devices are refused.
pub(crate) fn is_special(_error: &io::Error) -> bool {
    false
}

/// Returns whether no more files can be open at once.
pub(crate) fn is_too_many_open(error: &io::Error) -> bool {
    error.raw_os_error() == Some(TOO_MANY_OPEN_FILES)
}
