//! The shell guard: whether a command line reads or writes files of a workspace without hashline.
//!
//! An agent that prints a file with `cat` sees lines without anchors; one that writes with `sed -i` changes lines that others hold
//! anchors for. A [`Guard`] reads the command line as a shell would and answers with a [`Verdict`]. It is advice against habit, not a
//! security boundary: variables, scripts and programs can always hide a write, and a false alarm costs more trust than a missed trick.
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
//! A command line passes through these steps: `shell` turns text into scripts of words, in which what a shell would have to compute is kept as
//! something unknown; `walk` follows the scripts and knows whose output is seen; `tools` knows what one command does to its files;
//! `places` knows which files are guarded.
//!
//! Deliberately absent: the disk, the environment, the clock.

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
/// Longer command lines are not parsed.
pub const LONGEST: usize = 64 * 1024;

/// Judges command lines that run in one directory.
#[derive(Debug)]
pub struct Guard {
    places: GuardPaths,
}

impl Guard {
    /// Guards the files under `root` against commands that run in `cwd`. Both are absolute; neither is looked at on disk.
    #[must_use]
    pub fn new(root: &Path, cwd: &Path) -> Self {
        Self::over(&[root], cwd)
    }

    /// Guards the files under several roots, which are one workspace: what is copied from one to another stays in it.
    #[must_use]
    pub fn over<P: AsRef<Path>>(roots: &[P], cwd: &Path) -> Self {
        let places = GuardPaths::new(roots, cwd);
        Self { places }
    }

    /// Judges a command line. One that the guard cannot judge is allowed, with the reason.
    #[must_use]
    pub fn judge(&self, command: &str) -> Verdict {
        if command.len() > LONGEST {
            return Verdict::Allow(Some(Unsure::TooLong));
        }
        walk::judge(command, &self.places)
    }
}
