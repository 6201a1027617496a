//! Programs on the search path, and how agents are to call this one.

use std::path::{Path, PathBuf};

/// Returns how an agent is to call this program: by its name if that is found and is this program, else by its path.
#[must_use]
pub fn own_command() -> String {
    const NAME: &str = "hashline";
    let own = std::env::current_exe();
    let Ok(own) = own.map(|own| std::fs::canonicalize(&own).unwrap_or(own)) else {
        return NAME.to_owned();
    };
    let by_name = find(NAME).and_then(|found| std::fs::canonicalize(found).ok());
    match by_name == Some(own.clone()) {
        true => NAME.to_owned(),
        false => own.to_string_lossy().into_owned(),
    }
}

/// Finds a program as a shell would: by its path, or on the search path.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 {
        return is_program(path).then(|| path.to_path_buf());
    }
    let search = std::env::var_os("PATH")?;
    let mut candidates = std::env::split_paths(&search).flat_map(|folder| names(&folder, program));
    candidates.find(|candidate| is_program(candidate))
}

#[cfg(not(windows))]
fn names(folder: &Path, program: &str) -> [PathBuf; 1] {
    [folder.join(program)]
}

#[cfg(windows)]
fn names(folder: &Path, program: &str) -> [PathBuf; 3] {
    ["", ".exe", ".cmd"].map(|ending| folder.join(format!("{program}{ending}")))
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
