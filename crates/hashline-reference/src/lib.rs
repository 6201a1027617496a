//! The reference engine: the omp dialect under `profile = seed`, as it was first released.
//!
//! It has its own line model: only `\n` separates lines, and a final one starts an empty line. It searches for moved lines in the whole
//! file, corrects every mistake it knows and applies edits that overlap. `hashline-core` does none of this; this crate exists so that
//! requests written for the original get exactly the original's answer. Core knows it only as a [`hashline_core::policy::Engine`];
//! [`seed_policy`] is a policy with this engine for the dialect that needs it.
//!
//! The steps of an edit: `request` (parse it), `check` (is every anchor a line of this file?), `prepare` (duplicates and order),
//! `replacement` (correct the text), `apply`. [`edit_file`] does this for a whole file, with byte order mark and line ends. JSON is
//! parsed in `hashline-wire`.
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
