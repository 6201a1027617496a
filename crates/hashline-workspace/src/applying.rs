//! Applying: a request is resolved against the files as they are, and committed: all of it, or nothing.
//!
//! Downhill: settle what a dead process left, find the files, lock their directories, read, resolve, plan, commit. If somebody else
//! writes between the reading and the commit, all of it starts again, once: anchors are then mapped over what they wrote.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

use crate::error::PathFault;
use crate::note::DiskNote;
use hashline_core::edit::EditNo;
use hashline_core::files::{
    FileAction, Files, FilesEdited, FilesError, Request, StepProblem, edit_files,
};
use hashline_core::policy::{Context, Mode};
use hashline_core::shown::History;
use hashline_core::text::LineSpan;
use hashline_core::{Document, Policy, Shown};

use crate::commit::{
    self, Area, Cleanup, CommitAction, CommitEntry, CommitFailure, CommitSite, Copies, Pending,
    Planned,
};
use crate::deadline::{CancelToken, Deadline};
use crate::error::{
    ApplyError, At, Bound, CannotReplace, Changed, Error, Fresh, Loss, NotApplied, Unsettled,
    io_error, naming,
};
use crate::ledger::Ledger;
use crate::lock::{Locking, Locks};
use crate::open_dirs::{OpenDirs, refuse_without_room};
use crate::precompute::{Precompute, precompute_during};
use crate::read::{MemoryBudget, Snapshot, read, refuse_much, refuse_nul};
use crate::root::{FilePlace, Root, bad, find, refuse_protected};
use crate::system::{FileAccess, FileKind, Obstacle, Share, Stat, System};
use crate::workspace::{Conflicts, HardLinks, InPlace, Workspace, is_left};

/// How often a request is resolved because somebody wrote between its reading and its commit.
const ATTEMPTS: usize = 2;

/// How many directories one request may make.
const MOST_DIRS: usize = 256;

/// So many files and directories are open for a moment while a request is carried out or taken back, beside those that it holds.
const ROOM: usize = 12;

/// How a request is carried out.
#[derive(Clone, Copy, Debug)]
pub struct ApplyOptions<'a> {
    /// Whose showings count; `None`: all of this user's.
    pub session: Option<&'a str>,
    /// How edits land and are repaired.
    pub policy: &'a Policy<'a>,
    /// Whether it is only tried.
    pub mode: Mode,
    /// Cancels the request as long as nothing is written.
    pub cancel: Option<&'a CancelToken>,
}

/// A request that was carried out.
#[derive(Clone, Debug)]
pub struct Applied {
    /// What was done to the files.
    pub edited: FilesEdited,
    /// What there is to know beside.
    pub notes: Vec<DiskNote>,
}

impl<S: System> Workspace<S> {
    /// Carries out a request: all of it, or nothing.
    ///
    /// # Errors
    ///
    /// Nothing was written, unless the error is `needs_recovery` or `internal`.
    pub fn apply(
        &self,
        request: Request,
        ledger: &dyn Ledger,
        options: &ApplyOptions<'_>,
    ) -> Result<Applied, NotApplied> {
        let paths: Vec<_> = request.steps.iter().map(|step| step.path.clone()).collect();
        let files = paths.iter().collect::<BTreeSet<_>>().len();
        let mut notes = Vec::new();
        let done = catch_unwind(AssertUnwindSafe(|| {
            self.carry_out(&request, ledger, options, &mut notes)
        }));
        let done = done.unwrap_or_else(|_| {
            // The locks were released while the stack unwound. What is half done is recovered as after any crash.
            let _ = self.recover(None);
            Err(Error::Internal(Unsettled { paths }).into())
        });
        match done {
            Ok(edited) => Ok(Applied { edited, notes }),
            Err(ApplyError::Disk(error)) => {
                let error = naming(files, error).into();
                Err(NotApplied { error, notes })
            }
            Err(error) => Err(NotApplied { error, notes }),
        }
    }

    fn carry_out(
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
        let mut changed = 0;
        loop {
            run.deadline.check()?;
            let conflicts = self.settle(run.waiting(), notes)?;
            match run.attempt(request, &conflicts, notes)? {
                Attempt::Done(edited) => return Ok(edited),
                Attempt::BrokenOff => {}
                Attempt::Overtaken(overtaken) => {
                    changed += 1;
                    if changed == ATTEMPTS {
                        return Err(run.refuse(overtaken).into());
                    }
                }
            }
        }
    }
}

/// Counts the directories that a request would have to make.
fn made_dirs<S: System>(places: &[FilePlace<S>]) -> usize {
    let mut dirs = BTreeSet::new();
    for place in places {
        let mut dir = place.parent_path.clone();
        for name in &place.missing {
            dir.push(name);
            dirs.insert(dir.clone());
            if dirs.len() > MOST_DIRS {
                return dirs.len();
            }
        }
    }
    dirs.len()
}

/// Notes what a request says of a file; two spellings of one file must say the same.
fn say_once<T: PartialEq>(
    requested: &mut BTreeMap<String, T>,
    path: String,
    value: T,
) -> Result<(), ApplyError> {
    if requested.get(&path).is_some_and(|before| *before != value) {
        let (step, reason) = (EditNo::from_index(0), StepProblem::Conflicting);
        return Err(FilesError::Step { step, path, reason }.into());
    }
    requested.insert(path, value);
    Ok(())
}

/// Refuses a request over too many files.
pub(crate) fn refuse_many(found: usize, most: usize) -> Result<(), Error> {
    if found <= most {
        return Ok(());
    }
    Err(Error::TooMany(Bound {
        path: None,
        found: found as u64,
        most: most as u64,
    }))
}

/// What came of one attempt.
enum Attempt {
    Done(FilesEdited),
    /// A journal appeared that must be settled first.
    BrokenOff,
    /// Somebody wrote a file meanwhile.
    Overtaken(Overtaken),
}

/// A file that somebody wrote between its reading and the commit.
struct Overtaken {
    path: String,
    /// What was about to be done.
    edited: FilesEdited,
}

/// A request under way.
struct Run<'a, S: System> {
    workspace: &'a Workspace<S>,
    ledger: &'a dyn Ledger,
    options: &'a ApplyOptions<'a>,
    deadline: Deadline<'a>,
}

/// The files of a request: its own form, in which one file has one name, and where they are.
struct Named<S: System> {
    request: Request,
    places: Vec<FilePlace<S>>,
    /// A link to a file that would be moved or deleted by the link's name, if there is one.
    link: Option<String>,
}

impl<'a, S: System> Run<'a, S> {
    fn waiting(&self) -> Locking<'a> {
        let workspace = self.workspace;
        let wait = self.deadline.within(workspace.settings.limits.lock_wait);
        Locking {
            cancel: self.deadline.cancel(),
            ..workspace.locking(Share::Nobody, wait)
        }
    }

    /// Locks, reads, resolves and commits once.
    fn attempt(
        &self,
        request: &Request,
        conflicts: &Conflicts,
        notes: &mut Vec<DiskNote>,
    ) -> Result<Attempt, ApplyError> {
        let Named {
            request,
            places,
            link,
        } = self.named(request.clone())?;
        let made = made_dirs(&places);
        refuse_many(made, MOST_DIRS)?;
        let Some(first) = places.first() else {
            return Ok(Attempt::Done(FilesEdited::default()));
        };
        self.refuse_protected(&request, &places)?;
        if let Some(link) = link {
            return Err(bad(&link, PathFault::Link).into());
        }
        let system = &self.workspace.system;
        let root = &self.workspace.roots[first.root];
        let area = self.area_for(root, &request, &places)?;
        let area_dir = area.as_ref().map(Area::dir);
        let _one_at_a_time = Locks::take(system, area_dir, &self.waiting(), &first.requested)?;
        let dirs = places.iter().map(|place| &*place.parent);
        let locks = Locks::take(system, dirs, &self.waiting(), &first.requested)?;
        if self.is_broken_off(root, area.as_ref(), &places, conflicts)? {
            return Ok(Attempt::BrokenOff);
        }
        let snapshots = self.snapshots(&places, notes)?;
        let edited = self.resolve(request, &places, &snapshots)?;
        let writes = edited.writes();
        let written = writes.values().flatten().map(|new| new.bytes().len());
        refuse_much(written, &self.workspace.settings.limits)?;
        for (path, new) in &writes {
            // Whoever writes such a file could not read it again.
            new.as_ref()
                .map_or(Ok(()), |new| refuse_nul(new.bytes(), path))?;
        }
        if self.options.mode == Mode::DryRun {
            return Ok(Attempt::Done(edited));
        }
        let moved = moved(&edited);
        let planned = self.plan(&places, &snapshots, &writes, &moved, area.as_ref())?;
        let Some(planned) = planned else {
            return Ok(Attempt::BrokenOff);
        };
        self.deadline.check()?;
        if area.is_some() {
            refuse_without_room(system, root, made + ROOM, &first.requested)?;
        }
        let new = writes.values().flatten();
        let commit = || self.commit(root, area.as_ref(), planned);
        match precompute_during(new, Precompute::Revision, commit) {
            Ok(cleanup) => {
                self.note_what_is_less(root, &locks, notes);
                if cleanup == Cleanup::Left {
                    let paths = writes.into_keys().collect();
                    notes.push(DiskNote::NotCleanedUp(Unsettled { paths }));
                }
                self.write_down(&places, &edited);
                Ok(Attempt::Done(edited))
            }
            Err((path, CommitFailure::Changed(_) | CommitFailure::Taken(_))) => {
                Ok(Attempt::Overtaken(Overtaken { path, edited }))
            }
            Err((path, failed)) => {
                Err(not_written(&path, failed, writes.into_keys().collect()).into())
            }
        }
    }

    /// Finds the files, and spells every path in one form, so that one file has one name.
    fn named(&self, mut request: Request) -> Result<Named<S>, ApplyError> {
        let mut places: BTreeMap<(usize, PathBuf), FilePlace<S>> = BTreeMap::new();
        let mut dirs = OpenDirs::none();
        let mut locate = |requested: &str| -> Result<(String, bool), Error> {
            let place = dirs.find(&self.workspace.system, &self.workspace.roots, requested)?;
            let is_file = place.stat.is_some_and(|stat| stat.kind == FileKind::File);
            let is_link = place.links > 0 && is_file;
            let key = (place.root, place.path());
            Ok((
                places.entry(key).or_insert(place).requested.clone(),
                is_link,
            ))
        };
        let mut link = None;
        for step in &request.steps {
            let goes = matches!(step.action, FileAction::Delete | FileAction::Move(_));
            if goes && locate(&step.path)?.1 {
                link = link.or_else(|| Some(step.path.clone()));
            }
        }
        let mut form = |requested: &str| locate(requested).map(|(requested, _)| requested);
        for step in &mut request.steps {
            step.path = form(&step.path)?;
            if let FileAction::Move(to) = &mut step.action {
                *to = form(to)?;
            }
        }
        for (path, rev) in std::mem::take(&mut request.revs) {
            say_once(&mut request.revs, form(&path)?, rev)?;
        }
        for (path, hash) in std::mem::take(&mut request.file_hashes) {
            say_once(&mut request.file_hashes, form(&path)?, hash)?;
        }
        let places: Vec<FilePlace<S>> = places.into_values().collect();
        let most = self
            .workspace
            .settings
            .limits
            .files
            .min(commit::MOST_ENTRIES);
        refuse_many(places.len(), most)?;
        let root = places.first().map(|place| place.root);
        match places.iter().find(|place| Some(place.root) != root) {
            Some(elsewhere) => Err(Error::SeveralRoots(elsewhere.at()).into()),
            None => Ok(Named {
                request,
                places,
                link,
            }),
        }
    }

    /// Refuses what no edit may write, before anything is locked: who waits for the journal's folder must not hold it.
    fn refuse_protected(&self, request: &Request, places: &[FilePlace<S>]) -> Result<(), Error> {
        let Workspace {
            system,
            roots,
            settings,
        } = self.workspace;
        for place in places {
            let written = request.steps.iter().any(|step| {
                let to = match &step.action {
                    FileAction::Move(to) => Some(to),
                    _ => None,
                };
                step.path == place.requested || to == Some(&place.requested)
            });
            if written {
                refuse_protected(system, roots, place, &settings.protection)?;
            }
        }
        Ok(())
    }

    /// Opens the journal's folder if the request needs one: for more than one file, a file that goes, moves, needs a directory, or
    /// is overwritten.
    fn area_for(
        &self,
        root: &Root<S>,
        request: &Request,
        places: &[FilePlace<S>],
    ) -> Result<Option<Area<S>>, Error> {
        let goes = request
            .steps
            .iter()
            .any(|step| matches!(step.action, FileAction::Delete | FileAction::Move(_)));
        let mut needed = places.len() > 1 || goes;
        for place in places {
            needed |= !place.missing.is_empty() || self.is_overwritten(place)?;
        }
        if !needed || self.options.mode == Mode::DryRun {
            return Ok(None);
        }
        let made = Area::make(&self.workspace.system, &root.dir);
        made.map(Some).map_err(|error| match error.kind() {
            io::ErrorKind::ReadOnlyFilesystem => Error::ReadOnly(places[0].at()),
            _ => io_error(commit::AREA, "opening the journal's folder", &error),
        })
    }

    /// Tells whether a file is written over instead of replaced.
    fn is_overwritten(&self, place: &FilePlace<S>) -> Result<bool, Error> {
        let settings = &self.workspace.settings;
        let Some(stat) = place.stat else {
            return Ok(false);
        };
        match settings.in_place {
            InPlace::Never => Ok(false),
            InPlace::Always => Ok(true),
            InPlace::WhenNeeded => {
                let linked = stat.links > 1 && settings.hard_links == HardLinks::Refuse;
                Ok(linked || self.obstacle(place)?.is_some())
            }
        }
    }

    fn obstacle(&self, place: &FilePlace<S>) -> Result<Option<Obstacle>, Error> {
        let found = self.workspace.system.obstacle(&place.parent, &place.name);
        found.map_err(|error| io_error(&place.requested, "looking at the file", &error))
    }

    /// Tells whether a journal must be settled before these files can be written. Everything is locked.
    fn is_broken_off(
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
        let Some((_, left)) = conflicts.iter().find(|(root, _)| *root == at) else {
            return Ok(true);
        };
        // There is one journal a root: while it waits for a person, nothing else can be written down.
        let touched = places.iter().any(|place| is_left(left, &place.path()));
        if touched || area.is_some() {
            return Err(Error::RecoveryConflict(left.clone()));
        }
        Ok(false)
    }

    fn snapshots(
        &self,
        places: &[FilePlace<S>],
        notes: &mut Vec<DiskNote>,
    ) -> Result<BTreeMap<String, Snapshot<S>>, Error> {
        let workspace = self.workspace;
        let mut snapshots = BTreeMap::new();
        let mut held = MemoryBudget::for_files(places, &workspace.settings.limits);
        for place in places {
            self.deadline.check()?;
            workspace.move_leftovers(place, notes)?;
            match held.read(&workspace.system, place) {
                Ok(snapshot) => _ = snapshots.insert(place.requested.clone(), snapshot),
                Err(Error::NotFound(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(snapshots)
    }

    fn resolve(
        &self,
        request: Request,
        places: &[FilePlace<S>],
        snapshots: &BTreeMap<String, Snapshot<S>>,
    ) -> Result<FilesEdited, ApplyError> {
        let history = |place: &FilePlace<S>| {
            let file = self.workspace.canonical(place);
            (place.requested.clone(), self.ledger.history(&file))
        };
        let documents = snapshots.values().map(|snapshot| &snapshot.document);
        let histories = || places.iter().map(history).collect();
        let view = View {
            snapshots,
            histories: precompute_during(documents, Precompute::Lines, histories),
            session: self.options.session,
        };
        Ok(edit_files(request, &view, self.options.policy)?)
    }

    /// Says what is to be done to each file, and refuses what may not be done; nothing if a file is not what it was when it was found.
    fn plan<'p>(
        &self,
        places: &'p [FilePlace<S>],
        snapshots: &'p BTreeMap<String, Snapshot<S>>,
        writes: &'p BTreeMap<String, Option<Document>>,
        moved: &BTreeMap<&str, &str>,
        area: Option<&'p Area<S>>,
    ) -> Result<Option<Vec<Planned<'p, S>>>, Error> {
        let mut planned = Vec::with_capacity(writes.len());
        let mut overwritten_files = BTreeSet::new();
        for (requested, new) in writes {
            let Some(place) = places.iter().find(|place| place.requested == *requested) else {
                continue;
            };
            // What moves keeps its rights: nobody may read at the new place what nobody could read at the old one.
            let from = moved.get(requested.as_str());
            let like = from.and_then(|&from| Some(&snapshots.get(from)?.file));
            let snapshot = snapshots.get(requested);
            let overwritten = self.is_overwritten(place)?;
            if let Some(old) = snapshot {
                self.refuse_unwritable(requested, &old.stat, overwritten && new.is_some())?;
            }
            let work = match (snapshot, new) {
                (Some(old), Some(new)) if overwritten => {
                    let Some(area) = area else {
                        return Ok(None);
                    };
                    if !overwritten_files.insert(old.stat.identity()) {
                        // Two names of one file: what is done to one of them is done to both.
                        return Err(Error::HardLinked(At::new(requested)));
                    }
                    CommitAction::Overwrite {
                        old: old.document.bytes(),
                        new: new.bytes(),
                        copies: Copies::of(area, planned.len()),
                    }
                }
                (Some(old), Some(new)) => CommitAction::Replace {
                    file: like.unwrap_or(&old.file),
                    old: old.document.bytes(),
                    new: new.bytes(),
                },
                (Some(old), None) => CommitAction::Delete {
                    old: old.document.bytes(),
                },
                (None, Some(new)) => CommitAction::Create {
                    new: new.bytes(),
                    like,
                    access: FileAccess::Usual,
                },
                (None, None) => continue,
            };
            planned.push(Planned { place, work });
        }
        Ok(Some(planned))
    }

    fn refuse_unwritable(
        &self,
        requested: &str,
        stat: &Stat,
        overwritten: bool,
    ) -> Result<(), Error> {
        const SPECIAL: u32 = 0o6000;
        if stat.mode & SPECIAL != 0 {
            return Err(cannot_replace(requested, Loss::SpecialMode));
        }
        if stat.mode & 0o222 == 0 {
            return Err(Error::ReadOnly(At::new(requested)));
        }
        let refuses_links = self.workspace.settings.hard_links == HardLinks::Refuse;
        if stat.links > 1 && refuses_links && !overwritten {
            return Err(Error::HardLinked(At::new(requested)));
        }
        Ok(())
    }

    fn commit(
        &self,
        root: &Root<S>,
        area: Option<&Area<S>>,
        mut planned: Vec<Planned<'_, S>>,
    ) -> Result<Cleanup, (String, CommitFailure)> {
        let Self { workspace, .. } = self;
        let names: Vec<String> = planned
            .iter()
            .map(|plan| plan.place.requested.clone())
            .collect();
        let named = |failed: CommitFailure| {
            let name = failed.entry().and_then(|at| names.get(at).cloned());
            (name.unwrap_or_default(), failed)
        };
        let durability = workspace.settings.durability;
        let Some(area) = area else {
            let Some(Planned { place, work }) = planned.pop() else {
                return Ok(Cleanup::Done);
            };
            let entry = CommitEntry {
                dir: &*place.parent,
                dir_path: place.parent_path.clone(),
                name: place.name.clone(),
                work,
            };
            return commit::replace_one(&workspace.system, &entry, durability).map_err(named);
        };
        if planned.is_empty() {
            return Ok(Cleanup::Done);
        }
        let site = CommitSite {
            system: &workspace.system,
            root: &root.dir,
            area,
            protection: &workspace.settings.protection,
            durability,
            deadline: self.deadline,
            largest: workspace.settings.limits.largest_written(),
        };
        commit::commit_several(&site, planned).map_err(named)
    }

    /// Says where the system offers less than is promised.
    fn note_what_is_less(&self, root: &Root<S>, locks: &Locks<'_, S>, notes: &mut Vec<DiskNote>) {
        if locks.are_advisory() {
            notes.push(DiskNote::AdvisoryLocks);
        }
        if root.remote {
            notes.push(DiskNote::DurabilityUnknown);
        }
    }

    /// Tells the ledger what was written. It may forget; the files may not.
    fn write_down(&self, places: &[FilePlace<S>], edited: &FilesEdited) {
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
                self.ledger.wrote(&path, before, after, &report.changes);
            }
        }
    }

    /// Refuses a request that somebody overtook twice, with the lines as they are now.
    fn refuse(&self, overtaken: Overtaken) -> Error {
        let Overtaken { path, edited } = overtaken;
        let file = edited.files.iter().find(|file| file.name() == path);
        let now = find(&self.workspace.system, &self.workspace.roots, &path)
            .and_then(|place| {
                read(
                    &self.workspace.system,
                    &place,
                    &self.workspace.settings.limits,
                )
            })
            .ok();
        let now = now.map(|now| {
            let context = Context::default();
            let windows = file.map(|file| file.edited.report.windows(context));
            let lines = now.document.line_count();
            let inside =
                |span: &LineSpan| LineSpan::new(span.start().min(lines)..span.end().min(lines));
            Fresh {
                spans: windows.unwrap_or_default().iter().map(inside).collect(),
                document: now.document,
            }
        });
        Error::Changed(Box::new(Changed { path, now }))
    }
}

/// Returns, for each file that moved, its new path with its old one.
fn moved(edited: &FilesEdited) -> BTreeMap<&str, &str> {
    let files = edited.files.iter();
    files
        .filter_map(|file| Some((file.path.as_deref()?, file.from.as_deref()?)))
        .filter(|(path, from)| path != from)
        .collect()
}

/// The files of a request as they were read.
struct View<'a, S: System> {
    snapshots: &'a BTreeMap<String, Snapshot<S>>,
    histories: BTreeMap<String, History>,
    session: Option<&'a str>,
}

impl<S: System> Files for View<'_, S> {
    fn document(&self, path: &str) -> Option<Document> {
        self.snapshots.get(path).map(|found| found.document.clone())
    }

    fn shown(&self, path: &str) -> Shown<'_> {
        let history = self.histories.get(path);
        history.map_or_else(Shown::nothing, |history| Shown::new(history, self.session))
    }
}

fn cannot_replace(requested: &str, why: Loss) -> Error {
    Error::CannotReplace(CannotReplace {
        path: requested.to_owned(),
        why,
    })
}

fn not_written(requested: &str, failed: CommitFailure, paths: Vec<String>) -> Error {
    use io::ErrorKind::{ReadOnlyFilesystem, ResourceBusy};
    match failed {
        CommitFailure::Changed(_) | CommitFailure::Taken(_) => Error::Exists(At::new(requested)),
        CommitFailure::Metadata(_) => cannot_replace(requested, Loss::Metadata),
        CommitFailure::Late(error) => error,
        CommitFailure::Stuck => Error::NeedsRecovery(Unsettled { paths }),
        CommitFailure::Closed(_) => cannot_replace(requested, Loss::Directory),
        CommitFailure::System(_, doing, error) => match error.kind() {
            ResourceBusy => cannot_replace(requested, Loss::MountPoint),
            ReadOnlyFilesystem => Error::ReadOnly(At::new(requested)),
            _ => io_error(requested, doing, &error),
        },
    }
}
