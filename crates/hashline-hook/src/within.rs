//! No client is kept waiting: what takes too long is left behind, and the call passes.
//!
//! The work is done in a thread of its own. One that is left behind ends with the process; whatever it was writing is written whole or
//! not at all, or is a torn end that the next one cuts off.

use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::answer::Answer;
use crate::decide::decide;
use crate::decision::{Decision, Note};
use crate::encode::encode;
use crate::event::Event;
use crate::parse::{LONGEST, Unheard, parse};
use crate::surroundings::Surroundings;
use crate::words;

/// How long a client is waited for that does not come to an end. Our own time begins when it has.
const INPUT: Duration = Duration::from_secs(5);

/// How long is waited.
#[derive(Clone, Copy, Debug)]
struct Patience {
    /// For the client to say what it wants.
    input: Duration,
    /// For our own work, from then on.
    work: Duration,
}

/// How far the work has come.
enum Progress {
    /// All of the input was read.
    Read,
    /// It was understood.
    Heard(Box<Event>),
    /// It is answered.
    Answered(Answer),
}

/// Reads what a client says and answers it, or lets the call pass when that takes too long.
#[must_use]
pub fn answer_within(input: impl Read + Send + 'static, surroundings: Surroundings) -> Answer {
    let patience = Patience {
        input: INPUT,
        work: surroundings.time,
    };
    run(input, surroundings, patience)
}

fn run(
    input: impl Read + Send + 'static,
    surroundings: Surroundings,
    patience: Patience,
) -> Answer {
    let (tell, told) = channel();
    let work = move || {
        let broke = catch_unwind(AssertUnwindSafe(|| work(input, &surroundings, &tell))).is_err();
        if broke {
            // Whoever waited too long is gone, which is no error.
            let _ = tell.send(Progress::Answered(Answer::told(words::note(&Note::Broke))));
        }
    };
    match thread::Builder::new().spawn(work) {
        Ok(_) => wait(&told, patience),
        Err(_) => Answer::told(words::note(&Note::Broke)),
    }
}

fn work(input: impl Read, surroundings: &Surroundings, tell: &Sender<Progress>) {
    let mut bytes = Vec::new();
    // One byte more, so that what is too long is known to be.
    let read = input.take(LONGEST as u64 + 1).read_to_end(&mut bytes);
    let say = |progress| {
        // Whoever waited too long is gone, which is no error.
        let _ = tell.send(progress);
    };
    say(Progress::Read);
    let heard = match read {
        Ok(_) => parse(&bytes),
        Err(_) => Err(Unheard::Unreadable),
    };
    let answer = match heard {
        Ok(event) => {
            say(Progress::Heard(Box::new(event.clone())));
            encode(&event, &decide(&event, surroundings))
        }
        Err(unheard) => Answer::unheard(&unheard),
    };
    say(Progress::Answered(answer));
}

fn wait(told: &Receiver<Progress>, patience: Patience) -> Answer {
    let (mut event, mut until) = (None, Instant::now() + patience.input);
    loop {
        let left = until.saturating_duration_since(Instant::now());
        match told.recv_timeout(left) {
            Ok(Progress::Answered(answer)) => return answer,
            Ok(Progress::Heard(heard)) => event = Some(heard),
            Ok(Progress::Read) => until = Instant::now() + patience.work,
            Err(_) => {
                let slow = Decision::PassNoting(Note::TooSlow);
                let told = || Answer::told(words::note(&Note::TooSlow));
                return event.map_or_else(told, |event| encode(&event, &slow));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use super::{Patience, Progress, run, wait};
    use crate::{Surroundings, parse};

    /// A client that never comes to an end.
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

    const LONG: Patience = Patience {
        input: Duration::from_secs(60),
        work: Duration::from_secs(60),
    };

    #[test]
    fn a_client_that_says_nothing_is_not_waited_for() {
        let (_held, silence) = channel();
        let short = Patience {
            input: Duration::from_millis(1),
            ..LONG
        };
        let answer = run(Silent(silence), Surroundings::default(), short);
        assert!(!answer.blocks);
        assert_eq!(answer.out, None);
        assert!(answer.err.is_some_and(|err| err.contains("too long")));
    }

    #[test]
    fn what_takes_too_long_passes_and_the_client_is_told() {
        let (tell, told) = channel();
        let input =
            br#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}"#;
        let event = parse(input).map(Box::new).map(Progress::Heard);
        let _ = tell.send(Progress::Read);
        assert!(event.is_ok_and(|event| tell.send(event).is_ok()));
        let short = Patience {
            work: Duration::from_millis(1),
            ..LONG
        };
        let answer = wait(&told, short);
        assert!(!answer.blocks);
        let message = answer.out.map(|out| out["systemMessage"].to_string());
        assert!(message.is_some_and(|message| message.contains("too long")));
    }

    #[test]
    fn what_breaks_passes_and_says_so() {
        let answer = run(Broken, Surroundings::default(), LONG);
        assert!(!answer.blocks);
        assert_eq!(answer.out, None);
        assert!(answer.err.is_some_and(|err| err.contains("failed")));
    }
}
