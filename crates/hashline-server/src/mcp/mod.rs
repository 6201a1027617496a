//! The MCP server: the tools `read`, `search`, `edit` and `write` for whatever agent speaks the protocol.
//!
//! A call goes downhill: `line` and `gate` take a message off the wire, `message` reads it, `server` finds the tool, `tools` turn its arguments into a call of
//! `hashline-service` and what came of it into text. Results are text only: some clients show their model nothing else if there is
//! structured content beside it.
//!
//! Deliberately absent: edit logic, wording of answers, arguments of the program.

mod answer;
mod connection;
mod gate;
mod http;
mod late;
mod line;
mod message;
mod offer;
mod progress;
mod roots;
mod runtime;
mod server;
mod stdio;
mod tools;

pub use connection::{ClientRoots, Options, Sessions};
pub use http::{PATH, serve_http};
pub use server::{Client, Server};
pub use stdio::{Ended, serve_over, serve_stdio};
