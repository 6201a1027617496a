//! Records changes that other programs made to files with a history: a formatter, a script, an agent's own edit tool.
//!
//! An anchor lands by following the history step by step. Two outside changes between two of our own look like one: what the first copied
//! and the second deleted seems to have been there all the time. A hook, which knows when the first change is over, can have the state
//! between them recorded.
//!
//! The ledger holds no paths, so its files cannot be listed. The roots are walked instead, for a limited time.

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

/// Folders with generated files, which are not edited and may be huge.
const GENERATED_FOLDERS: [&str; 6] = [
    "node_modules",
    "__pycache__",
    "target",
    "venv",
    ".venv",
    "dist",
];

/// When to stop looking for changes.
#[derive(Clone, Copy, Debug)]
pub struct ScanLimits {
    /// The most changed files.
    pub files: usize,
    /// The most names.
    pub names: usize,
    /// The time at which to stop.
    pub until: Instant,
}

impl ScanLimits {
    fn are_reached(&self) -> bool {
        self.files == 0 || self.names == 0 || Instant::now() >= self.until
    }
}

impl<S: System> Workspace<S> {
    /// Checks whether an edit may write a file, by its path and metadata; its content is not looked at.
    ///
    /// # Errors
    ///
    /// If the path cannot be resolved inside the roots; `protected`; `hardlinked`.
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

    /// Records which bytes a file has now, if it has a history; returns whether they were new.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn notice(&self, ledger: &dyn Ledger, path: &str) -> Result<bool, Error> {
        let read = self.read(path)?;
        Ok(ledger.noticed(&read.path, &read.document))
    }

    /// Looks for files that were changed since their history was last written, and records which bytes they have now. Returns how many
    /// there were.
    pub fn notice_changes(&self, ledger: &DiskLedger, limits: &ScanLimits) -> usize {
        let recorded = ledger.recorded_files();
        let (mut left, mut unseen) = (*limits, recorded.len());
        for root in self.roots.iter() {
            self.notice_in(root, ledger, &recorded, &mut left, &mut unseen);
        }
        limits.files - left.files
    }

    /// Walks a root, breadth first, until the limits are reached or no file with a history is `unseen`.
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

    /// Returns whether a file may have changed since its history was last written. This uses the ctime: programs can set the mtime, but
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
