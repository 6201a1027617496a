//! The program as its users run it: arguments in, two outputs and an exit code out.
#![expect(clippy::unwrap_used, reason = "a test says what is wrong by failing")]

mod agree;
mod answers;
mod arguments;
mod chunks;
mod doctor;
#[cfg(target_os = "linux")]
mod file_size;
mod gate;
mod help;
mod hook;
mod hook_copied;
mod hostile;
#[cfg(target_os = "linux")]
mod mcp;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(target_os = "linux")]
mod page_url;
#[cfg(unix)]
mod readme_service;
mod roots;
#[cfg(target_os = "linux")]
mod serve;
mod setup;
#[cfg(unix)]
mod sockets;
mod spoken;
mod stage;
mod stranger;
#[cfg(target_os = "linux")]
mod terminal;
mod transcripts;
mod whole;
mod workflow;
