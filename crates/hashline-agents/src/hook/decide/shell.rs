//! An agent's shell: the guard judges, here it becomes a decision.
//!
//! The guard goes by the letters of a command line alone. Here the disk is asked as well: whether the file that is named is one that we
//! could take, and where the command really runs.

use std::path::{Path, PathBuf};

use crate::guard::{Bypass, BypassFile, Guard, Verdict};

use super::native::is_there;
use super::ours::Purpose;
use super::{Objected, Room};
use crate::hook::decision::Note;
use crate::hook::words::{self, Step};

impl Room<'_> {
    /// Says what to run instead of a command line, if it goes past us.
    pub(super) fn shell(&self, command: &str, cwd: Option<&Path>) -> Option<Objected> {
        let cwd = cwd.map_or_else(|| self.scene.cwd.clone(), |cwd| self.scene.folder(cwd));
        let guard = Guard::over(&self.roots.spelled, &cwd);
        let (bypass, purpose) = match guard.judge(command) {
            Verdict::Allow(None) => return None,
            Verdict::Allow(Some(unsure)) => return Some(Objected::Unsure(Note::Unsure(unsure))),
            Verdict::ReadBypass(bypass) => (bypass, Purpose::Show),
            Verdict::WriteBypass(bypass) => (bypass, Purpose::Change),
        };
        let step = match self.meant(&bypass, &cwd) {
            Meant::Elsewhere => return None,
            Meant::Some => None,
            // It can be read or changed in no other way.
            Meant::One(place) if !self.is_ours(&place, purpose) => return None,
            Meant::One(place) => {
                let file = self.scene.named(&place, &self.roots, &cwd);
                Some(match is_there(&place) {
                    true => Step::Edit(file),
                    false => Step::Make(file),
                })
            }
        };
        let words = match purpose {
            Purpose::Show => words::shell_read,
            Purpose::Change => words::shell_write,
        };
        let better = words(&self.calls, &bypass, step.as_ref());
        Some(Objected::Because(better))
    }

    /// Finds out which files a command line is about.
    fn meant(&self, bypass: &Bypass, cwd: &Path) -> Meant {
        let place = |path: &str| self.scene.place(&cwd.join(path));
        match &bypass.file {
            Some(BypassFile::Named(path)) => match place(path) {
                // Into a folder means into any file of it.
                place if place.is_dir() => Meant::Some,
                place => Meant::One(place),
            },
            // What nobody can know may be a file of ours only where ours are, or if as much as is known of it leads there.
            Some(file) if self.roots.hold(&place(file.as_str())) => Meant::Some,
            _ if self.roots.hold(cwd) => Meant::Some,
            _ => Meant::Elsewhere,
        }
    }
}

/// Which files a command line is about.
enum Meant {
    /// This one.
    One(PathBuf),
    /// Some of ours; nobody knows which.
    Some,
    /// None of ours, as far as anybody can know.
    Elsewhere,
}
