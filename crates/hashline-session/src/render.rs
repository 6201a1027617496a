//! Lines of a large file, rendered piece by piece: several at once, handed over in order, never many of them held.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Scope};

use hashline_core::render;
use hashline_core::scheme::Scheme;
use hashline_core::text::{LineSlice, LineSpan};

/// So many bytes are rendered at once: enough to be quick, few enough to be held.
const AT_ONCE: usize = 256 << 10;
/// Less is rendered sooner than a thread is started.
const LITTLE: usize = 4 * AT_ONCE;
/// More threads only wait for whoever takes the pieces.
const MOST_THREADS: usize = 4;
/// So many pieces each thread has before it: one at hand, and one that it can go on with.
const BEFORE_IT: usize = 2;

/// Lines with their anchors, and the values of their tags.
#[derive(Debug, Default)]
pub(crate) struct Piece {
    pub(crate) span: Option<LineSpan>,
    pub(crate) lines: Vec<u8>,
    pub(crate) tags: Vec<u32>,
}

/// A thread that renders: what goes in, with room to render it into, comes out in the same order.
struct Worker<'a> {
    give: Sender<(LineSlice<'a>, Piece)>,
    taken: Receiver<Piece>,
}

/// Renders parts of a file and hands them over in order. Whoever takes a piece gives back one that is done with: room is made once.
pub(crate) fn render_in_order(
    parts: &[LineSlice<'_>],
    scheme: Scheme,
    mut take: impl FnMut(Piece) -> Piece,
) {
    let mut pieces = parts.iter().flat_map(|part| part.cut(AT_ONCE));
    thread::scope(|scope| {
        let workers: Vec<Worker<'_>> = (0..threads_for(parts))
            // With fewer threads than that it only takes longer.
            .filter_map(|_| Worker::start(scope, scheme).ok())
            .collect();
        if workers.is_empty() {
            pieces.fold(Piece::default(), |room, stretch| {
                take(rendered(stretch, scheme, room))
            });
            return;
        }
        let mut given = 0;
        let mut give = |room: Piece| {
            if let Some(stretch) = pieces.next() {
                // One that panicked is noticed when its piece is waited for.
                let _ = workers[given % workers.len()].give.send((stretch, room));
                given += 1;
            }
            given
        };
        let mut awaited = 0;
        for _ in 0..workers.len() * BEFORE_IT {
            awaited = give(Piece::default());
        }
        let mut taken = 0;
        while taken < awaited {
            match workers[taken % workers.len()].taken.recv() {
                Ok(piece) => awaited = give(take(piece)),
                // It panicked, and so does the scope when it ends.
                Err(_) => return,
            }
            taken += 1;
        }
    });
}

/// Returns how many threads are worth it.
fn threads_for(parts: &[LineSlice<'_>]) -> usize {
    let bytes: usize = parts.iter().map(|part| part.bytes().len()).sum();
    match thread::available_parallelism().map_or(1, usize::from) {
        threads if threads > 1 && bytes > LITTLE => threads.min(MOST_THREADS),
        _ => 0,
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
            // Whoever takes them is gone if one is not taken: nobody needs the others.
            pieces.try_for_each(|(stretch, room)| hand.send(rendered(stretch, scheme, room)))
        };
        thread::Builder::new().spawn_scoped(scope, work)?;
        Ok(Self { give, taken })
    }
}

fn rendered(stretch: LineSlice<'_>, scheme: Scheme, room: Piece) -> Piece {
    let Piece {
        mut lines,
        mut tags,
        ..
    } = room;
    lines.clear();
    tags.clear();
    render::render_with_tags(stretch, scheme, &mut lines, &mut tags);
    let span = Some(stretch.span());
    Piece { span, lines, tags }
}
