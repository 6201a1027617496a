//! Several files: written down, staged, swapped one after the other, done when the journal has its last name.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;

use super::entry::{Digest, Entry, Swap, Work};
use super::journal::{Area, DONE, JOURNAL, Journal, Record, UNFINISHED};
use super::recover::{Aim, Settled, settle};
use super::staging::{NotStaged, staging_name};
use super::{Durability, Failed};
use crate::path::Protection;
use crate::root::Place;
use crate::system::{Access, System};

/// One file of a commit, before directories are made.
#[derive(Debug)]
pub(crate) struct Planned<'a, S: System> {
    pub(crate) place: &'a Place<S>,
    pub(crate) work: Work<'a, S>,
}

/// Where a commit takes place.
pub(crate) struct Site<'a, S: System> {
    pub(crate) system: &'a S,
    pub(crate) root: &'a S::Dir,
    pub(crate) area: &'a Area<S>,
    pub(crate) protection: &'a Protection,
    pub(crate) durability: Durability,
    /// The most bytes of a file that can have been written here.
    pub(crate) largest: u64,
}

/// Commits all of it or nothing. The journal's folder and all directories are locked.
///
/// # Errors
///
/// Everything is as it was, or as somebody else left it; only `Stuck` means that recovery has something left to do.
pub(crate) fn commit_several<S: System>(
    site: &Site<'_, S>,
    planned: Vec<Planned<'_, S>>,
) -> Result<(), Failed> {
    let system = site.system;
    let failed = |doing| move |error| Failed::System(0, doing, error);
    let journal = write_down(site, &planned).map_err(failed("looking at the directories"))?;
    if let Err(error) = site.area.write(system, &journal, site.durability) {
        if error.kind() == io::ErrorKind::AlreadyExists {
            // Somebody else's journal stays where it is.
            return Err(Failed::System(0, "writing the journal", error));
        }
        let gone = [JOURNAL, UNFINISHED].map(|name| site.area.unlink(system, name).is_ok());
        return match gone {
            [true, true] => Err(Failed::System(0, "writing the journal", error)),
            _ => Err(Failed::Stuck),
        };
    }
    match carry_out(site, planned) {
        Ok(()) => Ok(()),
        Err(why) => match settle(site, &journal, Aim::TakeBack) {
            Ok(Settled::TakenBack) => Err(why),
            Ok(Settled::Finished | Settled::Conflict) | Err(_) => Err(Failed::Stuck),
        },
    }
}

/// Says what is about to be done.
fn write_down<S: System>(site: &Site<'_, S>, planned: &[Planned<'_, S>]) -> io::Result<Journal> {
    let system = site.system;
    let mut made: Vec<PathBuf> = Vec::new();
    let mut records = Vec::new();
    for Planned { place, work } in planned {
        let mut dir = place.parent_path.clone();
        for name in &place.missing {
            dir.push(name);
            if !made.contains(&dir) {
                made.push(dir.clone());
            }
        }
        let identity = system.stat_dir(&place.parent)?.identity();
        let (old, new) = match work {
            Work::Replace { old, new, .. } => (Some(*old), Some(*new)),
            Work::Create { new, .. } => (None, Some(*new)),
            Work::Delete { old } => (Some(*old), None),
        };
        records.push(Record {
            dir,
            dir_identity: place.missing.is_empty().then_some(identity),
            name: place.name.clone(),
            old: old.map(Digest::of),
            new: new.map(Digest::of),
        });
    }
    Ok(Journal {
        id: system.random(),
        root: system.stat_dir(site.root)?.identity(),
        made,
        records,
    })
}

/// Makes directories, stages, swaps, and passes the commit point.
fn carry_out<S: System>(site: &Site<'_, S>, planned: Vec<Planned<'_, S>>) -> Result<(), Failed> {
    let system = site.system;
    let made = MadeDirs::make(site, &planned)?;
    let entries: Vec<Entry<'_, S>> = planned
        .into_iter()
        .map(|Planned { place, work }| made.entry(place, work))
        .collect();
    for (index, entry) in entries.iter().enumerate() {
        entry
            .stage(system, site.durability)
            .map_err(|why| match why {
                NotStaged::Metadata => Failed::Metadata(index),
                NotStaged::System(doing, error) => Failed::System(index, doing, error),
            })?;
    }
    sync_all(site, &entries)?;
    for (index, entry) in entries.iter().enumerate() {
        match entry.swap(system) {
            Ok(Swap::Done) => {}
            Ok(Swap::Changed) => return Err(Failed::Changed(index)),
            Ok(Swap::Taken) => return Err(Failed::Taken(index)),
            Err(error) => return Err(Failed::System(index, "swapping the files", error)),
        }
    }
    sync_all(site, &entries)?;
    for (index, entry) in entries.iter().enumerate() {
        match entry.check_displaced(system) {
            Ok(Swap::Done) => {}
            Ok(Swap::Changed | Swap::Taken) => return Err(Failed::Changed(index)),
            Err(error) => return Err(Failed::System(index, "comparing the old file", error)),
        }
    }
    pass_commit_point(site)?;
    clean_up(site, &entries);
    Ok(())
}

/// From the new name of the journal on, the work is done, whoever finishes it.
fn pass_commit_point<S: System>(site: &Site<'_, S>) -> Result<(), Failed> {
    let failed = |error| Failed::System(0, "finishing the journal", error);
    site.area
        .rename(site.system, JOURNAL, DONE)
        .map_err(failed)?;
    site.area
        .sync(site.system, site.durability)
        .map_err(|error| {
            // Not durable is not done. If even this fails, recovery finds the work done and finishes it.
            let _ = site.area.rename(site.system, DONE, JOURNAL);
            failed(error)
        })
}

/// Removes what was displaced, then the journal. Trouble here changes nothing: the next command does it.
fn clean_up<S: System>(site: &Site<'_, S>, entries: &[Entry<'_, S>]) {
    let displaced = entries
        .iter()
        .filter(|entry| !matches!(entry.work, Work::Create { .. }));
    for entry in displaced {
        if let Err(error) = site.system.unlink(entry.dir, &staging_name(&entry.name))
            && error.kind() != io::ErrorKind::NotFound
        {
            return;
        }
    }
    let _ = site.area.unlink(site.system, DONE);
}

/// Makes the names in all directories durable, each once.
fn sync_all<S: System>(site: &Site<'_, S>, entries: &[Entry<'_, S>]) -> Result<(), Failed> {
    if site.durability == Durability::Fast {
        return Ok(());
    }
    let dirs: BTreeMap<&PathBuf, (usize, &S::Dir)> = entries
        .iter()
        .enumerate()
        .map(|(index, entry)| (&entry.dir_path, (index, entry.dir)))
        .collect();
    for (index, dir) in dirs.into_values() {
        site.system
            .sync_dir(dir)
            .map_err(|error| Failed::System(index, "making the names durable", error))?;
    }
    Ok(())
}

/// Directories made on the way, open.
struct MadeDirs<S: System>(BTreeMap<PathBuf, S::Dir>);

impl<S: System> MadeDirs<S> {
    fn make(site: &Site<'_, S>, planned: &[Planned<'_, S>]) -> Result<Self, Failed> {
        let mut made = Self(BTreeMap::new());
        for (index, Planned { place, .. }) in planned.iter().enumerate() {
            let failed = |error| Failed::System(index, "making a directory", error);
            let mut path = place.parent_path.clone();
            for name in &place.missing {
                let above = path.clone();
                path.push(name);
                if !made.0.contains_key(&path) {
                    let parent = made.0.get(&above).unwrap_or(&place.parent);
                    let dir = made_dir(site, parent, name).map_err(failed)?;
                    made.0.insert(path.clone(), dir);
                }
            }
        }
        Ok(made)
    }

    fn entry<'a>(&'a self, place: &'a Place<S>, work: Work<'a, S>) -> Entry<'a, S> {
        let missing = place.missing.iter();
        let dir_path: PathBuf = missing.fold(place.parent_path.clone(), |path, name: &OsString| {
            path.join(name)
        });
        Entry {
            dir: self.0.get(&dir_path).unwrap_or(&place.parent),
            dir_path,
            name: place.name.clone(),
            work,
        }
    }
}

fn made_dir<S: System>(site: &Site<'_, S>, parent: &S::Dir, name: &OsStr) -> io::Result<S::Dir> {
    site.system.make_dir(parent, name, Access::Usual)?;
    let dir = site.system.open_child(parent, name)?;
    if site.durability == Durability::Full {
        site.system.sync_dir(parent)?;
    }
    Ok(dir)
}
