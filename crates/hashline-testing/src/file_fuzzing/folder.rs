//! A folder on this machine, one for each thread, gone when the thread ends.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A folder of a thread's own.
#[derive(Debug)]
pub(super) struct Folder {
    _kept: TempDir,
    path: PathBuf,
}

impl Folder {
    /// Makes one and fills it.
    pub(super) fn made(fill: impl FnOnce(&Path) -> std::io::Result<()>) -> Self {
        let made = TempDir::with_prefix("hashline-fuzzing-").and_then(|kept| {
            let path = std::fs::canonicalize(kept.path())?;
            fill(&path)?;
            Ok(Self { _kept: kept, path })
        });
        made.expect("the temporary folder can be written")
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}
