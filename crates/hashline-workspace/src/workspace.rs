//! The workspace: the settings, the roots, and recovery before every request.
//!
//! [`Workspace::read`] is in `read/`, [`Workspace::apply`] in `apply/`.

use std::path::{Path, PathBuf};

use crate::disk_note::{DiskNote, Orphaned};
use crate::search::found::Found;
use hashline_core::Document;
use hashline_core::shown::History;

use crate::commit::{self, AREA, Area, ConflictChoice, Durability, Pending, Recovered, Recovery};
use crate::deadline::{CancelToken, Deadline};
use crate::error::{DiskFault, Error, io_error};
use crate::ledger::{Ledger, ShownLines};
use crate::limits::Limits;
use crate::lock::Locking;
use crate::path::{self, Protection};
use crate::root::{FilePlace, Root, RootSet, find};
use crate::search::{Audience, Ground, Query, search};
use crate::system::{Native, Share, System};

/// The settings of a workspace. Only the user changes them, never a request.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Limits on sizes and times.
    pub limits: Limits,
    /// Which files may not be written.
    pub protection: Protection,
    /// What a successful answer promises.
    pub durability: Durability,
    /// What is done to a file with several hard links.
    pub hard_links: HardLinks,
    /// Which files are overwritten instead of replaced.
    pub in_place: InPlace,
    /// Where lock files are created for directories that cannot be locked; `None`: such directories are not written.
    pub lock_files: Option<PathBuf>,
}

/// What is done to a file with several hard links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HardLinks {
    /// It is refused, unless it may be overwritten in place.
    #[default]
    Refuse,
    /// The edited name becomes a file of its own.
    Break,
}

/// Which files are overwritten instead of replaced. While a file is overwritten, a reader may see it half old and half new.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InPlace {
    /// None.
    #[default]
    Never,
    /// Those that cannot be replaced: with several hard links, mount points, files in a directory that we cannot write to.
    WhenNeeded,
    /// All.
    Always,
}

/// Files below some roots, and the rules for them.
#[derive(Debug)]
pub struct Workspace<S: System = Native> {
    pub(crate) system: S,
    pub(crate) roots: RootSet<S>,
    pub(crate) settings: Settings,
}

/// Interrupted requests that only the user can resolve: the index of the root, and the paths of the files.
pub(crate) type Conflicts = Vec<(usize, Vec<String>)>;

impl Workspace<Native> {
    /// Opens the roots.
    ///
    /// # Errors
    ///
    /// If a root cannot be opened. Recovery is done by the first request, or by [`Workspace::recover`].
    pub fn open(roots: &[PathBuf], settings: Settings) -> Result<Self, Error> {
        Self::on(Native, roots, settings)
    }
}

impl<S: System> Workspace<S> {
    /// Opens the roots on a given system.
    ///
    /// # Errors
    ///
    /// As [`Workspace::open`].
    pub fn on(system: S, roots: &[PathBuf], settings: Settings) -> Result<Self, Error> {
        let roots = roots
            .iter()
            .map(|root| Root::open(&system, root))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self::over(system, roots, settings))
    }

    /// Makes a workspace of open roots.
    pub(crate) fn over(system: S, roots: Vec<Root<S>>, settings: Settings) -> Self {
        Self {
            system,
            roots: RootSet::new(roots),
            settings,
        }
    }

    /// Lets relative paths start from a folder instead of the first root, such as the real path of the working directory. Files outside
    /// the roots stay out of reach.
    #[must_use]
    pub fn based(self, folder: PathBuf) -> Self {
        let roots = self.roots.based(folder);
        Self { roots, ..self }
    }

    /// Returns the roots.
    #[must_use]
    pub fn roots(&self) -> &[Root<S>] {
        &self.roots
    }

    /// Undoes or finishes what dead processes left, root by root.
    ///
    /// # Errors
    ///
    /// `recovery_conflict` where another program changed the files since and `settle` does not say what to do.
    pub fn recover(&self, settle: Option<ConflictChoice>) -> Result<Vec<Recovered>, Error> {
        self.on_each_root(|recovery| recovery.recover(settle))
    }

    /// Returns what there is to recover, root by root, without changing anything.
    ///
    /// # Errors
    ///
    /// If a root cannot be looked at.
    pub fn pending(&self) -> Result<Vec<Pending>, Error> {
        let roots = self.roots.iter();
        roots
            .map(|root| commit::pending(&self.system, root))
            .collect()
    }

    /// Recovers from foreign journals, such as those of a copied tree, as if they were ours.
    ///
    /// # Errors
    ///
    /// As [`Workspace::recover`].
    pub fn trust(&self) -> Result<Vec<Recovered>, Error> {
        self.on_each_root(|recovery| recovery.trust())
    }

    /// Searches files for lines, and records in the ledger which of them are shown. It can be cancelled.
    ///
    /// # Errors
    ///
    /// `bad_pattern` if the search cannot be understood, `too_many` if it names too much, `timeout` if it takes too long, `cancelled` if
    /// it was cancelled. A file that cannot be searched is listed among the skipped ones and stops nothing.
    pub fn search(
        &self,
        query: &Query,
        audience: &Audience<'_>,
        cancel: Option<&CancelToken>,
    ) -> Result<Found, Error>
    where
        S: Sync,
        S::Dir: Send + Sync,
    {
        let wait = self.settings.limits.reader_wait;
        let mut notes = Vec::new();
        // A failed recovery does not stop a search; the result is then not marked as consistent.
        let _ = self.recover_first(self.locking(Share::Nobody, wait), &mut notes);
        let ground = Ground {
            system: &self.system,
            roots: &self.roots,
            limits: &self.settings.limits,
            locking: self.locking(Share::Readers, wait),
            deadline: self.deadline().with_cancel(cancel),
        };
        let found = search(&ground, query, audience)?;
        Ok(Found { notes, ..found })
    }

    /// Records that an answer showed lines of a file, by the path the caller used for it.
    ///
    /// # Errors
    ///
    /// If the path leads nowhere in the roots.
    pub fn showed(
        &self,
        ledger: &dyn Ledger,
        path: &str,
        document: &Document,
        shows: &ShownLines<'_>,
    ) -> Result<(), Error> {
        let place = find(&self.system, &self.roots, path)?;
        ledger.showed(&self.canonical(&place), document, shows);
        Ok(())
    }

    /// Returns what was shown of a file, by the path the caller uses for it.
    ///
    /// # Errors
    ///
    /// If the path leads nowhere in the roots.
    pub fn history(&self, ledger: &dyn Ledger, path: &str) -> Result<History, Error> {
        let place = find(&self.system, &self.roots, path)?;
        Ok(ledger.history(&self.canonical(&place)))
    }

    fn on_each_root(
        &self,
        act: impl Fn(&Recovery<'_, S>) -> Result<Recovered, Error>,
    ) -> Result<Vec<Recovered>, Error> {
        let deadline = self.deadline();
        let wait = self.settings.limits.lock_wait;
        let roots = self.roots.iter();
        roots
            .map(|root| act(&self.recovery(root, self.locking(Share::Nobody, wait), deadline)))
            .collect()
    }

    pub(crate) fn deadline(&self) -> Deadline<'static> {
        Deadline::after(self.settings.limits.request_time)
    }

    pub(crate) fn locking(&self, share: Share, wait: std::time::Duration) -> Locking<'_> {
        Locking {
            share,
            wait,
            files: self.settings.lock_files.as_deref(),
            cancel: None,
        }
    }

    fn recovery<'a>(
        &'a self,
        root: &'a Root<S>,
        locking: Locking<'a>,
        deadline: Deadline<'a>,
    ) -> Recovery<'a, S> {
        Recovery {
            system: &self.system,
            root,
            protection: &self.settings.protection,
            locking,
            deadline,
            largest: self.settings.limits.largest_written(),
        }
    }

    /// Recovers all roots before a request, as far as possible; adds notes on what was done and what could not be.
    pub(crate) fn recover_first(
        &self,
        locking: Locking<'_>,
        notes: &mut Vec<DiskNote>,
    ) -> Result<Conflicts, Error> {
        let mut conflicts = Conflicts::new();
        for (index, root) in self.roots.iter().enumerate() {
            // Looked for without a lock first: almost always there is nothing, and a read should cost no more than that.
            let recovered = match commit::pending(&self.system, root)? {
                Pending::Nothing => Ok(Recovered::Nothing),
                Pending::ForeignFolder => Ok(Recovered::ForeignFolder),
                Pending::Journal => self.recovery(root, locking, self.deadline()).recover(None),
            };
            let note = match recovered {
                Ok(Recovered::Nothing) => continue,
                Ok(Recovered::RolledBack(paths)) => DiskNote::RolledBack(paths),
                Ok(Recovered::Finished(paths) | Recovered::Decided { paths, .. }) => {
                    DiskNote::Finished(paths)
                }
                Ok(Recovered::Foreign) => DiskNote::ForeignJournal,
                Ok(Recovered::ForeignFolder) => DiskNote::ForeignFolder,
                Err(error) => {
                    let DiskFault::RecoveryConflict(paths) = error.why else {
                        return Err(error);
                    };
                    conflicts.push((index, paths.clone()));
                    DiskNote::Unsettled(paths)
                }
            };
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        Ok(conflicts)
    }

    /// Moves the staging files that a dead process left beside a file to the orphans. The caller holds the lock on its directory.
    pub(crate) fn move_leftovers(
        &self,
        place: &FilePlace<S>,
        notes: &mut Vec<DiskNote>,
    ) -> Result<(), Error> {
        // Nothing in the journal's folder is ever edited, so staging files there are not leftovers.
        let closed = path::names(&place.parent_path).any(path::is_closed);
        if closed || !place.missing.is_empty() {
            return Ok(());
        }
        let left = commit::leftovers(&self.system, &place.parent, &place.name)
            .map_err(|error| io_error(&place.requested, "looking for a leftover", &error))?;
        if left.is_empty() {
            return Ok(());
        }
        self.refuse_others_journal(place)?;
        let root = &self.roots[place.root];
        let area = || Area::make(&self.system, &root.dir);
        let dir = (&*place.parent, place.parent_path.as_path());
        let moved = commit::move_leftovers(&self.system, area, dir, &left)
            .map_err(|error| io_error(&place.requested, "moving a leftover away", &error))?;
        if !moved.is_empty() {
            notes.push(DiskNote::Orphaned(Orphaned {
                path: place.requested.clone(),
                kept: moved
                    .iter()
                    .map(|path| path.display().to_string())
                    .collect(),
            }));
        }
        Ok(())
    }

    /// Refuses to move staging files while a folder above or below our root has a journal of its own: a recovery with that folder as
    /// its root will need them.
    fn refuse_others_journal(&self, place: &FilePlace<S>) -> Result<(), Error> {
        let own = self.roots[place.root].path();
        let dir = own.join(&place.parent_path);
        let mut above = dir.ancestors().filter(|above| *above != own);
        let has_journal = |dir: &Path| self.system.exists(&dir.join(AREA).join("journal"));
        if above.any(has_journal) {
            let paths = vec![place.requested.clone()];
            return Err(DiskFault::RecoveryConflict(paths).into());
        }
        Ok(())
    }

    /// Returns the path by which the ledger knows a file.
    pub(crate) fn canonical(&self, place: &FilePlace<S>) -> PathBuf {
        self.roots[place.root].path().join(place.path())
    }
}

/// Returns whether a file is one of those in an interrupted request.
pub(crate) fn is_listed(paths: &[String], path: &Path) -> bool {
    paths.iter().any(|listed| Path::new(listed) == path)
}
