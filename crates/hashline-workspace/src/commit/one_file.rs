//! The commit of one file: stage, swap, compare, clean up. No journal is needed: at every moment the file is wholly old or wholly new.

use std::io;

use super::entry::CommitEntry;
use super::staging::staging_name;
use super::{Cleanup, CommitFault, Durability};
use crate::system::System;

/// Commits the change of one file. The caller holds the lock on the file's directory.
///
/// # Errors
///
/// The file is as it was, or as another program left it; only with `Stuck` it may hold the new bytes.
pub(crate) fn replace_one<S: System>(
    system: &S,
    entry: &CommitEntry<'_, S>,
    durability: Durability,
) -> Result<Cleanup, CommitFault> {
    entry.stage(system, durability)?;
    swap(system, entry, durability).map_err(|why| undone(system, entry, why))?;
    // From here on the commit is made, whatever happens: a leftover is removed by the next command.
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
) -> Result<(), CommitFault> {
    entry.swap(system, durability)?;
    durability
        .sync_dir(system, entry.dir)
        .map_err(CommitFault::system("making the swap durable"))?;
    // Syncing takes long enough for another program to write to the old file, which it may have opened before the swap. Then the
    // displaced file holds its bytes, and is put back.
    entry.check_displaced(system)
}

/// Undoes a failed swap; returns the fault to report, which is `Stuck` if undoing failed too.
fn undone<S: System>(system: &S, entry: &CommitEntry<'_, S>, why: CommitFault) -> CommitFault {
    match why {
        CommitFault::Changed | CommitFault::Taken => {
            // The swap was not made, or was undone already: only the staging file is left.
            entry.discard(system);
            why
        }
        why if entry.roll_back(system) => why,
        _ => CommitFault::Stuck,
    }
}
