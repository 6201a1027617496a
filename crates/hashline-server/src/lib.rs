//! The servers of hashline: an HTTP front, a JSON API for sandboxes behind it, and an MCP server that runs behind it or on stdio.
//!
//! - [`front`]: a hardened HTTP/1.1 server that binds an address, checks and limits requests, and passes them to handlers.
//! - [`api`]: the sandbox service: reads, edits and writes as JSON over HTTP, for any number of workspaces.
//! - [`gate`]: whether `edit-file` is so much better than `write-file` that it should be on for all tasks, by the metrics of the API.
//! - [`mcp`]: the tools `read`, `search`, `edit` and `write` over MCP, on stdio or behind the front.
#![forbid(unsafe_code)]

pub mod api;
pub mod front;
pub mod gate;
pub mod mcp;
pub mod sample;
mod signals;

use std::io;

/// Returns `BYTES` random bytes from the operating system as lower-case hexadecimal digits.
///
/// # Errors
/// The operating system could not provide random bytes.
fn random_hex<const BYTES: usize>() -> io::Result<String> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
