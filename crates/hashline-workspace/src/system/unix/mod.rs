//! The system calls of Linux and macOS.
//!
//! Code for both systems is in `native`. The differences are in `linux` and `macos`, which have the same functions.

mod beneath;
mod file_size;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "macos")]
mod macos;
mod metadata;
pub(crate) mod names;
mod native;
pub(crate) mod positioned;
mod private_folder;
pub(crate) mod refusal;
mod retry;

pub use native::Native;
pub(crate) use private_folder::{lock_of_private, make_private, open_in_private, open_private};

#[cfg(target_os = "linux")]
use linux as own;
#[cfg(target_os = "macos")]
use macos as own;

/// The environment variable with the home directory.
pub(crate) const HOME: &str = "HOME";
