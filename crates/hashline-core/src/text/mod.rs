//! Text as the engine sees it: bytes, cut into lines that keep their own endings.
//!
//! Everything that is not edited comes out byte for byte: CRLF, mixed endings, a BOM, a missing final newline, bytes that are not
//! UTF-8. Nothing here knows about anchors or edits.

mod changes;
mod document;
mod excerpt;
mod fingerprint;
mod line;
mod payload;
mod slice;
mod span;
pub(crate) mod whitespace;

pub use changes::{Change, Changes};
pub(crate) use document::BOM;
pub use document::Document;
pub use excerpt::{Excerpt, Excerpting};
pub use fingerprint::{Fingerprint, RevPrefix, Revision};
pub use line::{Line, LineEnding};
pub use payload::Payload;
pub use slice::LineSlice;
pub use span::{LineNo, LineSpan};
pub use whitespace::is_whitespace;
