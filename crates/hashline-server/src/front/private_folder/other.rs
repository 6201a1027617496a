//! A private folder where rights are not modes: it lies in the user's profile, and what is made in it inherits the profile's rights.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::split;
use crate::front::error::FrontError;

/// The folder.
#[derive(Debug)]
pub(crate) struct PrivateFolder {
    path: PathBuf,
}

impl PrivateFolder {
    /// Opens the folder in which a path lies, making it if there is none, and returns it with the path's name.
    pub(crate) fn of(path: &Path) -> Result<(Self, String), FrontError> {
        let (folder, name) = split(path)?;
        let path = folder.to_owned();
        match fs::create_dir_all(folder) {
            Ok(()) => Ok((Self { path }, name)),
            Err(error) => Err(FrontError::Io { path, error }),
        }
    }

    /// Makes a file where nothing has the name.
    pub(crate) fn create(&self, name: &str) -> io::Result<File> {
        let path = self.path.join(name);
        OpenOptions::new().write(true).create_new(true).open(path)
    }

    /// Opens a file for reading.
    pub(crate) fn open(&self, name: &str) -> io::Result<File> {
        File::open(self.path.join(name))
    }

    /// Removes a name, if there is one.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.path.join(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}
