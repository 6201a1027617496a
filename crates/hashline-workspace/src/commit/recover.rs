//! Recovery: what a dead process left is taken back or finished, never guessed at.
//!
//! Every step looks at the disk again, so that it can be broken off at any point and started again.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::time::Duration;

use super::Durability;
use super::entry::{Stands, exchange, rename_new, stands};
use super::journal::{
    Area, DONE, FoundJournal, JOURNAL, Journal, Record, UNFINISHED, is_no_folder,
};
use super::several::Site;
use super::staging::{displaced_name, staging_name};
use crate::error::{Error, Unsettled, trouble};
use crate::limits::Limits;
use crate::lock::Locks;
use crate::path::{self, Protection};
use crate::root::Root;
use crate::system::{Share, System};

/// What recovery found and did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recovered {
    /// There was nothing to do.
    Nothing,
    /// A request that was half done was taken back.
    TakenBack(Unsettled),
    /// A request that was all done was finished.
    Finished(Unsettled),
    /// A journal that is damaged or belongs to another tree was put aside.
    Foreign,
}

/// How a person ends a conflict that recovery will not decide. Whatever loses is kept among the orphans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settle {
    /// Every file stays as it is now.
    KeepCurrent,
    /// Every file gets the bytes it had before the request.
    RestoreOld,
    /// Every file gets the bytes the request wanted.
    FinishNew,
}

/// What a settling is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    /// The process lives and gives up: all of it goes back.
    TakeBack,
    /// A dead process left it: finish what is complete, take back the rest.
    AsFound,
}

/// What came of a settling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Settled {
    TakenBack,
    Finished,
    Conflict,
}

/// Tells whether there is something to recover; looks only.
pub(crate) fn pending<S: System>(system: &S, root: &Root<S>) -> Result<bool, Error> {
    let failed = |error| trouble(super::journal::AREA, "looking for a journal", &error);
    match Area::open(system, &root.dir) {
        Ok(None) => Ok(false),
        Ok(Some(area)) => area.has_journal(system).map_err(failed),
        // What is no folder of ours holds no journal of ours.
        Err(error) if is_not_ours(&error) => Ok(false),
        Err(error) => Err(failed(error)),
    }
}

/// Tells whether a folder could not be opened because it is somebody else's, or none at all.
fn is_not_ours(error: &io::Error) -> bool {
    is_no_folder(error) || error.kind() == io::ErrorKind::PermissionDenied
}

/// Settles what a dead process left in a root.
///
/// # Errors
///
/// `recovery_conflict` if somebody changed the files since; nothing was touched then.
pub(crate) fn recover<S: System>(
    system: &S,
    root: &Root<S>,
    protection: &Protection,
    limits: &Limits,
    settle_as: Option<Settle>,
) -> Result<Recovered, Error> {
    let failed = |error| trouble(super::journal::AREA, "recovering", &error);
    let wait = limits.lock_wait;
    let Some(area) = Area::open(system, &root.dir).map_err(failed)? else {
        return Ok(Recovered::Nothing);
    };
    let _one_at_a_time = Locks::take(
        system,
        [area.dir()],
        Share::Nobody,
        wait,
        super::journal::AREA,
    )?;
    let site = Site {
        system,
        root: &root.dir,
        area: &area,
        protection,
        durability: Durability::Full,
        largest: limits.largest_written(),
    };
    drop_unfinished(system, &area).map_err(failed)?;
    let identity = system.stat_dir(&root.dir).map_err(failed)?.identity();
    let mut recovered = Recovered::Nothing;
    for name in [DONE, JOURNAL] {
        match area.read(system, identity, name).map_err(failed)? {
            FoundJournal::Nothing => {}
            FoundJournal::Foreign => {
                area.keep_foreign(system, OsStr::new(name))
                    .map_err(failed)?;
                recovered = Recovered::Foreign;
            }
            FoundJournal::Ours(journal) => {
                recovered = one_journal(&site, name, &journal, wait, settle_as)?;
            }
        }
    }
    Ok(recovered)
}

/// Removes a journal that never was one; what cannot be removed is none of ours and is put aside.
fn drop_unfinished<S: System>(system: &S, area: &Area<S>) -> io::Result<()> {
    match area.unlink(system, UNFINISHED) {
        Ok(()) => Ok(()),
        Err(_) => area
            .keep_foreign(system, OsStr::new(UNFINISHED))
            .map(|_| ()),
    }
}

fn one_journal<S: System>(
    site: &Site<'_, S>,
    name: &str,
    journal: &Journal,
    wait: Duration,
    settle_as: Option<Settle>,
) -> Result<Recovered, Error> {
    let left = Unsettled {
        paths: journal.paths(),
    };
    let failed = |error| trouble(&left.paths.join(", "), "recovering", &error);
    let dirs: Vec<_> = journal
        .records
        .iter()
        .filter_map(|record| open(site, record).ok()?.dir())
        .collect();
    let said = super::journal::AREA;
    let _locks = Locks::take(site.system, &dirs, Share::Nobody, wait, said)?;
    if name == DONE {
        clean_up(site, journal).map_err(failed)?;
        return Ok(Recovered::Finished(left));
    }
    match settle(site, journal, Aim::AsFound).map_err(failed)? {
        Settled::TakenBack => Ok(Recovered::TakenBack(left)),
        Settled::Finished => Ok(Recovered::Finished(left)),
        Settled::Conflict => match settle_as {
            None => Err(Error::RecoveryConflict(left)),
            Some(how) => {
                decide(site, journal, how).map_err(failed)?;
                Ok(Recovered::Finished(left))
            }
        },
    }
}

/// How far one file got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It was never swapped. (Somebody may have changed it.)
    Before,
    /// Before, and its new bytes are not staged either: nothing at all was swapped yet.
    Unstaged,
    /// It was swapped.
    After,
    /// It was swapped, and what it was before is gone.
    AfterForGood,
    /// A new file: made by us and changed since, or made by somebody else before us.
    Unclear,
    /// It was swapped, and changed by somebody since; or it cannot be ours.
    Conflict,
}

/// Takes a journal's work back, or finishes it. All directories are locked.
pub(super) fn settle<S: System>(
    site: &Site<'_, S>,
    journal: &Journal,
    aim: Aim,
) -> io::Result<Settled> {
    let mut states = Vec::with_capacity(journal.records.len());
    for record in &journal.records {
        states.push(state(site, record)?);
    }
    let unstaged = states.contains(&State::Unstaged);
    for state in states.iter_mut().filter(|state| **state == State::Unclear) {
        *state = if unstaged {
            State::Before
        } else {
            State::Conflict
        };
    }
    let is_after = |state: &State| matches!(state, State::After | State::AfterForGood);
    if states.contains(&State::Conflict) {
        return Ok(Settled::Conflict);
    }
    if aim == Aim::AsFound && states.iter().all(is_after) {
        site.area.rename(site.system, JOURNAL, DONE)?;
        site.area.sync(site.system, Durability::Full)?;
        clean_up(site, journal)?;
        return Ok(Settled::Finished);
    }
    if states.contains(&State::AfterForGood) {
        return Ok(Settled::Conflict);
    }
    for (record, state) in journal.records.iter().zip(&states).rev() {
        if *state == State::After {
            put_back(site, record)?;
        }
    }
    forget(site, journal)?;
    Ok(Settled::TakenBack)
}

/// Where the way to a record leads.
enum Way<D> {
    /// To its directory.
    Dir(D),
    /// Nowhere: a directory is missing.
    Missing,
    /// Where no record of ours can lead: by a link, to something else than it says, or to what is protected.
    Closed,
}

impl<D> Way<D> {
    fn dir(self) -> Option<D> {
        match self {
            Self::Dir(dir) => Some(dir),
            Self::Missing | Self::Closed => None,
        }
    }
}

/// Opens the directory of a record, by the rules for edits and a stricter one: paths are written down without links.
fn open<S: System>(site: &Site<'_, S>, record: &Record) -> io::Result<Way<S::Dir>> {
    if site.protection.covers(&record.dir.join(&record.name)) {
        return Ok(Way::Closed);
    }
    let way = go_down(site, &record.dir)?;
    if let (Way::Dir(dir), Some(identity)) = (&way, record.dir_identity)
        && site.system.stat_dir(dir)?.identity() != identity
    {
        return Ok(Way::Closed);
    }
    Ok(way)
}

/// Goes down from the root, name by name; a link is not followed.
fn go_down<S: System>(site: &Site<'_, S>, path: &Path) -> io::Result<Way<S::Dir>> {
    let mut dir = site.system.open_dir(site.root, Path::new(""))?;
    for name in path::names(path) {
        dir = match site.system.open_child(&dir, name) {
            Ok(next) => next,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Way::Missing),
            Err(error) if is_no_folder(&error) => return Ok(Way::Closed),
            Err(error) => return Err(error),
        };
    }
    Ok(Way::Dir(dir))
}

fn state<S: System>(site: &Site<'_, S>, record: &Record) -> io::Result<State> {
    let system = site.system;
    let dir = match open(site, record)? {
        Way::Dir(dir) => dir,
        Way::Missing if record.dir_identity.is_none() => return Ok(State::Unstaged),
        Way::Missing | Way::Closed => return Ok(State::Conflict),
    };
    settle_third_name(site, &dir, record)?;
    let target = stands(system, &dir, &record.name, site.largest)?;
    let staged = stands(system, &dir, &staging_name(&record.name), site.largest)?;
    let is =
        |found: Stands, digest| matches!((found, digest), (Stands::File(a), Some(b)) if a == b);
    let (old, new) = (record.old, record.new);
    Ok(match (old, new) {
        _ if is(staged, new) => State::Before,
        (Some(_), None) => match (staged, target) {
            (Stands::Nothing, _) => State::Before,
            (_, Stands::Nothing) if is(staged, old) => State::After,
            _ => State::Conflict,
        },
        (None, _) => match (staged, target) {
            (Stands::Nothing, Stands::Nothing) => State::Unstaged,
            (Stands::Nothing, _) if is(target, new) => State::After,
            (Stands::Nothing, _) => State::Unclear,
            _ => State::Conflict,
        },
        (Some(_), Some(_)) => match staged {
            Stands::Nothing if is(target, new) => State::AfterForGood,
            Stands::Nothing => State::Unstaged,
            _ if is(staged, old) && is(target, new) => State::After,
            _ => State::Conflict,
        },
    })
}

/// Finishes or forgets a swap or a rename that was made in several steps and broken off between them.
fn settle_third_name<S: System>(
    site: &Site<'_, S>,
    dir: &S::Dir,
    record: &Record,
) -> io::Result<()> {
    let system = site.system;
    let (third, staging) = (displaced_name(&record.name), staging_name(&record.name));
    let stat = |name: &OsStr| match system.stat_at(dir, name) {
        Ok(stat) => Ok(Some(stat.identity())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    };
    let staged = stat(&staging)?;
    if staged.is_some() && stat(&record.name)? == staged {
        // A rename made in two steps and broken off between them: one file under both names.
        system.unlink(dir, &staging)?;
    }
    let Some(displaced) = stat(&third)? else {
        return Ok(());
    };
    if stat(&record.name)? == Some(displaced) {
        // A second name of the file itself.
        return system.unlink(dir, &third);
    }
    if stat(&staging)?.is_none() {
        return rename_new(system, dir, &third, &staging);
    }
    site.area.keep_orphan(system, dir, &third).map(|_| ())
}

/// Undoes one swap.
fn put_back<S: System>(site: &Site<'_, S>, record: &Record) -> io::Result<()> {
    let Some(dir) = open(site, record)?.dir() else {
        return Ok(());
    };
    let staging = staging_name(&record.name);
    match (record.old, record.new) {
        (Some(_), Some(_)) => exchange(site.system, &dir, &record.name),
        (None, _) => rename_new(site.system, &dir, &record.name, &staging),
        (Some(_), None) => rename_new(site.system, &dir, &staging, &record.name),
    }
}

/// Removes what was staged, the directories that were made, and the journal.
fn forget<S: System>(site: &Site<'_, S>, journal: &Journal) -> io::Result<()> {
    for record in &journal.records {
        if let Some(dir) = open(site, record)?.dir() {
            site.system.sync_dir(&dir)?;
            remove_staged(site, &dir, record)?;
        }
    }
    for made in journal.made.iter().rev() {
        remove_if_empty(site, made)?;
    }
    site.area.unlink(site.system, JOURNAL)?;
    site.area.unlink(site.system, UNFINISHED)?;
    site.area.sync(site.system, Durability::Full)
}

/// Removes a staged or displaced file that the journal knows; any other is kept among the orphans.
fn remove_staged<S: System>(site: &Site<'_, S>, dir: &S::Dir, record: &Record) -> io::Result<()> {
    let staging = staging_name(&record.name);
    match stands(site.system, dir, &staging, site.largest)? {
        Stands::Nothing => Ok(()),
        Stands::File(digest) if [record.old, record.new].contains(&Some(digest)) => {
            site.system.unlink(dir, &staging)
        }
        Stands::File(_) | Stands::Other => site
            .area
            .keep_orphan(site.system, dir, &staging)
            .map(|_| ()),
    }
}

fn remove_if_empty<S: System>(site: &Site<'_, S>, path: &Path) -> io::Result<()> {
    let (Some(name), Some(above)) = (path.file_name(), path.parent()) else {
        return Ok(());
    };
    if site.protection.covers(path) {
        return Ok(());
    }
    let Some(parent) = go_down(site, above)?.dir() else {
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

/// Removes what finished work displaced, then its journal.
fn clean_up<S: System>(site: &Site<'_, S>, journal: &Journal) -> io::Result<()> {
    for record in &journal.records {
        if let Some(dir) = open(site, record)?.dir() {
            settle_third_name(site, &dir, record)?;
            remove_staged(site, &dir, record)?;
        }
    }
    site.area.unlink(site.system, DONE)?;
    site.area.sync(site.system, Durability::Full)
}

/// Ends a conflict as a person decided. What stands in the way is kept among the orphans.
fn decide<S: System>(site: &Site<'_, S>, journal: &Journal, how: Settle) -> io::Result<()> {
    for record in &journal.records {
        let Some(dir) = open(site, record)?.dir() else {
            continue;
        };
        let wanted = match how {
            Settle::KeepCurrent => None,
            Settle::RestoreOld => record.old,
            Settle::FinishNew => record.new,
        };
        let staging = staging_name(&record.name);
        let staged = stands(site.system, &dir, &staging, site.largest)?;
        let target = stands(site.system, &dir, &record.name, site.largest)?;
        let gone = match how {
            Settle::KeepCurrent => false,
            Settle::RestoreOld => record.old.is_none(),
            Settle::FinishNew => record.new.is_none(),
        };
        if gone && target != Stands::Nothing {
            site.area.keep_orphan(site.system, &dir, &record.name)?;
        }
        let waits = wanted.is_some_and(|wanted| staged == Stands::File(wanted));
        if waits {
            if target != Stands::Nothing {
                site.area.keep_orphan(site.system, &dir, &record.name)?;
            }
            rename_new(site.system, &dir, &staging, &record.name)?;
        } else if staged != Stands::Nothing {
            site.area.keep_orphan(site.system, &dir, &staging)?;
        }
        site.system.sync_dir(&dir)?;
    }
    site.area.unlink(site.system, JOURNAL)?;
    site.area.sync(site.system, Durability::Full)
}
