//! The pure engine of hashline: anchored lines in, exact edits out, or a refusal that holds all it takes to try again.
//!
//! An agent reads a file and every line carries an **anchor** (`12:a3|text`: a number and a tag). It edits by naming anchors. The
//! engine's promise: an edit lands exactly as written, on exactly the lines that were shown, or nothing changes.
//!
//! Bytes come in as a [`Document`] and go out as one; this crate opens no file, reads no clock and prints nothing. An edit goes
//! downhill, each step handing over a type that only it can make: `resolve` turns an [`EditBatch`] of claims into places, `repair`
//! corrects what is proved to be a slip, `plan` makes sure that no two edits meet, and `apply` cannot fail any more. [`edit()`] is
//! all of them; it writes nothing, so it is a dry run as well.
//!
//! ```
//! use hashline_core::edit::{EditBatch, Operation};
//! use hashline_core::scheme::Scheme;
//! use hashline_core::shown::{History, Shown};
//! use hashline_core::{Document, Error, Policy, edit, render};
//!
//! # fn main() -> Result<(), Error> {
//! // What the agent reads, and a record of what it was shown.
//! let seen = Document::new("one\r\ntwo\r\nthree\r\nfour\r\nfive\r\nsix\r\nseven");
//! let lines: Vec<String> = render::anchored(&seen, seen.all(), Scheme::Omp).map(|line| line.to_string()).collect();
//! assert_eq!(lines[5], "6:12|six");
//! let mut history = History::new();
//! history.showed(&seen, None, Scheme::Omp, &[seen.all()]);
//!
//! // Meanwhile somebody else puts a line on top: line 6 is line 7 now.
//! let now = Document::new("zero\r\none\r\ntwo\r\nthree\r\nfour\r\nfive\r\nsix\r\nseven");
//!
//! // The agent edits with the anchor it has, and the revision it read. The line it saw is the line that changes.
//! let batch = EditBatch::new([Operation::replace_line("6:12", "sechs")]).at_revision(seen.revision());
//! let edited = edit(&now, &Shown::to_anyone(&history), batch, &Policy::default())?;
//! assert_eq!(edited.document.bytes(), b"zero\r\none\r\ntwo\r\nthree\r\nfour\r\nfive\r\nsechs\r\nseven");
//! assert_eq!(edited.report.moves()[0].text, "six");
//!
//! // What was written and what the answer shows is written down too, so that the agent can go on with the anchors it has, old and
//! // new.
//! history.wrote(&now, &edited.document, edited.report.changes());
//! history.showed(&edited.document, None, Scheme::Omp, &edited.report.windows(Policy::default().context));
//!
//! // A line that is no longer what it was is refused, and nothing changes.
//! let again = EditBatch::new([Operation::replace_line("6:12", "six!")]).at_revision(seen.revision());
//! let refused = edit(&edited.document, &Shown::to_anyone(&history), again, &Policy::default());
//! let Err(Error::Anchors(refused)) = refused else { panic!("the line is not the same any more") };
//! assert_eq!(refused.to_string(), "edit 1: the line shown as 6:12 is not the same any more");
//!
//! // The refusal holds the fresh lines around the place. Shown and written down, they are what it takes to try again.
//! let fresh = refused.windows(Policy::default().context);
//! history.showed(&refused.document, None, Scheme::Omp, &fresh);
//! let line = render::anchored(&refused.document, fresh[0], Scheme::Omp).find(|line| line.text == "sechs");
//! let anchor = line.map(|line| line.anchor()).unwrap_or_default();
//! let retry = EditBatch::new([Operation::replace_line(anchor, "six!")]).at_revision(refused.document.revision());
//! let edited = edit(&refused.document, &Shown::to_anyone(&history), retry, &Policy::default())?;
//! assert_eq!(edited.report.first_changed_line().map(|line| line.get()), Some(7));
//! # Ok(())
//! # }
//! ```
//!
//! Six dialects are values of [`dialect::Dialect`]; policies are values of [`Policy`]; a request over several files is
//! [`files::edit_files`]. JSON, wording and schemas live in `hashline-wire`, files and locks in `hashline-workspace`.
#![forbid(unsafe_code)]

pub mod anchor;
mod apply;
pub mod bad_config;
pub mod dialect;
pub mod diff;
pub mod disk;
pub mod disk_note;
pub mod edit;
pub mod error;
pub mod files;
pub mod found;
mod plan;
pub mod policy;
pub mod recovered;
pub mod render;
mod repair;
mod report;
mod resolve;
pub mod scheme;
pub mod search;
pub mod shown;
pub mod since;
pub mod state_note;
mod substitute;
pub mod text;
pub mod totals;
pub mod verified;
pub mod whitespace;

use apply::apply;
pub use edit::EditBatch;
pub use error::Error;
use plan::plan;
pub use policy::Policy;
use repair::repair;
pub use repair::{CopiedAnchor, Evidence, Hint, Proof, Repair, Rule, candidates, copied_anchors};
pub use report::{Edited, EngineAnswer, Moved, Report};
use resolve::resolve;
pub use resolve::{Found, Inner, Landed, locate};
pub use shown::Shown;
pub use text::Document;

/// Turns what was asked for into new text, or says exactly why not.
///
/// # Errors
///
/// Anchors that have no place, edits that overlap, text that is not there or not unique. Nothing is ever half done.
pub fn edit(
    document: &Document,
    shown: &Shown<'_>,
    batch: EditBatch,
    policy: &Policy<'_>,
) -> Result<Edited, Error> {
    let resolved = resolve(document, shown, batch, policy)?;
    let repaired = repair(document, shown, resolved, policy);
    let plan = plan(document, repaired, policy)?;
    Ok(apply(plan))
}
