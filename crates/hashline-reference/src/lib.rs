//! The reference engine: the omp dialect under `profile = seed`, as it was first released.
//!
//! Its line model is its own: only `\n` separates lines, and a final one starts an empty line. It follows moved lines across the
//! whole file, repairs every slip it knows and applies edits that overlap. `hashline-core` does none of this; this crate exists so
//! that requests written for the original get the original's answer, to the letter. Core knows it only as a
//! [`hashline_core::policy::Engine`]; [`seed_policy`] is a policy with this engine where a dialect has it.
//!
//! An edit goes downhill: `request` (what was asked for), `check` (is every anchor a line of this file?), `prepare` (duplicates
//! and order), `replacement` (slips undone), `apply`. [`edit_file`] adds what surrounds that for a whole file. JSON is not known here.
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
