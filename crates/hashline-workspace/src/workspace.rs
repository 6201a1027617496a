//! [`Workspace`]: the roots, the settings, and the recovery of interrupted commits before every request.
//!
//! [`Workspace::read`] is in `read/`, [`Workspace::apply`] in `apply/`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::disk_note::{DiskNote, Orphaned};
use crate::search::found::Found;
use hashline_core::Document;
use hashline_core::shown::History;

use crate::commit::{self, AREA, Area, ConflictChoice, Durability, Pending, Recovered, Recovery};
use crate::deadline::{CancelToken, Deadline};
use crate::encoding::EncodingRules;
use crate::error::{DiskFault, Error, io_error};
use crate::ledger::{Ledger, ShownLines};
use crate::limits::Limits;
use crate::lock::Locking;
use crate::path::{self, Protection};
use crate::root::{FilePlace, Root, RootSet, find};
use crate::search::{Audience, Ground, Query, search};
use crate::system::{FileKind, Native, Share, System};

/// The settings of a workspace. Only the user changes settings, never a request.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Limits on sizes and times.
    pub limits: Limits,
    /// The encodings of files, by globs.
    pub encodings: EncodingRules,
    /// Which files no request may write.
    pub protection: Protection,
    /// Whether a successful answer means that the files survive a power cut.
    pub durability: Durability,
    /// What an edit does to a file with several hard links.
    pub hard_links: HardLinks,
    /// Which files are overwritten in place instead of being replaced by a new file.
    pub in_place: InPlace,
    /// The folder for lock files, used where the file system cannot lock directories; with `None`, files in such directories are not
    /// written.
    pub lock_files: Option<PathBuf>,
}

/// What an edit does to a file with several hard links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HardLinks {
    /// The edit is refused, unless [`InPlace`] allows overwriting the file.
    #[default]
    Refuse,
    /// The edited path gets a new file; the other hard links keep the old bytes.
    Break,
}

/// Which files are overwritten in place instead of being replaced by a new file. While a file is overwritten, a reader may see it half old
/// and half new.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InPlace {
    /// No file is overwritten in place.
    #[default]
    Never,
    /// Only files that cannot be replaced: those with several hard links, mount points, files in a directory that we cannot write to.
    WhenNeeded,
    /// Every edited file is overwritten in place.
    Always,
}

/// The files below some roots, and the settings for reading and editing them.
#[derive(Debug)]
pub struct Workspace<S: System = Native> {
    pub(crate) system: S,
    pub(crate) roots: RootSet<S>,
    pub(crate) settings: Settings,
}

/// Which files with staging names are moved away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leftovers {
    /// Only those that this user's hashline can have written: a read changes nothing else.
    Ours,
    /// All of them: an edit needs their names.
    All,
}

/// Recovery conflicts (interrupted commits whose files another program changed since): the index of the root, and the paths of the files.
pub(crate) type Conflicts = Vec<(usize, Vec<String>)>;

impl Workspace<Native> {
    /// Opens the root directories. Interrupted commits are recovered by the first request, or by [`Workspace::recover`].
    ///
    /// # Errors
    ///
    /// If a root cannot be opened.
    pub fn open(roots: &[PathBuf], settings: Settings) -> Result<Self, Error> {
        Self::on(Native, roots, settings)
    }
}

impl<S: System> Workspace<S> {
    /// Opens the root directories on a given [`System`], such as a simulated disk.
    ///
    /// # Errors
    ///
    /// If a root cannot be opened.
    pub fn on(system: S, roots: &[PathBuf], settings: Settings) -> Result<Self, Error> {
        let roots = roots
            .iter()
            .map(|root| Root::open(&system, root))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self::over(system, roots, settings))
    }

    /// Creates a workspace from roots that are open already.
    pub(crate) fn over(system: S, roots: Vec<Root<S>>, settings: Settings) -> Self {
        Self {
            system,
            roots: RootSet::new(roots),
            settings,
        }
    }

    /// Resolves relative paths from `folder` instead of the first root, for example from the real path of the working directory. Files
    /// outside the roots still cannot be read or written.
    #[must_use]
    pub fn based(self, folder: PathBuf) -> Self {
        let roots = self.roots.based(folder);
        Self { roots, ..self }
    }

    /// Lets absolute paths below `alias` name the files below the first root: for callers that know the root by another path.
    #[must_use]
    pub fn known_as(self, alias: PathBuf) -> Self {
        let roots = self.roots.known_as(alias);
        Self { roots, ..self }
    }

    /// Returns the roots, in the order in which they were given.
    #[must_use]
    pub fn roots(&self) -> &[Root<S>] {
        &self.roots
    }

    /// Undoes or finishes the commits that dead processes left incomplete, root by root.
    ///
    /// # Errors
    ///
    /// `recovery_conflict` if another program changed a file of an incomplete commit since, and `settle` is `None`.
    pub fn recover(&self, settle: Option<ConflictChoice>) -> Result<Vec<Recovered>, Error> {
        self.on_each_root(|recovery| recovery.recover(settle))
    }

    /// Returns, for each root, whether there is an incomplete commit to recover, without changing anything.
    ///
    /// # Errors
    ///
    /// If the `.hashline` folder of a root cannot be opened.
    pub fn pending(&self) -> Result<Vec<Pending>, Error> {
        let roots = self.roots.iter();
        roots
            .map(|root| commit::pending(&self.system, root))
            .collect()
    }

    /// Recovers from foreign journals (journals written for another tree, such as the original of a copied one) as if this workspace had
    /// written them.
    ///
    /// # Errors
    ///
    /// The same errors as [`Workspace::recover`].
    pub fn trust(&self) -> Result<Vec<Recovered>, Error> {
        self.on_each_root(|recovery| recovery.trust())
    }

    /// Searches files for lines, and records in the ledger which lines are shown. `cancel` stops the search.
    ///
    /// # Errors
    ///
    /// `bad_pattern` if the pattern is invalid, `too_many` if the query has too many paths, globs or file types, `timeout` if the search
    /// takes too long, `cancelled` if the caller cancelled it. A file that cannot be searched is listed as skipped and is not an error.
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
            encodings: &self.settings.encodings,
            locking: self.locking(Share::Readers, wait),
            deadline: self.deadline().with_cancel(cancel),
        };
        let found = search(&ground, query, audience)?;
        Ok(Found { notes, ..found })
    }

    /// Records that an answer showed lines of a file. `path` is the path that the caller used for the file.
    ///
    /// # Errors
    ///
    /// If `path` does not resolve to a place inside the roots.
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

    /// Returns the recorded history of a file: which revisions and lines were shown. `path` is the path that the caller uses for the file.
    ///
    /// # Errors
    ///
    /// If `path` does not resolve to a place inside the roots.
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

    /// Recovers all roots before a request; returns the conflicts that only the user can resolve, and adds a note for everything done or
    /// found.
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

    /// Moves the staging files that a dead process left beside a file to `.hashline/orphans`. The caller holds the lock on the file's
    /// directory.
    pub(crate) fn move_leftovers(
        &self,
        place: &FilePlace<S>,
        leftovers: Leftovers,
        notes: &mut Vec<DiskNote>,
    ) -> Result<(), Error> {
        // Nothing in the journal's folder is ever edited, so staging files there are not leftovers.
        let closed = path::names(&place.parent_path).any(path::is_closed);
        if closed || !place.missing.is_empty() {
            return Ok(());
        }
        let mut left = commit::leftovers(&self.system, &place.parent, &place.name)
            .map_err(|error| io_error(&place.requested, "looking for a leftover", &error))?;
        if leftovers == Leftovers::Ours {
            left.retain(|name| self.can_be_ours(place, name));
        }
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

    /// Returns whether a file with a staging name can be one that this user's hashline wrote: a regular file of this user.
    fn can_be_ours(&self, place: &FilePlace<S>, name: &OsStr) -> bool {
        let stat = self.system.stat_at(&place.parent, name);
        stat.is_ok_and(|stat| stat.kind == FileKind::File && stat.owner == self.system.user())
    }

    /// Refuses to move staging files while a folder above the file, other than our root, has a journal: a recovery with that folder as its
    /// root will need the staging files.
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

    /// Returns the absolute real path of a file, which is the key of its history in the ledger.
    pub(crate) fn canonical(&self, place: &FilePlace<S>) -> PathBuf {
        self.roots[place.root].path().join(place.path())
    }
}

/// Returns whether `path` is one of `paths`, the files of an interrupted commit.
pub(crate) fn is_listed(paths: &[String], path: &Path) -> bool {
    paths.iter().any(|listed| Path::new(listed) == path)
}
