//! Recovery of a root: what a dead process left is undone or finished. Where that is unclear, the user decides.

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

/// How the user resolves a conflict that recovery cannot. What is replaced is kept among the orphans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConflictChoice {
    /// Every file stays as it is now.
    KeepCurrent,
    /// Every file gets the bytes it had before the request, if they still exist.
    RestoreOld,
    /// Every file gets the new bytes of the request, if they still exist.
    FinishNew,
}

/// What recovery found and did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recovered {
    /// There was nothing to do.
    Nothing,
    /// A request that was half done was undone.
    RolledBack(Vec<String>),
    /// A request that was all done was finished.
    Finished(Vec<String>),
    /// A conflict was resolved as the user chose.
    Decided {
        /// The files it was about.
        paths: Vec<String>,
        /// Those whose chosen bytes no longer exist; these files stay as they are.
        without: Vec<String>,
    },
    /// A journal that is damaged or belongs to another tree was moved away.
    Foreign,
    /// The journal's folder belongs to another user: it is left alone.
    ForeignFolder,
}

/// What is to be recovered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pending {
    /// Nothing.
    Nothing,
    /// A commit that is under way, or was interrupted.
    Journal,
    /// Nothing we would touch: the folder is not ours.
    ForeignFolder,
}

/// The recovery of one root.
pub(crate) struct Recovery<'a, S: System> {
    pub(crate) system: &'a S,
    pub(crate) root: &'a Root<S>,
    pub(crate) protection: &'a Protection,
    pub(crate) locking: Locking<'a>,
    pub(crate) deadline: Deadline<'a>,
    /// The most bytes of a file that can have been written here.
    pub(crate) largest: u64,
}

/// Returns whether there is something to recover, without changing anything.
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
    /// Undoes or finishes what a dead process left in the root.
    ///
    /// # Errors
    ///
    /// `recovery_conflict` if another program changed the files since; then none of them is touched.
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

    /// Recovers from a foreign journal as if it were ours: after a tree was copied, or its owner changed. A damaged one is left alone.
    ///
    /// # Errors
    ///
    /// As [`Recovery::recover`].
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

    /// Runs `act` with the journal's folder locked; does nothing if there is none of ours.
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
