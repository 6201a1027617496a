//! The progress line of a long operation, on a terminal only; removed when the operation is done.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// How long an operation runs before a progress line is shown.
const SOON: Duration = Duration::from_millis(400);
/// How often the progress line is updated.
const STEP: Duration = Duration::from_millis(100);

/// Runs `work` and meanwhile shows a progress line on a terminal: the time so far, and the counter if there is one.
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
        // If no thread can be started, the work is done without.
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
        // In one write, so that no half of it is seen.
        let line = format!("\r\x1b[K{doing}: {seconds:.1} s{count}");
        let _ = io::stderr().write_all(line.as_bytes());
        (pause, shown) = (STEP, true);
    }
    if shown {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
}
