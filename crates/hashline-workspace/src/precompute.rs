//! What will be asked of a large document, found while something else is done that does not need it.

use std::thread;

use hashline_core::Document;

/// A smaller document is not worth a thread.
const LARGE: usize = 4 << 20;

/// What takes long to find, and is kept by the document.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Precompute {
    /// The name of its bytes.
    Revision,
    /// Where its lines lie.
    Lines,
}

/// Does some work, and meanwhile finds what will be asked of the large ones among these documents.
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
                Precompute::Lines => _ = document.line_at(0),
            }
        }
    };
    thread::scope(|scope| {
        // Without a thread it is found when it is asked for.
        let _ = thread::Builder::new().spawn_scoped(scope, find);
        work()
    })
}
