//! Where the state of this user lies: a directory of the user's alone.

use std::ffi::OsString;
use std::fs::{DirBuilder, File};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags, Stat};
use rustix::io::Errno;

use super::note::{Exposure, NotPrivate, Note, system};

/// How a directory of ours is opened.
pub(super) const DIRECTORY: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// Returns `$XDG_STATE_HOME/hashline`, else `$HOME/.local/state/hashline`; nothing if neither is an absolute path.
#[must_use]
pub fn state_dir() -> Option<PathBuf> {
    state_dir_in(std::env::var_os("XDG_STATE_HOME"), std::env::var_os("HOME"))
}

fn state_dir_in(state_home: Option<OsString>, home: Option<OsString>) -> Option<PathBuf> {
    let absolute = |path: OsString| Some(PathBuf::from(path)).filter(|path| path.is_absolute());
    let state_home = state_home.and_then(absolute);
    let base = state_home.or_else(|| Some(home.and_then(absolute)?.join(".local/state")))?;
    Some(base.join("hashline"))
}

/// Opens the state directory; makes it, for the user alone, where it is missing.
pub(crate) fn open_state(state: &Path) -> Result<File, Note> {
    let opened = match rustix::fs::open(state, DIRECTORY, Mode::empty()) {
        Err(Errno::NOENT) => {
            let made = DirBuilder::new().recursive(true).mode(0o700).create(state);
            made.map_err(system("making the state directory"))?;
            rustix::fs::open(state, DIRECTORY, Mode::empty())
        }
        opened => opened,
    };
    private(opened, state)
}

/// Takes a directory only if nobody else can write to it.
pub(super) fn private(
    opened: rustix::io::Result<std::os::fd::OwnedFd>,
    path: &Path,
) -> Result<File, Note> {
    let exposed = |why| {
        Note::NotPrivate(NotPrivate {
            path: PathBuf::from(path),
            why,
        })
    };
    let dir = match opened {
        Err(Errno::NOTDIR | Errno::LOOP) => return Err(exposed(Exposure::NotADirectory)),
        opened => opened.map_err(|error| system("opening the state directory")(error.into()))?,
    };
    let stat: Stat = rustix::fs::fstat(&dir)
        .map_err(|error| system("looking at the state directory")(error.into()))?;
    exposure(&stat).map_or(Ok(dir.into()), |why| Err(exposed(why)))
}

/// Tells what is wrong with a directory that is to be the user's alone.
pub(super) fn exposure(stat: &Stat) -> Option<Exposure> {
    if stat.st_uid != rustix::process::geteuid().as_raw() {
        Some(Exposure::Foreign)
    } else {
        (stat.st_mode & 0o022 != 0).then_some(Exposure::Writable)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::state_dir_in;

    #[test]
    fn the_state_home_comes_first_and_must_be_absolute() {
        let cases = [
            (Some("/s"), Some("/h"), Some("/s/hashline")),
            (None, Some("/h"), Some("/h/.local/state/hashline")),
            (Some("s"), Some("/h"), Some("/h/.local/state/hashline")),
            (Some(""), Some("h"), None),
            (None, None, None),
        ];
        for (state_home, home, expected) in cases {
            let found = state_dir_in(state_home.map(Into::into), home.map(Into::into));
            assert_eq!(found.as_deref(), expected.map(Path::new));
        }
    }
}
