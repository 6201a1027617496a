//! Decodes file names from their bytes, as the journal stores them.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

/// Returns the file name with these encoded bytes. On Unix all bytes are valid.
pub(crate) fn from_encoded_bytes(bytes: &[u8]) -> Option<OsString> {
    Some(OsString::from_vec(bytes.to_vec()))
}
