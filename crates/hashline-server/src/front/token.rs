//! The bearer token that every request except the health check must carry, and the file in which the token is stored.

use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use crate::front::error::FrontError;
use crate::front::secret_folder::SecretFolder;
use crate::random_hex;

const BYTES: usize = 32;

/// A random secret of 32 bytes, written as 64 lower-case hexadecimal digits.
///
/// The `Debug` output does not show the token. Servers compare its digest: see [`Tokens`](super::Tokens).
#[derive(Clone)]
pub struct BearerToken {
    // Invariant: 64 lower-case hexadecimal digits.
    digits: String,
}

impl BearerToken {
    /// Creates a token from the operating system's source of randomness.
    ///
    /// # Errors
    /// The source of randomness failed.
    pub fn random() -> io::Result<Self> {
        let digits = random_hex::<BYTES>()?;
        Ok(Self { digits })
    }

    /// Parses a token of 64 lower-case hexadecimal digits.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_token = text.len() == 2 * BYTES && text.bytes().all(is_digit);
        is_token.then(|| Self {
            digits: text.to_owned(),
        })
    }

    /// Returns the digits of the token, for a file or a client's configuration. Never print them where others can see them.
    pub fn reveal(&self) -> &str {
        &self.digits
    }
}

impl fmt::Debug for BearerToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BearerToken(..)")
    }
}

/// A token in a file that only the user can read. The file is removed when this value is dropped, unless another server has replaced the file.
#[derive(Debug)]
#[must_use = "the file is removed when this is dropped"]
pub struct TokenFile {
    folder: SecretFolder,
    name: String,
    path: PathBuf,
    token: BearerToken,
}

impl TokenFile {
    /// Writes the token into a new file of mode 0600. The folder is created with mode 0700 if it is missing. A token file that an earlier server left
    /// is removed first, so that nothing is written through a link; a file with other content is left alone.
    ///
    /// # Errors
    /// The folder is accessible to others, the file exists and contains no token, or a system call failed.
    pub fn create(path: &Path, token: &BearerToken) -> Result<Self, FrontError> {
        let (folder, name) = SecretFolder::of(path)?;
        if let Err(error) = read_token(&folder, &name)
            && error.kind() == ErrorKind::InvalidData
        {
            return Err(FrontError::NotAToken(path.to_owned()));
        }
        let written = folder
            .remove(&name)
            .and_then(|()| folder.create(&name))
            .and_then(|mut file| writeln!(file, "{}", token.reveal()));
        written.map_err(FrontError::io(path))?;
        Ok(Self {
            folder,
            name,
            path: path.to_owned(),
            token: token.clone(),
        })
    }

    /// Returns the path of the token file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TokenFile {
    fn drop(&mut self) {
        let is_ours = |token: BearerToken| self.token.reveal() == token.reveal();
        // A failure is ignored: the token is worth nothing once the server is gone.
        if read_token(&self.folder, &self.name).is_ok_and(is_ours) {
            let _ = self.folder.remove(&self.name);
        }
    }
}

/// Reads a token from a file; `InvalidData` if the file contains something else.
pub(super) fn read_token(folder: &SecretFolder, name: &str) -> io::Result<BearerToken> {
    let mut text = String::new();
    folder.open(name)?.take(1024).read_to_string(&mut text)?;
    BearerToken::parse(text.trim_end()).ok_or_else(|| ErrorKind::InvalidData.into())
}
