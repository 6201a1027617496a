//! An agent's own edit tools, and which files hashline takes: those that it can show and change itself. No agent is sent to a tool that
//! would refuse the file, too.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use hashline_workspace::Limits;

use super::{Room, When};
use crate::hook::event::{How, Touch};
use crate::hook::suggestion::{self, Better, Named, Step};

/// How much of a file is looked at: enough to see that its first line is longer than is taken.
const BEGINNING: u64 = (1 << 20) + 1;

/// What text of another encoding begins with.
const OTHER_ENCODINGS: [&[u8]; 3] = [b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff"];

impl Room<'_> {
    /// Says what to do instead of changing files; nothing if none of them is ours.
    pub(super) fn change(&self, tool: &str, files: &[Touch], when: When) -> Option<Better> {
        let steps = files.iter().filter_map(|touch| self.step(touch, when));
        let steps: Vec<Step> = steps.collect();
        (!steps.is_empty()).then(|| suggestion::change(&self.calls, tool, &steps))
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

/// What a file is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To show it.
    Show,
    /// To change, replace, move or delete it, or to make it.
    Change,
}

impl Room<'_> {
    /// Tells whether a file is one that we would take: in a root, nothing that we refuse to write, and text as far as can be seen.
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
            // One that is not there can be made.
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

/// Tells whether the file may be written by anybody, and be replaced without losing what it may do.
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
