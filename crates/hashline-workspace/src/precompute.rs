//! Computes properties of large documents on another thread while something else is done.

use std::thread;

use hashline_core::Document;

/// A smaller document is not worth a thread.
const LARGE: usize = 4 << 20;

/// Does some work, and meanwhile computes a property of the large documents that they cache, such as their revision.
pub(crate) fn precompute_during<'a, T>(
    documents: impl Iterator<Item = &'a Document>,
    compute: impl Fn(&Document) + Send,
    work: impl FnOnce() -> T,
) -> T {
    let large: Vec<&Document> = documents.filter(|it| it.bytes().len() >= LARGE).collect();
    if large.is_empty() {
        return work();
    }
    let compute_all = || large.into_iter().for_each(compute);
    thread::scope(|scope| {
        // If no thread can be started, it is computed when it is needed.
        let _ = thread::Builder::new().spawn_scoped(scope, compute_all);
        work()
    })
}
