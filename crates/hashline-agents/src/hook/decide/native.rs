//! An agent's own edit tools.

use std::path::{Path, PathBuf};

use super::ours::Purpose;
use super::{Room, When};
use crate::hook::event::{How, Touch};
use crate::hook::words::{self, Better, Named, Step};

impl Room<'_> {
    /// Says what to do instead of changing files; nothing if none of them is ours.
    pub(super) fn change(&self, tool: &str, files: &[Touch], when: When) -> Option<Better> {
        let steps = files.iter().filter_map(|touch| self.step(touch, when));
        let steps: Vec<Step> = steps.collect();
        (!steps.is_empty()).then(|| words::change(&self.calls, tool, &steps))
    }

    /// Returns what is done to a file; nothing if it is not ours.
    fn step(&self, touch: &Touch, when: When) -> Option<Step> {
        let ours = self.ours(&touch.path);
        if let (How::MoveTo(to), None) = (&touch.how, &ours) {
            // What comes from elsewhere is made here.
            let (place, file) = self.ours(to)?;
            return Some(whole(&place, file, &How::Make, when));
        }
        let (place, file) = ours?;
        Some(match &touch.how {
            // A client's own edit of a file that is not there makes it.
            How::Edit if when == When::Before && !is_there(&place) => Step::Make(file),
            How::Edit => Step::Edit(file),
            how @ (How::Make | How::Write) => whole(&place, file, how, when),
            How::Delete => Step::Delete(file),
            How::MoveTo(to) => match self.ours(to) {
                Some((_, to)) => Step::Move(file, to),
                None => Step::Edit(file),
            },
        })
    }

    /// Returns where a file is and how we would call it, if it is one of ours.
    fn ours(&self, path: &str) -> Option<(PathBuf, Named)> {
        let place = self.scene.place(Path::new(path));
        let is_ours = self.is_ours(&place, Purpose::Change);
        let named = || self.scene.named(&place, &self.roots, &self.scene.cwd);
        is_ours.then(named).map(|named| (place.clone(), named))
    }
}

/// Returns what is done to a file that gets all its content. Afterwards it is there in any case.
fn whole(place: &Path, file: Named, how: &How, when: When) -> Step {
    match when {
        When::After if *how == How::Make => Step::Make(file),
        When::After => Step::Write(file),
        When::Before if is_there(place) => Step::Replace(file),
        When::Before => Step::Make(file),
    }
}

/// Tells whether there is a file. A link that leads nowhere is none.
pub(super) fn is_there(place: &Path) -> bool {
    place.metadata().is_ok()
}
