//! Which folders may be touched when nobody says so.

use std::path::{Path, PathBuf};

/// What marks the top of a project.
const MARKS: [&str; 2] = [".git", ".hashline"];

/// Returns the root for a working directory: the nearest folder above it, or it itself, that holds `.git` or `.hashline`; else the
/// working directory.
#[must_use]
pub fn discover(working: &Path) -> PathBuf {
    let marked = |folder: &&Path| MARKS.iter().any(|mark| folder.join(mark).exists());
    let found = working.ancestors().find(marked);
    found.unwrap_or(working).to_path_buf()
}

/// Adds the folder of a file that a person named, if it lies in none of the roots.
pub fn around(roots: &mut Vec<PathBuf>, folder: &Path) {
    let inside = |root: &PathBuf| {
        let real = std::fs::canonicalize(root);
        folder.starts_with(root) || real.is_ok_and(|real| folder.starts_with(real))
    };
    if !roots.iter().any(inside) {
        roots.push(folder.to_path_buf());
    }
}
