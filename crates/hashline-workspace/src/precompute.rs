//! Computes cached properties of large documents on another thread while the calling thread does other work.

use std::thread;

use hashline_core::Document;

/// The size from which computing on another thread is worth starting the thread, in bytes.
const LARGE: usize = 4 << 20;

/// Runs `work`, and meanwhile calls `compute` on the large documents on another thread, to fill a value that they cache, such as the
/// revision.
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
