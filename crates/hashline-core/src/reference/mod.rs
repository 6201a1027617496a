//! The reference engine: the omp dialect under `profile = seed`, as it was first released.
//!
//! Its line model is its own: only `\n` separates lines, and a final one starts an empty line. It follows moved lines across the
//! whole file, repairs every slip it knows and applies edits that overlap. The engine proper does none of this; this one exists so
//! that requests written for the original get the original's answer, to the letter.
//!
//! An edit goes downhill: `request` (what was asked for), `check` (is every reference a line of this file?), `prepare` (duplicates
//! and order), `replacement` (slips undone), `apply`. [`edit_file`] adds what surrounds that for a whole file. JSON is not known here.
//!
//! ```
//! use hashline_core::reference::{Edit, apply, hash};
//!
//! let anchor = format!("2:{}", hash("two"));
//! let edit = Edit::SetLine { anchor, new_text: "deux".to_owned() };
//! let applied = apply("one\ntwo", &[edit]).expect("the anchor is fresh");
//! assert_eq!(applied.content, "one\ndeux");
//! ```

mod apply;
mod batch;
mod check;
mod collisions;
mod display;
mod failure;
mod file;
mod line_ref;
mod prepare;
mod replacement;
mod request;
mod stream;
mod substitute;
mod working;

use std::collections::BTreeSet;

pub use apply::{Applied, NoopEdit, apply, apply_recording};
pub use batch::edit;
pub use check::validate;
pub use display::{format, hash};
pub use failure::{Failure, LineMismatch, Mismatch};
pub use file::{FileEdited, edit_file, edit_file_recording, key_error};
pub use line_ref::{LineRef, parse_ref};
pub use request::{Edit, FileEdit, Substitution};
pub use stream::chunks;

/// The names of the rules that took part in an outcome, so that a comparison may leave out those it replaces on purpose.
pub type Fired = BTreeSet<&'static str>;
