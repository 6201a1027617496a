//! Lines of a large file, rendered piece by piece: several at once, handed over in order, never many of them held.

use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use hashline_core::Document;
use hashline_core::render;
use hashline_core::scheme::Scheme;
use hashline_core::text::LineSpan;

/// Fewer pieces are rendered sooner than a thread is started.
const FEW: usize = 4;
/// More threads only wait for whoever takes the pieces.
const MOST_THREADS: usize = 4;

/// Lines with their anchors, and the values of their tags.
#[derive(Debug, Default)]
pub(crate) struct Piece {
    pub(crate) span: Option<LineSpan>,
    pub(crate) lines: Vec<u8>,
    pub(crate) tags: Vec<u32>,
}

/// Renders pieces of a document and hands them over in order.
pub(crate) fn render_in_order(
    document: &Document,
    pieces: &[LineSpan],
    scheme: Scheme,
    mut take: impl FnMut(Piece),
) {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.min(MOST_THREADS);
    if pieces.len() < FEW || threads < 2 {
        for &span in pieces {
            take(rendered(document, span, scheme));
        }
        return;
    }
    thread::scope(|scope| {
        let start = |worker: usize| -> Receiver<Piece> {
            let (hand, taken) = sync_channel(1);
            let own = pieces.iter().skip(worker).step_by(threads);
            scope.spawn(move || {
                let mut own = own.map(|&span| rendered(document, span, scheme));
                // Whoever took them is gone: nobody needs the others.
                own.try_for_each(|piece| hand.send(piece)).ok();
            });
            taken
        };
        let workers: Vec<Receiver<Piece>> = (0..threads).map(start).collect();
        for index in 0..pieces.len() {
            match workers[index % threads].recv() {
                Ok(piece) => take(piece),
                // It panicked, and so does the scope when it ends.
                Err(_) => return,
            }
        }
    });
}

fn rendered(document: &Document, span: LineSpan, scheme: Scheme) -> Piece {
    let (mut lines, mut tags) = (Vec::new(), Vec::new());
    render::render_with_tags(document, span, scheme, &mut lines, &mut tags);
    let span = Some(span);
    Piece { span, lines, tags }
}
