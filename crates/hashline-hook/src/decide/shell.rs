//! An agent's shell: the guard judges, here it becomes a decision.

use std::path::Path;

use hashline_guard::{Bypass, File, Guard, Verdict};

use super::{Objected, Room};
use crate::decision::Note;
use crate::words::{self, Better, Calls};

impl Room<'_> {
    /// Says what to run instead of a command line, if it goes past us.
    pub(super) fn shell(&self, command: &str, cwd: Option<&Path>) -> Option<Objected> {
        let cwd = cwd.map_or_else(|| self.scene.cwd.clone(), |cwd| self.scene.cwd.join(cwd));
        // A little less than all there is, so that it can be said who took too long.
        let guard = Guard::new(&self.scene.root, &cwd).with_deadline(self.time * 4 / 5);
        match guard.judge(command) {
            Verdict::Allow(None) => None,
            Verdict::Allow(Some(unsure)) => Some(Objected::Unsure(Note::Unsure(unsure))),
            Verdict::ReadBypass(bypass) => self.instead(words::shell_read, &bypass, &cwd),
            Verdict::WriteBypass(bypass) => self.instead(words::shell_write, &bypass, &cwd),
        }
    }

    /// Says the better way, unless the command names a file that we would refuse to write: that can be changed in no other way.
    fn instead(
        &self,
        words: fn(&Calls, &Bypass, Option<&str>) -> Better,
        bypass: &Bypass,
        cwd: &Path,
    ) -> Option<Objected> {
        let file = match &bypass.file {
            Some(File::Named(path)) => Some(self.place(&cwd.join(path).to_string_lossy())),
            Some(File::Computed(_)) | None => None,
        };
        // Into a folder means into any file of it.
        let file = file.filter(|place| !place.is_dir());
        if file.as_ref().is_some_and(|place| !self.is_ours(place)) {
            return None;
        }
        let file = file.map(|place| self.scene.spelled(&place));
        Some(Objected::Because(words(
            &self.calls,
            bypass,
            file.as_deref(),
        )))
    }
}
