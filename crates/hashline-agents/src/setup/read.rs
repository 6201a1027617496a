//! Reading configuration files, through links.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::setup::error::{FileError, READING, SetupError};

/// How many links are followed before they count as a loop.
const MAX_LINKS: usize = 40;
/// Larger files are refused.
const MAX_BYTES: u64 = 64 << 20;
/// The byte order mark that some editors write at the beginning of a file.
pub(crate) const BOM: &str = "\u{feff}";

/// A file as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DiskFile {
    /// Where it really lies: what is written is written there, so that links stay links.
    pub(crate) real: PathBuf,
    /// Its bytes; `None` if there is no such file.
    pub(crate) bytes: Option<Vec<u8>>,
}

/// Reads a file, wherever links lead.
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

/// Returns where a file really lies, or would if it were there.
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

/// Returns the text of a file without its byte order mark; `None` if there is no such file, or not one that setup accepts.
pub(crate) fn text(path: &Path) -> Option<String> {
    let text = String::from_utf8(read_regular(path).ok()?).ok()?;
    Some(text.strip_prefix(BOM).map(str::to_owned).unwrap_or(text))
}

/// Reads a regular file that is not too large. Pipes and devices are refused: reading them could block.
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
