//! Finds programs on the search path (`PATH`), and decides by which name or path agents call hashline.

use std::path::{Path, PathBuf};

/// The name of this program.
const NAME: &str = "hashline";

/// The extensions that are tried when a program is searched for.
const ENDINGS: &[&str] = if cfg!(windows) {
    &["", ".exe", ".cmd"]
} else {
    &[""]
};

/// Returns how agents should call this program: `hashline` if the search path leads to this very program, else its absolute path.
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

/// Returns the path of the running program, with symbolic links resolved.
pub(crate) fn own_path() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    Some(std::fs::canonicalize(&own).unwrap_or(own))
}

/// The programs that the doctor may start. A project's files may come from a stranger, so no other program that they name is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Programs {
    /// The path of the running program, with symbolic links resolved.
    own: Option<PathBuf>,
    /// The path of `hashline` on the search path, which may be another installation.
    by_name: Option<PathBuf>,
}

impl Programs {
    /// Allows the running program, and `hashline` on the search path.
    #[must_use]
    pub fn from_env() -> Self {
        Self {
            own: own_path(),
            by_name: find(NAME),
        }
    }

    /// Allows only the program at this path.
    #[must_use]
    pub fn only(program: &Path) -> Self {
        Self {
            own: std::fs::canonicalize(program).ok(),
            by_name: None,
        }
    }

    /// Returns the absolute path of the program that a configuration file calls; `None` if it is not an allowed one.
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

/// Finds a program as a shell does: by its path, or in the folders of `PATH`. Relative folders in `PATH` are skipped, because the working directory
/// may be a stranger's project.
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
