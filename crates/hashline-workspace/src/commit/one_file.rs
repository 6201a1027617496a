//! The commit of one file: stage, swap, compare, clean up. It needs no journal: at every moment the file is wholly old or wholly new.

use std::io;

use super::entry::{CommitEntry, Swap};
use super::staging::staging_name;
use super::{Cleanup, CommitFailure, Durability};
use crate::system::System;

/// Replaces or creates one file. The caller holds the lock on its directory.
///
/// # Errors
///
/// The file is as it was, or as another program left it; only with `Stuck` it may be new.
pub(crate) fn replace_one<S: System>(
    system: &S,
    entry: &CommitEntry<'_, S>,
    durability: Durability,
) -> Result<Cleanup, CommitFailure> {
    let staged = entry.stage(system, durability);
    staged.map_err(|why| why.at(0))?;
    swap(system, entry, durability)?;
    durability
        .sync_dir(system, entry.dir)
        .map_err(|error| give_up(system, entry, "making the swap durable", error))?;
    // Locks keep out other hashline processes only. An editor may have saved the file between our last read and the swap; then the
    // displaced file holds its bytes, and goes back.
    match entry.check_displaced(system) {
        Ok(Swap::Done) => {}
        Ok(Swap::Changed | Swap::Taken) => {
            entry.discard(system);
            return Err(CommitFailure::Changed(0));
        }
        Err(error) => return Err(give_up(system, entry, "comparing the old file", error)),
    }
    // From here on the commit stands, whatever happens: a leftover is removed by the next command.
    let displaced = system.unlink(entry.dir, &staging_name(&entry.name));
    Ok(match displaced {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Cleanup::Left,
        _ => Cleanup::Done,
    })
}

fn swap<S: System>(
    system: &S,
    entry: &CommitEntry<'_, S>,
    durability: Durability,
) -> Result<(), CommitFailure> {
    let failed = match entry.swap(system, durability) {
        Ok(Swap::Done) => return Ok(()),
        Ok(Swap::Changed) => CommitFailure::Changed(0),
        Ok(Swap::Taken) => CommitFailure::Taken(0),
        Err(error) => return Err(give_up(system, entry, "swapping the files", error)),
    };
    entry.discard(system);
    Err(failed)
}

fn give_up<S: System>(
    system: &S,
    entry: &CommitEntry<'_, S>,
    doing: &'static str,
    error: io::Error,
) -> CommitFailure {
    if entry.take_back(system) {
        CommitFailure::System(0, doing, error)
    } else {
        CommitFailure::Stuck
    }
}
