//! Settles a journal: undoes or finishes the changes that it lists, or reports a conflict for the user to decide.
//!
//! The state of the disk decides everything: the bytes under each name and under its staging name, compared with the sizes and hashes
//! in the journal. Every step looks at the disk again, so that settling can be interrupted at any point and started anew.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use super::Durability;
use super::area::{DONE, JOURNAL, UNFINISHED, is_no_folder};
use super::entry::{NameState, displace, exchange, is_same, look, name_state, rename_new};
use super::in_place::{Copies, Overwritten};
use super::journal::{Journal, JournalRecord, WriteMethod};
use super::recover::ConflictChoice;
use super::several::CommitSite;
use super::staging::{displaced_name, partial_name, staging_name};
use crate::path;
use crate::system::{FileAccess, FileKind, System};

/// Whether the changes in a journal must be undone, or may also be finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SettleAim {
    /// Our own commit failed: undo all of it.
    RollBack {
        /// How many files, counted from the first, may have been swapped or overwritten.
        begun: usize,
    },
    /// A dead process left the journal: finish the commit if all files were replaced, else undo it.
    AsFound,
}

/// Whether the changes in a journal were undone or finished, or another program's changes prevent both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Settled {
    RolledBack,
    Finished,
    Conflict,
}

/// How far the commit of one file got before it was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EntryState {
    /// The new bytes have not replaced the old ones. (Another program may have changed the file.)
    Before,
    /// The new bytes were not even written to a staging file, so that no file of the commit was replaced.
    Unstaged,
    /// The file was replaced, created or deleted as planned.
    After,
    /// The new file has replaced the old one, and the old bytes are gone, so that this cannot be undone.
    AfterForGood,
    /// The file must be restored, whatever the state of the other files is: our commit replaced bytes that another program had just
    /// written, or an overwritten file is a mix of old and new blocks.
    MustRollBack,
    /// A new file that we created and another program changed, or that another program created first.
    Unclear,
    /// The new file has replaced the old one, and another program changed it since; or the journal's record leads to a place where no
    /// commit can have written.
    Conflict,
}

/// Undoes or finishes the commit in a journal. The caller holds the locks on all directories of the commit.
pub(super) fn settle<S: System>(
    site: &CommitSite<'_, S>,
    journal: &Journal,
    aim: SettleAim,
) -> io::Result<Settled> {
    let mut states = Vec::with_capacity(journal.records.len());
    for (index, record) in journal.records.iter().enumerate() {
        states.push(match aim {
            // The disk does not show whether another program changed a file before or after we overwrote it. Our own process knows.
            SettleAim::RollBack { begun }
                if record.method == WriteMethod::Overwrite && index >= begun =>
            {
                EntryState::Before
            }
            _ => state(site, index, record)?,
        });
    }
    let unstaged = states.contains(&EntryState::Unstaged);
    for state in states
        .iter_mut()
        .filter(|state| **state == EntryState::Unclear)
    {
        *state = if unstaged {
            EntryState::Before
        } else {
            EntryState::Conflict
        };
    }
    let is_after =
        |state: &EntryState| matches!(state, EntryState::After | EntryState::AfterForGood);
    // As long as one file is in doubt, none is touched: the user can still choose the old or the new version for all of them.
    if states.contains(&EntryState::Conflict) {
        return Ok(Settled::Conflict);
    }
    // Only a request with nothing left to do is finished. Its caller never got an answer, so the rest must not be done days later.
    if aim == SettleAim::AsFound && states.iter().all(is_after) {
        site.area.rename(site.system, JOURNAL, DONE)?;
        site.area.sync(site.system, Durability::Full)?;
        clean_up(site, journal)?;
        return Ok(Settled::Finished);
    }
    if states.contains(&EntryState::AfterForGood) {
        return Ok(Settled::Conflict);
    }
    // In the reverse order of the swaps.
    for (index, record) in journal.records.iter().enumerate().rev() {
        if matches!(states[index], EntryState::After | EntryState::MustRollBack) {
            put_back(site, index, record)?;
        }
    }
    forget(site, journal)?;
    Ok(Settled::RolledBack)
}

/// The result of opening the directory of a journal record.
pub(super) enum Reached<D> {
    /// The directory, open.
    Dir(D),
    /// A directory on the path is missing.
    Missing,
    /// A place where no commit can have written: behind a symbolic link, in another directory than the journal says, or a protected file.
    Closed,
}

impl<D> Reached<D> {
    pub(super) fn dir(self) -> Option<D> {
        match self {
            Self::Dir(dir) => Some(dir),
            Self::Missing | Self::Closed => None,
        }
    }
}

/// Opens the directory of a journal record. Links are not followed: the journal holds resolved paths, so a link on the path was put there
/// later.
pub(super) fn open<S: System>(
    site: &CommitSite<'_, S>,
    record: &JournalRecord,
) -> io::Result<Reached<S::Dir>> {
    // A journal may be forged: it must not lead to a file that no edit may write.
    if site.protection.covers(&record.dir.join(&record.name)) {
        return Ok(Reached::Closed);
    }
    let reached = open_below(site, &record.dir)?;
    if let (Reached::Dir(dir), Some(identity)) = (&reached, record.dir_identity)
        && site.system.stat_dir(dir)?.identity() != identity
    {
        return Ok(Reached::Closed);
    }
    Ok(reached)
}

/// Opens a directory below the root component by component, without following symbolic links.
fn open_below<S: System>(site: &CommitSite<'_, S>, path: &Path) -> io::Result<Reached<S::Dir>> {
    let mut dir = site.system.open_dir(site.root, Path::new(""))?;
    for name in path::names(path) {
        dir = match site.system.open_child(&dir, name) {
            Ok(next) => next,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Reached::Missing),
            Err(error) if is_no_folder(&error) => return Ok(Reached::Closed),
            Err(error) => return Err(error),
        };
    }
    Ok(Reached::Dir(dir))
}

fn state<S: System>(
    site: &CommitSite<'_, S>,
    index: usize,
    record: &JournalRecord,
) -> io::Result<EntryState> {
    let system = site.system;
    let dir = match open(site, record)? {
        Reached::Dir(dir) => dir,
        Reached::Missing if record.dir_identity.is_none() => return Ok(EntryState::Unstaged),
        Reached::Missing | Reached::Closed => return Ok(EntryState::Conflict),
    };
    if record.method == WriteMethod::Overwrite {
        return Ok(
            match Copies::of(site.area, index).found(
                system,
                &dir,
                record,
                record.most(site.largest),
            )? {
                Overwritten::Unstaged => EntryState::Unstaged,
                Overwritten::Before => EntryState::Before,
                Overwritten::Torn => EntryState::MustRollBack,
                Overwritten::After => EntryState::After,
                Overwritten::Other => EntryState::Conflict,
            },
        );
    }
    settle_third_name(site, &dir, record)?;
    swapped(site, &dir, record)
}

/// Returns how far the swap of one file got, by the files under its name and its staging name.
fn swapped<S: System>(
    site: &CommitSite<'_, S>,
    dir: &S::Dir,
    record: &JournalRecord,
) -> io::Result<EntryState> {
    let system = site.system;
    let most = record.most(site.largest);
    let target = name_state(system, dir, &record.name, most)?;
    let staged = name_state(system, dir, &staging_name(&record.name), most)?;
    let is = |found: NameState, digest| matches!((found, digest), (NameState::File(a), Some(b)) if a == b);
    let (old, new) = (record.old, record.new);
    Ok(match (old, new) {
        _ if is(staged, new) => EntryState::Before,
        (Some(_), None) => match (staged, target) {
            (NameState::Nothing, _) => EntryState::Before,
            (_, NameState::Nothing) if is(staged, old) => EntryState::After,
            (NameState::File(_), NameState::Nothing) => EntryState::MustRollBack,
            _ => EntryState::Conflict,
        },
        (None, _) => match (staged, target) {
            (NameState::Nothing, NameState::Nothing) => EntryState::Unstaged,
            (NameState::Nothing, _) if is(target, new) => EntryState::After,
            (NameState::Nothing, _) => EntryState::Unclear,
            _ => EntryState::Conflict,
        },
        (Some(_), Some(_)) => match staged {
            NameState::Nothing if is(target, new) => EntryState::AfterForGood,
            NameState::Nothing => EntryState::Unstaged,
            _ if is(staged, old) && is(target, new) => EntryState::After,
            NameState::File(_) if is(target, new) => EntryState::MustRollBack,
            _ => EntryState::Conflict,
        },
    })
}

/// Finishes or undoes an exchange or a rename that was made with several system calls and interrupted between them.
fn settle_third_name<S: System>(
    site: &CommitSite<'_, S>,
    dir: &S::Dir,
    record: &JournalRecord,
) -> io::Result<()> {
    let system = site.system;
    let (third, staging) = (displaced_name(&record.name), staging_name(&record.name));
    let stat = |name: &OsStr| look(system, dir, name);
    let keep = |name: &OsStr| site.area.keep_orphan(system, dir, name).map(|_| ());
    let partial = partial_name(&record.name);
    match stat(&partial)?.map(|stat| stat.kind) {
        None => {}
        // A file that was still being written when its process died. The journal says that it is ours.
        Some(FileKind::File) => system.unlink(dir, &partial)?,
        Some(_) => keep(&partial)?,
    }
    if is_same(stat(&staging)?, stat(&record.name)?) {
        // A rename in two steps, interrupted between them: one file with both names.
        system.unlink(dir, &staging)?;
    }
    let Some(displaced) = stat(&third)? else {
        return Ok(());
    };
    if displaced.kind != FileKind::File {
        // We only displace regular files, so this is not ours.
        return keep(&third);
    }
    let staged = stat(&staging)?;
    if is_same(stat(&record.name)?, Some(displaced)) || is_same(staged, Some(displaced)) {
        // A second name of a file that is where it belongs.
        return system.unlink(dir, &third);
    }
    if staged.is_none() {
        return rename_new(system, dir, &third, &staging);
    }
    keep(&third)
}

/// Undoes the swap or overwriting of one file.
fn put_back<S: System>(
    site: &CommitSite<'_, S>,
    index: usize,
    record: &JournalRecord,
) -> io::Result<()> {
    let Some(dir) = open(site, record)?.dir() else {
        return Ok(());
    };
    if record.method == WriteMethod::Overwrite {
        return Copies::of(site.area, index).put_back(site.system, &dir, &record.name);
    }
    let staging = staging_name(&record.name);
    match (record.old, record.new) {
        (Some(_), Some(_)) => exchange(site.system, &dir, &record.name),
        (None, _) => displace(site.system, &dir, &record.name),
        (Some(_), None) => rename_new(site.system, &dir, &staging, &record.name),
    }
}

/// Removes the staging files, the created directories that are empty, and the journal, after all swaps were undone.
fn forget<S: System>(site: &CommitSite<'_, S>, journal: &Journal) -> io::Result<()> {
    for (index, record) in journal.records.iter().enumerate() {
        if let Some(dir) = open(site, record)?.dir() {
            site.system.sync_dir(&dir)?;
            remove_staged(site, &dir, index, record)?;
            // The journal must not be removed before the files that it lists, or nobody would know whose they are.
            site.system.sync_dir(&dir)?;
        }
    }
    for made in journal.made.iter().rev() {
        remove_if_empty(site, made)?;
    }
    sync_copies(site, journal)?;
    site.area.unlink(site.system, JOURNAL)?;
    site.area.unlink(site.system, UNFINISHED)?;
    site.area.sync(site.system, Durability::Full)
}

/// Removes a file under a staging name if it holds bytes that the journal lists; otherwise moves it to `.hashline/orphans`.
fn remove_staged<S: System>(
    site: &CommitSite<'_, S>,
    dir: &S::Dir,
    index: usize,
    record: &JournalRecord,
) -> io::Result<()> {
    if record.method == WriteMethod::Overwrite {
        return Copies::of(site.area, index).remove(site.system);
    }
    let staging = staging_name(&record.name);
    match name_state(site.system, dir, &staging, record.most(site.largest))? {
        NameState::Nothing => Ok(()),
        NameState::File(digest) if [record.old, record.new].contains(&Some(digest)) => {
            site.system.unlink(dir, &staging)
        }
        NameState::File(_) | NameState::Other => site
            .area
            .keep_orphan(site.system, dir, &staging)
            .map(|_| ()),
    }
}

fn remove_if_empty<S: System>(site: &CommitSite<'_, S>, path: &Path) -> io::Result<()> {
    let (Some(name), Some(above)) = (path.file_name(), path.parent()) else {
        return Ok(());
    };
    if site.protection.covers(path) {
        return Ok(());
    }
    let Some(parent) = open_below(site, above)?.dir() else {
        return Ok(());
    };
    match site.system.remove_dir(&parent, name) {
        Ok(()) => site.system.sync_dir(&parent),
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound
            | io::ErrorKind::DirectoryNotEmpty
            | io::ErrorKind::NotADirectory => Ok(()),
            _ => Err(error),
        },
    }
}

/// Syncs the `.hashline` folder after the copies of overwritten files were removed, if the commit had such copies.
fn sync_copies<S: System>(site: &CommitSite<'_, S>, journal: &Journal) -> io::Result<()> {
    let overwrites = |record: &JournalRecord| record.method == WriteMethod::Overwrite;
    if journal.records.iter().any(overwrites) {
        site.area.sync(site.system, Durability::Full)?;
    }
    Ok(())
}

/// Removes the files that a finished commit displaced, then its journal.
pub(super) fn clean_up<S: System>(site: &CommitSite<'_, S>, journal: &Journal) -> io::Result<()> {
    for (index, record) in journal.records.iter().enumerate() {
        if let Some(dir) = open(site, record)?.dir() {
            settle_third_name(site, &dir, record)?;
            remove_staged(site, &dir, index, record)?;
            site.system.sync_dir(&dir)?;
        }
    }
    sync_copies(site, journal)?;
    site.area.unlink(site.system, DONE)?;
    site.area.sync(site.system, Durability::Full)
}

/// Ends a recovery conflict (a file that changed after our interrupted commit) by keeping the current, the old or the new bytes, as the
/// user chose. Bytes that get replaced are kept in `.hashline/orphans`. Returns the files whose chosen bytes no longer exist.
pub(super) fn decide<S: System>(
    site: &CommitSite<'_, S>,
    journal: &Journal,
    how: ConflictChoice,
) -> io::Result<Vec<String>> {
    let mut without = Vec::new();
    for (index, record) in journal.records.iter().enumerate() {
        let Some(dir) = open(site, record)?.dir() else {
            without.push(record.shown());
            continue;
        };
        match record.method {
            WriteMethod::Swap => decide_swapped(site, &dir, record, how)?,
            WriteMethod::Overwrite => decide_overwritten(site, &dir, index, record, how)?,
        }
        site.system.sync_dir(&dir)?;
        let found = name_state(site.system, &dir, &record.name, record.most(site.largest))?;
        if wanted(record, how).is_some_and(|wanted| found != wanted) {
            without.push(record.shown());
        }
    }
    site.area.unlink(site.system, JOURNAL)?;
    site.area.sync(site.system, Durability::Full)?;
    Ok(without)
}

/// Returns the state that the user chose for a file; `None` if the file stays as it is.
fn wanted(record: &JournalRecord, how: ConflictChoice) -> Option<NameState> {
    let digest = match how {
        ConflictChoice::KeepCurrent => return None,
        ConflictChoice::RestoreOld => record.old,
        ConflictChoice::FinishNew => record.new,
    };
    Some(digest.map_or(NameState::Nothing, NameState::File))
}

fn decide_swapped<S: System>(
    site: &CommitSite<'_, S>,
    dir: &S::Dir,
    record: &JournalRecord,
    how: ConflictChoice,
) -> io::Result<()> {
    let (system, staging) = (site.system, staging_name(&record.name));
    let keep = |name: &OsStr| site.area.keep_orphan(system, dir, name).map(|_| ());
    let staged = name_state(system, dir, &staging, record.most(site.largest))?;
    match wanted(record, how) {
        Some(NameState::Nothing) => keep(&record.name)?,
        Some(wanted) if staged == wanted => {
            keep(&record.name)?;
            return rename_new(system, dir, &staging, &record.name);
        }
        _ => {}
    }
    keep(&staging)
}

fn decide_overwritten<S: System>(
    site: &CommitSite<'_, S>,
    dir: &S::Dir,
    index: usize,
    record: &JournalRecord,
    how: ConflictChoice,
) -> io::Result<()> {
    let (system, copies) = (site.system, Copies::of(site.area, index));
    let staged =
        copies.found(system, dir, record, record.most(site.largest))? != Overwritten::Unstaged;
    if staged && how != ConflictChoice::KeepCurrent {
        save_current(site, dir, &record.name)?;
    }
    let mut unused = vec![copies.old_copy(), copies.new_copy()];
    match how {
        ConflictChoice::RestoreOld if staged => {
            copies.put_back(system, dir, &record.name)?;
            unused.remove(0);
        }
        ConflictChoice::FinishNew if staged => {
            copies.put(system, dir, &record.name)?;
            unused.pop();
        }
        _ => {}
    }
    for copy in unused {
        site.area.keep_orphan(system, site.area.dir(), &copy)?;
    }
    copies.remove(system)
}

/// Copies the current file to `.hashline/orphans`, so that it can be overwritten; creates an empty file if the name does not exist.
fn save_current<S: System>(site: &CommitSite<'_, S>, dir: &S::Dir, name: &OsStr) -> io::Result<()> {
    let (system, area) = (site.system, site.area);
    match name_state(system, dir, name, site.largest)? {
        NameState::File(_) => {
            let current = system.open_file(dir, name)?;
            let current = system.read(&current, site.largest)?;
            return area.keep_bytes(system, name, &current).map(|_| ());
        }
        NameState::Other => _ = area.keep_orphan(system, dir, name)?,
        NameState::Nothing => {}
    }
    system.create(dir, name, FileAccess::Usual).map(|_| ())
}
