//! Applying a request: edits are resolved against the files as they are now, and all files are committed or none.
//!
//! The steps: recover interrupted commits of dead processes, find the files (`files`), lock their directories, read them, resolve the
//! edits, plan the change of each file (`plan`), commit. If another program writes a file between the read and the commit, all steps are
//! repeated, once: the anchors are then mapped through the other program's change.

mod files;
mod plan;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use hashline_core::files::{FileAction, Files, FilesEdited, Request, edit_files};
use hashline_core::policy::{Context, Mode};
use hashline_core::shown::{CutLines, History};
use hashline_core::text::{LineNo, LineSpan};
use hashline_core::{Document, Policy, Shown};

use crate::commit::{
    self, Area, Cleanup, CommitEntry, CommitFailure, CommitFault, CommitSite, Pending, Planned,
};
use crate::deadline::{CancelToken, Deadline};
use crate::disk_note::DiskNote;
use crate::encoding::{EncodingChoice, TextEncoding};
use crate::error::{ApplyError, DiskFault, Error, Excess, Fresh};
use crate::ledger::Ledger;
use crate::lock::{Locking, Locks};
use crate::open_dirs::refuse_without_room;
use crate::precompute::precompute_during;
use crate::read::{MemoryBudget, Snapshot, read, refuse_large, refuse_nul, refuse_unreadable};
use crate::root::{FilePlace, Root, find};
use crate::system::{Share, System};
use crate::workspace::{Conflicts, Leftovers, Workspace, is_listed};

use files::RequestFiles;
pub(crate) use files::refuse_many;

/// How many times a request is tried before it is refused because other programs keep writing its files.
const ATTEMPTS: usize = 2;

/// How many more files and directories are open for a moment while a request is committed or undone, in addition to those that the request holds
/// open.
const EXTRA_OPEN: usize = 12;

/// How a request is applied.
#[derive(Clone, Copy, Debug)]
pub struct ApplyOptions<'a> {
    /// The session whose showings (lines shown earlier) anchors may refer to; `None`: those of all sessions of this user.
    pub session: Option<&'a str>,
    /// How anchors are resolved and which mistakes are repaired.
    pub policy: &'a Policy<'a>,
    /// Whether the files are written, or the result is only computed (a dry run).
    pub mode: Mode,
    /// Cancels the request as long as nothing is written.
    pub cancel: Option<&'a CancelToken>,
}

/// The result of applying a request.
#[derive(Clone, Debug)]
pub struct ApplyOutcome {
    /// The edited files; or why the request failed. Only with the errors `needs_recovery` and `internal` files may have been written.
    pub result: Result<FilesEdited, ApplyError>,
    /// Notes about the disk, such as the recovery of an earlier commit. Such a recovery is reported once, whether this request succeeded or
    /// not.
    pub notes: Vec<DiskNote>,
}

impl<S: System> Workspace<S> {
    /// Applies a request: all of it, or nothing.
    pub fn apply(
        &self,
        request: Request,
        ledger: &dyn Ledger,
        options: &ApplyOptions<'_>,
    ) -> ApplyOutcome {
        let mut notes = Vec::new();
        let applied = catch_unwind(AssertUnwindSafe(|| {
            self.try_apply(&request, ledger, options, &mut notes)
        }));
        let paths = || request.steps.iter().map(|step| step.path.clone());
        let result = applied.unwrap_or_else(|_| {
            // The locks were released while the stack unwound. What is half done is recovered as after any crash.
            let _ = self.recover(None);
            Err(Error::from(DiskFault::Internal(paths().collect())).into())
        });
        let result = result.map_err(|error| match error {
            ApplyError::Disk(error) => {
                let files = paths().collect::<BTreeSet<_>>().len();
                error.of_several(files).into()
            }
            error => error,
        });
        ApplyOutcome { result, notes }
    }

    fn try_apply(
        &self,
        request: &Request,
        ledger: &dyn Ledger,
        options: &ApplyOptions<'_>,
        notes: &mut Vec<DiskNote>,
    ) -> Result<FilesEdited, ApplyError> {
        let run = Run {
            workspace: self,
            ledger,
            options,
            deadline: self.deadline().with_cancel(options.cancel),
        };
        let mut overtaken = 0;
        loop {
            run.deadline.check()?;
            let conflicts = self.recover_first(run.locking(), notes)?;
            match run.attempt(request, &conflicts, notes)? {
                Attempt::Done(edited) => return Ok(edited),
                Attempt::RecoverFirst => {}
                Attempt::FileChanged { path, edited } => {
                    overtaken += 1;
                    if overtaken == ATTEMPTS {
                        return Err(run.changed_again(&path, &edited, request).into());
                    }
                }
            }
        }
    }
}

/// The result of one attempt to apply a request.
enum Attempt {
    Done(FilesEdited),
    /// A journal of a dead process appeared, which must be recovered before the next attempt.
    RecoverFirst,
    /// Another program wrote the file between the read and the commit.
    FileChanged {
        path: String,
        /// The edits that were about to be committed.
        edited: FilesEdited,
    },
}

/// A request that is being applied: the workspace, ledger, options and deadline for it.
struct Run<'a, S: System> {
    workspace: &'a Workspace<S>,
    ledger: &'a dyn Ledger,
    options: &'a ApplyOptions<'a>,
    deadline: Deadline<'a>,
}

/// The files of a request, locked and read.
struct LockedFiles<'a, S: System> {
    root: &'a Root<S>,
    /// The `.hashline` folder; `None` if the request needs no journal.
    area: Option<&'a Area<S>>,
    places: &'a [FilePlace<S>],
    /// The files that exist, by the path in the request.
    snapshots: BTreeMap<String, Snapshot<S>>,
    /// The encoding of each file, by the path in the request.
    encodings: BTreeMap<String, EncodingChoice>,
}

impl<'a, S: System> Run<'a, S> {
    fn locking(&self) -> Locking<'a> {
        let workspace = self.workspace;
        let wait = self.deadline.within(workspace.settings.limits.lock_wait);
        Locking {
            cancel: self.deadline.cancel(),
            ..workspace.locking(Share::Nobody, wait)
        }
    }

    /// Locks and reads the files, resolves the edits and commits them, once.
    fn attempt(
        &self,
        request: &Request,
        conflicts: &Conflicts,
        notes: &mut Vec<DiskNote>,
    ) -> Result<Attempt, ApplyError> {
        let RequestFiles {
            request,
            places,
            new_dirs,
        } = self.find_files(request.clone())?;
        let Some(first) = places.first() else {
            return Ok(Attempt::Done(FilesEdited::default()));
        };
        let system = &self.workspace.system;
        let root = &self.workspace.roots[first.root];
        let area = self.area_for(root, &request, &places)?;
        // The journal's folder before any directory: two processes that took them in different orders would wait for each other.
        let area_dir = area.as_ref().map(Area::dir);
        let _one_at_a_time = Locks::take(system, area_dir, &self.locking(), &first.requested)?;
        let dirs = places.iter().map(|place| &*place.parent);
        let locks = Locks::take(system, dirs, &self.locking(), &first.requested)?;
        if self.has_new_journal(root, area.as_ref(), &places, conflicts)? {
            return Ok(Attempt::RecoverFirst);
        }
        let encodings = self.encodings_of(&places, &request)?;
        let files = LockedFiles {
            root,
            area: area.as_ref(),
            snapshots: self.read_files(&places, &encodings, notes)?,
            places: &places,
            encodings,
        };
        let edited = self.resolve(request, &files)?;
        self.refuse_unreadable(&edited, &files.encodings)?;
        if self.options.mode == Mode::DryRun {
            return Ok(Attempt::Done(edited));
        }
        let attempt = self.write(&files, edited, new_dirs, notes)?;
        if let Attempt::Done(_) = attempt {
            // The promises are weaker here, and the caller has to know.
            if locks.are_advisory() {
                notes.push(DiskNote::AdvisoryLocks);
            }
            if root.remote {
                notes.push(DiskNote::DurabilityUnknown);
            }
        }
        Ok(attempt)
    }

    /// Returns whether a journal must be recovered before these files can be written. The caller holds all locks of the request.
    fn has_new_journal(
        &self,
        root: &Root<S>,
        area: Option<&Area<S>>,
        places: &[FilePlace<S>],
        conflicts: &Conflicts,
    ) -> Result<bool, Error> {
        if commit::pending(&self.workspace.system, root)? != Pending::Journal {
            return Ok(false);
        }
        let at = places.first().map_or(0, |place| place.root);
        let Some((_, paths)) = conflicts.iter().find(|(root, _)| *root == at) else {
            return Ok(true);
        };
        // A root has one journal: while that one waits for the user, no other commit of several files can be made.
        let touched = places.iter().any(|place| is_listed(paths, &place.path()));
        if touched || area.is_some() {
            return Err(DiskFault::RecoveryConflict(paths.clone()).into());
        }
        Ok(false)
    }

    fn read_files(
        &self,
        places: &[FilePlace<S>],
        encodings: &BTreeMap<String, EncodingChoice>,
        notes: &mut Vec<DiskNote>,
    ) -> Result<BTreeMap<String, Snapshot<S>>, Error> {
        let workspace = self.workspace;
        let mut snapshots = BTreeMap::new();
        let mut budget = MemoryBudget::for_files(places, &workspace.settings.limits);
        for place in places {
            self.deadline.check()?;
            workspace.move_leftovers(place, Leftovers::All, notes)?;
            let encoding = encoding_in(encodings, &place.requested);
            match budget.read(&workspace.system, place, encoding) {
                Ok(snapshot) => _ = snapshots.insert(place.requested.clone(), snapshot),
                // Whether a missing file is an error depends on the request: it may be the one that is created.
                Err(error) if error.why == DiskFault::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(snapshots)
    }

    /// Returns the encoding in which each file is read and written, by its path in the request.
    fn encodings_of(
        &self,
        places: &[FilePlace<S>],
        request: &Request,
    ) -> Result<BTreeMap<String, EncodingChoice>, Error> {
        let overwrites = |place: &FilePlace<S>| {
            let mut steps = request.steps.iter();
            steps.any(|step| {
                step.path == place.requested && matches!(step.action, FileAction::Overwrite(..))
            })
        };
        let encoding = |place: &FilePlace<S>| {
            if overwrites(place) {
                return Ok((place.requested.clone(), EncodingChoice::Bytes));
            }
            let named = request.encodings.get(&place.requested);
            let named = named.map(|name| TextEncoding::parse(name)).transpose();
            let named = named.map_err(|why| why.at(&place.requested))?;
            let choice = self.workspace.encoding_of(place, named);
            Ok((place.requested.clone(), choice))
        };
        places.iter().map(encoding).collect()
    }

    fn resolve(
        &self,
        request: Request,
        files: &LockedFiles<'_, S>,
    ) -> Result<FilesEdited, ApplyError> {
        let history = |place: &FilePlace<S>| {
            let file = self.workspace.canonical(place);
            (place.requested.clone(), self.ledger.history(&file))
        };
        let documents = files.snapshots.values().map(|snapshot| &snapshot.document);
        // Splitting a large file into lines and reading the ledger take about as long, so both are done at once.
        let lines = |document: &Document| _ = document.line(LineNo::FIRST);
        let histories = || files.places.iter().map(history).collect();
        let view = View {
            snapshots: &files.snapshots,
            encodings: &files.encodings,
            histories: precompute_during(documents, lines, histories),
            partly_shown: self.ledger.partly_shown(),
            session: self.options.session,
        };
        Ok(edit_files(request, &view, self.options.policy)?)
    }

    /// Refuses to write files that could not be read again: files that are too large, alone or together, that have too many or too long
    /// lines, or that are not text. A file whose bytes are sent as they are may have any lines.
    fn refuse_unreadable(
        &self,
        edited: &FilesEdited,
        encodings: &BTreeMap<String, EncodingChoice>,
    ) -> Result<(), Error> {
        let writes = edited.writes();
        let written = || {
            writes
                .iter()
                .filter_map(|(path, new)| Some((path, new.as_ref()?)))
        };
        let sizes = written().map(|(_, new)| new.file_bytes().len() as u64);
        Excess::refuse(
            sizes.fold(0, u64::saturating_add),
            self.workspace.settings.limits.total,
            DiskFault::TooLargeTogether,
        )?;
        let limits = &self.workspace.settings.limits;
        written().try_for_each(|(path, new)| {
            let encoding = encoding_in(encodings, path);
            if encoding == EncodingChoice::Bytes {
                return refuse_large(new.file_bytes().len() as u64, limits, path);
            }
            let bounded = refuse_unreadable(new, limits, path);
            bounded.map_err(|error| DiskFault::WouldBe(Box::new(error.why)).at(path))?;
            refuse_nul(new.bytes(), path)?;
            let misread = encoding.refuse_misread(new);
            misread.map_err(|why| why.at(path))
        })
    }

    /// Plans the change of each file and commits all changes.
    fn write(
        &self,
        files: &LockedFiles<'_, S>,
        edited: FilesEdited,
        new_dirs: usize,
        notes: &mut Vec<DiskNote>,
    ) -> Result<Attempt, ApplyError> {
        let writes = edited.writes();
        let Some(planned) = self.plan(files, &edited, &writes)? else {
            return Ok(Attempt::RecoverFirst);
        };
        self.deadline.check()?;
        if files.area.is_some() {
            let path = &files.places[0].requested;
            refuse_without_room(
                &self.workspace.system,
                files.root,
                new_dirs + EXTRA_OPEN,
                path,
            )?;
        }
        let paths: Vec<String> = planned
            .iter()
            .map(|plan| plan.place.requested.clone())
            .collect();
        let new = writes.values().flatten();
        let revision = |document: &Document| _ = document.revision();
        let commit = || self.commit(files, planned);
        match precompute_during(new, revision, commit) {
            Ok(cleanup) => {
                if cleanup == Cleanup::Left {
                    notes.push(DiskNote::NotCleanedUp(writes.into_keys().collect()));
                }
                self.record_writes(files.places, &edited);
                Ok(Attempt::Done(edited))
            }
            Err(CommitFailure { entry, why }) => {
                let path = paths.into_iter().nth(entry).unwrap_or_default();
                match why {
                    CommitFault::Changed | CommitFault::Taken => {
                        Ok(Attempt::FileChanged { path, edited })
                    }
                    why => {
                        let paths = writes.into_keys().collect();
                        Err(plan::not_written(&path, why, paths).into())
                    }
                }
            }
        }
    }

    fn commit(
        &self,
        files: &LockedFiles<'_, S>,
        mut planned: Vec<Planned<'_, S>>,
    ) -> Result<Cleanup, CommitFailure> {
        let Workspace {
            system, settings, ..
        } = self.workspace;
        let durability = settings.durability;
        if planned.is_empty() {
            return Ok(Cleanup::Done);
        }
        let Some(area) = files.area else {
            let Planned { place, action } = planned.remove(0);
            let entry = CommitEntry::new(place, action);
            return commit::replace_one(system, &entry, durability)
                .map_err(|why| CommitFailure { entry: 0, why });
        };
        let site = CommitSite {
            system,
            root: &files.root.dir,
            area,
            protection: &settings.protection,
            durability,
            deadline: self.deadline,
            largest: settings.limits.largest_written(),
        };
        commit::commit_several(&site, planned)
    }

    /// Records in the ledger how our edits changed the files, so that anchors shown before the edits still resolve to their lines.
    fn record_writes(&self, places: &[FilePlace<S>], edited: &FilesEdited) {
        let canonical = |requested: &String| {
            let place = places.iter().find(|place| place.requested == *requested)?;
            Some(self.workspace.canonical(place))
        };
        for file in &edited.files {
            let from = file.from.as_ref().and_then(canonical);
            let to = file.path.as_ref().and_then(canonical);
            if let (Some(from), Some(to)) = (&from, &to)
                && from != to
            {
                self.ledger.moved(from, to);
            }
            if let Some(path) = to {
                let report = &file.edited.report;
                let (before, after) = (&report.before, &file.edited.document);
                let session = self.options.session;
                (self.ledger).wrote(&path, session, before, after, &report.changes);
            }
        }
    }

    /// Returns the error for a file that other programs keep writing, with the lines around the edits as they are now.
    fn changed_again(&self, path: &str, edited: &FilesEdited, request: &Request) -> Error {
        let workspace = self.workspace;
        let now = find(&workspace.system, &workspace.roots, path).and_then(|place| {
            let encodings = self.encodings_of(std::slice::from_ref(&place), request)?;
            let encoding = encoding_in(&encodings, path);
            read(
                &workspace.system,
                &place,
                &workspace.settings.limits,
                encoding,
            )
        });
        let now = now.ok().map(|Snapshot { document, .. }| {
            let file = edited.files.iter().find(|file| file.name() == path);
            let windows = file.map(|file| file.edited.report.windows(Context::default()));
            let lines = document.line_count();
            let inside =
                |span: &LineSpan| LineSpan::new(span.start().min(lines)..span.end().min(lines));
            let spans = windows.unwrap_or_default().iter().map(inside).collect();
            Box::new(Fresh { document, spans })
        });
        DiskFault::Changed(now).at(path)
    }
}

fn encoding_in(encodings: &BTreeMap<String, EncodingChoice>, path: &str) -> EncodingChoice {
    encodings.get(path).copied().unwrap_or_default()
}

/// The files of a request as they were read, and their histories, for the engine.
struct View<'a, S: System> {
    snapshots: &'a BTreeMap<String, Snapshot<S>>,
    encodings: &'a BTreeMap<String, EncodingChoice>,
    histories: BTreeMap<String, History>,
    partly_shown: CutLines,
    session: Option<&'a str>,
}

impl<S: System> Files for View<'_, S> {
    fn document(&self, path: &str) -> Option<Document> {
        self.snapshots.get(path).map(|found| found.document.clone())
    }

    fn new_document(&self, path: &str) -> Document {
        encoding_in(self.encodings, path).new_document()
    }

    fn shown(&self, path: &str) -> Shown<'_> {
        let history = self.histories.get(path);
        let shown =
            history.map_or_else(Shown::nothing, |history| Shown::new(history, self.session));
        shown.with_partly_shown(&self.partly_shown)
    }
}
