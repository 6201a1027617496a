//! A socket in the file system: for the user alone, taken over from a dead server, never from a living one.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;

use crate::front::error::FrontError;
use crate::front::private_folder::{Entry, PrivateFolder};

/// The name of a socket that we listen on. It is removed with this, unless somebody else has taken it since.
#[derive(Debug)]
pub(crate) struct SocketName {
    folder: PrivateFolder,
    name: String,
    entry: Entry,
}

/// Binds a socket of mode 0600 in a private folder.
pub(super) fn bind(path: &Path) -> Result<(UnixListener, SocketName), FrontError> {
    let (folder, name) = PrivateFolder::of(path)?;
    let io = |error: io::Error| FrontError::Io {
        path: path.to_owned(),
        error,
    };
    // Two servers that start at once must not both find the old socket dead and remove each other's new one.
    let _lock: File = folder.lock().map_err(io)?;
    clear(&folder, &name, path)?;
    // The folder is closed to others, so nobody can connect before the socket itself is.
    let listener = UnixListener::bind(path).map_err(io)?;
    folder.keep_to_the_user(&name).map_err(io)?;
    match folder.entry(&name).map_err(io)? {
        Some(entry) if entry.is_own_socket() => Ok((
            listener,
            SocketName {
                folder,
                name,
                entry,
            },
        )),
        // The path led elsewhere than the folder that was checked.
        _ => Err(FrontError::NotASocket(path.to_owned())),
    }
}

/// Removes a socket on which nobody listens any more.
fn clear(folder: &PrivateFolder, name: &str, path: &Path) -> Result<(), FrontError> {
    let io = |error: io::Error| FrontError::Io {
        path: path.to_owned(),
        error,
    };
    match folder.entry(name).map_err(io)? {
        None => return Ok(()),
        Some(entry) if entry.is_own_socket() => {}
        Some(_) => return Err(FrontError::NotASocket(path.to_owned())),
    }
    match UnixStream::connect(path) {
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => {
            folder.remove(name).map_err(io)
        }
        // A full queue means a living listener too.
        Ok(_) => Err(FrontError::Live(path.to_owned())),
        Err(error) if error.kind() == ErrorKind::WouldBlock => {
            Err(FrontError::Live(path.to_owned()))
        }
        Err(error) => Err(io(error)),
    }
}

impl Drop for SocketName {
    fn drop(&mut self) {
        // A failure leaves a dead socket, which the next server removes.
        if let Ok(_lock) = self.folder.lock()
            && let Ok(Some(now)) = self.folder.entry(&self.name)
            && now == self.entry
        {
            let _ = self.folder.remove(&self.name);
        }
    }
}
