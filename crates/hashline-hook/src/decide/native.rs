//! An agent's own edit tools.

use super::Room;
use crate::words::{self, Better};

impl Room<'_> {
    /// Says what to do instead of changing files; nothing if none of them is ours.
    pub(super) fn edit(&self, tool: &str, paths: &[String]) -> Option<Better> {
        let ours = paths.iter().filter_map(|path| self.ours(path));
        let ours: Vec<String> = ours.collect();
        (!ours.is_empty()).then(|| words::edit(&self.calls, tool, &ours))
    }

    /// Says what to do instead of writing a file; nothing if it is not ours.
    pub(super) fn write(&self, tool: &str, path: &str) -> Option<Better> {
        let ours = self.ours(path)?;
        let is_there = self.place(path).symlink_metadata().is_ok();
        Some(match is_there {
            true => words::overwrite(&self.calls, tool, &ours),
            false => words::create(&self.calls, tool, &ours),
        })
    }

    /// Returns how we would call a file, if it is one of ours.
    fn ours(&self, path: &str) -> Option<String> {
        let place = self.place(path);
        self.is_ours(&place).then(|| self.scene.spelled(&place))
    }
}
