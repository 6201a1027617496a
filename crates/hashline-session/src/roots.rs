//! The default roots: the folders whose files may be read and edited if the user names none.

use std::path::{Path, PathBuf};

#[cfg(unix)]
use hashline_workspace::system::{Native, System};

/// Returns the default root for a working directory: the nearest folder, from the working directory upward, that has a `.git` or a `.hashline` folder
/// that only this user can write to; if there is none, the working directory.
#[must_use]
pub fn discover(working: &Path) -> PathBuf {
    discover_with(working, std::env::home_dir().as_deref())
}

fn discover_with(working: &Path, home: Option<&Path>) -> PathBuf {
    let marked = |folder: &&Path| {
        folder.join(".git").exists()
            || (!is_common(folder, home) && is_own(&folder.join(".hashline")))
    };
    let found = working.ancestors().find(marked);
    found.unwrap_or(working).to_path_buf()
}

/// Returns whether a folder is too general to be a project: the user's home, a folder above the home, or one that everybody can write to. Such a
/// folder may have a `.hashline` by chance, because a request over several files creates one in its root.
fn is_common(folder: &Path, home: Option<&Path>) -> bool {
    home.is_some_and(|home| home.starts_with(folder)) || is_open_to_all(folder)
}

#[cfg(unix)]
fn is_open_to_all(folder: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    folder
        .metadata()
        .is_ok_and(|facts| facts.permissions().mode() & 0o002 != 0)
}

#[cfg(not(unix))]
fn is_open_to_all(_folder: &Path) -> bool {
    false
}

/// Returns whether a `.hashline` is a real folder that belongs to this user and that nobody else can write to. Otherwise another user could create
/// one to decide which files this user's edits may change.
#[cfg(unix)]
fn is_own(mark: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let facts = mark.symlink_metadata();
    facts.is_ok_and(|facts| {
        facts.is_dir() && facts.uid() == Native.user() && facts.mode() & 0o022 == 0
    })
}

#[cfg(not(unix))]
fn is_own(mark: &Path) -> bool {
    mark.is_dir()
}

/// Adds the folder of a file from the command line to the roots, unless it is inside one of them already.
pub fn around(roots: &mut Vec<PathBuf>, folder: &Path) {
    let inside = |root: &PathBuf| {
        let real = std::fs::canonicalize(root);
        folder.starts_with(root) || real.is_ok_and(|real| folder.starts_with(real))
    };
    if !roots.iter().any(inside) {
        roots.push(folder.to_path_buf());
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::{self, Permissions};
    use std::io;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use super::discover_with;

    #[test]
    fn a_mark_counts_where_it_marks_a_project_of_the_users_own() -> io::Result<()> {
        let top = tempfile::tempdir()?;
        let (project, below) = (top.path().join("project"), top.path().join("project/a/b"));
        fs::create_dir_all(&below)?;
        let found = |home: Option<&Path>| discover_with(&below, home);
        let allow = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode));
        assert_eq!(found(None), below);
        let mark = project.join(".hashline");
        fs::create_dir(&mark)?;
        allow(&mark, 0o700)?;
        assert_eq!(found(None), project);
        assert_eq!(found(Some(&project)), below, "it is the user's home");
        assert_eq!(found(Some(&below)), below, "it holds the user's home");
        allow(&mark, 0o777)?;
        assert_eq!(found(None), below, "anybody can write into the mark");
        allow(&mark, 0o700)?;
        allow(&project, 0o777)?;
        assert_eq!(found(None), below, "anybody can put things there");
        fs::create_dir(project.join(".git"))?;
        assert_eq!(found(None), project);
        allow(&project, 0o755)?;
        fs::remove_dir(project.join(".git"))?;
        fs::remove_dir(&mark)?;
        std::os::unix::fs::symlink("/", &mark)?;
        assert_eq!(found(None), below, "a link marks nothing");
        Ok(())
    }
}
