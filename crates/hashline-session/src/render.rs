//! Rendering of large files on several threads: pieces of the file are rendered in parallel and passed on in order, and only a few are kept in
//! memory.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Scope};

use hashline_core::render;
use hashline_core::scheme::Scheme;
use hashline_core::text::{LineSlice, LineSpan};

/// How many bytes of a file are rendered as one piece.
const PIECE: usize = 256 << 10;
/// Up to this many bytes no threads are started, since starting them would take longer than rendering.
const SMALL: usize = 4 * PIECE;
/// How many threads render at most; more would only wait for the writer.
const MOST_THREADS: usize = 4;
/// How many pieces are queued for each thread: the one it renders, and the next.
const QUEUED: usize = 2;

/// A run of rendered lines with their anchors, and the numeric values of their tags.
#[derive(Debug, Default)]
pub(crate) struct Piece {
    pub(crate) span: Option<LineSpan>,
    pub(crate) lines: Vec<u8>,
    pub(crate) tags: Vec<u32>,
}

/// A thread that renders pieces of a file in the order they are sent. Each piece is sent with a used buffer to render into.
struct Worker<'a> {
    give: Sender<(LineSlice<'a>, Piece)>,
    taken: Receiver<Piece>,
}

/// Renders parts of a file and calls `take` for each piece in order. `take` returns a piece that it no longer needs, whose buffers are reused.
pub(crate) fn render_in_order(
    parts: &[LineSlice<'_>],
    scheme: Scheme,
    mut take: impl FnMut(Piece) -> Piece,
) {
    let mut pieces = parts.iter().flat_map(|part| part.cut(PIECE));
    thread::scope(|scope| {
        let workers: Vec<Worker<'_>> = (0..threads_for(parts))
            // Fewer threads than planned only take longer.
            .filter_map(|_| Worker::start(scope, scheme).ok())
            .collect();
        if workers.is_empty() {
            pieces.fold(Piece::default(), |used, stretch| {
                take(rendered(stretch, scheme, used))
            });
            return;
        }
        let mut given = 0;
        let mut give = |used: Piece| {
            if let Some(stretch) = pieces.next() {
                // A worker that panicked is noticed below, when its piece is received.
                let _ = workers[given % workers.len()].give.send((stretch, used));
                given += 1;
            }
            given
        };
        let mut awaited = 0;
        for _ in 0..workers.len() * QUEUED {
            awaited = give(Piece::default());
        }
        let mut taken = 0;
        while taken < awaited {
            match workers[taken % workers.len()].taken.recv() {
                Ok(piece) => awaited = give(take(piece)),
                // The worker panicked; the scope passes the panic on.
                Err(_) => return,
            }
            taken += 1;
        }
    });
}

/// Returns how many threads should render these parts; 0 if they are small enough for the current thread.
fn threads_for(parts: &[LineSlice<'_>]) -> usize {
    let bytes: usize = parts.iter().map(|part| part.bytes().len()).sum();
    if bytes <= SMALL {
        // To ask for the cores takes a dozen system calls.
        return 0;
    }
    match thread::available_parallelism().map_or(1, usize::from) {
        1 => 0,
        threads => threads.min(MOST_THREADS),
    }
}

impl<'a> Worker<'a> {
    fn start<'s>(scope: &'s Scope<'s, '_>, scheme: Scheme) -> io::Result<Self>
    where
        'a: 's,
    {
        let (give, given) = channel::<(LineSlice<'a>, Piece)>();
        let (hand, taken) = channel();
        let work = move || {
            let mut pieces = given.iter();
            // Ends when the receiver is gone.
            pieces.try_for_each(|(stretch, used)| hand.send(rendered(stretch, scheme, used)))
        };
        thread::Builder::new().spawn_scoped(scope, work)?;
        Ok(Self { give, taken })
    }
}

fn rendered(stretch: LineSlice<'_>, scheme: Scheme, used: Piece) -> Piece {
    let Piece {
        mut lines,
        mut tags,
        ..
    } = used;
    lines.clear();
    tags.clear();
    render::render_with_tags(stretch, scheme, &mut lines, &mut tags);
    let span = Some(stretch.span());
    Piece { span, lines, tags }
}
