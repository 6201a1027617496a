//! The servers of hashline: an HTTP front, and an MCP server that runs behind it or on stdio.
//!
//! - [`front`]: a hardened HTTP/1.1 server that binds an address, checks and limits requests, and passes them to handlers.
//! - [`mcp`]: the tools `read`, `search`, `edit` and `write` over MCP, on stdio or behind the front.
#![forbid(unsafe_code)]

pub mod front;
pub mod mcp;

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
