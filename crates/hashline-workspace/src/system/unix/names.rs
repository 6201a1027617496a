//! Names from their encoded bytes, as the journal stores them.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

/// Returns the name with these encoded bytes; `None` if there is none.
pub(crate) fn from_encoded_bytes(bytes: &[u8]) -> Option<OsString> {
    Some(OsString::from_vec(bytes.to_vec()))
}
