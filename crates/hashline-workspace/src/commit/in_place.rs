//! In place: bytes written over bytes, for a file that no other file can replace.
//!
//! The old and the new bytes both lie in the journal's folder, durable, before the first of them is written over. A reader may see a
//! mix until the last one is; so may whoever comes after a crash, and takes it back block by block.

use std::ffi::{OsStr, OsString};
use std::io;

use super::Durability;
use super::area::Area;
use super::entry::{NameState, is_no_file, name_state};
use super::journal::JournalRecord;
use super::staging::{MetadataSource, NotStaged, partial_name, stage, staging_name};
use crate::read::holds;
use crate::system::{FileKind, System, none_if_missing};

/// What a file system writes at once: a file broken off between two blocks holds old and new ones, never a mixed one.
const BLOCK: usize = 4096;

/// The copies of what one entry of a commit overwrites, in the journal's folder.
#[derive(Debug)]
pub(crate) struct Copies<'a, S: System> {
    area: &'a S::Dir,
    /// The place of the entry in the journal.
    entry: usize,
}

/// How far an overwriting got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overwritten {
    /// Not a byte of it: the copies are not complete.
    Unstaged,
    /// Nothing.
    Before,
    /// Some blocks are new.
    Torn,
    /// All of it.
    After,
    /// It was overwritten, and changed by somebody since.
    Other,
}

impl<'a, S: System> Copies<'a, S> {
    /// Names the copies of an entry, by its place in the journal.
    pub(crate) fn of(area: &'a Area<S>, entry: usize) -> Self {
        let area = area.dir();
        Self { area, entry }
    }

    /// Writes down what the file holds and what it is to hold.
    pub(super) fn stage(
        &self,
        system: &S,
        old: &[u8],
        new: &[u8],
        durability: Durability,
    ) -> Result<(), NotStaged> {
        let failed = |error| NotStaged::System("removing old copies", error);
        // No journal was there: what a power cut brought back belongs to nobody.
        self.remove(system).map_err(failed)?;
        for (name, bytes) in [(self.old_name(), old), (self.new_name(), new)] {
            stage(
                system,
                self.area,
                &name,
                bytes,
                &MetadataSource::PrivateFile,
                durability,
            )?;
        }
        Ok(())
    }

    /// Tells how far it got.
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
        let file = match system.open_file(dir, &record.name) {
            Ok(file) => file,
            // Gone, or a link by now: somebody did that.
            Err(error) if error.kind() == io::ErrorKind::NotFound || is_no_file(&error) => {
                return Ok(Overwritten::Other);
            }
            Err(error) => return Err(error),
        };
        let stat = system.stat(&file)?;
        if stat.kind != FileKind::File || stat.size > largest {
            return Ok(Overwritten::Other);
        }
        let target = system.read(&file, largest)?;
        let (old, new) = (
            self.read(system, &self.old_name())?,
            self.read(system, &self.new_name())?,
        );
        Ok(match () {
            () if target == old => Overwritten::Before,
            () if target == new => Overwritten::After,
            () if is_torn(&target, &old, &new) => Overwritten::Torn,
            () => Overwritten::Other,
        })
    }

    /// Writes the old bytes back.
    pub(super) fn put_back(&self, system: &S, dir: &S::Dir, name: &OsStr) -> io::Result<()> {
        let old = self.read(system, &self.old_name())?;
        overwrite(system, dir, name, &old, Durability::Full)
    }

    /// Writes the new bytes, whatever is there.
    pub(super) fn put(&self, system: &S, dir: &S::Dir, name: &OsStr) -> io::Result<()> {
        let new = self.read(system, &self.new_name())?;
        overwrite(system, dir, name, &new, Durability::Full)
    }

    /// Returns the name of the copy of the old bytes.
    pub(super) fn old_copy(&self) -> OsString {
        staging_name(&self.old_name())
    }

    /// Returns the name of the copy of the new bytes.
    pub(super) fn new_copy(&self) -> OsString {
        staging_name(&self.new_name())
    }

    /// Removes the copies.
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

/// What came of overwriting a file.
pub(super) enum OverwriteOutcome {
    /// It holds the new bytes.
    All,
    /// Somebody else's bytes stand there; they were left alone.
    Nothing,
}

/// Writes bytes over a file if it holds these, through one descriptor: what is compared is what is overwritten.
pub(super) fn overwrite_if<S: System>(
    system: &S,
    dir: &S::Dir,
    name: &OsStr,
    old: &[u8],
    new: &[u8],
    durability: Durability,
) -> io::Result<OverwriteOutcome> {
    let file = system.open_to_overwrite(dir, name)?;
    if !holds(system, &file, old)? {
        return Ok(OverwriteOutcome::Nothing);
    }
    system.write(&file, new)?;
    durability.sync(system, &file)?;
    let named = system.stat_at(dir, name)?.identity();
    // Whoever put another file there meanwhile has it; ours is the one that lost its name.
    Ok(if system.stat(&file)?.identity() == named {
        OverwriteOutcome::All
    } else {
        OverwriteOutcome::Nothing
    })
}

/// Writes bytes over a file, front to back.
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

/// Tells whether every block is an old or a new one: broken off by us, and touched by nobody else.
///
/// The size may be the old one or the new one whatever the blocks are. What lies between the end of the shorter bytes and the end of
/// the file is zero, or, before the file is cut, of the longer ones.
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
