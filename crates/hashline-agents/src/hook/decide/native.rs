//! An agent's own edit tools, and which files hashline takes: those that it can show and change itself. No agent is sent to a tool that
//! would refuse the file, too.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use hashline_workspace::Limits;

use super::{Decider, ToolPhase};
use crate::hook::event::{ChangeKind, ChangedFile};
use crate::hook::suggestion::{self, EditStep, FileNames, StepKind, Suggestion};

/// How many bytes of a file are looked at, since the client waits: enough to see that its first line is too long.
const BEGINNING: u64 = (1 << 20) + 1;

/// Byte order marks of other encodings.
const OTHER_ENCODINGS: [&[u8]; 3] = [b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff"];

impl Decider<'_> {
    /// Suggests what to do instead of changing files; `None` if we take none of them.
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

    /// Returns what is done to a file; `None` if it is not one we take.
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

    /// Returns the path of a file and how to name it, if it is one we take.
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

/// Returns what is done to a file whose whole content is written. After the tool ran, it exists in any case.
fn whole(place: &Path, kind: &ChangeKind, phase: ToolPhase) -> StepKind {
    match phase {
        ToolPhase::After if *kind == ChangeKind::Create => StepKind::Create,
        ToolPhase::After => StepKind::Write,
        ToolPhase::Before if is_there(place) => StepKind::Replace,
        ToolPhase::Before => StepKind::Create,
    }
}

/// Tells whether a file exists. A link to nothing does not.
pub(super) fn is_there(place: &Path) -> bool {
    place.metadata().is_ok()
}

/// What a file is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To show it.
    Show,
    /// To change, replace, move or delete it, or to make it.
    Change,
}

impl Decider<'_> {
    /// Tells whether a file is one we take: in a root, not protected, and text as far as can be seen.
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
    let is_other = OTHER_ENCODINGS.iter().any(|mark| bytes.starts_with(mark));
    let has_long_line = bytes.len() > limits.line && !bytes.contains(&b'\n');
    Ok(!is_other && !has_long_line && !bytes.contains(&0))
}

/// Tells whether the file is writable, and loses no special mode bits if it is replaced.
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
