//! Windows, by the standard library alone: it compiles and does the plain thing; what it cannot promise is said here.
//!
//! Weaker than on Linux:
//! - a directory or file is a path, so one that is renamed while a request is under way is lost, or another is found in its place;
//! - files do not change places in one step: the old one gets a second name first (a hard link, which FAT has not);
//! - names are not made durable, only bytes: a power cut may bring back what stood there before;
//! - directories cannot be locked, so files in the state directory stand for them;
//! - owners are not asked for and access lists, streams and attributes are not copied: a new file has what its folder gives it.

pub(crate) mod file_size;
pub(crate) mod names;
mod native;
mod opened;
pub(crate) mod positioned;
mod private_folder;
pub(crate) mod refusal;

pub use native::Native;
pub(crate) use private_folder::PrivateFolder;

/// The variable that says where the user is at home.
pub(crate) const HOME: &str = "USERPROFILE";
