//! The plan of a commit: how each file is changed, and which changes are refused.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind::{ReadOnlyFilesystem, ResourceBusy};

use hashline_core::Document;
use hashline_core::files::FilesEdited;

use super::{LockedFiles, Run};
use crate::commit::{CommitAction, CommitFault, Copies, Planned};
use crate::error::{DiskFault, Error, Loss, io_error};
use crate::root::FilePlace;
use crate::system::{FileAccess, Stat, System};
use crate::workspace::{HardLinks, InPlace};

/// The setuid and setgid bits of a file's mode.
const SPECIAL_MODE: u32 = 0o6000;
/// The write permissions in a file's mode: of the owner, the group and others.
const WRITABLE: u32 = 0o222;

impl<S: System> Run<'_, S> {
    /// Plans the change of each file, and refuses changes that are not allowed. Returns `None` if a file must now be overwritten in place,
    /// but did not have to be when the locks were taken: then the caller takes the locks again.
    pub(super) fn plan<'p>(
        &self,
        files: &'p LockedFiles<'_, S>,
        edited: &FilesEdited,
        writes: &'p BTreeMap<String, Option<Document>>,
    ) -> Result<Option<Vec<Planned<'p, S>>>, Error> {
        let moved = moved(edited);
        let mut planned = Vec::with_capacity(writes.len());
        let mut overwritten_files = BTreeSet::new();
        for (requested, new) in writes {
            let mut places = files.places.iter();
            let Some(place) = places.find(|place| place.requested == *requested) else {
                continue;
            };
            // What moves keeps its permissions: nobody may read at the new path what they could not read at the old one.
            let from = moved.get(requested.as_str());
            let like = from.and_then(|&from| Some(&files.snapshots.get(from)?.file));
            let snapshot = files.snapshots.get(requested);
            let overwritten = self.is_overwritten(place)?;
            if let Some(old) = snapshot {
                self.refuse_unwritable(&old.stat, overwritten && new.is_some())
                    .map_err(|why| why.at(requested))?;
            }
            let action = match (snapshot, new) {
                (Some(old), Some(new)) if overwritten => {
                    let Some(area) = files.area else {
                        return Ok(None);
                    };
                    if !overwritten_files.insert(old.stat.identity()) {
                        // Two names of one file: what is done to one of them is done to both.
                        return Err(DiskFault::HardLinked.at(requested));
                    }
                    CommitAction::Overwrite {
                        old: old.document.file_bytes(),
                        new: new.file_bytes(),
                        copies: Copies::of(area, planned.len()),
                    }
                }
                (Some(old), Some(new)) => CommitAction::Replace {
                    file: like.unwrap_or(&old.file),
                    old: old.document.file_bytes(),
                    new: new.file_bytes(),
                },
                (Some(old), None) => CommitAction::Delete {
                    old: old.document.file_bytes(),
                },
                (None, Some(new)) => CommitAction::Create {
                    new: new.file_bytes(),
                    like,
                    access: FileAccess::Usual,
                },
                (None, None) => continue,
            };
            planned.push(Planned { place, action });
        }
        Ok(Some(planned))
    }

    /// Returns whether a file is overwritten in place instead of being replaced by a new file.
    pub(super) fn is_overwritten(&self, place: &FilePlace<S>) -> Result<bool, Error> {
        let settings = &self.workspace.settings;
        let Some(stat) = place.stat else {
            return Ok(false);
        };
        match settings.in_place {
            InPlace::Never => Ok(false),
            InPlace::Always => Ok(true),
            InPlace::WhenNeeded if stat.links > 1 && settings.hard_links == HardLinks::Refuse => {
                Ok(true)
            }
            InPlace::WhenNeeded => {
                let system = &self.workspace.system;
                system
                    .can_replace(&place.parent, &place.name)
                    .map(|can_replace| !can_replace)
                    .map_err(|error| io_error(&place.requested, "looking at the file", &error))
            }
        }
    }

    fn refuse_unwritable(&self, stat: &Stat, overwritten: bool) -> Result<(), DiskFault> {
        if stat.mode & SPECIAL_MODE != 0 {
            return Err(DiskFault::CannotReplace(Loss::SpecialMode));
        }
        // A rename needs no write permission on the file, so the kernel would not refuse it.
        if stat.mode & WRITABLE == 0 {
            return Err(DiskFault::ReadOnly);
        }
        let refuses_links = self.workspace.settings.hard_links == HardLinks::Refuse;
        if stat.links > 1 && refuses_links && !overwritten {
            return Err(DiskFault::HardLinked);
        }
        Ok(())
    }
}

/// Returns the old path of each file that moved, by its new path.
fn moved(edited: &FilesEdited) -> BTreeMap<&str, &str> {
    let files = edited.files.iter();
    files
        .filter_map(|file| Some((file.path.as_deref()?, file.from.as_deref()?)))
        .filter(|(path, from)| path != from)
        .collect()
}

/// Returns the error to report for a commit that failed at `path`; if the commit could not be undone either, the error lists all `paths`.
pub(super) fn not_written(path: &str, why: CommitFault, paths: Vec<String>) -> Error {
    let fault = match why {
        CommitFault::Stopped(error) => return error,
        CommitFault::Stuck => return DiskFault::NeedsRecovery(paths).into(),
        CommitFault::Changed | CommitFault::Taken => DiskFault::Exists,
        CommitFault::Metadata => DiskFault::CannotReplace(Loss::Metadata),
        CommitFault::Closed => DiskFault::CannotReplace(Loss::Directory),
        CommitFault::System(doing, error) => match error.kind() {
            ResourceBusy => DiskFault::CannotReplace(Loss::MountPoint),
            ReadOnlyFilesystem => DiskFault::ReadOnly,
            _ => return io_error(path, doing, &error),
        },
    };
    fault.at(path)
}
