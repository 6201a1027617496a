//! The file system of Windows, with the standard library alone.
//!
//! The guarantees are weaker than on Linux:
//! - directories and files are paths, so that a directory that is renamed during a request is lost, or replaced by another;
//! - files are not exchanged in one step: the old file gets a second name first (a hard link, which FAT does not have);
//! - only bytes are synced, not names: after a power cut the old file may be back;
//! - directories cannot be locked, so lock files in the state directory are used;
//! - owners are not checked, and access control lists, streams and attributes are not copied: a new file inherits those of its folder.

pub(crate) mod names;
mod native;
mod opened;
pub(crate) mod positioned;
mod private_folder;
pub(crate) mod refusal;

pub use native::Native;
pub(crate) use private_folder::{lock_of_private, make_private, open_in_private, open_private};

/// The environment variable with the home directory.
pub(crate) const HOME: &str = "USERPROFILE";
