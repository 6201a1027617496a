//! Decides about shell commands, from the guard's verdict on the command line and a check of the files on disk.
//!
//! The guard checks only the text of a command line. This module also checks on disk whether hashline could edit the named file, and in which
//! real directory the command runs.

use std::path::{Path, PathBuf};

use crate::guard::{Bypass, BypassFile, Guard, Verdict};

use super::native::{Purpose, is_there};
use super::{Decider, HookObjection};
use crate::hook::answer::PassReason;
use crate::hook::suggestion::{self, EditStep, StepKind};

impl Decider<'_> {
    /// Returns what to run instead of a command line that reads or writes workspace files without hashline; `None` for other commands.
    pub(super) fn shell(&self, command: &str, cwd: Option<&Path>) -> Option<HookObjection> {
        let cwd = cwd.map_or_else(
            || self.location.cwd.clone(),
            |cwd| self.location.folder(cwd),
        );
        let guard = Guard::over(&self.roots.spelled, &cwd);
        let (bypass, purpose) = match guard.judge(command) {
            Verdict::Allow(None) => return None,
            Verdict::Allow(Some(unsure)) => {
                return Some(HookObjection::Unsure(PassReason::Unsure(unsure)));
            }
            Verdict::ReadBypass(bypass) => (bypass, Purpose::Show),
            Verdict::WriteBypass(bypass) => (bypass, Purpose::Change),
        };
        let step = match self.files_of(&bypass, &cwd) {
            CommandFiles::Elsewhere => return None,
            CommandFiles::Some => None,
            // It can be read or changed in no other way.
            CommandFiles::One(place) if !self.is_ours(&place, purpose) => return None,
            CommandFiles::One(place) => {
                let file = self.location.file_names(&place, &self.roots, &cwd);
                let kind = if is_there(&place) {
                    StepKind::Edit
                } else {
                    StepKind::Create
                };
                Some(EditStep { file, kind })
            }
        };
        let words = match purpose {
            Purpose::Show => suggestion::shell_read,
            Purpose::Change => suggestion::shell_write,
        };
        let better = words(&self.tools, &bypass, step.as_ref());
        Some(HookObjection::Suggest(better))
    }

    /// Returns whether a command line may change files by hashline, as `hashline apply` does.
    pub(super) fn applies(&self, command: &str) -> bool {
        let guard = Guard::over(&self.roots.spelled, &self.location.cwd);
        let writes = guard.writes_by_hashline(command);
        writes.unwrap_or_else(|_unsure| speaks_of_writing(command))
    }

    /// Returns which files a command line reads or writes without hashline.
    fn files_of(&self, bypass: &Bypass, cwd: &Path) -> CommandFiles {
        let place = |path: &str| self.location.place(&cwd.join(path));
        match &bypass.file {
            Some(BypassFile::Named(path)) => match place(path) {
                // Into a folder means into any file of it.
                place if place.is_dir() => CommandFiles::Some,
                place => CommandFiles::One(place),
            },
            // An unknown path may be one of our files only if the command runs in a root, or if the known beginning of the path leads into one.
            Some(file) if self.roots.contain(&place(file.as_str())) => CommandFiles::Some,
            _ if self.roots.contain(cwd) => CommandFiles::Some,
            _ => CommandFiles::Elsewhere,
        }
    }
}

/// Returns whether a command line has the words of `hashline apply`, or of another command of hashline that writes: a command that only speaks of it
/// is better refused than one that does it let pass.
fn speaks_of_writing(command: &str) -> bool {
    const WRITING: [&str; 5] = ["apply", "recover", "setup", "mcp", "man"];
    let is_between = |letter: char| letter.is_whitespace() || "\"'`;|&()<>\\".contains(letter);
    let words: Vec<&str> = command
        .split(is_between)
        .filter(|word| !word.is_empty())
        .collect();
    let is_program = |word: &&str| word.rsplit('/').next() == Some("hashline");
    let first = words.iter().position(is_program);
    first.is_some_and(|first| words[first..].iter().any(|word| WRITING.contains(word)))
}

/// The files that a command line reads or writes without hashline.
enum CommandFiles {
    /// The command line reads or writes one file, whose path is known.
    One(PathBuf),
    /// The command line reads or writes files in the workspace, but their paths are not known.
    Some,
    /// No file in the workspace.
    Elsewhere,
}
