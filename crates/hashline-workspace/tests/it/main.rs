//! The workspace on a real disk.

mod commits;
mod config;
mod counters;
#[cfg(feature = "redis")]
mod fleet;
mod ledger;
mod outside_changes;
mod paths;
mod reading;
#[cfg(feature = "redis")]
mod redis_server;
mod search;
mod stores;
