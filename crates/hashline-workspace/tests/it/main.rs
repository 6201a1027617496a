//! The workspace on a real disk.

mod commits;
mod ledger;
mod paths;
mod search;
