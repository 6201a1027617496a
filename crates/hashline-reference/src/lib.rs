//! The reference engine: behaves exactly as seed 000, the original tool of dialect omp, at its first release (setting `profile = seed`).
//!
//! The engine has its own line model: only `\n` separates lines, and a final `\n` is followed by an empty line. It searches for moved
//! lines in the whole file, corrects every mistake it knows and applies edits that overlap. `hashline-core` does none of this; this crate
//! exists so that requests written for the original tool get exactly its answer. `hashline-core` knows the engine only as a
//! [`hashline_core::policy::Engine`]; [`seed_policy`] returns a policy that uses this engine for dialect omp.
//!
//! The steps of an edit: `request` (parses it), `check` (does every anchor name a line of this file?), `prepare` (drops repeated edits
//! and sorts), `replacement` (corrects the new text), `apply`. [`edit_file`] does this for a whole file, with byte order mark and line
//! ends. JSON is parsed in `hashline-wire`.
//!
//! ```
//! use hashline_reference::{ReferenceEdit, apply, hash};
//!
//! let anchor = format!("2:{}", hash("two"));
//! let edit = ReferenceEdit::SetLine { anchor, new_text: "deux".to_owned() };
//! let applied = apply("one\ntwo", &[edit]).expect("the anchor is fresh");
//! assert_eq!(applied.content, "one\ndeux");
//! ```
#![forbid(unsafe_code)]

mod apply;
mod check;
mod display;
mod engine;
mod failure;
mod file;
mod prepare;
mod replacement;
mod request;
mod substitute;
mod working;

pub use apply::{NoopEdit, ReferenceApplied, apply};
pub use check::validate;
pub use display::{chunks, format, hash};
pub use engine::{Reference, engine_for, seed_policy};
pub use file::{ReferenceEdited, edit_file, key_error};
pub use request::{FileEdit, ReferenceEdit, TextReplacement, parse_ref};
