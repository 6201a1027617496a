//! hashline for coding agents: everything that deals with an agent's own tools and configuration files.
//!
//! - [`guard`] judges a shell command: does it read or write workspace files without anchors?
//! - [`hook`] answers an agent that is about to use one of its own tools.
//! - [`setup`] installs hashline in an agent's configuration files and removes it again.
//! - [`doctor`] checks an installation and says how to fix it.
#![forbid(unsafe_code)]

// One crate for all four, because they share formats: setup writes the entries that run the hook, the doctor compares an agent's files with
// what setup would write, and the hook asks the guard about shell commands.

pub mod doctor;
pub mod guard;
pub mod hook;
pub mod setup;
