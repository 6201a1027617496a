//! The MCP server: the tools `read`, `search`, `edit` and `write` for any agent that speaks MCP.
//!
//! A call passes through these files in order: `line_transport` (stdio) or `http` receives a message, `message` parses it, `server` finds the tool,
//! `client` knows which folders the client may use, and `tools` converts the arguments into a call of the session and its result into text. Results
//! are text only: some clients hide the text from their model if a result also has structured content.
//!
//! Deliberately absent: edit logic, wording of answers, parsing of command-line arguments.

mod answer;
mod cancelled;
mod client;
mod http;
mod line_transport;
mod message;
mod roots;
mod sandbox;
mod server;
mod tools;

pub use client::{ClientRoots, McpOptions, SessionMode};
pub use http::{MCP_PATH, serve_http};
pub use line_transport::{StdioEnd, serve_over, serve_stdio};
pub use server::McpServer;
