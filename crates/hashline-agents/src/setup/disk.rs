//! Files as they are, wherever links lead.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::setup::error::{READING, Refused, SystemSaid};

/// How many links are followed before they count as a loop.
const LINKS: usize = 40;
/// No configuration is larger.
const LARGEST: u64 = 64 << 20;

/// A file as it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Where it really lies: what is written is written there, so that links stay links.
    pub(crate) real: PathBuf,
    /// Its bytes; nothing if there is no such file.
    pub(crate) bytes: Option<Vec<u8>>,
}

/// Looks at a file.
pub(crate) fn look(path: &Path) -> Result<Seen, Refused> {
    let failed = |error: &io::Error| Refused::System(SystemSaid::new(path, READING, error));
    let mut real = path.to_path_buf();
    for _ in 0..LINKS {
        match std::fs::symlink_metadata(&real) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let real = without_links(&real).map_err(|error| failed(&error))?;
                return Ok(Seen { real, bytes: None });
            }
            Err(error) => return Err(failed(&error)),
            Ok(facts) if facts.is_symlink() => {
                let target = std::fs::read_link(&real).map_err(|error| failed(&error))?;
                real = real.parent().unwrap_or(Path::new("/")).join(target);
            }
            Ok(facts) if facts.is_file() => {
                let real = std::fs::canonicalize(&real).map_err(|error| failed(&error))?;
                let bytes = read(&real).map_err(|error| failed(&error))?;
                return Ok(Seen {
                    real,
                    bytes: Some(bytes),
                });
            }
            Ok(_) => {
                let path = path.to_path_buf();
                return Err(Refused::NotAFile { path });
            }
        }
    }
    Err(failed(&io::Error::other("too many links")))
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

/// Returns the text of a file without the mark before it, wherever links lead; nothing if there is no such file, or it is none that setup
/// would take.
pub(crate) fn text(path: &Path) -> Option<String> {
    let text = String::from_utf8(read(path).ok()?).ok()?;
    Some(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// Tells whether a file has more names than one.
#[cfg(unix)]
pub(crate) fn has_other_names(facts: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    facts.nlink() > 1
}

#[cfg(not(unix))]
pub(crate) fn has_other_names(_facts: &std::fs::Metadata) -> bool {
    false
}

/// Reads a regular file that is not too large, and nothing that would have us wait.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no regular file"));
    }
    file.take(LARGEST + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > LARGEST {
        true => Err(io::ErrorKind::FileTooLarge.into()),
        false => Ok(bytes),
    }
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
