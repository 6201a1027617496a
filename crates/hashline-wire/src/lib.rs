//! The JSON shapes of hashline, their schemas, and every sentence about an edit.
//!
//! Two steps lie between a caller (command line, MCP server, hook) and the engine: [`parse`] turns a JSON request in any dialect's shape into
//! the engine's types, and [`mod@answer`] and [`render`] turn the outcome into JSON and text. A failure is a [`Refusal`]: plain data that
//! includes its sentences. This crate opens no file and does not decide where an edit lands.
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use hashline_core::files::edit_files;
//! use hashline_core::{Document, Policy};
//! use hashline_wire::render::model;
//! use hashline_wire::{AnswerOptions, Outcome, ParseOptions, Refusal, parse};
//!
//! # fn main() -> Result<(), hashline_wire::BadRequest> {
//! let files = BTreeMap::from([("greet.txt".to_owned(), Document::new("one\ntwo\n"))]);
//! let request = br#"{"path":"greet.txt","edits":[{"set_line":{"anchor":"2:f4","new_text":"deux"}}]}"#;
//!
//! let parsed = parse(request, &ParseOptions::default())?;
//! let options = AnswerOptions::from(&parsed);
//! let outcome: Outcome = edit_files(parsed.request, &files, &Policy::new(parsed.dialect))
//!     .map_err(|error| Refusal::of_files(error, &options));
//! assert_eq!(
//!     model::answer(&options, &outcome),
//!     "Applied 1 edit to greet.txt (+1 -1); rev 31721640.\n\
//!      Lines 1-2 now:\n\
//!      1:60|one\n\
//!      2:59|deux\n\
//!      Note: edit 1: checked by line number and tag only, because there is no record that the line was shown."
//! );
//! # Ok(())
//! # }
//! ```

pub mod agent;
pub mod answer;
pub mod error;
mod named;
pub mod page;
pub mod prompt;
mod reasons;
pub mod refusal;
pub mod render;
pub mod request;
pub mod schema;
pub mod shell;

pub use answer::{AnswerOptions, Outcome, answer};
pub use error::{BadRequest, Fault};
pub use named::{all_named, named};
pub use refusal::{Refusal, Written};
pub use request::{ParseOptions, Parsed, Profile, parse};
