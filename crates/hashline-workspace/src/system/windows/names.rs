//! Decodes file names from their bytes, and recognises names that Windows would reinterpret.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

/// Characters that a file name cannot contain, or that make it a path, a stream or a pattern.
const TAKEN: &[u8] = b"\\/:*?\"<>|";

/// Names that mean a device in every folder and with every extension.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];

/// Prefixes of device names that end in a number, such as `COM1`.
const COUNTED: [&str; 2] = ["COM", "LPT"];
const NUMBERS: [&str; 13] = [
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "\u{b9}", "\u{b2}", "\u{b3}",
];

/// Returns the file name with these encoded bytes; `None` if they are not UTF-8, since no safe call decodes them.
pub(crate) fn from_encoded_bytes(bytes: &[u8]) -> Option<OsString> {
    let text = str::from_utf8(bytes).ok()?;
    Some(text.into())
}

/// Returns the path of a name in a folder. A name that Windows would reinterpret is refused.
pub(super) fn join(folder: &Path, name: &OsStr) -> io::Result<PathBuf> {
    if !is_plain(name) {
        return Err(io::ErrorKind::InvalidFilename.into());
    }
    Ok(folder.join(name))
}

/// Returns whether Windows uses a name as it is: no device, no stream, no trailing dots or spaces.
pub(super) fn is_plain(name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    let is_taken = |byte: &u8| *byte < b' ' || TAKEN.contains(byte);
    // Dots and spaces at the end are removed, so `..` and the empty name are refused too.
    let is_cut = bytes.last().is_none_or(|last| b". ".contains(last));
    !is_cut && !bytes.iter().any(is_taken) && !is_device(&name.to_string_lossy())
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let stem = stem.trim_end().to_ascii_uppercase();
    let mut numbers = COUNTED.iter().filter_map(|kind| stem.strip_prefix(kind));
    DEVICES.contains(&stem.as_str()) || numbers.any(|number| NUMBERS.contains(&number))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::is_plain;

    #[test]
    fn a_name_that_means_another_is_refused() {
        for name in [
            "",
            ".",
            "..",
            "a.",
            "a ",
            "a:b",
            "a\\b",
            "a/b",
            "a*",
            "\u{1}",
            "nul",
            "NUL.txt",
            "Con .rs",
            "com1",
            "LPT9.log",
            "com\u{b9}",
        ] {
            assert!(!is_plain(OsStr::new(name)), "{name:?}");
        }
        for name in [
            "a",
            ".git",
            "a.rs",
            "com",
            "com10",
            "nulls",
            "a b",
            "é",
            ".hl-0.new",
        ] {
            assert!(is_plain(OsStr::new(name)), "{name:?}");
        }
    }
}
