//! Finds and reads configuration files: at most 64 KiB, regular files only, and a root's file never from outside the root.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::config::bad_config::{ConfigFault, ConfigSource};
use crate::error::{DiskError, DiskFault, io_error};

use super::file::bad;
use crate::encoding::EncodingChoice;
use crate::ledger::{state_dir, user_folder};
use crate::limits::Limits;
use crate::read::read;
use crate::root::{Root, find_from};
use crate::system::{Native, System, none_if_missing};

/// The name of the configuration file in a root.
pub const ROOT_FILE: &str = "hashline.toml";
/// The size limit of a configuration file, in bytes.
const LARGEST: u64 = 64 << 10;

/// Returns the path of the user's configuration file: `$XDG_CONFIG_HOME/hashline/config.toml`, else `$HOME/.config/hashline/config.toml`; `None` if
/// neither variable is an absolute path.
#[must_use]
pub fn user_file() -> Option<PathBuf> {
    user_file_in(|name| std::env::var_os(name))
}

/// The same with another environment, for tests.
fn user_file_in(environment: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = user_folder(environment, "XDG_CONFIG_HOME", ".config")?;
    Some(folder.join("config.toml"))
}

/// Returns paths that no edit may write even inside a root: the folder of the user's file, the target of a linked user's file, and our state
/// directory.
pub(super) fn own_places(user_file: Option<&Path>) -> Vec<PathBuf> {
    let folder = user_file.and_then(Path::parent).map(real);
    let file = user_file.filter(|path| path.exists());
    let file = file.and_then(|path| std::fs::canonicalize(path).ok());
    let state = state_dir().as_deref().map(real);
    [folder, file, state].into_iter().flatten().collect()
}

/// Returns a path with symbolic links resolved, also if the file does not exist.
fn real(path: &Path) -> PathBuf {
    let there = path.ancestors().find_map(|above| {
        // Hooks do this around every call of an agent: one system call for a folder that is missing, instead of one for each folder above it.
        let real = above.exists().then(|| std::fs::canonicalize(above))?.ok()?;
        Some((real, path.strip_prefix(above).ok()?))
    });
    there.map_or_else(|| path.to_path_buf(), |(real, rest)| real.join(rest))
}

/// Reads the `hashline.toml` of a root; `None` if there is none.
pub(super) fn read_root<S: System>(
    system: &S,
    root: &Root<S>,
    source: &ConfigSource,
) -> Result<Option<String>, DiskError> {
    let text = read_text(system, root, ROOT_FILE);
    text.map_err(|why| bad(source.clone(), None, why))
}

/// Reads the user's configuration file; `None` if there is none. The file may be a symbolic link, since people keep such files in a repository.
pub(super) fn read_user(path: &Path) -> Result<Option<String>, DiskError> {
    let failed = |why| bad(ConfigSource::User, None, why);
    let real = none_if_missing(std::fs::canonicalize(path))
        .map_err(|error| io_error("config.toml", "opening the file", &error))
        .map_err(|error| failed(unreadable(error)))?;
    let Some(real) = real else { return Ok(None) };
    let name = real.file_name().and_then(|name| name.to_str());
    let (Some(folder), Some(name)) = (real.parent(), name) else {
        return Ok(None);
    };
    let folder = Root::open(&Native, folder).map_err(|error| failed(unreadable(error)))?;
    read_text(&Native, &folder, name).map_err(failed)
}

fn read_text<S: System>(
    system: &S,
    root: &Root<S>,
    name: &str,
) -> Result<Option<String>, ConfigFault> {
    let limits = Limits {
        file: LARGEST,
        ..Limits::default()
    };
    let found = find_from(system, std::slice::from_ref(root), None, name);
    match found.and_then(|place| read(system, &place, &limits, EncodingChoice::default())) {
        Ok(snapshot) => String::from_utf8(snapshot.document.bytes().to_vec())
            .map(Some)
            .map_err(|_| ConfigFault::NotToml("it is not UTF-8".to_owned())),
        Err(error) if error.why == DiskFault::NotFound => Ok(None),
        Err(error) => Err(unreadable(error)),
    }
}

fn unreadable(error: DiskError) -> ConfigFault {
    ConfigFault::Unreadable(Box::new(error))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::user_file_in;
    use crate::system::HOME;

    #[test]
    fn the_users_file_is_found_by_the_variable_and_else_below_the_home_directory() {
        let cases = [
            (Some("/c"), Some("/h"), Some("/c/hashline/config.toml")),
            (None, Some("/h"), Some("/h/.config/hashline/config.toml")),
            (
                Some("c"),
                Some("/h"),
                Some("/h/.config/hashline/config.toml"),
            ),
            (None, None, None),
        ];
        for (config_home, home, expected) in cases {
            let found = user_file_in(|name| match name {
                "XDG_CONFIG_HOME" => config_home.map(Into::into),
                HOME => home.map(Into::into),
                _ => None,
            });
            assert_eq!(found.as_deref(), expected.map(Path::new));
        }
    }
}
