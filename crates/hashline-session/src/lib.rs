//! The operations of hashline (read, search, edit, write, verify, diff), implemented once for its command line, MCP server and HTTP server, which
//! differ only in how requests arrive and how answers are sent.
//!
//! A [`Service`] is a workspace with its configuration, its counters and the ledger (the record of which lines were shown to whom). A [`Session`] is
//! one caller of a service. Lines that a session shows are recorded in the ledger, and every operation is counted.
//!
//! ```
//! use hashline_session::{ReadLines, ReadSpec, Service, ServiceOptions};
//! use hashline_wire::render::{human, model};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let root = folder.path().to_path_buf();
//! # std::fs::write(root.join("a.txt"), "one\ntwo\n")?;
//! let start = ServiceOptions { roots: vec![root.clone()], ..ServiceOptions::in_memory() };
//! let service = Service::open(&start).map_err(|refusal| human::refusal(&refusal))?;
//! let session = service.session(None);
//!
//! let spec = ReadSpec { path: "a.txt".to_owned(), encoding: None, lines: ReadLines::All };
//! let read = session.read(&[spec], Default::default(), None);
//! let read = read.map_err(|refusal| human::refusal(&refusal))?;
//! let view = read.files[0].as_ref().map_err(human::refusal)?;
//! let mut text = Vec::new();
//! session.show(view, Default::default(), &mut text)?;
//! assert_eq!(text, b"1:60|one\n2:f4|two\n");
//!
//! let request = br#"{"path":"a.txt","edits":[{"set_line":{"anchor":"2:f4","new_text":"deux"}}]}"#;
//! let answer = session.apply(request, &Default::default());
//! assert!(answer.outcome.is_ok(), "{}", model::answer(&answer.options, &answer.outcome));
//! assert_eq!(std::fs::read(root.join("a.txt"))?, b"one\ndeux\n");
//! # Ok(())
//! # }
//! ```
//!
//! A request that is refused returns a [`hashline_wire::Refusal`]; [`words`] has the sentences about files, searches and counters.
//!
//! Deliberately absent from this crate: exit codes and transport.
#![forbid(unsafe_code)]

mod apply;
mod find;
mod lookup;
mod off;
mod page;
mod push;
mod read;
mod render;
mod roots;
mod service;
mod state;
mod view;
pub mod words;
mod write;

pub use apply::{EditAnswer, Overrides};
pub use find::search_failure;
pub use lookup::{Since, Verified};
pub use off::{OFF_FILE, OFF_VARIABLE, is_off_by_variable, off_files};
pub use page::ReadPage;
pub use push::PushRead;
pub use read::{FilesShown, ReadLines, ReadSpec, line_matcher};
pub use roots::{around, discover};
pub use service::{SearchOptions, Service, ServiceOptions, Session};
pub use view::View;
