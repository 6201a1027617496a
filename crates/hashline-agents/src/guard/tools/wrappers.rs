//! Commands that run another command, or a string as shell code: what they run is what counts.

use super::{CommandCall, Input, is_standard_input};
use crate::guard::options::ValueOptions;
use crate::guard::shell::Word;

/// A command that is dropped, with its options, from the front of another.
#[derive(Debug)]
struct Wrapper {
    names: &'static [&'static str],
    options: ValueOptions,
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

const WRAPPERS: &[Wrapper] = &[
    row(
        &["sudo", "doas"],
        "-u -g -p -C -D -R -r -t -T -h -U --user --group --prompt --chdir --chroot --host --role --type --close-from \
         --other-user --command-timeout",
        Before::Assignments,
        &["l", "v", "K", "e", "list", "validate", "edit"],
    ),
    row(
        &["env"],
        "-u -C -S --unset --chdir --split-string",
        Before::Assignments,
        &[],
    ),
    row(&["nice"], "-n --adjustment", Before::Nothing, &[]),
    row(
        &["ionice"],
        "-c -n -p --class --classdata --pid",
        Before::Nothing,
        &["p", "pid"],
    ),
    row(
        &["nohup", "unbuffer", "setsid", "busybox", "builtin"],
        "",
        Before::Nothing,
        &[],
    ),
    row(
        &["time", "gtime"],
        "-f -o --format --output",
        Before::Nothing,
        &[],
    ),
    row(
        &["timeout", "gtimeout"],
        "-k -s --kill-after --signal",
        Before::Operand,
        &[],
    ),
    row(
        &["stdbuf", "gstdbuf"],
        "-i -o -e --input --output --error",
        Before::Nothing,
        &[],
    ),
    row(&["watch"], "-n --interval", Before::Nothing, &[]),
    row(&["command"], "", Before::Nothing, &["v", "V"]),
    row(&["exec"], "-a", Before::Nothing, &[]),
];

/// Shells whose code the parser reads.
const SHELLS: &[&str] = &["bash", "sh", "zsh", "dash", "ksh", "ash", "mksh"];
const SHELL_OPTIONS: ValueOptions = ValueOptions("-o -O --rcfile --init-file");

/// Wrappers around wrappers are followed so far.
const MOST: usize = 16;

/// What is left of a call without its wrappers.
#[derive(Debug)]
pub(crate) enum UnwrappedCommand {
    /// A command.
    Call(CommandCall),
    /// A string that is run as shell code: the argument of `watch`.
    Code(String),
    /// Nothing that is known to run.
    Nothing,
}

const fn row(
    names: &'static [&'static str],
    options: &'static str,
    before: Before,
    idle: &'static [&'static str],
) -> Wrapper {
    Wrapper {
        names,
        options: ValueOptions(options),
        before,
        idle,
    }
}

/// Drops every wrapper from the front of the words of a command.
pub(crate) fn unwrapped(words: &[Word], input: &Input) -> UnwrappedCommand {
    let mut words = words.to_vec();
    for _ in 0..MOST {
        let Some(call) = CommandCall::of(&words, input.clone()) else {
            return UnwrappedCommand::Nothing;
        };
        let is_named = |wrapper: &&Wrapper| wrapper.names.contains(&call.name.as_str());
        let Some(wrapper) = WRAPPERS.iter().find(is_named) else {
            return UnwrappedCommand::Call(call);
        };
        let arguments = wrapper.options.read_leading(&call.args);
        if arguments.has(wrapper.idle) {
            return UnwrappedCommand::Nothing;
        }
        let skipped = wrapper.before.count(&arguments.operands);
        words = arguments.operands.into_iter().skip(skipped).collect();
        if let ("watch", [code]) = (call.name.as_str(), words.as_slice()) {
            return UnwrappedCommand::Code(code.source());
        }
    }
    UnwrappedCommand::Nothing
}

impl Before {
    fn count(self, operands: &[Word]) -> usize {
        match self {
            Self::Nothing => 0,
            Self::Operand => 1,
            Self::Assignments => {
                let hyphen = usize::from(operands.first().is_some_and(|word| word.is("-")));
                let rest = operands.iter().skip(hyphen);
                hyphen + rest.take_while(|word| word.head().0.contains('=')).count()
            }
        }
    }
}

/// Returns the code that a shell or `eval` runs, if it stands in the command line.
pub(crate) fn shell_code(call: &CommandCall) -> Option<String> {
    if call.name == "eval" {
        let words: Vec<String> = call.args.iter().map(Word::source).collect();
        return Some(words.join(" "));
    }
    if !SHELLS.contains(&call.name.as_str()) {
        return None;
    }
    let arguments = SHELL_OPTIONS.read_leading(&call.args);
    if arguments.has(&["c"]) {
        return arguments.operands.first().map(Word::source);
    }
    let reads_input = match arguments.operands.as_slice() {
        [] => true,
        [only] if is_standard_input(only) => true,
        _ => arguments.has(&["s"]),
    };
    match &call.input {
        Input::Here(here) if reads_input => Some(here.code()),
        _ => None,
    }
}
