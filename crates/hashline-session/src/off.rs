//! The two switches that turn all hooks and plugins off: an environment variable, and a file in the project.
//!
//! The options that turn off only some of the hooks are part of the configuration.

use std::path::{Path, PathBuf};

/// The environment variable that turns hooks and plugins off if its value is `off`, for one program and its child processes.
pub const OFF_VARIABLE: &str = "HASHLINE_HOOK";

/// The name of the file that turns hooks and plugins off, in its folder and all folders below.
pub const OFF_FILE: &str = ".hashline-off";

/// Returns whether the environment variable turns hooks and plugins off. The value `off` may be in any case.
#[must_use]
pub fn is_off_by_variable() -> bool {
    std::env::var_os(OFF_VARIABLE).is_some_and(|word| word.eq_ignore_ascii_case("off"))
}

/// Returns the existing off files that apply to a working directory: in it, in the folders above it up to the root, and always in the root itself. A
/// symbolic link counts as an off file even if its target does not exist.
#[must_use]
pub fn off_files(working: &Path, root: &Path) -> Vec<PathBuf> {
    let above = working.ancestors();
    let inside = above.take_while(|folder| folder.starts_with(root));
    let elsewhere = (!working.starts_with(root)).then_some(root);
    let files = inside.chain(elsewhere).map(|folder| folder.join(OFF_FILE));
    files
        .filter(|file| file.symlink_metadata().is_ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io;
    use std::path::PathBuf;

    use super::{OFF_FILE, off_files};

    #[test]
    fn a_file_counts_below_it_and_from_the_root_everywhere() -> io::Result<()> {
        let top = tempfile::tempdir()?;
        let (root, below) = (top.path().join("root"), top.path().join("root/a/b"));
        fs::create_dir_all(&below)?;
        for folder in [top.path(), &root, &root.join("a")] {
            fs::write(folder.join(OFF_FILE), "")?;
        }
        let found = |working: &PathBuf| off_files(working, &root);
        let (of_a, of_root) = (root.join("a").join(OFF_FILE), root.join(OFF_FILE));
        for (working, expected) in [
            (below, vec![of_a, of_root.clone()]),
            (root.clone(), vec![of_root.clone()]),
            (top.path().join("other"), vec![of_root]),
        ] {
            assert_eq!(found(&working), expected, "{}", working.display());
        }
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn a_link_counts_wherever_it_leads() -> io::Result<()> {
        let top = tempfile::tempdir()?;
        std::os::unix::fs::symlink("nowhere", top.path().join(OFF_FILE))?;
        assert_eq!(off_files(top.path(), top.path()).len(), 1);
        Ok(())
    }
}
