//! The shell guard: checks whether a shell command line reads or writes files of a workspace without hashline.
//!
//! An agent that prints a file with `cat` sees lines without anchors, which it needs for an edit; an agent that writes with `sed -i` makes
//! anchors that other agents were shown out of date. A [`Guard`] parses the command line as a shell would and returns a [`Verdict`]. The
//! guard is advice against habit, not a security boundary: variables, scripts and programs can always hide a write, and a false alarm costs
//! more trust than a missed trick.
//!
//! ```
//! use std::path::Path;
//!
//! use hashline_agents::guard::{BypassFile, Guard, Verdict};
//!
//! let guard = Guard::new(Path::new("/repo"), Path::new("/repo"));
//! assert_eq!(guard.judge("cargo test 2>&1 | tail -20"), Verdict::ALLOW);
//!
//! let Verdict::WriteBypass(bypass) = guard.judge("sed -i s/a/b/ src/main.rs") else {
//!     panic!("an edit in place is a write");
//! };
//! assert_eq!(bypass.command, "sed");
//! assert_eq!(bypass.file, Some(BypassFile::Named("src/main.rs".to_owned())));
//! ```
//!
//! A command line passes through these modules: `shell` parses it into commands and words, and marks the parts of words that only a running
//! shell could compute; `walk` visits every command and tracks whether its output reaches the terminal; `tools` knows which files a command
//! reads and writes; `places` decides which paths are guarded.
//!
//! The guard never reads the disk, the environment or the clock.

mod inline;
mod options;
mod places;
mod shell;
mod tools;
mod verdict;
mod walk;

use std::path::Path;

pub use verdict::{Bypass, BypassFile, GuardAdvice, Unsure, Verdict};

pub(crate) use options::lists;
use places::GuardPaths;

// The parser takes at most 0.2 s for the worst text of this length (decision 0015); commands that people or models type are far shorter.
/// The longest command line, in bytes, that the guard parses; a longer one is allowed unchecked.
pub const LONGEST: usize = 64 * 1024;

/// Checks shell command lines, all run in the same directory, for reads and writes of workspace files without hashline.
#[derive(Debug)]
pub struct Guard {
    places: GuardPaths,
}

impl Guard {
    /// Guards the files under `root` against commands that run in `cwd`. Both paths must be absolute; neither is read from disk.
    #[must_use]
    pub fn new(root: &Path, cwd: &Path) -> Self {
        Self::over(&[root], cwd)
    }

    /// Guards the files under several roots, which together are one workspace: copying a file from one root to another is allowed.
    #[must_use]
    pub fn over<P: AsRef<Path>>(roots: &[P], cwd: &Path) -> Self {
        let places = GuardPaths::new(roots, cwd);
        Self { places }
    }

    /// Returns whether a command line reads or writes workspace files. A command line that cannot be parsed is allowed, with the reason.
    #[must_use]
    pub fn judge(&self, command: &str) -> Verdict {
        if command.len() > LONGEST {
            return Verdict::Allow(Some(Unsure::TooLong));
        }
        walk::judge(command, &self.places)
    }

    /// Returns whether a command line may change files by our own program, as `hashline apply` does.
    ///
    /// # Errors
    ///
    /// Why a part of the command line could not be checked, if no other part changes files.
    pub fn writes_by_hashline(&self, command: &str) -> Result<bool, Unsure> {
        if command.len() > LONGEST {
            return Err(Unsure::TooLong);
        }
        walk::writes_by_hashline(command, &self.places)
    }
}
