//! hashline for coding agents: everything that deals with an agent's own tools and configuration files.
//!
//! - [`guard`] judges a shell command: does it read or write workspace files without anchors?
//! - [`hook`] answers an agent that is about to use one of its own tools.
//! - [`setup`] installs hashline in an agent's configuration files and removes it again.
//! - [`doctor`] checks an installation and says how to fix it.
#![forbid(unsafe_code)]

pub mod doctor;
pub mod guard;
pub mod hook;
pub mod setup;
