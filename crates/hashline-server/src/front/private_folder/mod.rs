//! A folder that only the user may enter: where the token and the socket lie.

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(crate) use other::PrivateFolder;
#[cfg(unix)]
pub(crate) use unix::{Entry, PrivateFolder};

use std::path::Path;

use crate::front::error::FrontError;

/// Splits a path into its folder and its name.
fn split(path: &Path) -> Result<(&Path, String), FrontError> {
    let name = path.file_name().and_then(|name| name.to_str());
    match (path.parent(), name) {
        (Some(folder), Some(name)) if !folder.as_os_str().is_empty() => {
            Ok((folder, name.to_owned()))
        }
        (Some(_), Some(name)) => Ok((Path::new("."), name.to_owned())),
        _ => Err(FrontError::BadPath(path.to_owned())),
    }
}
