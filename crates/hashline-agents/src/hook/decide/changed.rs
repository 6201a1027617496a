//! After a tool ran: files on record that it changed are noted, so that anchors that were shown before find their lines again.
//!
//! The model is told nothing. If a line it holds an anchor for went, the edit says so.

use std::path::Path;
use std::time::Instant;

use hashline_workspace::ScanLimits;

use super::Room;
use crate::hook::event::{Action, How};

/// Which part of our time it is looked for files that a command changed: a third. What is not met then is noted when it is next read
/// or edited.
const PART: u32 = 3;
/// So many changed files are noted.
const FILES: usize = 64;
/// So many names are looked at.
const NAMES: usize = 20_000;
/// So many files of one call of a tool are looked at.
const NAMED: usize = 64;

impl Room<'_> {
    /// Notes what a tool changed.
    pub(super) fn notice_changes(&self, action: &Action) {
        match action {
            Action::Change { files, .. } => {
                let paths = files.iter().flat_map(|touch| match &touch.how {
                    How::MoveTo(to) => vec![&touch.path, to],
                    _ => vec![&touch.path],
                });
                paths.take(NAMED).for_each(|path| self.notice(path));
            }
            Action::Shell { .. } => {
                self.service.notice_changes(&ScanLimits {
                    files: FILES,
                    names: NAMES,
                    until: Instant::now() + self.time / PART,
                });
            }
            Action::Read { .. } => {}
        }
    }

    fn notice(&self, path: &str) {
        if let Some(path) = self.scene.place(Path::new(path)).to_str() {
            // One that cannot be read is on nobody's record as it is now.
            let _ = self.service.noticed(path);
        }
    }
}
