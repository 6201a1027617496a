//! Why nothing was set up.

use std::path::PathBuf;

use crate::merge::Unmerged;

/// Why nothing was done. Unless it says so, no file was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// What is to go into a file does not fit what is there.
    Unmerged {
        /// The file.
        path: PathBuf,
        /// Why.
        why: Unmerged,
    },
    /// Where the file is to be there is a folder, a pipe or a device.
    NotAFile {
        /// Where.
        path: PathBuf,
    },
    /// A link leads out of the project.
    Outside {
        /// The file.
        path: PathBuf,
        /// Where it would lie.
        real: PathBuf,
    },
    /// The system said no.
    System(SystemSaid),
    /// Somebody changed a file between the look at it and the write.
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The system said no, and then also when files were to be put back.
    Stuck {
        /// What it said first.
        first: SystemSaid,
        /// The files that are new all the same.
        left: Vec<PathBuf>,
    },
}

/// What the system said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemSaid {
    /// About which file.
    pub path: PathBuf,
    /// While doing what.
    pub doing: &'static str,
    /// In its own words.
    pub reason: String,
}

impl SystemSaid {
    /// Keeps what the system said.
    pub(crate) fn new(path: &std::path::Path, doing: &'static str, error: &std::io::Error) -> Self {
        Self {
            path: path.to_path_buf(),
            doing,
            reason: error.to_string(),
        }
    }
}

impl Refused {
    /// Tells whether files were changed in spite of it.
    #[must_use]
    pub fn has_written(&self) -> bool {
        matches!(self, Self::Stuck { .. })
    }

    /// Returns the stable name of what is wrong.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unmerged { why, .. } => match why {
                Unmerged::Taken { .. } => "entry_taken",
                Unmerged::Invalid { .. }
                | Unmerged::NotText { .. }
                | Unmerged::WrongKind { .. }
                | Unmerged::TornSection { .. } => "bad_agent_file",
            },
            Self::NotAFile { .. } => "not_a_file",
            Self::Outside { .. } => "outside_root",
            Self::System(_) | Self::Stuck { .. } => "io_error",
            Self::Changed { .. } => "unstable",
        }
    }
}
