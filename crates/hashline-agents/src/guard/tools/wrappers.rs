//! Commands that run another command: what they run is what counts.

use super::{Call, Input};
use crate::guard::options::{Arguments, PLAIN, Spec};
use crate::guard::shell::Word;

/// A command that is dropped, with its options, from the front of another.
#[derive(Debug)]
struct Wrapper {
    names: &'static [&'static str],
    spec: Spec,
    /// What stands between its options and the command.
    before: Before,
    /// Options with which it runs nothing.
    idle: &'static [&'static str],
}

/// What stands between the options of a wrapper and the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Nothing,
    /// One operand: the time of `timeout`.
    Operand,
    /// Assignments, perhaps after a lone hyphen, which is one more way to say `env -i`.
    Assignments,
}

/// All of them.
const WRAPPERS: &[Wrapper] = &[
    row(
        &["sudo", "doas"],
        spec(
            "ugpCDRrtThU",
            &[
                "user",
                "group",
                "prompt",
                "chdir",
                "chroot",
                "host",
                "role",
                "type",
                "close-from",
                "other-user",
                "command-timeout",
            ],
        ),
        Before::Assignments,
        &["l", "v", "K", "e", "list", "validate", "edit"],
    ),
    row(
        &["env"],
        spec("uCS", &["unset", "chdir", "split-string"]),
        Before::Assignments,
        &[],
    ),
    row(&["nice"], spec("n", &["adjustment"]), Before::Nothing, &[]),
    row(
        &["ionice"],
        spec("cnp", &["class", "classdata", "pid"]),
        Before::Nothing,
        &["p", "pid"],
    ),
    row(
        &["nohup", "unbuffer", "setsid", "busybox"],
        PLAIN,
        Before::Nothing,
        &[],
    ),
    row(
        &["time", "gtime"],
        spec("fo", &["format", "output"]),
        Before::Nothing,
        &[],
    ),
    row(
        &["timeout", "gtimeout"],
        spec("ks", &["kill-after", "signal"]),
        Before::Operand,
        &[],
    ),
    row(
        &["stdbuf", "gstdbuf"],
        spec("ioe", &["input", "output", "error"]),
        Before::Nothing,
        &[],
    ),
    row(&["watch"], spec("n", &["interval"]), Before::Nothing, &[]),
    row(&["command"], PLAIN, Before::Nothing, &["v", "V"]),
    row(&["builtin"], PLAIN, Before::Nothing, &[]),
    row(&["exec"], spec("a", &[]), Before::Nothing, &[]),
];

/// What is left of a call without its wrappers.
#[derive(Debug)]
pub(crate) enum Unwrapped {
    /// A command.
    Call(Call),
    /// A string that is run as shell code: the argument of `watch`.
    Code(String),
    /// Nothing that is known to run.
    Nothing,
}

const fn row(
    names: &'static [&'static str],
    spec: Spec,
    before: Before,
    idle: &'static [&'static str],
) -> Wrapper {
    Wrapper {
        names,
        spec,
        before,
        idle,
    }
}

const fn spec(valued: &'static str, long: &'static [&'static str]) -> Spec {
    Spec {
        valued,
        attached: "",
        long,
    }
}

/// Nobody wraps a wrapper more often than this.
const MOST: usize = 16;

/// Drops every wrapper from the front of the words of a command.
pub(crate) fn unwrapped(words: &[Word], input: &Input) -> Unwrapped {
    let mut words = words.to_vec();
    for _ in 0..MOST {
        let Some(call) = Call::of(&words, input.clone()) else {
            return Unwrapped::Nothing;
        };
        let Some(wrapper) = WRAPPERS
            .iter()
            .find(|w| w.names.contains(&call.name.as_str()))
        else {
            return Unwrapped::Call(call);
        };
        let arguments = wrapper.spec.read_leading(&call.args);
        if arguments.has(wrapper.idle) {
            return Unwrapped::Nothing;
        }
        words = wrapper.wrapped(arguments);
        if let ("watch", [code]) = (call.name.as_str(), words.as_slice()) {
            return Unwrapped::Code(code.source());
        }
    }
    Unwrapped::Nothing
}

impl Wrapper {
    fn wrapped(&self, arguments: Arguments) -> Vec<Word> {
        let words = arguments.operands;
        let skipped = match self.before {
            Before::Nothing => 0,
            Before::Operand => 1,
            Before::Assignments => {
                let hyphen = usize::from(words.first().is_some_and(|word| word.is("-")));
                let assignments = words.iter().skip(hyphen);
                hyphen + assignments.take_while(|word| is_assignment(word)).count()
            }
        };
        words.into_iter().skip(skipped).collect()
    }
}

fn is_assignment(word: &Word) -> bool {
    word.head().0.contains('=')
}
