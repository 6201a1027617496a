//! Linux and macOS, by their system calls.
//!
//! What both have is said once. What they do differently lies in a file for each of them, and both files offer the same functions.

mod attributes;
mod beneath;
pub(crate) mod file_size;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;
pub(crate) mod names;
mod native;
pub(crate) mod positioned;
mod private_folder;
pub(crate) mod refusal;
mod retry;

pub use native::Native;
pub(crate) use private_folder::PrivateFolder;

#[cfg(target_os = "linux")]
use linux as own;
#[cfg(target_os = "macos")]
use macos as own;

/// The variable that says where the user is at home.
pub(crate) const HOME: &str = "HOME";
