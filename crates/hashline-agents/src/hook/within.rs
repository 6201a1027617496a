//! No client is kept waiting: what takes too long is given up, and the call passes.
//!
//! The work is done where it is asked for; a thread beside it only looks at the clocks. So nobody waits for a thread to be given a
//! processor, which on a busy machine takes longer than the work; nor does such a wait count as work. Whoever gives up ends the process: what was being written then is
//! written whole or not at all, or is a torn end that the next one cuts off.

use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::hook::budget::{Budget, Spending};

use crate::hook::answer::Answer;
use crate::hook::client::Client;
use crate::hook::decide::decide;
use crate::hook::decision::Note;
use crate::hook::encode::{encode, pass_noting};
use crate::hook::parse::{LONGEST, Unheard, parse};
use crate::hook::surroundings::{Surroundings, budget};
use crate::hook::words;

/// How long a client is waited for that does not come to an end. Our own time begins when it has.
const INPUT: Duration = Duration::from_secs(5);

/// While the client is listened to, it is not looked more often than that whether it has come to an end.
const SHORTEST: Duration = Duration::from_millis(1);

/// How long is waited.
#[derive(Clone, Copy, Debug)]
struct Patience {
    /// For the client to say what it wants.
    input: Duration,
    /// For our own work, from then on.
    work: Budget,
}

/// How far it has come, and since when.
#[derive(Clone, Copy, Debug)]
enum Stage {
    /// The client is listened to.
    Reading(Instant),
    /// It is worked on what the client said; who that is, is known when it was understood.
    Working(Spending, Option<Client>),
    /// It is answered, by one of the two.
    Over,
}

/// The stage, for both to see.
#[derive(Clone, Debug)]
struct Progress(Arc<Mutex<Stage>>);

/// Reads what a client says and answers it. If that takes too long, `give_up` gets the answer that lets the call pass, in a thread of
/// its own; nothing is returned then, or never.
#[must_use]
pub fn answer_within(
    input: impl Read,
    surroundings: &Surroundings,
    give_up: impl FnOnce(Answer) + Send + 'static,
) -> Option<Answer> {
    let patience = Patience {
        input: INPUT,
        work: budget(surroundings.time),
    };
    run(input, surroundings, patience, give_up)
}

fn run(
    input: impl Read,
    surroundings: &Surroundings,
    patience: Patience,
    give_up: impl FnOnce(Answer) + Send + 'static,
) -> Option<Answer> {
    let progress = Progress::new();
    let watched = progress.clone();
    let watch = thread::Builder::new().spawn(move || watched.watch(patience, give_up));
    let work = || work(input, surroundings, patience.work, &progress);
    // Without anybody who looks at the clock it is not begun.
    let done = match watch {
        Ok(_) => catch_unwind(AssertUnwindSafe(work)).ok(),
        Err(_) => None,
    };
    let answer = done.unwrap_or_else(|| Answer::told(words::note(&Note::Broke)));
    progress.end().map(|_| answer)
}

fn work(
    mut input: impl Read,
    surroundings: &Surroundings,
    budget: Budget,
    progress: &Progress,
) -> Answer {
    let mut bytes = Vec::new();
    // One byte more, so that what is too long is known to be.
    let mut some = input.by_ref().take(LONGEST as u64 + 1);
    let read = some.read_to_end(&mut bytes);
    if bytes.len() > LONGEST {
        // A client that is not heard to the end may fail at writing, and take that for a no.
        let _ = io::copy(&mut input, &mut io::sink());
    }
    let spending = budget.begin();
    progress.come_to(Stage::Working(spending, None));
    let heard = match read {
        Ok(_) => parse(&bytes),
        Err(_) => Err(Unheard::Unreadable),
    };
    match heard {
        Ok(event) => {
            progress.come_to(Stage::Working(spending, Some(event.client)));
            encode(&event, &decide(&event, surroundings))
        }
        Err(unheard) => Answer::unheard(&unheard),
    }
}

impl Progress {
    fn new() -> Self {
        Self(Arc::new(Mutex::new(Stage::Reading(Instant::now()))))
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn come_to(&self, next: Stage) {
        let mut stage = self.stage();
        if !matches!(*stage, Stage::Over) {
            *stage = next;
        }
    }

    /// Ends it; nothing if the other one did.
    fn end(&self) -> Option<Stage> {
        let ended = std::mem::replace(&mut *self.stage(), Stage::Over);
        (!matches!(ended, Stage::Over)).then_some(ended)
    }

    /// Looks at the clocks until it is over, or takes too long. Nobody is woken for it: a stage is seen when the time of the one before
    /// would be up, or that of the work.
    fn watch(&self, patience: Patience, give_up: impl FnOnce(Answer)) {
        loop {
            let left = match *self.stage() {
                Stage::Over => return,
                Stage::Reading(since) => patience.input.checked_sub(since.elapsed()),
                Stage::Working(spending, _) => spending.left(),
            };
            let Some(left) = left else {
                break;
            };
            thread::sleep(left.min(patience.work.work.max(SHORTEST)));
        }
        match self.end() {
            Some(Stage::Working(_, Some(client))) => give_up(pass_noting(client, &Note::TooSlow)),
            Some(_) => give_up(Answer::told(words::note(&Note::TooSlow))),
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};
    use std::sync::mpsc::{Receiver, channel};
    use std::thread;
    use std::time::Duration;

    use crate::hook::budget::Budget;

    use super::{Patience, Progress, Stage, run};
    use crate::hook::{Answer, Client, LONGEST, Surroundings};

    const AGES: Duration = Duration::from_secs(600);
    const MOMENT: Duration = Duration::from_millis(100);

    const LONG: Patience = Patience {
        input: AGES,
        work: Budget {
            work: AGES,
            wall: AGES,
        },
    };

    /// Watches `work`, which is told how far it has come. Returns what the client is told if it is given up.
    fn watched(budget: Budget, work: impl FnOnce(Progress) + Send + 'static) -> Option<Answer> {
        let progress = Progress::new();
        progress.come_to(Stage::Working(budget.begin(), Some(Client::Claude)));
        let (tell, told) = channel();
        let seen = progress.clone();
        thread::spawn(move || work(seen));
        let patience = Patience {
            work: budget,
            ..LONG
        };
        progress.watch(patience, move |answer| {
            let _ = tell.send(answer);
        });
        assert!(progress.end().is_none(), "it is over");
        told.recv().ok()
    }

    fn says_too_long(answer: &Answer) -> bool {
        let out = answer.out.as_ref();
        out.is_some_and(|out| out["systemMessage"].to_string().contains("too long"))
    }

    /// A client that says nothing until somebody gives it up.
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
        let short = Patience {
            input: Duration::from_millis(1),
            ..LONG
        };
        let answer = run(Silent(silence), &Surroundings::default(), short, give_up);
        assert_eq!(answer, None, "it is answered already");
        let told = told.recv();
        assert!(told.is_ok_and(|told| !told.blocks && told.out.is_none() && told.err.is_some()));
    }

    #[test]
    fn what_works_too_long_passes_and_the_client_is_told() {
        let budget = Budget {
            work: MOMENT,
            wall: AGES,
        };
        let told = watched(
            budget,
            |progress| {
                while !matches!(*progress.stage(), Stage::Over) {}
            },
        );
        assert!(told.is_some_and(|told| says_too_long(&told)));
    }

    /// As for a lock that nobody gives back.
    #[test]
    fn what_waits_too_long_passes_and_the_client_is_told() {
        let budget = Budget {
            work: AGES,
            wall: MOMENT,
        };
        let told = watched(budget, |_| {});
        assert!(told.is_some_and(|told| says_too_long(&told)));
    }

    #[test]
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    fn waiting_for_a_processor_is_no_work() {
        let budget = Budget {
            work: MOMENT,
            wall: AGES,
        };
        let told = watched(budget, |progress| {
            thread::sleep(MOMENT * 3);
            progress.end();
        });
        assert!(told.is_none());
    }

    #[test]
    fn a_client_that_says_too_much_is_heard_to_the_end() {
        let mut said = io::repeat(b' ').take(3 * LONGEST as u64);
        let answer = run(said.by_ref(), &Surroundings::default(), LONG, |_| {});
        assert!(answer.is_some_and(|answer| answer.err.is_some()));
        assert_eq!(said.limit(), 0);
    }

    #[test]
    fn what_breaks_passes_and_says_so() {
        let answer = run(Broken, &Surroundings::default(), LONG, |_| {});
        let answer = answer.unwrap_or_default();
        assert!(!answer.blocks && answer.out.is_none());
        assert!(answer.err.is_some_and(|err| err.contains("failed")));
    }
}
