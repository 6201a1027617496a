//! What every surface of hashline does, once: a command line, an MCP server and an HTTP server differ in how they are asked and how
//! they answer, not in this.
//!
//! A [`Service`] is a workspace with its configuration, the record of what was shown, and the counters. A [`Session`] is one caller
//! of it. Whatever a session is shown is written down, and everything is counted.
//!
//! ```
//! use hashline_session::{Ask, Lines, Service, Start};
//! use hashline_wire::render::model;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let root = folder.path().to_path_buf();
//! # std::fs::write(root.join("a.txt"), "one\ntwo\n")?;
//! let service = Service::open(&Start { roots: vec![root.clone()], ..Start::alone() })?;
//! let session = service.session(None);
//!
//! let read = session.read(&[Ask { path: "a.txt".to_owned(), lines: Lines::All }], Default::default())?;
//! let mut text = Vec::new();
//! session.show(read.files[0].as_ref().map_err(|error| error.code())?, Default::default(), &mut text)?;
//! assert_eq!(text, b"1:60|one\n2:f4|two\n");
//!
//! let request = br#"{"path":"a.txt","edits":[{"set_line":{"anchor":"2:f4","new_text":"deux"}}]}"#;
//! let answered = session.apply(request, &Default::default());
//! assert!(answered.outcome.is_ok(), "{}", model::answer(&answered.terms, &answered.outcome));
//! assert_eq!(std::fs::read(root.join("a.txt"))?, b"one\ndeux\n");
//! # Ok(())
//! # }
//! ```
//!
//! Deliberately absent: words, exit codes, transport.
#![forbid(unsafe_code)]

mod apply;
mod kept;
mod looking;
mod noticing;
mod off;
mod paging;
mod pieces;
mod reading;
mod roots;
mod service;
mod show;
mod writing;

pub use apply::{Answered, Asked, Said};
pub use off::{OFF_FILE, OFF_VARIABLE, is_off_by_variable, off_files};
pub use reading::{Ask, Lines, Reading, View};
pub use roots::{around, discover};
pub use service::{Service, Session, Start};
