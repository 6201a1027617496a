//! The running total: how many bytes all logs take, and when room was last made.
//!
//! It is written before the bytes it counts, so a crash can only make it too high; making room counts anew.

use std::io;

use xxhash_rust::xxh3::xxh3_64;

use super::fields::Fields;
use super::folder::Folder;

/// What the running total says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Total {
    /// How many bytes all logs take, at most.
    pub(super) bytes: u64,
    /// When room was last made, in seconds since 1970.
    pub(super) swept: u64,
}

impl Total {
    /// Reads the total; nothing if there is none, or a damaged one.
    pub(super) fn read(folder: &Folder) -> Option<Self> {
        let mut stored = [0; 24];
        folder.read_total(&mut stored).ok()?;
        let mut fields = Fields(&stored);
        let mut next = || fields.word().map(u64::from_le_bytes);
        let (bytes, swept, sum) = (next()?, next()?, next()?);
        (sum == xxh3_64(&stored[..16])).then_some(Self { bytes, swept })
    }

    /// Writes the total.
    pub(super) fn write(self, folder: &Folder) -> io::Result<()> {
        let mut stored = [0; 24];
        stored[..8].copy_from_slice(&self.bytes.to_le_bytes());
        stored[8..16].copy_from_slice(&self.swept.to_le_bytes());
        let sum = xxh3_64(&stored[..16]);
        stored[16..].copy_from_slice(&sum.to_le_bytes());
        folder.write_total(&stored)
    }
}
