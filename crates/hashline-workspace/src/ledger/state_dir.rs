//! The user's state directory. The directory must belong to the user, and nobody else may write to it.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use super::{Exposure, StateNote, system};
use crate::system::{HOME, Native, PrivateFolder, Stat, System, refusal};

/// Returns `$XDG_STATE_HOME/hashline`, else `$HOME/.local/state/hashline`; `None` if neither is an absolute path.
#[must_use]
pub fn state_dir() -> Option<PathBuf> {
    user_folder(
        |name| std::env::var_os(name),
        "XDG_STATE_HOME",
        ".local/state",
    )
}

/// Returns the folder `hashline` in the folder that an environment variable names, else in `usual` below the home directory; `None` if
/// neither is absolute.
pub(crate) fn user_folder(
    environment: impl Fn(&str) -> Option<OsString>,
    variable: &str,
    usual: &str,
) -> Option<PathBuf> {
    let folder = |name: &str| {
        let path = PathBuf::from(environment(name)?);
        path.is_absolute().then_some(path)
    };
    let base = folder(variable).or_else(|| Some(folder(HOME)?.join(usual)))?;
    Some(base.join("hashline"))
}

/// Opens the state directory; creates it, for the user alone, if it is missing.
pub(crate) fn open_state(state: &Path) -> Result<PrivateFolder, StateNote> {
    let opened = match PrivateFolder::open(state) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let made = PrivateFolder::make(state);
            made.map_err(system("making the state directory"))?;
            PrivateFolder::open(state)
        }
        opened => opened,
    };
    private(opened, state)
}

/// Refuses a directory that belongs to another user or that others can write to.
pub(super) fn private(
    opened: io::Result<PrivateFolder>,
    path: &Path,
) -> Result<PrivateFolder, StateNote> {
    let exposed = |why| StateNote::NotPrivate {
        path: PathBuf::from(path),
        why,
    };
    let folder = match opened {
        Err(error) if is_no_directory(&error) => return Err(exposed(Exposure::NotADirectory)),
        opened => opened.map_err(system("opening the state directory"))?,
    };
    let stat = folder.stat();
    let stat = stat.map_err(system("looking at the state directory"))?;
    exposure(&stat).map_or(Ok(folder), |why| Err(exposed(why)))
}

fn is_no_directory(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotADirectory || refusal::is_link(error)
}

/// Returns why other users can change a directory; `None` if they cannot.
pub(super) fn exposure(stat: &Stat) -> Option<Exposure> {
    if stat.owner != Native.user() {
        Some(Exposure::Foreign)
    } else {
        (stat.mode & 0o022 != 0).then_some(Exposure::Writable)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::user_folder;

    #[test]
    fn the_named_folder_comes_first_and_must_be_absolute() {
        let cases = [
            (Some("/s"), Some("/h"), Some("/s/hashline")),
            (Some("/s"), None, Some("/s/hashline")),
            (None, Some("/h"), Some("/h/.local/state/hashline")),
            (Some("s"), Some("/h"), Some("/h/.local/state/hashline")),
            (Some(""), Some("h"), None),
            (None, None, None),
        ];
        for (state_home, home, expected) in cases {
            let environment = |name: &str| match name {
                "XDG_STATE_HOME" => state_home.map(Into::into),
                _ => home.map(Into::into),
            };
            let found = user_folder(environment, "XDG_STATE_HOME", ".local/state");
            assert_eq!(found.as_deref(), expected.map(Path::new));
        }
    }
}
