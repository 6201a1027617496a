//! The front door: read, apply, recover.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use hashline_core::files::{FileAction, Files, FilesEdited, Request, edit_files};
use hashline_core::shown::History;
use hashline_core::{Document, Policy, Shown};

use crate::commit::{
    self, Area, Durability, Entry, Failed, Planned, Recovered, Settle, Site, Work,
};
use crate::error::{At, Bound, CannotReplace, Error, Loss, NotApplied, Unsettled, trouble};
use crate::ledger::Ledger;
use crate::limits::Limits;
use crate::lock::Locks;
use crate::path::Protection;
use crate::read::{Snapshot, read};
use crate::root::{Place, Root, find, refuse_protected};
use crate::system::{Native, Share, Stat, System};

/// How often a request is resolved anew because somebody wrote between its reading and its commit.
const ATTEMPTS: usize = 2;
/// How often a request starts again because somebody else was at work on several files, or died of it.
const DEATHS: usize = 64;

/// What the person who starts the program decides.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// How much is taken.
    pub limits: Limits,
    /// What may not be written.
    pub protection: Protection,
    /// What is promised when a commit is answered.
    pub durability: Durability,
    /// What is done to a file with more than one name.
    pub hard_links: HardLinks,
}

/// What is done to a file with more than one name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HardLinks {
    /// It is refused.
    #[default]
    Refuse,
    /// The name that was edited becomes a file of its own.
    Break,
}

/// Files below some roots, and the rules for them.
#[derive(Debug)]
pub struct Workspace<S: System = Native> {
    system: S,
    roots: Vec<Root<S>>,
    settings: Settings,
}

/// Who asks, and how.
#[derive(Clone, Copy, Debug)]
pub struct Asking<'a> {
    /// Whose showings count; nothing for all of this user's.
    pub session: Option<&'a str>,
    /// How edits land and are repaired.
    pub policy: &'a Policy<'a>,
    /// Whether it is only tried.
    pub mode: Mode,
}

/// Whether a request is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It is.
    Commit,
    /// It is only tried: nothing is written.
    DryRun,
}

/// A file as it was read.
#[derive(Clone, Debug)]
pub struct FileRead {
    /// Its canonical path.
    pub path: PathBuf,
    /// Its bytes.
    pub document: Document,
    /// Whether no commit of ours over several files can have been under way.
    pub consistent: bool,
}

impl Workspace<Native> {
    /// Opens the roots and settles what a dead process left in them.
    ///
    /// # Errors
    ///
    /// If a root cannot be opened. What recovery says is told by [`Workspace::recover`]; it does not keep a workspace from opening.
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
        Ok(Self {
            system,
            roots,
            settings,
        })
    }

    /// Returns the roots.
    #[must_use]
    pub fn roots(&self) -> &[Root<S>] {
        &self.roots
    }

    /// Settles what dead processes left, root by root.
    ///
    /// # Errors
    ///
    /// `recovery_conflict` where somebody changed the files since and `settle` does not say what to do.
    pub fn recover(&self, settle: Option<Settle>) -> Result<Vec<Recovered>, Error> {
        let Settings {
            limits, protection, ..
        } = &self.settings;
        let recover = |root| commit::recover(&self.system, root, protection, limits, settle);
        self.roots.iter().map(recover).collect()
    }

    /// Reads a whole file.
    ///
    /// # Errors
    ///
    /// If the path leads nowhere, or out, or to something that is no text within the bounds.
    pub fn read(&self, path: &str) -> Result<FileRead, Error> {
        for _ in 0..DEATHS {
            let wait = self.settings.limits.reader_wait;
            let (unsettled, at_work) = match self.settle(wait) {
                // Somebody is at work for longer than a reader waits.
                Err(Error::Busy(_)) => (Unsettled::default(), true),
                settled => (settled?, false),
            };
            let place = find(&self.system, &self.roots, path)?;
            let lock = Locks::take(&self.system, [&place.parent], Share::Readers, wait, path);
            let consistent = match &lock {
                Ok(_) if at_work => false,
                Ok(_) if self.was_broken_off(&place, &unsettled)? => continue,
                Ok(_) if !unsettled.paths.is_empty() => !names(&unsettled, &place),
                Ok(_) => {
                    // A leftover that cannot be moved, on a disk that is read-only, say, is no reason not to read.
                    let _ = self.move_leftovers(&place);
                    true
                }
                Err(Error::Busy(_)) => false,
                Err(_) => return Err(lock.err().unwrap_or(Error::Busy(place.at()))),
            };
            let snapshot = read(&self.system, &place, &self.settings.limits)?;
            return Ok(FileRead {
                path: self.canonical(&place),
                document: snapshot.document,
                consistent,
            });
        }
        Err(Error::Busy(At::new(path)))
    }

    /// Carries out a request: all of it, or nothing.
    ///
    /// # Errors
    ///
    /// Nothing was written, unless the error is `needs_recovery`.
    pub fn apply(
        &self,
        request: Request,
        ledger: &dyn Ledger,
        asking: &Asking<'_>,
    ) -> Result<FilesEdited, NotApplied> {
        let mut changed = Vec::new();
        for _ in 0..DEATHS {
            let unsettled = self.settle(self.settings.limits.lock_wait)?;
            let (request, paths) = self.in_one_form(request.clone())?;
            match self.attempt(&request, &paths, &unsettled, ledger, asking)? {
                Attempt::Done(edited) => return Ok(edited),
                Attempt::BrokenOff => {}
                Attempt::Changed(path) => changed.push(path),
            }
            if changed.len() >= ATTEMPTS {
                break;
            }
        }
        let path = At::new(changed.pop().unwrap_or_default());
        Err(match path.path.as_str() {
            "" => Error::Busy(path).into(),
            _ => Error::Changed(path).into(),
        })
    }

    /// Settles what dead processes left. What only a person can settle is returned: those files are to be left alone.
    fn settle(&self, lock_wait: Duration) -> Result<Unsettled, Error> {
        let protection = &self.settings.protection;
        let limits = Limits {
            lock_wait,
            ..self.settings.limits
        };
        let mut unsettled = Unsettled::default();
        for root in &self.roots {
            if commit::pending(&self.system, root)? {
                match commit::recover(&self.system, root, protection, &limits, None) {
                    Err(Error::RecoveryConflict(left)) => unsettled.paths.extend(left.paths),
                    done => _ = done?,
                }
            }
        }
        Ok(unsettled)
    }

    /// Tells whether a commit was broken off since everything was settled. Asked under the lock: from then on nobody else's work on
    /// the directory can be half done.
    fn was_broken_off(&self, place: &Place<S>, unsettled: &Unsettled) -> Result<bool, Error> {
        let pending = commit::pending(&self.system, &self.roots[place.root])?;
        Ok(pending && unsettled.paths.is_empty())
    }

    /// Spells every path of a request in one form, so that one file has one name; returns the names.
    fn in_one_form(&self, mut request: Request) -> Result<(Request, Vec<String>), Error> {
        let mut spelled: BTreeMap<(usize, PathBuf), String> = BTreeMap::new();
        let mut form = |said: &str| -> Result<String, Error> {
            let place = find(&self.system, &self.roots, said)?;
            let key = (place.root, place.path());
            Ok(spelled
                .entry(key)
                .or_insert_with(|| said.to_owned())
                .clone())
        };
        for step in &mut request.steps {
            step.path = form(&step.path)?;
            if let FileAction::Move(to) = &mut step.action {
                *to = form(to)?;
            }
        }
        let revs = std::mem::take(&mut request.revs);
        for (path, rev) in revs {
            request.revs.insert(form(&path)?, rev);
        }
        let hashes = std::mem::take(&mut request.file_hashes);
        for (path, hash) in hashes {
            request.file_hashes.insert(form(&path)?, hash);
        }
        let paths: Vec<String> = spelled.into_values().collect();
        let most = self.settings.limits.files;
        if paths.len() > most {
            return Err(Error::TooMany(Bound {
                path: None,
                found: paths.len() as u64,
                most: most as u64,
            }));
        }
        Ok((request, paths))
    }

    /// Locks, reads, resolves and commits once.
    fn attempt(
        &self,
        request: &Request,
        paths: &[String],
        unsettled: &Unsettled,
        ledger: &dyn Ledger,
        asking: &Asking<'_>,
    ) -> Result<Attempt, NotApplied> {
        let places = paths
            .iter()
            .map(|path| find(&self.system, &self.roots, path))
            .collect::<Result<Vec<_>, _>>()?;
        let Some(first) = places.first() else {
            return Ok(Attempt::Done(FilesEdited::default()));
        };
        if let Some(elsewhere) = places.iter().find(|place| place.root != first.root) {
            return Err(Error::SeveralRoots(elsewhere.at()).into());
        }
        self.refuse_protected(request, &places)?;
        let root = &self.roots[first.root];
        let wait = self.settings.limits.lock_wait;
        let area = self.area_for(root, request, &places)?;
        refuse_unsettled(unsettled, &places, area.as_ref())?;
        let area_dir = area.as_ref().map(Area::dir);
        let _one_at_a_time = Locks::take(&self.system, area_dir, Share::Nobody, wait, &first.said)?;
        let dirs = places.iter().map(|place| &place.parent);
        let _locks = Locks::take(&self.system, dirs, Share::Nobody, wait, &first.said)?;
        if self.was_broken_off(first, unsettled)? {
            return Ok(Attempt::BrokenOff);
        }
        let snapshots = self.snapshots(&places)?;
        let view = View {
            snapshots: &snapshots,
            histories: places
                .iter()
                .map(|place| (place.said.clone(), ledger.history(&self.canonical(place))))
                .collect(),
            session: asking.session,
        };
        let edited = edit_files(request.clone(), &view, asking.policy)?;
        if asking.mode == Mode::DryRun {
            return Ok(Attempt::Done(edited));
        }
        let writes = edited.writes();
        let moved = moved(&edited);
        let planned = self.plan(&places, &snapshots, &writes, &moved)?;
        let written = self.commit(root, area.as_ref(), planned);
        match written {
            Ok(()) => {
                self.write_down(&places, &edited, ledger);
                Ok(Attempt::Done(edited))
            }
            Err((_, Failed::Changed(at) | Failed::Taken(at))) => {
                let said = writes.keys().nth(at).cloned().unwrap_or_default();
                Ok(Attempt::Changed(said))
            }
            Err((said, failed)) => {
                Err(not_written(&said, failed, writes.into_keys().collect()).into())
            }
        }
    }

    /// Refuses what no edit may write, before anything is locked: who waits for the journal's folder must not hold it.
    fn refuse_protected(&self, request: &Request, places: &[Place<S>]) -> Result<(), Error> {
        for place in places {
            let written = request.steps.iter().any(|step| {
                let to = match &step.action {
                    FileAction::Move(to) => Some(to),
                    _ => None,
                };
                step.path == place.said || to == Some(&place.said)
            });
            if written {
                refuse_protected(&self.system, &self.roots, place, &self.settings.protection)?;
            }
        }
        Ok(())
    }

    /// Opens the journal's folder if the request needs one: more than one file, or a file that goes, moves, or needs a directory.
    fn area_for(
        &self,
        root: &Root<S>,
        request: &Request,
        places: &[Place<S>],
    ) -> Result<Option<Area<S>>, Error> {
        let one_file = places.len() == 1
            && places[0].missing.is_empty()
            && !request
                .steps
                .iter()
                .any(|step| matches!(step.action, FileAction::Delete | FileAction::Move(_)));
        if one_file {
            return Ok(None);
        }
        Area::make(&self.system, &root.dir)
            .map(Some)
            .map_err(|error| trouble(".hashline", "opening the journal's folder", &error))
    }

    fn snapshots(&self, places: &[Place<S>]) -> Result<BTreeMap<String, Snapshot<S>>, Error> {
        let mut snapshots = BTreeMap::new();
        for place in places {
            self.move_leftovers(place)?;
            match read(&self.system, place, &self.settings.limits) {
                Ok(snapshot) => _ = snapshots.insert(place.said.clone(), snapshot),
                Err(Error::NotFound(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(snapshots)
    }

    /// Moves what a dead process left beside a file out of the way.
    fn move_leftovers(&self, place: &Place<S>) -> Result<(), Error> {
        if !place.missing.is_empty() {
            return Ok(());
        }
        let root = &self.roots[place.root];
        let area = || Area::make(&self.system, &root.dir);
        commit::move_leftovers(&self.system, area, &place.parent, &place.name)
            .map(|_| ())
            .map_err(|error| trouble(&place.said, "moving a leftover away", &error))
    }

    /// Says what is to be done to each file, and refuses what may not be done.
    fn plan<'a>(
        &self,
        places: &'a [Place<S>],
        snapshots: &'a BTreeMap<String, Snapshot<S>>,
        writes: &'a BTreeMap<String, Option<Document>>,
        moved: &BTreeMap<&str, &str>,
    ) -> Result<Vec<Planned<'a, S>>, Error> {
        let mut planned = Vec::with_capacity(writes.len());
        for (said, new) in writes {
            let Some(place) = places.iter().find(|place| place.said == *said) else {
                continue;
            };
            // What moves keeps its rights: nobody may read at the new place what nobody could read at the old one.
            let from = moved.get(said.as_str());
            let like = from.and_then(|&from| Some(&snapshots.get(from)?.file));
            let work = match (snapshots.get(said), new) {
                (Some(old), Some(new)) => {
                    self.refuse_unwritable(said, &old.stat)?;
                    Work::Replace {
                        file: like.unwrap_or(&old.file),
                        old: old.document.bytes(),
                        new: new.bytes(),
                    }
                }
                (Some(old), None) => {
                    self.refuse_unwritable(said, &old.stat)?;
                    Work::Delete {
                        old: old.document.bytes(),
                    }
                }
                (None, Some(new)) => Work::Create {
                    new: new.bytes(),
                    like,
                },
                (None, None) => continue,
            };
            planned.push(Planned { place, work });
        }
        Ok(planned)
    }

    fn refuse_unwritable(&self, said: &str, stat: &Stat) -> Result<(), Error> {
        const SPECIAL: u32 = 0o6000;
        if stat.mode & SPECIAL != 0 {
            return Err(Error::CannotReplace(CannotReplace {
                path: said.to_owned(),
                why: Loss::SpecialMode,
            }));
        }
        if stat.mode & 0o222 == 0 {
            return Err(Error::ReadOnly(At::new(said)));
        }
        if stat.links > 1 && self.settings.hard_links == HardLinks::Refuse {
            return Err(Error::HardLinked(At::new(said)));
        }
        Ok(())
    }

    fn commit(
        &self,
        root: &Root<S>,
        area: Option<&Area<S>>,
        mut planned: Vec<Planned<'_, S>>,
    ) -> Result<(), (String, Failed)> {
        let names: Vec<String> = planned.iter().map(|plan| plan.place.said.clone()).collect();
        let named = |failed: Failed| {
            let at = match &failed {
                Failed::Changed(at) | Failed::Taken(at) | Failed::Metadata(at) => *at,
                Failed::System(at, ..) => *at,
                Failed::Stuck => 0,
            };
            (names.get(at).cloned().unwrap_or_default(), failed)
        };
        let Some(area) = area else {
            let Some(Planned { place, work }) = planned.pop() else {
                return Ok(());
            };
            let entry = Entry {
                dir: &place.parent,
                dir_path: place.parent_path.clone(),
                name: place.name.clone(),
                work,
            };
            return commit::replace_one(&self.system, &entry, self.settings.durability)
                .map_err(named);
        };
        if planned.is_empty() {
            return Ok(());
        }
        let site = Site {
            system: &self.system,
            root: &root.dir,
            area,
            protection: &self.settings.protection,
            durability: self.settings.durability,
            largest: self.settings.limits.largest_written(),
        };
        commit::commit_several(&site, planned).map_err(named)
    }

    /// Tells the ledger what was written. It may forget; the files may not.
    fn write_down(&self, places: &[Place<S>], edited: &FilesEdited, ledger: &dyn Ledger) {
        let canonical = |said: &String| {
            let place = places.iter().find(|place| place.said == *said)?;
            Some(self.canonical(place))
        };
        for file in &edited.files {
            let from = file.from.as_ref().and_then(canonical);
            let to = file.path.as_ref().and_then(canonical);
            if let (Some(from), Some(to)) = (&from, &to)
                && from != to
            {
                ledger.moved(from, to);
            }
            if let Some(path) = to {
                let report = &file.edited.report;
                ledger.wrote(
                    &path,
                    report.before(),
                    &file.edited.document,
                    report.changes(),
                );
            }
        }
    }

    fn canonical(&self, place: &Place<S>) -> PathBuf {
        self.roots[place.root].path().join(place.path())
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

/// What came of one attempt.
enum Attempt {
    Done(FilesEdited),
    /// Somebody wrote this file meanwhile.
    Changed(String),
    /// Somebody died in the middle of a commit meanwhile: that is settled first.
    BrokenOff,
}

/// Refuses to write what only a person can settle; while that stands, there is room for no other journal.
fn refuse_unsettled<S: System>(
    unsettled: &Unsettled,
    places: &[Place<S>],
    area: Option<&Area<S>>,
) -> Result<(), Error> {
    let needs_journal = area.is_some() && !unsettled.paths.is_empty();
    if needs_journal || places.iter().any(|place| names(unsettled, place)) {
        return Err(Error::RecoveryConflict(unsettled.clone()));
    }
    Ok(())
}

/// Tells whether a file is among those that only a person can settle.
fn names(unsettled: &Unsettled, place: &Place<impl System>) -> bool {
    let path = place.path();
    unsettled
        .paths
        .iter()
        .any(|left| *left == path.to_string_lossy())
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
        match (self.histories.get(path), self.session) {
            (None, _) => Shown::nothing(),
            (Some(history), None) => Shown::to_anyone(history),
            (Some(history), Some(session)) => Shown::to_session(history, session),
        }
    }
}

fn not_written(said: &str, failed: Failed, paths: Vec<String>) -> Error {
    match failed {
        Failed::Changed(_) | Failed::Taken(_) => Error::Changed(At::new(said)),
        Failed::Metadata(_) => Error::CannotReplace(CannotReplace {
            path: said.to_owned(),
            why: Loss::Metadata,
        }),
        Failed::System(_, doing, error) => trouble(said, doing, &error),
        Failed::Stuck => Error::NeedsRecovery(Unsettled { paths }),
    }
}
