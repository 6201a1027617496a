//! The JSON shapes of hashline, their schemas, and every sentence a reader sees.
//!
//! Between a surface and the engine stand two steps, and both are here: [`parse`] turns a request in any dialect's shape into the
//! engine's types, and the answers turn what came of it into words and objects. Nothing here opens a file or decides where an edit
//! lands.
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use hashline_core::files::edit_files;
//! use hashline_core::{Document, Policy};
//! use hashline_wire::render::model;
//! use hashline_wire::{Outcome, ParseOptions, Refusal, Terms, parse};
//!
//! # fn main() -> Result<(), hashline_wire::BadRequest> {
//! let files = BTreeMap::from([("greet.txt".to_owned(), Document::new("one\ntwo\n"))]);
//! let request = br#"{"path":"greet.txt","edits":[{"set_line":{"anchor":"2:f4","new_text":"deux"}}]}"#;
//!
//! let parsed = parse(request, &ParseOptions::default())?;
//! let terms = Terms::from(&parsed);
//! let outcome: Outcome =
//!     edit_files(parsed.request, &files, &Policy::new(parsed.dialect)).map_err(Refusal::from);
//! assert_eq!(
//!     model::answer(&terms, &outcome),
//!     "Applied 1 edit to greet.txt (+1 -1); rev 31721640.\nLines 1-2 now:\n1:60|one\n2:59|deux"
//! );
//! # Ok(())
//! # }
//! ```

pub mod agent;
pub mod answer;
pub mod error;
mod named;
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
