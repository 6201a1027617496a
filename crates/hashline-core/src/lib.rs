//! The editing engine of hashline, without I/O: takes anchored lines and edits, returns the new bytes, or a refusal with everything
//! needed to retry.
//!
//! An agent reads a file in which every line carries an **anchor** (`12:a3|text`: a line number and a tag computed from the text). The
//! agent edits by naming anchors. The engine's promise: an edit changes exactly the lines that were shown, exactly as the request says,
//! or nothing changes.
//!
//! Bytes come in as a [`Document`] and go out as a [`Document`]; this crate opens no file, reads no clock and prints nothing. An edit
//! takes four steps, each of which returns a type that only this step can make: `resolve` finds the lines that the anchors of an
//! [`EditBatch`] mean, `repair` corrects mistakes in the new text if it can prove them, `plan` makes sure that no two edits overlap, and
//! `apply`, which cannot fail, makes the new document. [`edit()`] does all four steps; it writes nothing to disk, so that it also serves
//! as a dry run.
//!
//! [`TrackedDocument`] holds a document and the record of which lines were shown to the caller:
//!
//! ```
//! use hashline_core::edit::{EditBatch, Operation};
//! use hashline_core::scheme::Scheme;
//! use hashline_core::{Error, Policy, TrackedDocument};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let policy = Policy::default();
//!
//! // What the agent reads.
//! let mut file = TrackedDocument::new("one\r\ntwo\r\nthree\r\nfour\r\nfive\r\nsix\r\nseven");
//! let lines = file.show(file.document().all(), Scheme::Omp);
//! assert_eq!(lines[5], "6:12|six");
//!
//! // Meanwhile somebody else puts a line on top: line 6 is line 7 now.
//! file.set_bytes("zero\r\none\r\ntwo\r\nthree\r\nfour\r\nfive\r\nsix\r\nseven");
//!
//! // The agent edits with the anchor it has. The line it saw is the line that changes.
//! let done = file.edit(EditBatch::new([Operation::replace_line("6:12", "sechs")]), &policy)?;
//! assert_eq!(file.document().bytes(), b"zero\r\none\r\ntwo\r\nthree\r\nfour\r\nfive\r\nsechs\r\nseven");
//! assert_eq!(done.report.moves[0].text, "six");
//!
//! // A line that is no longer what it was is refused, and nothing changes. The refusal shows the lines as they are.
//! let again = EditBatch::new([Operation::replace_line("6:12", "six!")]);
//! let Err(refused) = file.edit(again, &policy) else { panic!("the line has changed") };
//! assert!(matches!(refused.error, Error::Anchors(_)));
//! let fresh = refused.lines.iter().find(|line| line.ends_with("|sechs")).ok_or("it is shown")?;
//! file.edit(EditBatch::new([Operation::replace_line(fresh.as_str(), "six!")]), &policy)?;
//! # Ok(())
//! # }
//! ```
//!
//! Callers that store the record of shown lines themselves, as `hashline-workspace` does, use [`shown::History`] and [`edit()`] directly.
//!
//! The six edit formats are values of [`dialect::Dialect`]; what the caller decides is a [`Policy`]; a request over several files goes to
//! [`files::edit_files`]. JSON, error messages and schemas are in `hashline-wire`, files and locks in `hashline-workspace`.
#![forbid(unsafe_code)]

pub mod anchor;
mod apply;
mod code;
pub mod dialect;
pub mod diff;
pub mod edit;
mod encodable;
pub mod error;
pub mod files;
mod plan;
pub mod policy;
pub mod render;
mod repair;
mod report;
mod resolve;
pub mod scheme;
pub mod shown;
mod substitute;
pub mod text;
mod tracked;

use apply::apply;
pub use code::Code;
pub use edit::EditBatch;
use encodable::refuse_unencodable;
pub use error::Error;
use plan::plan;
pub use policy::Policy;
use repair::repair;
pub use repair::{CopiedAnchor, Evidence, Hint, Proof, Repair, Rule, candidates, copied_anchors};
pub use report::{Edited, EngineAnswer, Moved, Report};
use resolve::resolve;
pub use resolve::{Landed, locate};
pub use shown::Shown;
pub use text::Document;
pub use tracked::{TrackedDocument, TrackedEdit, TrackedRefusal};

/// Applies all edits of a batch to a document, or none of them and returns why.
///
/// # Errors
///
/// Anchors that match no line, edits that overlap, text to replace that is not in the document or not unique.
pub fn edit(
    document: &Document,
    shown: &Shown<'_>,
    batch: EditBatch,
    policy: &Policy<'_>,
) -> Result<Edited, Error> {
    // Everything that can fail comes before `apply`, so that there is never anything to undo.
    refuse_unencodable(document, &batch.edits)?;
    let resolved = resolve(document, shown, batch, policy)?;
    let repaired = repair(document, shown, resolved, policy);
    let plan = plan(document, shown, repaired, policy)?;
    Ok(apply(plan))
}

/// The examples of `docs/embedding.md`, compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/embedding.md")]
struct Embedding;
