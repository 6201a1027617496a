//! Text as the engine sees it: bytes, cut into lines that keep their own endings.
//!
//! Everything that is not edited comes out byte for byte: CRLF, mixed endings, a BOM, a missing final newline, bytes that are not
//! UTF-8. Nothing here knows about anchors or edits.

mod changes;
mod document;
mod ending;
mod excerpt;
mod fingerprint;
mod line_no;
mod payload;
mod slice;
mod span;

pub use changes::{Change, Changes};
pub(crate) use document::BOM;
pub use document::{Document, Line};
pub use ending::LineEnding;
pub use excerpt::{Excerpt, Excerpting};
pub use fingerprint::{Fingerprint, RevPrefix, Revision};
pub use line_no::LineNo;
pub use payload::Payload;
pub use slice::LineSlice;
pub use span::LineSpan;
