//! Overwriting a file in place, for a file that cannot be replaced by a new one (for example because of its hard links).
//!
//! Synced copies of the old and the new bytes are in the `.hashline` folder before the first byte is overwritten. Until the last byte is
//! written, a reader may see a mix of both. After a crash the file may stay a mix of old and new blocks; recovery recognises such a mix and
//! restores the old bytes.

use std::ffi::{OsStr, OsString};
use std::io;

use super::area::Area;
use super::entry::{NameState, name_state, read_if_file};
use super::journal::JournalRecord;
use super::staging::{partial_name, stage, staging_name};
use super::{CommitFault, Durability};
use crate::read::holds;
use crate::system::{FileAccess, System, none_if_missing};

/// The size of the blocks that a file system writes: after a crash every block is wholly old or wholly new.
const BLOCK: usize = 4096;

/// The copies of the old and new bytes of one overwritten file, in the `.hashline` folder.
#[derive(Debug)]
pub(crate) struct Copies<'a, S: System> {
    area: &'a S::Dir,
    /// The index of the file's record in the journal, which is part of the names of the copies.
    entry: usize,
}

/// How much of a file was overwritten before the commit was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overwritten {
    /// Nothing was overwritten, and the copies of the old and new bytes are incomplete.
    Unstaged,
    /// Nothing was overwritten, and the copies of the old and new bytes are complete.
    Before,
    /// Some blocks of the file are old and some are new.
    Torn,
    /// All bytes of the file are new.
    After,
    /// The file holds neither old nor new bytes nor a mix: another program changed it.
    Other,
}

impl<'a, S: System> Copies<'a, S> {
    /// Returns a handle for the copies of a file's old and new bytes, by the index of its record in the journal.
    pub(crate) fn of(area: &'a Area<S>, entry: usize) -> Self {
        let area = area.dir();
        Self { area, entry }
    }

    /// Writes the copies of the old and the new bytes.
    pub(super) fn stage(
        &self,
        system: &S,
        old: &[u8],
        new: &[u8],
        durability: Durability,
    ) -> Result<(), CommitFault> {
        // There was no journal, so copies that are still here, after a power cut say, belong to no commit.
        self.remove(system)
            .map_err(CommitFault::system("removing old copies"))?;
        // Both, because recovery has to tell old, new and torn blocks apart, and to write either version.
        for (name, bytes) in [(self.old_name(), old), (self.new_name(), new)] {
            stage(
                system,
                self.area,
                &name,
                bytes,
                None,
                FileAccess::Private,
                durability,
            )?;
        }
        Ok(())
    }

    /// Compares the file with its copies; returns how much of it was overwritten.
    pub(super) fn found(
        &self,
        system: &S,
        dir: &S::Dir,
        record: &JournalRecord,
        largest: u64,
    ) -> io::Result<Overwritten> {
        let staged = |name: &OsStr| name_state(system, self.area, &staging_name(name), largest);
        let complete = [(self.old_name(), record.old), (self.new_name(), record.new)];
        for (name, digest) in complete {
            if !matches!((staged(&name)?, digest), (NameState::File(a), Some(b)) if a == b) {
                return Ok(Overwritten::Unstaged);
            }
        }
        let target = none_if_missing(read_if_file(system, dir, &record.name, largest))?;
        let Some(target) = target.flatten() else {
            // Deleted, or replaced by a link: another program did that.
            return Ok(Overwritten::Other);
        };
        let (old, new) = (
            self.read(system, &self.old_name())?,
            self.read(system, &self.new_name())?,
        );
        Ok(match target {
            _ if target == old => Overwritten::Before,
            _ if target == new => Overwritten::After,
            _ if is_torn(&target, &old, &new) => Overwritten::Torn,
            _ => Overwritten::Other,
        })
    }

    /// Overwrites the file with the old bytes from their copy.
    pub(super) fn put_back(&self, system: &S, dir: &S::Dir, name: &OsStr) -> io::Result<()> {
        let old = self.read(system, &self.old_name())?;
        overwrite(system, dir, name, &old, Durability::Full)
    }

    /// Overwrites the file with the new bytes from their copy, whatever the file holds now.
    pub(super) fn put(&self, system: &S, dir: &S::Dir, name: &OsStr) -> io::Result<()> {
        let new = self.read(system, &self.new_name())?;
        overwrite(system, dir, name, &new, Durability::Full)
    }

    /// Returns the file name of the copy of the old bytes.
    pub(super) fn old_copy(&self) -> OsString {
        staging_name(&self.old_name())
    }

    /// Returns the file name of the copy of the new bytes.
    pub(super) fn new_copy(&self) -> OsString {
        staging_name(&self.new_name())
    }

    /// Removes the copies of the old and new bytes, complete or not.
    pub(super) fn remove(&self, system: &S) -> io::Result<()> {
        for name in [self.old_name(), self.new_name()] {
            for staged in [staging_name(&name), partial_name(&name)] {
                none_if_missing(system.unlink(self.area, &staged))?;
            }
        }
        Ok(())
    }

    fn read(&self, system: &S, name: &OsStr) -> io::Result<Vec<u8>> {
        let file = system.open_file(self.area, &staging_name(name))?;
        system.read(&file, u64::MAX)
    }

    fn old_name(&self) -> OsString {
        format!("{}.old", self.entry).into()
    }

    fn new_name(&self) -> OsString {
        format!("{}.new", self.entry).into()
    }
}

/// Overwrites a file with `new` if it holds `old`; returns whether it was overwritten. Returns `false` if another program changed or
/// replaced the file; the other program's bytes are kept. The file is opened once, so that the file that is compared is the file that is
/// overwritten.
pub(super) fn overwrite_if<S: System>(
    system: &S,
    dir: &S::Dir,
    name: &OsStr,
    old: &[u8],
    new: &[u8],
    durability: Durability,
) -> io::Result<bool> {
    let file = system.open_to_overwrite(dir, name)?;
    if !holds(system, &file, old)? {
        return Ok(false);
    }
    system.write(&file, new)?;
    durability.sync(system, &file)?;
    let named = system.stat_at(dir, name)?.identity();
    // If another program replaced the file in the meantime, we wrote to a file that has lost its name.
    Ok(system.stat(&file)?.identity() == named)
}

/// Overwrites a file with these bytes, and syncs it unless `durability` is `Fast`.
pub(super) fn overwrite<S: System>(
    system: &S,
    dir: &S::Dir,
    name: &OsStr,
    bytes: &[u8],
    durability: Durability,
) -> io::Result<()> {
    let file = system.open_to_overwrite(dir, name)?;
    system.write(&file, bytes)?;
    durability.sync(system, &file)
}

/// Returns whether every block of a file is old or new: our write was interrupted, and no other program touched the file.
///
/// The size of the file may be the old or the new one, whatever the blocks are. Beyond the end of the shorter version the file holds zeros
/// or, before it was truncated, bytes of the longer version.
fn is_torn(found: &[u8], old: &[u8], new: &[u8]) -> bool {
    let sizes = old.len().min(new.len())..=old.len().max(new.len());
    let longer = std::cmp::max_by_key(old, new, |bytes| bytes.len());
    let ways = [(old, longer), (old, &[]), (new, longer), (new, &[])];
    sizes.contains(&found.len())
        && (0..found.len()).step_by(BLOCK).all(|start| {
            let block = start..found.len().min(start + BLOCK);
            ways.iter().any(|(bytes, tail): &(&[u8], &[u8])| {
                let expected = |at: usize| bytes.get(at).or(tail.get(at)).copied().unwrap_or(0);
                block.clone().all(|at| found[at] == expected(at))
            })
        })
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, is_torn};

    #[test]
    fn a_file_is_torn_by_us_only_if_every_block_is_old_or_new() {
        let (old, new) = (vec![b'o'; 3 * BLOCK + 7], vec![b'n'; 2 * BLOCK + 9]);
        let mixed = |sizes: &[(u8, usize)]| -> Vec<u8> {
            sizes
                .iter()
                .flat_map(|&(byte, size)| vec![byte; size])
                .collect()
        };
        let cases = [
            (mixed(&[(b'n', BLOCK), (b'o', 2 * BLOCK + 7)]), true),
            (mixed(&[(b'n', 2 * BLOCK), (b'o', BLOCK + 7)]), true),
            (mixed(&[(b'o', BLOCK), (b'n', BLOCK + 9)]), true),
            (mixed(&[(b'n', BLOCK), (b'x', 2 * BLOCK + 7)]), false),
            (mixed(&[(b'n', 2 * BLOCK + 9), (b'o', BLOCK - 2)]), true),
            (mixed(&[(b'n', 9), (b'o', 3 * BLOCK - 2)]), false),
            (mixed(&[(b'o', 4 * BLOCK)]), false),
            (mixed(&[(b'n', BLOCK)]), false),
        ];
        for (found, expected) in cases {
            assert_eq!(is_torn(&found, &old, &new), expected, "{}", found.len());
        }
    }
}
