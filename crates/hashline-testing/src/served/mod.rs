//! The real `hashline serve` as a process of its own, and clients that speak HTTP to it: for conformance over HTTP, the fault suite, load and tests.
//!
//! Nothing here knows how the server works: all that is used is what it prints at start, HTTP, signals and `/proc`.

pub mod bare;
mod client;
pub mod load;
mod process;

pub use client::{Address, Client, Response};
pub use process::{Server, ServerOptions, Signal, token_digest};
