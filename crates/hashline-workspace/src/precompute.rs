//! Computes properties of large documents on another thread while something else is done.

use std::thread;

use hashline_core::Document;
use hashline_core::text::LineNo;

/// A smaller document is not worth a thread.
const LARGE: usize = 4 << 20;

/// A property that takes long to compute. The document caches it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Precompute {
    /// The hash of its bytes.
    Revision,
    /// The offsets of its lines.
    Lines,
}

/// Does some work, and meanwhile computes a property of the large documents.
pub(crate) fn precompute_during<'a, T>(
    documents: impl Iterator<Item = &'a Document>,
    sought: Precompute,
    work: impl FnOnce() -> T,
) -> T {
    let large: Vec<&Document> = documents.filter(|it| it.bytes().len() >= LARGE).collect();
    if large.is_empty() {
        return work();
    }
    let find = || {
        for document in large {
            match sought {
                Precompute::Revision => _ = document.revision(),
                Precompute::Lines => _ = document.line(LineNo::FIRST),
            }
        }
    };
    thread::scope(|scope| {
        // If no thread can be started, it is computed when it is needed.
        let _ = thread::Builder::new().spawn_scoped(scope, find);
        work()
    })
}
