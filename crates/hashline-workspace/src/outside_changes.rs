//! Records changes that other programs made to files with a history: a formatter, a script, an agent's own edit tool.
//!
//! An anchor is resolved by following the recorded revisions of a file one by one. If a file is changed twice by other programs between two
//! of our own edits, both changes look like one: a line that the first change copied and the second deleted seems to have been in the file
//! all the time. A hook runs between the two changes and can have the state of the file at that time recorded.
//!
//! The ledger stores no paths, so the files with a history cannot be listed. The roots are walked instead, for a limited time.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::error::{DiskFault, Error};
use crate::ledger::{DiskLedger, Ledger, RecordedFiles};
use crate::path::is_closed;
use crate::root::{Root, find, refuse_protected};
use crate::system::{FileKind, System};
use crate::workspace::{HardLinks, InPlace, Workspace};

/// Folders with generated files, which are not searched for changed files because they may be huge.
const GENERATED_FOLDERS: [&str; 6] = [
    "node_modules",
    "__pycache__",
    "target",
    "venv",
    ".venv",
    "dist",
];

/// When to stop looking for files that other programs changed.
#[derive(Clone, Copy, Debug)]
pub struct ScanLimits {
    /// Stop after this many changed files.
    pub files: usize,
    /// Stop after looking at this many directory entries.
    pub names: usize,
    /// Stop at this time.
    pub until: Instant,
}

impl ScanLimits {
    fn are_reached(&self) -> bool {
        self.files == 0 || self.names == 0 || Instant::now() >= self.until
    }
}

impl<S: System> Workspace<S> {
    /// Checks whether an edit may write a file, by the path and metadata of the file; the content is not read.
    ///
    /// # Errors
    ///
    /// If the path does not resolve to a place inside the roots, the file is protected, or it has several hard links that an edit may not
    /// break.
    pub fn may_write(&self, path: &str) -> Result<(), Error> {
        let place = find(&self.system, &self.roots, path)?;
        let settings = &self.settings;
        refuse_protected(&self.system, &self.roots, &place, &settings.protection)?;
        let is_linked = place.stat.is_some_and(|stat| stat.links > 1);
        let is_refused =
            settings.hard_links == HardLinks::Refuse && settings.in_place == InPlace::Never;
        if is_linked && is_refused {
            return Err(DiskFault::HardLinked.at(&place.requested));
        }
        Ok(())
    }

    /// Records the current revision of a file in the ledger, if the file has a history; returns whether that revision was new.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn notice(&self, ledger: &dyn Ledger, path: &str) -> Result<bool, Error> {
        let read = self.read(path)?;
        Ok(ledger.noticed(&read.path, &read.document))
    }

    /// Looks for files that were changed since their history was last written, and records their current revisions. Returns the number of
    /// new revisions.
    pub fn notice_changes(&self, ledger: &DiskLedger, limits: &ScanLimits) -> usize {
        let recorded = ledger.recorded_files();
        let (mut left, mut unseen) = (*limits, recorded.len());
        for root in self.roots.iter() {
            self.notice_in(root, ledger, &recorded, &mut left, &mut unseen);
        }
        limits.files - left.files
    }

    /// Records changes by other programs to files with a history: walks a root, breadth first, until the limits are reached or `unseen` (the number of files with a history not yet found) is 0.
    fn notice_in(
        &self,
        root: &Root<S>,
        ledger: &DiskLedger,
        recorded: &RecordedFiles,
        left: &mut ScanLimits,
        unseen: &mut usize,
    ) {
        let mut folders = VecDeque::from([PathBuf::new()]);
        while let Some(folder) = folders.pop_front() {
            let Ok(dir) = self.system.open_dir(&root.dir, &folder) else {
                continue;
            };
            for entry in self.system.entries(&dir).unwrap_or_default() {
                if *unseen == 0 || left.are_reached() {
                    return;
                }
                left.names -= 1;
                let path = folder.join(&entry.name);
                match entry.kind {
                    FileKind::Dir if is_walked(&entry.name) => folders.push_back(path),
                    FileKind::File => {
                        let file = root.path().join(&path);
                        if recorded.holds(&file) {
                            *unseen -= 1;
                            // A file that did not change since is not read: there may be thousands.
                            let is_changed = self.is_changed(ledger, &file, (&dir, &entry.name));
                            let notice =
                                |path: &str| self.notice(ledger, path).is_ok_and(|is_new| is_new);
                            let noticed = is_changed && file.to_str().is_some_and(notice);
                            left.files -= usize::from(noticed);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Returns whether a file may have changed since its history was last written. The ctime is compared: programs can set the mtime, but
    /// not the ctime.
    fn is_changed(&self, ledger: &DiskLedger, file: &Path, (dir, name): (&S::Dir, &OsStr)) -> bool {
        let changed = self.system.stat_at(dir, name).map(|stat| stat.changed);
        let noted = ledger.last_recorded(file);
        matches!((changed, noted), (Ok(changed), Some(noted)) if changed >= noted)
    }
}

fn is_walked(name: &OsStr) -> bool {
    !is_closed(name) && !GENERATED_FOLDERS.iter().any(|folder| name == *folder)
}
