//! The file of the counters: two slots, written in turn.
//!
//! A slot is `turn | length | checksum | lines`. The valid one with the higher turn counts; the next is written over the other. So a
//! process that dies while it writes leaves the counts before it whole, and the file never grows beyond two slots. A lock on the file
//! keeps processes apart; the kernel drops it when one dies. Nothing is made durable: a power cut may cost counts.

use std::fs::File;
use std::io;

use xxhash_rust::xxh3::xxh3_64;

use super::counts::Counts;
use crate::system::positioned;

/// Bytes of a slot.
pub(super) const SLOT: usize = 32 << 10;
/// Bytes of a slot before its lines.
const HEAD: usize = 24;

/// What the file says.
#[derive(Debug)]
pub(super) enum StoredCounts {
    /// Counts, and whose turn it was.
    Counts(Counts, u64),
    /// Nothing yet.
    Nothing,
    /// No slot is whole.
    Damaged,
}

/// Reads the file.
pub(super) fn read(file: &File) -> io::Result<StoredCounts> {
    let mut bytes = vec![0; 2 * SLOT];
    let mut filled = 0;
    loop {
        match positioned::read(file, &mut bytes[filled..], filled as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let slots = bytes[..filled].chunks(SLOT).filter_map(open);
    let newest = slots.max_by_key(|(_, turn)| *turn);
    Ok(match newest {
        Some((counts, turn)) => StoredCounts::Counts(counts, turn),
        None if filled == 0 => StoredCounts::Nothing,
        None => StoredCounts::Damaged,
    })
}

/// Writes counts over the older slot.
pub(super) fn write(file: &File, counts: &Counts, turn: u64) -> io::Result<()> {
    let lines = counts.lines();
    if HEAD + lines.len() > SLOT {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut slot = Vec::with_capacity(HEAD + lines.len());
    slot.extend_from_slice(&turn.to_le_bytes());
    slot.extend_from_slice(&(lines.len() as u64).to_le_bytes());
    slot.extend_from_slice(&sum(turn, lines.as_bytes()).to_le_bytes());
    slot.extend_from_slice(lines.as_bytes());
    positioned::write_all(file, &slot, (turn % 2) * SLOT as u64)
}

fn open(slot: &[u8]) -> Option<(Counts, u64)> {
    let (turn, rest) = slot.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let (own, rest) = rest.split_first_chunk()?;
    let turn = u64::from_le_bytes(*turn);
    let lines = rest.get(..usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    let whole = sum(turn, lines) == u64::from_le_bytes(*own);
    whole
        .then(|| Counts::read(lines))
        .flatten()
        .map(|counts| (counts, turn))
}

/// The length is part of it: a shorter slice has another sum.
fn sum(turn: u64, lines: &[u8]) -> u64 {
    xxh3_64(lines) ^ xxh3_64(&turn.to_le_bytes())
}
