//! The servers of hashline.
//!
//! - [`front`]: a hardened HTTP/1.1 front. It binds, checks and limits requests, and knows nothing of what is served.
//! - [`mcp`]: the tools `read`, `search`, `edit` and `write` over MCP, on stdio or behind the front.
#![forbid(unsafe_code)]

pub mod front;
pub mod mcp;
mod random;
