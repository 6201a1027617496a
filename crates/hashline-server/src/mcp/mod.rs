//! The MCP server: the tools `read`, `search`, `edit` and `write` for any agent that speaks the protocol.
//!
//! A call passes through these files in order: `line_transport` (stdio) or `http` takes a message in, `message` parses it, `server` finds
//! the tool, `client` knows which folders the client may touch, and `tools` turns the arguments into a call of the session and its result
//! into text. Results are text only: some clients show their model nothing else if there is structured content beside it.
//!
//! Deliberately absent: edit logic, wording of answers, arguments of the program.

mod answer;
mod cancelled;
mod client;
mod http;
mod line_transport;
mod message;
mod roots;
mod server;
mod tools;

pub use client::{ClientRoots, McpOptions, SessionMode};
pub use http::{MCP_PATH, serve_http};
pub use line_transport::{StdioEnd, serve_over, serve_stdio};
pub use server::McpServer;
