//! A Unix socket that only the user can connect to. The path is taken over from a server that no longer runs, never from one that runs.

use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;

use crate::front::error::FrontError;
use crate::front::secret_folder::{FileId, SecretFolder};

/// The file of a Unix socket that we listen on. The file is removed when this value is dropped, unless another server has replaced it.
#[derive(Debug)]
pub(crate) struct SocketFile {
    folder: SecretFolder,
    name: String,
    id: FileId,
}

/// Binds a Unix socket of mode 0600 in a private folder.
pub(crate) fn bind(path: &Path) -> Result<(UnixListener, SocketFile), FrontError> {
    let (folder, name) = SecretFolder::of(path)?;
    let io = FrontError::io(path);
    // Without the lock, two servers that start at once could both find the old socket dead, and one remove the other's new one.
    let _lock: File = folder.lock().map_err(&io)?;
    remove_dead(&folder, &name, path)?;
    // Others cannot enter the folder, so nobody can connect before the mode is set.
    let listener = UnixListener::bind(path).map_err(&io)?;
    folder.set_private(&name).map_err(&io)?;
    match folder.file_id(&name).map_err(&io)? {
        Some(id) if id.is_own_socket => Ok((listener, SocketFile { folder, name, id })),
        // The path led elsewhere than the folder that was checked.
        _ => Err(FrontError::NotASocket(path.to_owned())),
    }
}

/// Removes the file of a socket on which no process listens any more, so that the path can be bound again.
fn remove_dead(folder: &SecretFolder, name: &str, path: &Path) -> Result<(), FrontError> {
    let io = FrontError::io(path);
    match folder.file_id(name).map_err(&io)? {
        None => return Ok(()),
        Some(id) if id.is_own_socket => {}
        Some(_) => return Err(FrontError::NotASocket(path.to_owned())),
    }
    match UnixStream::connect(path) {
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => {
            folder.remove(name).map_err(&io)
        }
        // A full queue means that somebody listens, too.
        Ok(_) => Err(FrontError::InUse(path.to_owned())),
        Err(error) if error.kind() == ErrorKind::WouldBlock => {
            Err(FrontError::InUse(path.to_owned()))
        }
        Err(error) => Err(io(error)),
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        // A failure leaves a dead socket, which the next server removes.
        if let Ok(_lock) = self.folder.lock()
            && let Ok(Some(now)) = self.folder.file_id(&self.name)
            && now == self.id
        {
            let _ = self.folder.remove(&self.name);
        }
    }
}
