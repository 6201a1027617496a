//! What readers see of files, searches and counters.

mod disk;
mod encodings;
#[cfg(feature = "redis")]
mod fleet;
mod search;
mod sessions;
mod stats;
