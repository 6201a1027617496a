//! The time limit of the hook: if the hook takes too long, it gives up and the tool call is allowed.
//!
//! The event is handled on the calling thread, while a second thread only checks the time. So the work never waits for a new thread to be
//! scheduled, which on a busy machine can take longer than the work itself. Giving up ends the process, which is safe: a file that is being
//! written is written whole or not at all, and the next process removes an incomplete record from the end of the ledger.

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

/// The longest time to wait for the end of the client's input. The time limit of the hook's own work begins after the input is read.
const INPUT: Duration = Duration::from_secs(5);

/// The factor from the limit on CPU time to the limit on elapsed time.
const WAITING: u32 = 5;

/// The shortest time that the watching thread sleeps between two checks.
const SHORTEST: Duration = Duration::from_millis(1);

/// The time limits of one run of the hook.
#[derive(Clone, Copy, Debug)]
struct TimeLimits {
    /// The limit on elapsed time for reading the input.
    input: Duration,
    /// The limit on the CPU time of the whole process for handling the event.
    work: Duration,
    /// The limit on elapsed time for handling the event, so that the hook does not wait forever for a CPU, a disk or a lock.
    wall: Duration,
}

/// The time at which the hook began to handle the event.
#[derive(Clone, Copy, Debug)]
struct WorkStart {
    at: Instant,
    /// The CPU time that the process had used when it began to handle the event, if the system reports it.
    used: Option<Duration>,
}

impl WorkStart {
    fn now() -> Self {
        Self {
            at: Instant::now(),
            used: processor_time(),
        }
    }

    /// Returns a lower bound of the time until a limit is reached; `None` if one is reached already.
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

/// The stage of one run of the hook, and when the stage began.
#[derive(Clone, Copy, Debug)]
enum HookStage {
    /// The input is being read, beginning at this time.
    Reading(Instant),
    /// The event is being handled. The client is `None` until the input is parsed.
    Working(WorkStart, Option<Client>),
    /// One of the two threads has answered the client.
    Over,
}

/// The stage of the hook, shared by the working and the watching thread.
#[derive(Clone, Debug)]
struct HookProgress(Arc<Mutex<HookStage>>);

/// Reads an event from `input` and returns the answer. If that takes too long, another thread calls `give_up` with an answer that allows the
/// tool call; this function then returns `None`, or never returns.
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

    /// Marks the run as answered and returns the last stage; `None` if the other thread has answered already.
    fn end(&self) -> Option<HookStage> {
        let ended = std::mem::replace(&mut *self.stage(), HookStage::Over);
        (!matches!(ended, HookStage::Over)).then_some(ended)
    }

    /// Waits until the event is answered, or calls `give_up` once a time limit is reached. The watching thread polls the stage, at the latest
    /// after the CPU time limit.
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

/// Returns the CPU time that this process has used.
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
    use std::time::{Duration, Instant};

    use super::{HookProgress, HookStage, TimeLimits, WorkStart, processor_time, run};
    use crate::hook::{Client, HookAnswer, HookOptions, MAX_INPUT};

    const AGES: Duration = Duration::from_secs(600);
    const MOMENT: Duration = Duration::from_millis(100);

    const LONG: TimeLimits = TimeLimits {
        input: AGES,
        work: AGES,
        wall: AGES,
    };

    /// Runs `work` on another thread under the time limits. Returns the answer to the client if the time limit is reached.
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

    /// Waiting, as for a lock that is never released, uses no CPU time, so the limit on elapsed time must end it.
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
            work: Duration::from_secs(10),
            ..LONG
        };
        // Begun 20 s ago, and nothing done since.
        let at = Instant::now().checked_sub(limits.work * 2);
        let at = at.expect("a clock has a past");
        let used = processor_time();
        assert!(WorkStart { at, used }.left(&limits).is_some());
        // Where the system does not report the time that was used, all of it counts.
        let used = None;
        assert!(WorkStart { at, used }.left(&limits).is_none());
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
