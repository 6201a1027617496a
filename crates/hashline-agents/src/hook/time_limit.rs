//! The time limit of the hook: work that takes too long is given up, and the call passes.
//!
//! The work runs on the calling thread; a second thread only watches the clocks. So the work never waits for a new thread to be scheduled,
//! which on a busy machine takes longer than the work itself. Giving up ends the process: a file that is being written then is written
//! whole or not at all, and a torn record at the end of the ledger is cut off by the next process.

use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::hook::answer::{HookAnswer, PassReason, encode, pass_because};
use crate::hook::clients::Client;
use crate::hook::decide::decide;
use crate::hook::event::{InputError, MAX_INPUT, parse};
use crate::hook::options::HookOptions;
use crate::hook::words;

/// How long to wait for the end of the client's input. The time for our own work begins after it.
const INPUT: Duration = Duration::from_secs(5);

/// The limit on the clock as a multiple of the processor time.
const WAITING: u32 = 5;

/// The shortest time between two looks at the clocks.
const SHORTEST: Duration = Duration::from_millis(1);

/// The time limits.
#[derive(Clone, Copy, Debug)]
struct TimeLimits {
    /// For reading the input, on the clock.
    input: Duration,
    /// For our own work: processor time of the whole process.
    work: Duration,
    /// For our own work on the clock, so that it does not wait forever for a processor, a disk or a lock.
    wall: Duration,
}

/// When our own work began.
#[derive(Clone, Copy, Debug)]
struct WorkStart {
    at: Instant,
    /// The processor time that the process had used by then, if the system tells.
    used: Option<Duration>,
}

impl WorkStart {
    fn now() -> Self {
        Self {
            at: Instant::now(),
            used: processor_time(),
        }
    }

    /// Returns the time that is left, at least; `None` if a limit is reached.
    fn left(&self, limits: &TimeLimits) -> Option<Duration> {
        let elapsed = self.at.elapsed();
        // On a busy machine a little work takes long, which is no fault of the work: so it is processor time that is counted (decision
        // 0014). All threads count, since what one thread has used cannot be asked for without unsafe code.
        let worked = match (self.used, processor_time()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => elapsed,
        };
        let work = limits.work.checked_sub(worked)?;
        let left = work.min(limits.wall.checked_sub(elapsed)?);
        (!left.is_zero()).then_some(left)
    }
}

/// How far the work has come, and since when.
#[derive(Clone, Copy, Debug)]
enum HookStage {
    /// The input is being read.
    Reading(Instant),
    /// The event is being handled. The client is known once the input is parsed.
    Working(WorkStart, Option<Client>),
    /// One of the two threads has answered.
    Over,
}

/// The stage, shared by both threads.
#[derive(Clone, Debug)]
struct HookProgress(Arc<Mutex<HookStage>>);

/// Reads the input and answers it. If that takes too long, `give_up` is called with the answer that lets the call pass, on another thread;
/// then this returns `None`, or never.
#[must_use]
pub fn answer_within(
    input: impl Read,
    options: &HookOptions,
    give_up: impl FnOnce(HookAnswer) + Send + 'static,
) -> Option<HookAnswer> {
    let limits = TimeLimits {
        input: INPUT,
        work: options.time,
        wall: options.time.saturating_mul(WAITING),
    };
    run(input, options, limits, give_up)
}

fn run(
    input: impl Read,
    options: &HookOptions,
    limits: TimeLimits,
    give_up: impl FnOnce(HookAnswer) + Send + 'static,
) -> Option<HookAnswer> {
    let progress = HookProgress::new();
    let watched = progress.clone();
    let watch = thread::Builder::new().spawn(move || watched.watch(limits, give_up));
    let work = || work(input, options, &progress);
    // Without the watching thread there is no time limit, so the work is not begun.
    let done = match watch {
        // A fault of ours must not stop the call of the agent.
        Ok(_) => catch_unwind(AssertUnwindSafe(work)).ok(),
        Err(_) => None,
    };
    let answer =
        done.unwrap_or_else(|| HookAnswer::stderr(words::pass_reason(&PassReason::Failed)));
    progress.end().map(|_| answer)
}

fn work(mut input: impl Read, options: &HookOptions, progress: &HookProgress) -> HookAnswer {
    let mut bytes = Vec::new();
    // One byte more than allowed, to notice input that is too long.
    let mut some = input.by_ref().take(MAX_INPUT as u64 + 1);
    let read = some.read_to_end(&mut bytes);
    if bytes.len() > MAX_INPUT {
        // A client whose input is not read to the end may fail to write it, and take that for a refusal.
        let _ = io::copy(&mut input, &mut io::sink());
    }
    let start = WorkStart::now();
    progress.advance(HookStage::Working(start, None));
    let event = match read {
        Ok(_) => parse(&bytes),
        Err(_) => Err(InputError::Unreadable),
    };
    match event {
        Ok(event) => {
            progress.advance(HookStage::Working(start, Some(event.client)));
            encode(&event, &decide(&event, options))
        }
        Err(error) => HookAnswer::to_bad_input(&error),
    }
}

impl HookProgress {
    fn new() -> Self {
        Self(Arc::new(Mutex::new(HookStage::Reading(Instant::now()))))
    }

    fn stage(&self) -> MutexGuard<'_, HookStage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn advance(&self, next: HookStage) {
        let mut stage = self.stage();
        if !matches!(*stage, HookStage::Over) {
            *stage = next;
        }
    }

    /// Ends the work; `None` if the other thread did already.
    fn end(&self) -> Option<HookStage> {
        let ended = std::mem::replace(&mut *self.stage(), HookStage::Over);
        (!matches!(ended, HookStage::Over)).then_some(ended)
    }

    /// Watches the clocks until the work is over or takes too long. It polls: a new stage is noticed when the time of the old one would be
    /// up, or that of the work.
    fn watch(&self, limits: TimeLimits, give_up: impl FnOnce(HookAnswer)) {
        loop {
            let left = match *self.stage() {
                HookStage::Over => return,
                HookStage::Reading(since) => limits.input.checked_sub(since.elapsed()),
                HookStage::Working(start, _) => start.left(&limits),
            };
            let Some(left) = left else {
                break;
            };
            thread::sleep(left.min(limits.work).max(SHORTEST));
        }
        match self.end() {
            Some(HookStage::Working(_, Some(client))) => {
                give_up(pass_because(client, &PassReason::TooSlow));
            }
            Some(_) => give_up(HookAnswer::stderr(words::pass_reason(&PassReason::TooSlow))),
            None => {}
        }
    }
}

/// Returns the processor time that this process has used.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn processor_time() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).ok()
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn processor_time() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};
    use std::sync::mpsc::{Receiver, channel};
    use std::thread;
    use std::time::Duration;

    use super::{HookProgress, HookStage, TimeLimits, WorkStart, run};
    use crate::hook::{Client, HookAnswer, HookOptions, MAX_INPUT};

    const AGES: Duration = Duration::from_secs(600);
    const MOMENT: Duration = Duration::from_millis(100);

    const LONG: TimeLimits = TimeLimits {
        input: AGES,
        work: AGES,
        wall: AGES,
    };

    /// Watches `work`, which is told how far it has come. Returns what the client is told if it is given up.
    fn watched(
        limits: TimeLimits,
        work: impl FnOnce(HookProgress) + Send + 'static,
    ) -> Option<HookAnswer> {
        let progress = HookProgress::new();
        progress.advance(HookStage::Working(WorkStart::now(), Some(Client::Claude)));
        let (tell, told) = channel();
        let seen = progress.clone();
        thread::spawn(move || work(seen));
        progress.watch(limits, move |answer| {
            let _ = tell.send(answer);
        });
        assert!(progress.end().is_none(), "it is over");
        told.recv().ok()
    }

    fn says_too_long(answer: &HookAnswer) -> bool {
        let out = answer.out.as_ref();
        out.is_some_and(|out| out["systemMessage"].to_string().contains("too long"))
    }

    /// A client that sends nothing until the hook gives up.
    struct Silent(Receiver<()>);

    impl Read for Silent {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            Ok(0)
        }
    }

    struct Broken;

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            panic!("as anything may")
        }
    }

    #[test]
    fn a_client_that_says_nothing_is_not_waited_for() {
        let (release, silence) = channel();
        let (tell, told) = channel();
        let give_up = move |answer| {
            let _ = tell.send(answer);
            drop(release);
        };
        let short = TimeLimits {
            input: Duration::from_millis(1),
            ..LONG
        };
        let answer = run(Silent(silence), &HookOptions::default(), short, give_up);
        assert_eq!(answer, None, "it is answered already");
        let told = told.recv();
        assert!(told.is_ok_and(|told| !told.blocks && told.out.is_none() && told.err.is_some()));
    }

    #[test]
    fn what_works_too_long_passes_and_the_client_is_told() {
        let limits = TimeLimits {
            work: MOMENT,
            ..LONG
        };
        let told = watched(limits, |progress| {
            while !matches!(*progress.stage(), HookStage::Over) {}
        });
        assert!(told.is_some_and(|told| says_too_long(&told)));
    }

    /// As for a lock that is never released.
    #[test]
    fn what_waits_too_long_passes_and_the_client_is_told() {
        let limits = TimeLimits {
            wall: MOMENT,
            ..LONG
        };
        let told = watched(limits, |_| {});
        assert!(told.is_some_and(|told| says_too_long(&told)));
    }

    #[test]
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    fn waiting_for_a_processor_is_no_work() {
        let limits = TimeLimits {
            work: MOMENT,
            ..LONG
        };
        let told = watched(limits, |progress| {
            thread::sleep(MOMENT * 3);
            progress.end();
        });
        assert!(told.is_none());
    }

    #[test]
    fn a_client_that_says_too_much_is_heard_to_the_end() {
        let mut said = io::repeat(b' ').take(3 * MAX_INPUT as u64);
        let answer = run(said.by_ref(), &HookOptions::default(), LONG, |_| {});
        assert!(answer.is_some_and(|answer| answer.err.is_some()));
        assert_eq!(said.limit(), 0);
    }

    #[test]
    fn what_breaks_passes_and_says_so() {
        let answer = run(Broken, &HookOptions::default(), LONG, |_| {});
        let answer = answer.unwrap_or_default();
        assert!(!answer.blocks && answer.out.is_none());
        assert!(answer.err.is_some_and(|err| err.contains("failed")));
    }
}
