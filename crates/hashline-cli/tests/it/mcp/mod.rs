//! The MCP server as a client meets it: the real program, spoken to line by line.

mod cancelled;
mod crowd;
mod ends;
mod filled;
mod hostile;
mod offer;
mod over_http;
mod pages;
mod paging;
mod roots;
mod server;
mod sessions;
mod told;
mod versions;
