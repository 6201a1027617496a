//! The error type of setup: why an agent's configuration files could not be read or changed.

use hashline_core::Code;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::setup::merge::{MergeError, MergeProblem};

/// Why setup failed. No file was changed, except in the case of `Stuck`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The configuration file cannot be parsed, or our entries conflict with entries in it.
    #[error("{}", why.in_file(path))]
    Merge {
        /// The configuration file.
        path: PathBuf,
        /// The conflict or the parse error, and its position in the file.
        why: MergeError,
    },
    /// The path of the configuration file is taken by a folder, a pipe or a device.
    #[error("{} is not a regular file", .0.display())]
    NotAFile(PathBuf),
    /// The configuration file is a symbolic link that leads out of the project.
    #[error("{} is a link out of the project, to {}", path.display(), real.display())]
    Outside {
        /// The path of the link.
        path: PathBuf,
        /// The target of the link.
        real: PathBuf,
    },
    /// The configuration file is a symbolic link to a protected file, such as one in `.git`.
    #[error("{} is a link to {}, which setup does not write", path.display(), real.display())]
    Protected {
        /// The path of the link.
        path: PathBuf,
        /// The target of the link.
        real: PathBuf,
    },
    /// The file has several hard links. Replacing the file would leave the old text under its other names.
    #[error("{} has more than one hard link, and the others would keep the old text", .0.display())]
    HardLinked(PathBuf),
    /// The configuration file is read-only.
    #[error("{} is read-only", .0.display())]
    ReadOnly(PathBuf),
    /// A setup for a project would write the user's own configuration files, because the project folder is the home directory or shares files with
    /// it.
    #[error("the agent's files in {} are your user files, not files of a project", .0.display())]
    Shared(PathBuf),
    /// Another setup still held the lock when the timeout ended.
    #[error("another setup is still running ({} is locked)", .0.display())]
    Busy(PathBuf),
    /// The operating system returned an error for a file operation.
    #[error(transparent)]
    System(#[from] FileError),
    /// Another program changed this file after setup had read it.
    #[error("{} was changed by another program", .0.display())]
    Changed(PathBuf),
    /// Writing failed after some files were written, and not all of the written files could be restored.
    #[error("{first}; these files could not be restored: {}", listed(left))]
    Stuck {
        /// The first error, which made setup stop and restore the files.
        first: Box<SetupError>,
        /// The files that could not be restored, and may have their new content.
        left: Vec<PathBuf>,
    },
}

/// The value of [`FileError::doing`] for an error while reading a file.
pub(crate) const READING: &str = "reading it";

/// An I/O error, with the file and the operation that failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}: {doing} failed: {reason}", path.display())]
pub struct FileError {
    /// The file on which the operation failed.
    pub path: PathBuf,
    /// The operation that failed, for the message: "reading it", "writing it".
    pub doing: &'static str,
    /// The kind of error.
    pub kind: io::ErrorKind,
    /// The message of the operating system.
    pub reason: String,
}

impl FileError {
    /// Makes the error from an [`io::Error`] that occurred at `path` during the operation `doing`.
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
    /// Returns the stable error code, as it is listed in `docs/requests.md`.
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
