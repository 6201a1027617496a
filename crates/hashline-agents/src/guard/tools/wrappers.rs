//! Commands that run another command (`sudo`, `timeout`) or a string as shell code (`bash -c`); the guard checks the inner command.

use super::{CommandCall, Input, is_standard_input};
use crate::guard::options::{ValueOptions, lists};
use crate::guard::shell::Word;

/// The words between the options of a wrapper such as `sudo` and the command that it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Nothing,
    /// One operand, such as the duration of `timeout`.
    Operand,
    /// Assignments such as `A=1`, perhaps after a single `-`, which is short for `env -i`.
    Assignments,
}

/// Commands that run another command: names, options that take a value, words before the inner command, and options with which nothing is run.
const WRAPPERS: &[(&str, &str, Before, &str)] = &[
    (
        "sudo doas",
        "-u -g -p -C -D -R -r -t -T -h -U --user --group --prompt --chdir --chroot --host --role --type --close-from \
         --other-user --command-timeout",
        Before::Assignments,
        "l v K e list validate edit",
    ),
    (
        "env",
        "-u -C -S --unset --chdir --split-string",
        Before::Assignments,
        "",
    ),
    ("nice", "-n --adjustment", Before::Nothing, ""),
    (
        "ionice",
        "-c -n -p --class --classdata --pid",
        Before::Nothing,
        "p pid",
    ),
    (
        "nohup unbuffer setsid busybox builtin",
        "",
        Before::Nothing,
        "",
    ),
    ("time gtime", "-f -o --format --output", Before::Nothing, ""),
    (
        "timeout gtimeout",
        "-k -s --kill-after --signal",
        Before::Operand,
        "",
    ),
    (
        "stdbuf gstdbuf",
        "-i -o -e --input --output --error",
        Before::Nothing,
        "",
    ),
    ("watch", "-n --interval", Before::Nothing, ""),
    ("command", "", Before::Nothing, "v V"),
    ("exec", "-a", Before::Nothing, ""),
];

/// Shells whose `-c` argument and heredoc input the guard parses.
const SHELLS: &str = "bash sh zsh dash ksh ash mksh";
const SHELL_OPTIONS: ValueOptions = ValueOptions("-o -O --rcfile --init-file");

/// The maximum number of nested wrappers, such as `sudo env nice ..`, that are removed before the guard gives up.
const MOST: usize = 16;

/// The command that remains after wrappers such as `sudo` and `timeout` are removed.
#[derive(Debug)]
pub(crate) enum UnwrappedCommand {
    /// A command with its name and arguments.
    Call(CommandCall),
    /// A string that is run as shell code, such as the argument of `watch`.
    Code(String),
    /// No command is run, or its name is known only to the running shell, or the wrappers are nested too deeply.
    Nothing,
}

/// Removes all wrappers such as `sudo` and `timeout` from the front of a command.
pub(crate) fn unwrapped(words: &[Word], input: &Input) -> UnwrappedCommand {
    let mut words = words.to_vec();
    for _ in 0..MOST {
        let Some(call) = CommandCall::of(&words, input.clone()) else {
            return UnwrappedCommand::Nothing;
        };
        let wrapper = WRAPPERS.iter().find(|row| lists(row.0, &call.name));
        let Some((_, options, before, idle)) = wrapper else {
            return UnwrappedCommand::Call(call);
        };
        let arguments = ValueOptions(options).read_leading(&call.args);
        if arguments.has(idle) {
            return UnwrappedCommand::Nothing;
        }
        let skipped = before.count(&arguments.operands);
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

/// Returns the shell code that `eval`, `bash -c` or a shell with a heredoc runs; `None` if the code is not in the command line.
pub(crate) fn shell_code(call: &CommandCall) -> Option<String> {
    if call.name == "eval" {
        let words: Vec<String> = call.args.iter().map(Word::source).collect();
        return Some(words.join(" "));
    }
    if !lists(SHELLS, &call.name) {
        return None;
    }
    let arguments = SHELL_OPTIONS.read_leading(&call.args);
    if arguments.has("c") {
        return arguments.operands.first().map(Word::source);
    }
    let reads_input = match arguments.operands.as_slice() {
        [] => true,
        [only] if is_standard_input(only) => true,
        _ => arguments.has("s"),
    };
    match &call.input {
        Input::Here(here) if reads_input => Some(here.code()),
        _ => None,
    }
}
