//! The commit of several files: write the journal, stage all files, swap them one after the other, rename the journal.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;

use super::area::{Area, DONE, JOURNAL, UNFINISHED};
use super::entry::{CommitAction, CommitEntry, Digest};
use super::journal::{Journal, JournalRecord, WriteMethod};
use super::settle::{SettleAim, Settled, settle};
use super::staging::staging_name;
use super::{Cleanup, CommitFailure, CommitFault, Durability};
use crate::deadline::Deadline;
use crate::path::Protection;
use crate::root::FilePlace;
use crate::system::{FileAccess, System};

/// One file of a commit, before its missing directories are created.
#[derive(Debug)]
pub(crate) struct Planned<'a, S: System> {
    pub(crate) place: &'a FilePlace<S>,
    pub(crate) action: CommitAction<'a, S>,
}

/// What a commit or a recovery in one root needs: the root, its `.hashline` folder, settings and limits.
pub(crate) struct CommitSite<'a, S: System> {
    pub(crate) system: &'a S,
    pub(crate) root: &'a S::Dir,
    pub(crate) area: &'a Area<S>,
    pub(crate) protection: &'a Protection,
    pub(crate) durability: Durability,
    pub(crate) deadline: Deadline<'a>,
    /// The size limit of files in bytes. Recovery does not read a larger file, because no commit can have written it.
    pub(crate) largest: u64,
}

/// Commits all files or none. The caller holds the locks on the `.hashline` folder and on all directories of the files.
///
/// # Errors
///
/// All files are as they were, or as another program left them; only with `Stuck` an incomplete commit is left for recovery.
pub(crate) fn commit_several<S: System>(
    site: &CommitSite<'_, S>,
    planned: Vec<Planned<'_, S>>,
) -> Result<Cleanup, CommitFailure> {
    let journal = journal_of(site, &planned)
        .map_err(|error| CommitFault::System("looking at the directories", error).at(0))?;
    // The journal comes before the first staging file: recovery must know every name that a crash can leave behind.
    write_journal(site, &journal).map_err(|why| why.at(0))?;
    let mut made = MadeDirs::none();
    let mut begun = 0;
    let failure = match carry_out(site, planned, &mut made, &mut begun) {
        Ok(cleanup) => return Ok(cleanup),
        Err(failure) => failure,
    };
    if let CommitFault::Stuck = failure.why {
        return Err(failure);
    }
    // Only the directories that this commit tried to create may be removed again.
    let journal = journal.with_made_dirs(made.made);
    match settle(site, &journal, SettleAim::RollBack { begun }) {
        Ok(Settled::RolledBack) => Err(failure),
        Ok(Settled::Finished | Settled::Conflict) | Err(_) => Err(CommitFault::Stuck.at(0)),
    }
}

/// Writes the journal; if that fails, removes the incomplete file.
fn write_journal<S: System>(
    site: &CommitSite<'_, S>,
    journal: &Journal,
) -> Result<(), CommitFault> {
    let Err(error) = site.area.write(site.system, journal, site.durability) else {
        return Ok(());
    };
    // A journal that exists already is not ours to remove.
    let is_other = error.kind() == io::ErrorKind::AlreadyExists;
    let remove = |name| site.area.unlink(site.system, name).is_ok();
    if is_other || [JOURNAL, UNFINISHED].map(remove) == [true, true] {
        Err(CommitFault::System("writing the journal", error))
    } else {
        Err(CommitFault::Stuck)
    }
}

/// Returns the journal that lists the planned changes.
fn journal_of<S: System>(
    site: &CommitSite<'_, S>,
    planned: &[Planned<'_, S>],
) -> io::Result<Journal> {
    let system = site.system;
    let mut made = BTreeSet::new();
    let mut records = Vec::new();
    for Planned { place, action } in planned {
        let mut dir = place.parent_path.clone();
        for name in &place.missing {
            dir.push(name);
            made.insert(dir.clone());
        }
        let identity = system.stat_dir(&place.parent)?.identity();
        let (old, new) = match action {
            CommitAction::Replace { old, new, .. } => (Some(*old), Some(*new)),
            CommitAction::Create { new, .. } => (None, Some(*new)),
            CommitAction::Delete { old } => (Some(*old), None),
            CommitAction::Overwrite { old, new, .. } => (Some(*old), Some(*new)),
        };
        records.push(JournalRecord {
            dir,
            dir_identity: place.missing.is_empty().then_some(identity),
            name: place.name.clone(),
            method: match action {
                CommitAction::Overwrite { .. } => WriteMethod::Overwrite,
                _ => WriteMethod::Swap,
            },
            old: old.map(Digest::of),
            new: new.map(Digest::of),
        });
    }
    Ok(Journal {
        id: system.random(),
        root: system.stat_dir(site.root)?.identity(),
        made: made.into_iter().collect(),
        records,
    })
}

/// Creates directories, writes the staging files, swaps them with the old files, and makes the commit final. Sets `begun` to how many
/// files, from the first, may have been swapped.
fn carry_out<S: System>(
    site: &CommitSite<'_, S>,
    planned: Vec<Planned<'_, S>>,
    made: &mut MadeDirs<S>,
    begun: &mut usize,
) -> Result<Cleanup, CommitFailure> {
    let system = site.system;
    made.make(site, &planned)?;
    let entries: Vec<CommitEntry<'_, S>> = planned
        .into_iter()
        .map(|Planned { place, action }| made.entry(place, action))
        .collect();
    for (index, entry) in entries.iter().enumerate() {
        let in_time = site.deadline.check().map_err(CommitFault::Stopped);
        let staged = in_time.and_then(|()| entry.stage(system, site.durability));
        staged.map_err(|why| why.at(index))?;
    }
    // The staging names are durable before the first swap: after a power cut recovery finds every file that the journal lists.
    sync_all(site, &entries)?;
    for (index, entry) in entries.iter().enumerate() {
        let swapped = entry.swap(system, site.durability);
        // A failed swap may have happened in part. One that found other bytes has not.
        if !matches!(swapped, Err(CommitFault::Changed)) {
            *begun = index + 1;
        }
        swapped.map_err(|why| why.at(index))?;
    }
    sync_all(site, &entries)?;
    // Compared once more after the sync: a program that opened the old file before the swap may have written to it since.
    for (index, entry) in entries.iter().enumerate() {
        let checked = entry.check_displaced(system);
        checked.map_err(|why| why.at(index))?;
    }
    pass_commit_point(site).map_err(|why| why.at(0))?;
    Ok(clean_up(site, &entries))
}

/// Renames `journal` to `journal.done`. After that the commit is made: recovery only cleans up.
fn pass_commit_point<S: System>(site: &CommitSite<'_, S>) -> Result<(), CommitFault> {
    let CommitSite { system, area, .. } = site;
    let renamed = area.rename(system, JOURNAL, DONE);
    let passed = renamed.and_then(|()| area.sync(system, site.durability));
    passed.map_err(|error| {
        // A rename that is not durable is not a commit. But nothing may be undone while a power cut could bring the new name back:
        // the next process would then take the swaps for finished.
        let undone = match area.has(system, DONE) {
            Ok(false) => true,
            Ok(true) | Err(_) => {
                let back = area.rename(system, DONE, JOURNAL);
                back.and_then(|()| area.sync(system, site.durability))
                    .is_ok()
            }
        };
        if undone {
            CommitFault::System("finishing the journal", error)
        } else {
            CommitFault::Stuck
        }
    })
}

/// Removes the old files that were replaced or deleted, then the journal. An error while cleaning up does not fail the commit: the next
/// command cleans up.
fn clean_up<S: System>(site: &CommitSite<'_, S>, entries: &[CommitEntry<'_, S>]) -> Cleanup {
    for entry in entries {
        let removed = match &entry.action {
            CommitAction::Create { .. } => Ok(()),
            CommitAction::Overwrite { copies, .. } => copies.remove(site.system),
            CommitAction::Replace { .. } | CommitAction::Delete { .. } => {
                site.system.unlink(entry.dir, &staging_name(&entry.name))
            }
        };
        if removed.is_err_and(|error| error.kind() != io::ErrorKind::NotFound) {
            return Cleanup::Left;
        }
    }
    if sync_copies(site, entries).is_err() {
        return Cleanup::Left;
    }
    match site.area.unlink(site.system, DONE) {
        Ok(()) => Cleanup::Done,
        Err(_) => Cleanup::Left,
    }
}

/// Syncs all directories of the commit, each once.
fn sync_all<S: System>(
    site: &CommitSite<'_, S>,
    entries: &[CommitEntry<'_, S>],
) -> Result<(), CommitFailure> {
    if site.durability == Durability::Fast {
        return Ok(());
    }
    let dirs: BTreeMap<&PathBuf, (usize, &S::Dir)> = entries
        .iter()
        .enumerate()
        .map(|(index, entry)| (&entry.dir_path, (index, entry.dir)))
        .collect();
    let failed = CommitFault::system("making the names durable");
    sync_copies(site, entries).map_err(|error| failed(error).at(0))?;
    for (index, dir) in dirs.into_values() {
        let synced = site.system.sync_dir(dir);
        synced.map_err(|error| failed(error).at(index))?;
    }
    Ok(())
}

/// Syncs the `.hashline` folder if the commit has copies of overwritten files in it.
fn sync_copies<S: System>(
    site: &CommitSite<'_, S>,
    entries: &[CommitEntry<'_, S>],
) -> io::Result<()> {
    let overwrites =
        |entry: &CommitEntry<'_, S>| matches!(entry.action, CommitAction::Overwrite { .. });
    if entries.iter().any(overwrites) {
        site.area.sync(site.system, site.durability)?;
    }
    Ok(())
}

/// Directories that the commit created.
struct MadeDirs<S: System> {
    open: BTreeMap<PathBuf, S::Dir>,
    /// Paths of directories that the commit created or tried to create.
    made: BTreeSet<PathBuf>,
}

impl<S: System> MadeDirs<S> {
    fn none() -> Self {
        Self {
            open: BTreeMap::new(),
            made: BTreeSet::new(),
        }
    }

    fn make(
        &mut self,
        site: &CommitSite<'_, S>,
        planned: &[Planned<'_, S>],
    ) -> Result<(), CommitFailure> {
        for (index, Planned { place, .. }) in planned.iter().enumerate() {
            site.deadline
                .check()
                .map_err(|error| CommitFault::Stopped(error).at(index))?;
            let mut path = place.parent_path.clone();
            for name in &place.missing {
                let above = path.clone();
                path.push(name);
                if !self.open.contains_key(&path) {
                    let parent = self.open.get(&above).unwrap_or(&place.parent);
                    let made = site.system.make_dir(parent, name, FileAccess::Usual);
                    if is_taken(&made) {
                        // Another program created it in the meantime. It is theirs: we must not remove it if we fail later.
                        return Err(CommitFault::Taken.at(index));
                    }
                    self.made.insert(path.clone());
                    let failed = CommitFault::system("making a directory");
                    let dir = made.and_then(|()| opened(site, parent, name));
                    let dir = dir.map_err(|error| failed(error).at(index))?;
                    self.open.insert(path.clone(), dir);
                }
            }
        }
        Ok(())
    }

    fn entry<'a>(
        &'a self,
        place: &'a FilePlace<S>,
        action: CommitAction<'a, S>,
    ) -> CommitEntry<'a, S> {
        let missing = place.missing.iter();
        let dir_path: PathBuf = missing.fold(place.parent_path.clone(), |path, name: &OsString| {
            path.join(name)
        });
        CommitEntry {
            dir: self.open.get(&dir_path).unwrap_or(&place.parent),
            dir_path,
            ..CommitEntry::new(place, action)
        }
    }
}

fn is_taken(made: &io::Result<()>) -> bool {
    let taken = |error: &io::Error| error.kind() == io::ErrorKind::AlreadyExists;
    made.as_ref().is_err_and(taken)
}

fn opened<S: System>(
    site: &CommitSite<'_, S>,
    parent: &S::Dir,
    name: &OsStr,
) -> io::Result<S::Dir> {
    let dir = site.system.open_child(parent, name)?;
    site.durability.sync_dir(site.system, parent)?;
    Ok(dir)
}
