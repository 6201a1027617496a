//! Recovery of a root: an incomplete commit of a dead process is undone or finished. If another program changed its files since, the user
//! decides.

use std::ffi::OsStr;
use std::io;

use super::Durability;
use super::area::{AREA, Area, DONE, FoundArea, FoundJournal, JOURNAL, UNFINISHED};
use super::journal::Journal;
use super::settle::{SettleAim, Settled, clean_up, decide, open, settle};
use super::several::CommitSite;

use crate::deadline::Deadline;
use crate::error::{DiskFault, Error, io_error};
use crate::lock::{Locking, Locks};
use crate::path::Protection;
use crate::root::Root;
use crate::system::System;

/// How the user resolves a recovery conflict: a file that another program changed after our interrupted commit. Bytes that get replaced are
/// kept in `.hashline/orphans`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConflictChoice {
    /// Every file of the commit stays as it is now.
    KeepCurrent,
    /// Every file gets the bytes it had before the request, if those still exist.
    RestoreOld,
    /// Every file gets the new bytes of the request, if those still exist.
    FinishNew,
}

/// What recovery found in a root and did about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recovered {
    /// There was no interrupted commit.
    Nothing,
    /// A commit that was interrupted in the middle was undone; the paths are its files.
    RolledBack(Vec<String>),
    /// A commit that was interrupted after all files were written was finished; the paths are its files.
    Finished(Vec<String>),
    /// A conflict was resolved with the [`ConflictChoice`] of the user.
    Decided {
        /// The files of the interrupted commit.
        paths: Vec<String>,
        /// Files whose chosen bytes no longer exist; these files stay as they are.
        without: Vec<String>,
    },
    /// A journal that is damaged or was written for another tree was moved to `.hashline/foreign`.
    Foreign,
    /// The `.hashline` folder belongs to another user or others can write to it, so it is left alone.
    ForeignFolder,
}

/// Whether a root has a commit to recover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pending {
    /// There is no journal.
    Nothing,
    /// There is a journal: a commit is under way, or was interrupted.
    Journal,
    /// The `.hashline` folder is not used, because it belongs to another user or others can write to it.
    ForeignFolder,
}

/// The recovery of one root: the root, and the settings and limits to use.
pub(crate) struct Recovery<'a, S: System> {
    pub(crate) system: &'a S,
    pub(crate) root: &'a Root<S>,
    pub(crate) protection: &'a Protection,
    pub(crate) locking: Locking<'a>,
    pub(crate) deadline: Deadline<'a>,
    /// The size limit of a file that a commit can have written, in bytes.
    pub(crate) largest: u64,
}

/// Returns whether a root has a commit to recover, without changing anything.
pub(crate) fn pending<S: System>(system: &S, root: &Root<S>) -> Result<Pending, Error> {
    let failed = |error| io_error(AREA, "looking for a journal", &error);
    match Area::find(system, &root.dir).map_err(failed)? {
        FoundArea::Nothing => Ok(Pending::Nothing),
        FoundArea::Foreign => Ok(Pending::ForeignFolder),
        FoundArea::Ours(area) if area.has_journal(system).map_err(failed)? => Ok(Pending::Journal),
        FoundArea::Ours(_) => Ok(Pending::Nothing),
    }
}

impl<S: System> Recovery<'_, S> {
    /// Undoes or finishes the incomplete commit of a dead process in the root.
    ///
    /// # Errors
    ///
    /// `recovery_conflict` if another program changed the commit's files since and `settle_as` is `None`; then none of the files is
    /// touched.
    pub(crate) fn recover(&self, settle_as: Option<ConflictChoice>) -> Result<Recovered, Error> {
        self.with_area(|site, identity| {
            // A journal that was never complete: nothing was staged for it.
            if site.area.unlink(site.system, UNFINISHED).is_err() {
                let kept = site.area.keep_foreign(site.system, OsStr::new(UNFINISHED));
                kept.map_err(failed)?;
            }
            let mut recovered = Recovered::Nothing;
            for name in [DONE, JOURNAL] {
                match site
                    .area
                    .read(site.system, identity, name)
                    .map_err(failed)?
                {
                    FoundJournal::Nothing => {}
                    FoundJournal::Foreign => {
                        let kept = site.area.keep_foreign(site.system, OsStr::new(name));
                        kept.map_err(failed)?;
                        recovered = Recovered::Foreign;
                    }
                    FoundJournal::Ours(journal) => {
                        recovered = self.one_journal(site, name, &journal, settle_as)?;
                    }
                }
            }
            Ok(recovered)
        })
    }

    /// Recovers from a foreign journal as if it had been written for this root: after a tree was copied, or its owner changed. A damaged
    /// journal is left alone.
    ///
    /// # Errors
    ///
    /// The same errors as [`Recovery::recover`].
    pub(crate) fn trust(&self) -> Result<Recovered, Error> {
        self.with_area(|site, identity| {
            let (system, area) = (site.system, site.area);
            let waiting = area.has_journal(system).map_err(failed)?;
            let Some((mut journal, name)) = area.foreign(system).map_err(failed)? else {
                return Ok(Recovered::Nothing);
            };
            if waiting {
                let paths = vec![format!("{AREA}/{JOURNAL}")];
                return Err(DiskFault::RecoveryConflict(paths).into());
            }
            // The inode numbers are those of the tree that it was written for. Those of this tree take their place, and from then on
            // the journal is ours.
            journal.root = identity;
            for record in &mut journal.records {
                record.dir_identity = None;
                let dir = open(site, record).map_err(failed)?.dir();
                let identity = dir.map(|dir| system.stat_dir(&dir)).transpose();
                record.dir_identity = identity.map_err(failed)?.map(|stat| stat.identity());
            }
            area.write(system, &journal, Durability::Full)
                .map_err(failed)?;
            area.unlink_foreign(system, &name).map_err(failed)?;
            self.one_journal(site, JOURNAL, &journal, None)
        })
    }

    /// Runs `act` while the `.hashline` folder is locked; does nothing if there is no such folder or it is foreign.
    fn with_area(
        &self,
        act: impl FnOnce(&CommitSite<'_, S>, (u64, u64)) -> Result<Recovered, Error>,
    ) -> Result<Recovered, Error> {
        let (system, root) = (self.system, &self.root.dir);
        let area = match Area::find(system, root).map_err(failed)? {
            FoundArea::Nothing => return Ok(Recovered::Nothing),
            FoundArea::Foreign => return Ok(Recovered::ForeignFolder),
            FoundArea::Ours(area) => area,
        };
        let _one_at_a_time = Locks::take(system, [area.dir()], &self.locking, AREA)?;
        let site = CommitSite {
            system,
            root,
            area: &area,
            protection: self.protection,
            // Whoever recovers does not know what the dead process had promised.
            durability: Durability::Full,
            deadline: self.deadline,
            largest: self.largest,
        };
        let identity = system.stat_dir(root).map_err(failed)?.identity();
        act(&site, identity)
    }

    fn one_journal(
        &self,
        site: &CommitSite<'_, S>,
        name: &str,
        journal: &Journal,
        settle_as: Option<ConflictChoice>,
    ) -> Result<Recovered, Error> {
        let paths = journal.paths();
        let failed = |error| io_error(&paths.join(", "), "recovering", &error);
        let dirs: Vec<_> = journal
            .records
            .iter()
            .filter_map(|record| open(site, record).ok()?.dir())
            .collect();
        let _locks = Locks::take(site.system, &dirs, &self.locking, AREA)?;
        if name == DONE {
            clean_up(site, journal).map_err(failed)?;
            return Ok(Recovered::Finished(paths));
        }
        match settle(site, journal, SettleAim::AsFound).map_err(failed)? {
            Settled::RolledBack => Ok(Recovered::RolledBack(paths)),
            Settled::Finished => Ok(Recovered::Finished(paths)),
            Settled::Conflict => match settle_as {
                None => Err(DiskFault::RecoveryConflict(paths).into()),
                Some(how) => {
                    let without = decide(site, journal, how).map_err(failed)?;
                    Ok(Recovered::Decided { paths, without })
                }
            },
        }
    }
}

fn failed(error: io::Error) -> Error {
    io_error(AREA, "recovering", &error)
}
