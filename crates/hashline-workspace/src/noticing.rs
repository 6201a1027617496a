//! Noticing: files that are on record, changed by somebody else. A formatter that ran, a script, an agent's own edit tool.
//!
//! An anchor lands by following the record step by step. Where two outside changes come between two of our own, it sees one: what the
//! first one copied and the second one took away looks as if it had stood there all the time. Whoever is told when the first one is
//! over, as a hook is, can have the step between them noted.
//!
//! The record keeps no paths, so files cannot be looked up in it. The roots are walked instead, for a while.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::error::Error;
use crate::ledger::{DiskLedger, Ledger, RecordedFiles};
use crate::path::is_closed;
use crate::root::{Root, find, refuse_protected};
use crate::system::{FileKind, System};
use crate::workspace::{HardLinks, InPlace, Workspace};

/// Folders that hold what tools made: nobody edits there, and there may be no end to them.
const MADE: [&str; 6] = [
    "node_modules",
    "__pycache__",
    "target",
    "venv",
    ".venv",
    "dist",
];

/// How long it is looked for changes.
#[derive(Clone, Copy, Debug)]
pub struct ScanLimits {
    /// So many changed files are noted.
    pub files: usize,
    /// So many names are looked at.
    pub names: usize,
    /// Until then.
    pub until: Instant,
}

/// What is left of it.
struct Left {
    files: usize,
    names: usize,
    until: Instant,
    /// Files on record that were not met yet.
    unmet: usize,
}

impl Left {
    fn is_nothing(&self) -> bool {
        let over = self.files == 0 || self.names == 0 || self.unmet == 0;
        over || Instant::now() >= self.until
    }
}

impl<S: System> Workspace<S> {
    /// Returns whether an edit may write a file, by where it is and what it is; nobody asks here what is in it.
    ///
    /// # Errors
    ///
    /// If the path leads nowhere, or out; `protected`; `hardlinked`.
    pub fn may_write(&self, path: &str) -> Result<(), Error> {
        let place = find(&self.system, &self.roots, path)?;
        let settings = &self.settings;
        refuse_protected(&self.system, &self.roots, &place, &settings.protection)?;
        let is_linked = place.stat.is_some_and(|stat| stat.links > 1);
        let is_refused =
            settings.hard_links == HardLinks::Refuse && settings.in_place == InPlace::Never;
        match is_linked && is_refused {
            true => Err(Error::HardLinked(place.at())),
            false => Ok(()),
        }
    }

    /// Notes which bytes a file has now, if it is on record; tells whether that was news.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn notice(&self, ledger: &dyn Ledger, path: &str) -> Result<bool, Error> {
        let read = self.read(path)?;
        Ok(ledger.noticed(&read.path, &read.document))
    }

    /// Looks for files on record that have been changed since something was last noted of them, and notes which bytes they have now.
    /// Returns how many.
    pub fn notice_changes(&self, ledger: &DiskLedger, effort: &ScanLimits) -> usize {
        let on_record = ledger.on_record();
        let mut left = Left {
            files: effort.files,
            names: effort.names,
            until: effort.until,
            unmet: on_record.len(),
        };
        for root in self.roots.iter() {
            self.notice_in(root, ledger, &on_record, &mut left);
        }
        effort.files - left.files
    }

    /// Walks a root, the shallow folders first.
    fn notice_in(
        &self,
        root: &Root<S>,
        ledger: &DiskLedger,
        on_record: &RecordedFiles,
        left: &mut Left,
    ) {
        let mut folders = VecDeque::from([PathBuf::new()]);
        while let Some(folder) = folders.pop_front() {
            let Ok(dir) = self.system.open_dir(&root.dir, &folder) else {
                continue;
            };
            for entry in self.system.entries(&dir).unwrap_or_default() {
                if left.is_nothing() {
                    return;
                }
                left.names -= 1;
                let path = folder.join(&entry.name);
                match entry.kind {
                    FileKind::Dir if is_walked(&entry.name) => folders.push_back(path),
                    FileKind::File => {
                        let file = root.path().join(&path);
                        if on_record.holds(&file) {
                            left.unmet -= 1;
                            let is_changed = self.is_changed(ledger, &file, (&dir, &entry.name));
                            let noted = is_changed && self.notice_at(ledger, &file);
                            left.files -= usize::from(noted);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    /// Returns whether a file may have been changed since something was last noted of it. Its own times can be set by anybody; the time
    /// at which they were set cannot.
    fn is_changed(&self, ledger: &DiskLedger, file: &Path, (dir, name): (&S::Dir, &OsStr)) -> bool {
        let changed = self.system.stat_at(dir, name).map(|stat| stat.changed);
        let noted = ledger.last_noted(file);
        matches!((changed, noted), (Ok(changed), Some(noted)) if changed >= noted)
    }

    fn notice_at(&self, ledger: &DiskLedger, file: &Path) -> bool {
        let path = file.to_str();
        path.is_some_and(|path| self.notice(ledger, path).is_ok_and(|news| news))
    }
}

fn is_walked(name: &OsStr) -> bool {
    !is_closed(name) && !MADE.iter().any(|made| name == *made)
}
