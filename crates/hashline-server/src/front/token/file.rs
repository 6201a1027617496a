//! The file from which the user's own programs learn the token.

use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use super::Token;
use crate::front::error::FrontError;
use crate::front::private_folder::PrivateFolder;

/// A token, kept in a file for the user alone as long as this lives; then the file is removed, unless another server has put its own there.
#[derive(Debug)]
#[must_use = "the file is removed when this is dropped"]
pub struct TokenFile {
    folder: PrivateFolder,
    name: String,
    path: PathBuf,
    token: Token,
}

impl TokenFile {
    /// Writes the token into a new file of mode 0600. Its folder is made for the user alone if there is none; a file that an earlier
    /// server left under the name is removed first, and never written through; anything else is left alone.
    ///
    /// # Errors
    /// The folder is not private, or the system refuses.
    pub fn create(path: &Path, token: &Token) -> Result<Self, FrontError> {
        let (folder, name) = PrivateFolder::of(path)?;
        if let Err(error) = kept(&folder, &name)
            && error.kind() == ErrorKind::InvalidData
        {
            return Err(FrontError::NotAToken(path.to_owned()));
        }
        let written = folder
            .remove(&name)
            .and_then(|()| folder.create(&name))
            .and_then(|mut file| writeln!(file, "{}", token.reveal()));
        written.map_err(|error| io(path, error))?;
        Ok(Self {
            folder,
            name,
            path: path.to_owned(),
            token: token.clone(),
        })
    }

    /// Reads the token that a server keeps in a file.
    ///
    /// # Errors
    /// The folder is not private, there is no such file, or it holds no token.
    pub fn read(path: &Path) -> Result<Token, FrontError> {
        let (folder, name) = PrivateFolder::of(path)?;
        kept(&folder, &name).map_err(|error| io(path, error))
    }

    /// Returns where the file lies.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TokenFile {
    fn drop(&mut self) {
        let is_ours = |kept: Token| self.token.is(kept.reveal().as_bytes());
        // Nothing can be done about a failure here, and the token in the file opens nothing once the server is gone.
        if kept(&self.folder, &self.name).is_ok_and(is_ours) {
            let _ = self.folder.remove(&self.name);
        }
    }
}

/// Reads the token in a file of a folder.
fn kept(folder: &PrivateFolder, name: &str) -> std::io::Result<Token> {
    let mut text = String::new();
    folder.open(name)?.take(1024).read_to_string(&mut text)?;
    let bad = |bad| std::io::Error::new(ErrorKind::InvalidData, bad);
    Token::parse(text.trim_end()).map_err(bad)
}

fn io(path: &Path, error: std::io::Error) -> FrontError {
    let path = path.to_owned();
    FrontError::Io { path, error }
}
