//! The workspace on a real disk.

mod commits;
mod config;
mod ledger;
mod paths;
