//! Reads configuration files, following symbolic links.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::setup::error::{FileError, READING, SetupError};

/// How many symbolic links are followed before they count as a loop.
const MAX_LINKS: usize = 40;
/// The size limit for configuration files; larger files are refused.
const MAX_BYTES: u64 = 64 << 20;
/// The byte order mark that some editors write at the beginning of a file.
pub(crate) const BOM: &str = "\u{feff}";

/// A configuration file as it was read from disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DiskFile {
    /// The path of the file with symbolic links resolved. Setup writes to this path, so that links stay links.
    pub(crate) real: PathBuf,
    /// The bytes of the file; `None` if there is no such file.
    pub(crate) bytes: Option<Vec<u8>>,
}

/// Reads a file, following symbolic links; a file that does not exist is no error.
pub(crate) fn read(path: &Path) -> Result<DiskFile, SetupError> {
    let failed = |error: io::Error| SetupError::System(FileError::new(path, READING, &error));
    let mut real = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match std::fs::symlink_metadata(&real) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(DiskFile {
                    real: without_links(&real).map_err(failed)?,
                    bytes: None,
                });
            }
            Err(error) => return Err(failed(error)),
            Ok(metadata) if metadata.is_symlink() => {
                let target = std::fs::read_link(&real).map_err(failed)?;
                real = real.parent().unwrap_or(Path::new("/")).join(target);
            }
            Ok(metadata) if metadata.is_file() => {
                let real = std::fs::canonicalize(&real).map_err(failed)?;
                let bytes = Some(read_regular(&real).map_err(failed)?);
                return Ok(DiskFile { real, bytes });
            }
            Ok(_) => return Err(SetupError::NotAFile(path.to_path_buf())),
        }
    }
    Err(failed(io::Error::other("too many links")))
}

/// Returns a path with symbolic links resolved, also if the file or some of its folders do not exist.
pub(crate) fn without_links(path: &Path) -> io::Result<PathBuf> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Ok(path.to_path_buf());
    };
    if let Ok(real) = std::fs::canonicalize(path) {
        return Ok(real);
    }
    match std::fs::canonicalize(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Ok(without_links(folder)?.join(name))
        }
        real => Ok(real?.join(name)),
    }
}

/// Returns the text of a file without its byte order mark; `None` if it cannot be read, is too large or is not UTF-8.
pub(crate) fn text(path: &Path) -> Option<String> {
    let text = String::from_utf8(read_regular(path).ok()?).ok()?;
    Some(text.strip_prefix(BOM).map(str::to_owned).unwrap_or(text))
}

/// Reads a regular file of at most 64 MiB. Pipes and devices are refused: reading them could block.
pub(crate) fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<std::fs::File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?.into())
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<std::fs::File> {
    std::fs::File::open(path)
}
