//! The workspace on a real disk.

mod commits;
mod config;
mod counters;
mod ledger;
mod outside_changes;
mod paths;
mod reading;
mod search;
