//! A sign of life while something takes long: on a terminal only, and gone when it is done.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Nothing is shown of what is done sooner.
const SOON: Duration = Duration::from_millis(400);
/// So often it changes.
const STEP: Duration = Duration::from_millis(100);

/// Does something and shows meanwhile, on a terminal, that it goes on, and how much was counted.
pub(crate) fn while_working<T>(
    doing: &str,
    counted: Option<(&AtomicUsize, &str)>,
    work: impl FnOnce() -> T,
) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    let (done, wait) = mpsc::channel::<()>();
    thread::scope(|scope| {
        // Without a thread to show it the work is done all the same.
        let _ = thread::Builder::new().spawn_scoped(scope, move || show(doing, counted, &wait));
        let worked = work();
        drop(done);
        worked
    })
}

fn show(doing: &str, counted: Option<(&AtomicUsize, &str)>, wait: &mpsc::Receiver<()>) {
    let started = Instant::now();
    let mut pause = SOON;
    let mut shown = false;
    while wait.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        let seconds = started.elapsed().as_secs_f32();
        let count = counted.map(|(count, what)| {
            let count = count.load(Ordering::Relaxed);
            format!(", {count} {what}")
        });
        let count = count.unwrap_or_default();
        // In one piece: nobody is to see half of it.
        let line = format!("\r\x1b[K{doing}: {seconds:.1} s{count}");
        let _ = io::stderr().write_all(line.as_bytes());
        (pause, shown) = (STEP, true);
    }
    if shown {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
}
