//! Finds out which calls of an agent's own edit tools hashline could do instead, and what to suggest. (Whether such a call is refused is decided in
//! `decide`.) The hook objects only for files that hashline could edit itself, so that no agent is
//! sent to a tool that refuses the file too.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use hashline_workspace::{Limits, is_text};

use super::{Decider, ToolPhase};
use crate::hook::event::{ChangeKind, ChangedFile};
use crate::hook::suggestion::{self, EditStep, FileNames, StepKind, Suggestion};

/// The maximum number of bytes of a file that are read to check whether it is text: enough to see that its first line is too long.
const BEGINNING: u64 = (1 << 20) + 1;

impl Decider<'_> {
    /// Returns which hashline calls to make instead of changing `files` with `tool`; `None` if hashline can edit none of the files.
    pub(super) fn change(
        &self,
        tool: &str,
        files: &[ChangedFile],
        phase: ToolPhase,
    ) -> Option<Suggestion> {
        let steps = files.iter().filter_map(|change| self.step(change, phase));
        let steps: Vec<EditStep> = steps.collect();
        (!steps.is_empty()).then(|| suggestion::change(&self.tools, tool, &steps))
    }

    /// Returns how a tool would change a file; `None` if hashline cannot edit the file.
    fn step(&self, change: &ChangedFile, phase: ToolPhase) -> Option<EditStep> {
        let ours = self.ours(&change.path);
        if let (ChangeKind::MoveTo(to), None) = (&change.kind, &ours) {
            // A file that comes from elsewhere is created here.
            let (place, file) = self.ours(to)?;
            let kind = whole(&place, &ChangeKind::Create, phase);
            return Some(EditStep { file, kind });
        }
        let (place, file) = ours?;
        let kind = match &change.kind {
            // A client's edit of a missing file creates it.
            ChangeKind::Edit if phase == ToolPhase::Before && !is_there(&place) => StepKind::Create,
            ChangeKind::Edit => StepKind::Edit,
            kind @ (ChangeKind::Create | ChangeKind::Write) => whole(&place, kind, phase),
            ChangeKind::Delete => StepKind::Delete,
            ChangeKind::MoveTo(to) => match self.ours(to) {
                Some((_, to)) => StepKind::Move(to),
                None => StepKind::Edit,
            },
        };
        Some(EditStep { file, kind })
    }

    /// Returns the path of a file and its names for our server and a shell; `None` if hashline cannot edit the file.
    fn ours(&self, path: &str) -> Option<(PathBuf, FileNames)> {
        let place = self.location.place(Path::new(path));
        if !self.is_ours(&place, Purpose::Change) {
            return None;
        }
        let cwd = &self.location.cwd;
        let names = self.location.file_names(&place, &self.roots, cwd);
        Some((place, names))
    }
}

/// Returns whether a tool that writes a whole file creates or replaces it. After the tool ran, the file exists in any case.
fn whole(place: &Path, kind: &ChangeKind, phase: ToolPhase) -> StepKind {
    match phase {
        ToolPhase::After if *kind == ChangeKind::Create => StepKind::Create,
        ToolPhase::After => StepKind::Write,
        ToolPhase::Before if is_there(place) => StepKind::Replace,
        ToolPhase::Before => StepKind::Create,
    }
}

/// Returns whether a file exists. A symbolic link to a missing file does not count.
pub(super) fn is_there(place: &Path) -> bool {
    place.metadata().is_ok()
}

/// Whether hashline would show or change a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The file would be shown to the model.
    Show,
    /// The file would be created, changed, replaced, moved or deleted.
    Change,
}

impl Decider<'_> {
    /// Returns whether hashline can show or change a file: it is in a root, not protected, and its beginning is text.
    pub(super) fn is_ours(&self, place: &Path, purpose: Purpose) -> bool {
        let path = place.to_str();
        let may_write = path.is_some_and(|path| self.service.may_write(path).is_ok());
        may_write && self.takes(place, purpose)
    }

    fn takes(&self, place: &Path, purpose: Purpose) -> bool {
        let limits = &self.service.config().settings.limits;
        match place.metadata() {
            Ok(facts) => {
                facts.is_file()
                    && facts.len() <= limits.file
                    && (purpose == Purpose::Show || is_writable(&facts))
                    && begins_as_text(place, limits).unwrap_or(false)
            }
            // A missing file can be created.
            Err(error) => error.kind() == ErrorKind::NotFound,
        }
    }
}

fn begins_as_text(place: &Path, limits: &Limits) -> io::Result<bool> {
    let mut bytes = Vec::new();
    File::open(place)?.take(BEGINNING).read_to_end(&mut bytes)?;
    let has_long_line = bytes.len() > limits.line && !bytes.contains(&b'\n');
    Ok(is_text(&bytes) && !has_long_line)
}

/// Returns whether the file is writable and has no setuid or setgid bit, which replacing the file would lose.
#[cfg(unix)]
fn is_writable(facts: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    const SPECIAL: u32 = 0o6000;
    let permissions = facts.permissions();
    !permissions.readonly() && permissions.mode() & SPECIAL == 0
}

#[cfg(not(unix))]
fn is_writable(facts: &Metadata) -> bool {
    !facts.permissions().readonly()
}
