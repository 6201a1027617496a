//! Errors of setup.

use hashline_core::Code;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::setup::merge::{MergeError, MergeProblem};

/// Why setup failed. Except for `Stuck`, no file was changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// What is to go into a file does not fit what is there.
    #[error("{}", why.in_file(path))]
    Merge {
        /// The file.
        path: PathBuf,
        /// Why.
        why: MergeError,
    },
    /// Where the file is to be there is a folder, a pipe or a device.
    #[error("{} is not a regular file", .0.display())]
    NotAFile(PathBuf),
    /// A link leads out of the project.
    #[error("{} is a link out of the project, to {}", path.display(), real.display())]
    Outside {
        /// The file.
        path: PathBuf,
        /// Where it would lie.
        real: PathBuf,
    },
    /// A link leads to a protected file.
    #[error("{} is a link to {}, which setup does not write", path.display(), real.display())]
    Protected {
        /// The file.
        path: PathBuf,
        /// Where it would lie.
        real: PathBuf,
    },
    /// The file has more than one name, and only one of them would lead to the new text.
    #[error("{} has more than one hard link, and the others would keep the old text", .0.display())]
    HardLinked(PathBuf),
    /// The file is read-only.
    #[error("{} is read-only", .0.display())]
    ReadOnly(PathBuf),
    /// The files of the project are the user's own files, as in the home directory.
    #[error("the agent's files in {} are your user files, not files of a project", .0.display())]
    Shared(PathBuf),
    /// Another setup is running and does not end.
    #[error("another setup is still running ({} is locked)", .0.display())]
    Busy(PathBuf),
    /// The system refused.
    #[error(transparent)]
    System(#[from] FileError),
    /// Another program changed a file after it was read.
    #[error("{} was changed by another program", .0.display())]
    Changed(PathBuf),
    /// Writing failed after some files were written, and not all of those could be restored.
    #[error("{first}; these files could not be restored: {}", listed(left))]
    Stuck {
        /// What was refused first.
        first: Box<SetupError>,
        /// The files that may be new all the same.
        left: Vec<PathBuf>,
    },
}

/// What is done when a file is read.
pub(crate) const READING: &str = "reading it";

/// What the system refused, about which file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}: {doing} failed: {reason}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What was being done.
    pub doing: &'static str,
    /// The kind of error.
    pub kind: io::ErrorKind,
    /// The system's own words.
    pub reason: String,
}

impl FileError {
    /// Keeps what the system said.
    pub(crate) fn new(path: &Path, doing: &'static str, error: &io::Error) -> Self {
        // The message would name a temporary file, which is of no use to the user: only the kind is shown.
        let is_wrapped = error.raw_os_error().is_none() && error.get_ref().is_some();
        let reason = match error.kind() {
            kind if is_wrapped && kind != io::ErrorKind::Other => kind.to_string(),
            _ => error.to_string(),
        };
        Self {
            path: path.to_path_buf(),
            doing,
            kind: error.kind(),
            reason,
        }
    }
}

fn listed(paths: &[PathBuf]) -> String {
    let paths = paths.iter().map(|path| path.display().to_string());
    paths.collect::<Vec<_>>().join(", ")
}

impl SetupError {
    /// Returns the stable name of what is wrong.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Merge { why, .. } => match why.problem {
                MergeProblem::Taken(_) => Code::EntryTaken,
                _ => Code::BadAgentFile,
            },
            Self::NotAFile(_) => Code::NotAFile,
            Self::Outside { .. } => Code::OutsideRoot,
            Self::Protected { .. } => Code::Protected,
            Self::HardLinked(_) => Code::Hardlinked,
            Self::ReadOnly(_) => Code::ReadOnly,
            Self::Shared(_) => Code::BadPath,
            Self::Busy(_) => Code::Busy,
            Self::System(_) | Self::Stuck { .. } => Code::Io,
            Self::Changed(_) => Code::Unstable,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{FileError, READING, SetupError};
    use hashline_wire::Refusal;

    #[test]
    fn who_cannot_read_is_told_to_check_who_may_read() {
        let denied = std::io::Error::from(std::io::ErrorKind::PermissionDenied);
        for (doing, part) in [
            (READING, "who may read it"),
            ("writing it", "who may write there"),
        ] {
            let error = FileError::new(Path::new("/a/b"), doing, &denied);
            let text = Refusal::from(SetupError::System(error)).to_string();
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn what_could_not_be_restored_is_named() {
        let path = |name| Path::new("/a").join(name);
        let stuck = SetupError::Stuck {
            first: Box::new(SetupError::Changed(path("b"))),
            left: vec![path("c")],
        };
        let text = Refusal::from(&stuck).to_string();
        assert!(
            text.contains("/a/c") && !text.contains("nothing was written"),
            "{text}"
        );
    }

    #[test]
    fn temporary_names_are_not_shown_and_what_helps_is() {
        let folder = Path::new("/nowhere/at/all");
        let failed = tempfile::Builder::new()
            .prefix(".hashline-")
            .tempfile_in(folder);
        let error = failed
            .err()
            .map(|error| FileError::new(folder, "writing it", &error));
        let text = error.map(|error| Refusal::from(SetupError::System(error)).to_string());
        let text = text.unwrap_or_default();
        assert!(!text.contains(".hashline-"), "{text}");
        assert!(text.contains("nothing was written\nhint: "), "{text}");
    }
}
