//! Why nothing was set up.

use std::path::PathBuf;

use crate::setup::merge::Unmerged;

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
    /// A link leads to a file that nobody is to write.
    Protected {
        /// The file.
        path: PathBuf,
        /// Where it would lie.
        real: PathBuf,
    },
    /// The file has more than one name, and only one of them would lead to the new text.
    HardLinked {
        /// The file.
        path: PathBuf,
    },
    /// Nobody may write the file.
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// The files of the project are those that the person has everywhere.
    Shared {
        /// The project.
        project: PathBuf,
    },
    /// Another setup is at work and does not end.
    Busy {
        /// What it holds.
        path: PathBuf,
    },
    /// The system said no.
    System(SystemSaid),
    /// Somebody changed a file between the look at it and the write.
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// Something was refused when some files were written already, and not all of those could be put back.
    Stuck {
        /// What was refused first.
        first: Box<Refused>,
        /// The files that are new all the same.
        left: Vec<PathBuf>,
    },
}

/// What was done when a file could not be read.
pub(crate) const READING: &str = "reading it";

/// What the system said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemSaid {
    /// About which file.
    pub path: PathBuf,
    /// While doing what.
    pub doing: &'static str,
    /// Of which kind it is.
    pub kind: std::io::ErrorKind,
    /// In its own words.
    pub reason: String,
}

impl SystemSaid {
    /// Keeps what the system said.
    pub(crate) fn new(path: &std::path::Path, doing: &'static str, error: &std::io::Error) -> Self {
        Self {
            path: path.to_path_buf(),
            doing,
            kind: error.kind(),
            reason: plainly(error),
        }
    }
}

/// Returns what the system said. Where a file was made under a passing name, that name helps nobody: the kind of trouble is told alone.
fn plainly(error: &std::io::Error) -> String {
    let is_wrapped = error.raw_os_error().is_none() && error.get_ref().is_some();
    match (is_wrapped, error.kind()) {
        (false, _) | (_, std::io::ErrorKind::Other) => error.to_string(),
        (true, kind) => kind.to_string(),
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
                | Unmerged::Entangled { .. }
                | Unmerged::TornSection { .. } => "bad_agent_file",
            },
            Self::NotAFile { .. } => "not_a_file",
            Self::Outside { .. } => "outside_root",
            Self::Protected { .. } => "protected",
            Self::HardLinked { .. } => "hardlinked",
            Self::ReadOnly { .. } => "read_only",
            Self::Shared { .. } => "bad_path",
            Self::Busy { .. } => "busy",
            Self::System(_) | Self::Stuck { .. } => "io_error",
            Self::Changed { .. } => "unstable",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{READING, Refused, SystemSaid};

    #[test]
    fn who_cannot_read_is_told_to_see_who_may_read() {
        let denied = std::io::Error::from(std::io::ErrorKind::PermissionDenied);
        for (doing, part) in [
            (READING, "who may read it"),
            ("writing it", "who may write there"),
        ] {
            let said = SystemSaid::new(Path::new("/a/b"), doing, &denied);
            let told = crate::setup::words::refused(&Refused::System(said));
            assert!(told.contains(part), "{told}");
        }
    }

    #[test]
    fn passing_names_are_not_told_and_what_helps_is() {
        let folder = Path::new("/nowhere/at/all");
        let failed = tempfile::Builder::new()
            .prefix(".hashline-")
            .tempfile_in(folder);
        let said = failed
            .err()
            .map(|error| SystemSaid::new(folder, "writing it", &error));
        let told = said.map(|said| crate::setup::words::refused(&Refused::System(said)));
        let told = told.unwrap_or_default();
        assert!(!told.contains(".hashline-"), "{told}");
        assert!(told.contains("nothing was written\nhint: "), "{told}");
    }
}
