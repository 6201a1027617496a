//! What readers see of files, searches and counters.

mod disk;
mod encodings;
mod search;
mod sessions;
mod stats;
