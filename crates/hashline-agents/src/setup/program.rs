//! Programs on the search path, and how agents are to call this one.

use std::path::{Path, PathBuf};

/// The name of this program.
const NAME: &str = "hashline";

/// What the file names of programs end with.
const ENDINGS: &[&str] = if cfg!(windows) {
    &["", ".exe", ".cmd"]
} else {
    &[""]
};

/// Returns how an agent is to call this program: by its name if that is found and is this program, else by its path.
#[must_use]
pub fn own_command() -> String {
    let Some(own) = own_path() else {
        return NAME.to_owned();
    };
    let by_name = find(NAME).and_then(|found| std::fs::canonicalize(found).ok());
    if by_name.as_ref() == Some(&own) {
        return NAME.to_owned();
    }
    own.to_string_lossy().into_owned()
}

/// Returns where this program really lies.
pub(crate) fn own_path() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    Some(std::fs::canonicalize(&own).unwrap_or(own))
}

/// The programs that count as hashline. Files of a project may come from a stranger: of what they name, only these may be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Programs {
    /// Where this program really lies.
    own: Option<PathBuf>,
    /// Where the one on the search path lies, which may be another one.
    by_name: Option<PathBuf>,
}

impl Programs {
    /// Counts this program, and `hashline` on the search path.
    #[must_use]
    pub fn of_user() -> Self {
        Self {
            own: own_path(),
            by_name: find(NAME),
        }
    }

    /// Counts one program, by its path.
    #[must_use]
    pub fn only(program: &Path) -> Self {
        Self {
            own: std::fs::canonicalize(program).ok(),
            by_name: None,
        }
    }

    /// Finds what a file calls, by its whole path, if it is one of these.
    pub(crate) fn find(&self, called: &str) -> Option<PathBuf> {
        let found = std::path::absolute(find(called)?).ok()?;
        let real = std::fs::canonicalize(&found).ok()?;
        let by_name = self.by_name.as_ref();
        // Several programs may be links to one that looks at its name, so that has to agree as well.
        let is_by_name = by_name.is_some_and(|by_name| {
            by_name.file_name() == found.file_name()
                && std::fs::canonicalize(by_name).is_ok_and(|by_name| by_name == real)
        });
        (self.own.as_ref() == Some(&real) || is_by_name).then_some(found)
    }
}

/// Finds a program as a shell would: by its path, or on the search path. Folders on that which are named from the working directory do
/// not count: they may be a stranger's.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 {
        return is_program(path).then(|| path.to_path_buf());
    }
    let search = std::env::var_os("PATH")?;
    let folders = std::env::split_paths(&search).filter(|folder| folder.is_absolute());
    let named = |folder: PathBuf| {
        ENDINGS
            .iter()
            .map(move |end| folder.join(format!("{program}{end}")))
    };
    let mut candidates = folders.flat_map(named);
    candidates.find(|candidate| is_program(candidate))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let facts = std::fs::metadata(path);
    facts.is_ok_and(|facts| facts.is_file() && facts.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}
