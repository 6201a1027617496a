//! Text as the engine treats it: bytes, split into lines that keep their own line endings.
//!
//! Everything that is not edited comes out byte for byte: CRLF, mixed line endings, a byte order mark, a missing final newline, bytes
//! that are not UTF-8, text in another encoding. This module knows nothing about anchors or edits.

mod changes;
mod document;
mod encoding;
mod excerpt;
mod fingerprint;
mod line;
mod payload;
mod slice;
mod span;
pub(crate) mod whitespace;

pub(crate) use changes::LineSource;
pub use changes::{Change, Changes, NewText};
pub(crate) use document::BOM;
pub use document::{Document, most_lines};
pub use encoding::Encoding;
pub use excerpt::{Excerpt, Excerpting};
pub use fingerprint::{Fingerprint, FingerprintKey, RevPrefix, Revision};
pub use line::{Line, LineEnding};
pub use payload::Payload;
pub use slice::LineSlice;
pub use span::{LineNo, LineSpan};
pub use whitespace::is_whitespace;
