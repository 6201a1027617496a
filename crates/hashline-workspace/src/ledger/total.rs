//! The running total: how many bytes all logs take, and how far making room has come.
//!
//! It is written before the bytes it counts, so a crash can only make it too high; every round of making room counts anew.

use std::io;

use xxhash_rust::xxh3::xxh3_64;

use super::fields::Fields;
use super::folder::LedgerFolder;

/// Bytes of the total on disk.
const STORED: usize = 40;

/// What the running total says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Total {
    /// How many bytes all logs take, at most.
    pub(super) bytes: u64,
    /// When the last round that has ended began, in seconds since 1970: what was too old then is gone.
    pub(super) swept: u64,
    /// When this round began.
    pub(super) begun: u64,
    /// Where the next step begins, by the names of logs.
    pub(super) next: u64,
}

impl Total {
    /// Reads the total; nothing if there is none, or a damaged one.
    pub(super) fn read(folder: &LedgerFolder) -> Option<Self> {
        let mut stored = [0; STORED];
        folder.read_total(&mut stored).ok()?;
        let mut fields = Fields(&stored);
        let mut number = || fields.word().map(u64::from_le_bytes);
        let (bytes, swept) = (number()?, number()?);
        let (begun, next, sum) = (number()?, number()?, number()?);
        (sum == xxh3_64(&stored[..STORED - 8])).then_some(Self {
            bytes,
            swept,
            begun,
            next,
        })
    }

    /// Counts what all logs take. When room was made is not known then: it is due.
    pub(super) fn count(folder: &LedgerFolder) -> io::Result<Self> {
        let logs = folder.logs()?;
        Ok(Self {
            bytes: logs.iter().map(|name| folder.size(name)).sum(),
            swept: 0,
            begun: 0,
            next: 0,
        })
    }

    /// Writes the total.
    pub(super) fn write(self, folder: &LedgerFolder) -> io::Result<()> {
        let mut stored = [0; STORED];
        for (place, number) in stored
            .chunks_mut(8)
            .zip([self.bytes, self.swept, self.begun, self.next])
        {
            place.copy_from_slice(&number.to_le_bytes());
        }
        let sum = xxh3_64(&stored[..STORED - 8]);
        stored[STORED - 8..].copy_from_slice(&sum.to_le_bytes());
        folder.write_total(&stored)
    }
}
