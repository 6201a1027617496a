//! Commands that run another command (`sudo`, `timeout`, `flock`); the guard checks the inner command.

use super::{CommandCall, Input};
use crate::guard::options::{Arguments, ValueOptions, lists};
use crate::guard::shell::{Script, ShellCommand, Word, parse};

/// The words between the options of a wrapper such as `sudo` and the command that it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Nothing,
    /// One operand, such as the duration of `timeout`.
    Operand,
    /// Assignments such as `A=1`, perhaps after a single `-`, which is short for `env -i`.
    Assignments,
    /// One operand, which is a file that the wrapper writes: `script F`. Without it the file has a name of its own.
    Log(&'static str),
    /// The name of a user, and no command unless an option named the user: `su root -c 'ls'`, `runuser -u root ls`.
    User,
    /// One of these subcommands, perhaps with options after it: `uv run python`. Without it no command is run.
    Subcommand(&'static str),
}

/// A command that runs another command, such as `sudo`.
struct Wrapper {
    names: &'static str,
    /// The options that take a value.
    options: &'static str,
    before: Before,
    /// The options with which nothing is run.
    idle: &'static str,
    /// The options without which nothing is run; empty if a command is run in any case.
    needs: &'static str,
    /// The options whose value is shell code to run.
    code: &'static str,
    /// The options whose value is a file that the wrapper itself writes.
    logs: &'static str,
}

const fn wrapper(names: &'static str, options: &'static str, before: Before) -> Wrapper {
    Wrapper {
        names,
        options,
        before,
        idle: "",
        needs: "",
        code: "",
        logs: "",
    }
}

const WRAPPERS: &[Wrapper] = &[
    Wrapper {
        idle: "l v K e list validate edit",
        ..wrapper(
            "sudo doas",
            "-u -g -p -C -D -R -r -t -T -h -U --user --group --prompt --chdir --chroot --host --role --type --close-from \
             --other-user --command-timeout",
            Before::Assignments,
        )
    },
    wrapper(
        "env",
        "-u -C -S --unset --chdir --split-string",
        Before::Assignments,
    ),
    wrapper("nice", "-n --adjustment", Before::Nothing),
    Wrapper {
        idle: "p pid",
        ..wrapper(
            "ionice choom",
            "-c -n -p --class --classdata --pid --adjust",
            Before::Nothing,
        )
    },
    wrapper(
        "nohup unbuffer setsid busybox toybox builtin pkexec fakeroot eatmydata chronic catchsegv dbus-run-session xvfb-run \
         dumb-init tini caffeinate",
        "",
        Before::Nothing,
    ),
    Wrapper {
        logs: "o output",
        ..wrapper("time gtime", "-f -o --format --output", Before::Nothing)
    },
    wrapper(
        "timeout gtimeout",
        "-k -s --kill-after --signal",
        Before::Operand,
    ),
    wrapper("gosu su-exec setuidgid faketime", "", Before::Operand),
    wrapper(
        "stdbuf gstdbuf",
        "-i -o -e --input --output --error",
        Before::Nothing,
    ),
    wrapper("watch", "-n --interval", Before::Nothing),
    Wrapper {
        idle: "v V",
        ..wrapper("command", "", Before::Nothing)
    },
    wrapper("exec", "-a", Before::Nothing),
    Wrapper {
        code: "c command",
        ..wrapper(
            "flock",
            "-w -E -c --wait --timeout --conflict-exit-code --command",
            Before::Operand,
        )
    },
    Wrapper {
        idle: "p pid m max",
        ..wrapper(
            "taskset chrt",
            "-T -P -D --sched-runtime --sched-period --sched-deadline",
            Before::Operand,
        )
    },
    Wrapper {
        idle: "d dump",
        ..wrapper(
            "setpriv",
            "--ruid --euid --rgid --egid --reuid --regid --groups --inh-caps --ambient-caps --bounding-set --securebits \
             --pdeathsig --selinux-label --apparmor-profile --landlock-access --landlock-rule",
            Before::Nothing,
        )
    },
    Wrapper {
        code: "c command session-command",
        ..wrapper(
            "su runuser",
            "-c -g -G -s -u -w --command --session-command --group --supp-group --shell --user --whitelist-environment",
            Before::User,
        )
    },
    Wrapper {
        code: "c",
        ..wrapper("sg", "-c", Before::User)
    },
    Wrapper {
        code: "c command",
        logs: "B I O T log-io log-in log-out log-timing",
        ..wrapper(
            "script",
            "-B -c -E -I -O -o -T -m -t? --command --echo --log-io --log-in --log-out --log-timing --logging-format \
             --output-limit",
            Before::Log("typescript"),
        )
    },
    wrapper(
        "unshare nsenter",
        "-R -w -S -G -t -l --root --wd --setuid --setgid --map-user --map-group --map-users --map-groups --propagation \
         --setgroups --load-interp --monotonic --boottime --target",
        Before::Nothing,
    ),
    Wrapper {
        idle: "p pid",
        ..wrapper("prlimit", "-o -p --output --pid", Before::Nothing)
    },
    Wrapper {
        logs: "o output",
        ..wrapper(
            "strace",
            "-a -b -e -E -I -o -O -p -P -s -S -u -U -X --attach --columns --env --output --string-limit --trace --user",
            Before::Nothing,
        )
    },
    Wrapper {
        logs: "o output",
        ..wrapper(
            "ltrace",
            "-a -A -D -e -F -l -n -o -p -s -u -w -x -X --align --config --output --library",
            Before::Nothing,
        )
    },
    Wrapper {
        logs: "log-file xml-file",
        ..wrapper("valgrind", "", Before::Nothing)
    },
    wrapper(
        "setarch linux32 linux64 i386 i486 i586 i686 x86_64 aarch64 uname26",
        "",
        Before::Nothing,
    ),
    wrapper(
        "numactl",
        "-N -m -C -i -p -P -l? --cpunodebind --membind --physcpubind --interleave --preferred",
        Before::Nothing,
    ),
    wrapper(
        "systemd-run systemd-inhibit",
        "-u -p -E -H -M --unit --property --setenv --host --machine --slice --uid --gid --description --working-directory \
         --what --who --why --mode",
        Before::Nothing,
    ),
    Wrapper {
        logs: "o output",
        ..wrapper(
            "perf",
            "-e -o -p -t -C -r -F -c -g? -a? --event --output --pid --tid --cpu --repeat --freq --count --call-graph",
            Before::Subcommand("stat record trace"),
        )
    },
    wrapper(
        "uv poetry pipenv pdm rye hatch",
        "-p --python --with --with-requirements --directory --project --extra --group --env-file --package",
        Before::Subcommand("run"),
    ),
    wrapper("bundle", "", Before::Subcommand("exec")),
    wrapper("chroot", "--userspec --groups", Before::Operand),
    Wrapper {
        needs: "args",
        ..wrapper(
            "gdb",
            "-ex -iex -eval-command --eval-command --init-eval-command -p -pid -cd -d --command",
            Before::Nothing,
        )
    },
    Wrapper {
        code: "c call",
        ..wrapper(
            "npm pnpm yarn",
            "-c -p -w --call --package --workspace --prefix --dir",
            Before::Subcommand("exec x dlx"),
        )
    },
    Wrapper {
        code: "c call",
        ..wrapper("npx bunx pnpx", "-c -p --call --package", Before::Nothing)
    },
];

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
    unwrapped_logging(words, input, &mut Vec::new())
}

/// Removes all wrappers from the front of a command, and adds the files that they write themselves, such as `F` in `strace -o F ls`, to `logs`.
pub(crate) fn unwrapped_logging(
    words: &[Word],
    input: &Input,
    logs: &mut Vec<Word>,
) -> UnwrappedCommand {
    let mut words = words.to_vec();
    for _ in 0..MOST {
        let Some(call) = CommandCall::of(&words, input.clone()) else {
            return UnwrappedCommand::Nothing;
        };
        let wrapper = WRAPPERS.iter().find(|row| lists(row.names, &call.name));
        let Some(wrapper) = wrapper else {
            return UnwrappedCommand::Call(call);
        };
        let Some(arguments) = wrapper.arguments(&call.args) else {
            return UnwrappedCommand::Call(call);
        };
        logs.extend(arguments.values(wrapper.logs).cloned());
        if let Before::Log(usual) = wrapper.before {
            let file = arguments.operands.first().cloned();
            // Without either it is rather a program of the project that has the same name.
            let usual = arguments.has(wrapper.code).then(|| Word::known(usual));
            logs.extend(file.or(usual));
        }
        if arguments.has(wrapper.idle) {
            return UnwrappedCommand::Nothing;
        }
        if let Some(code) = wrapper.code(&arguments) {
            return UnwrappedCommand::Code(code.source());
        }
        let skipped = wrapper.before.count(&arguments);
        let split = arguments
            .values("S split-string")
            .filter(|_| call.name == "env");
        let split: Vec<Word> = split.flat_map(split_words).collect();
        let rest = arguments.operands.into_iter().skip(skipped);
        words = split.into_iter().chain(rest).collect();
        if let ("watch", [code]) = (call.name.as_str(), words.as_slice()) {
            return UnwrappedCommand::Code(code.source());
        }
    }
    UnwrappedCommand::Nothing
}

impl Wrapper {
    /// Returns the arguments of the wrapper itself, with the inner command as operands; `None` if it is called with a subcommand that runs none.
    fn arguments(&self, args: &[Word]) -> Option<Arguments> {
        let options = ValueOptions(self.options);
        let arguments = options.read_leading(args);
        if !self.needs.is_empty() && !arguments.has(self.needs) {
            return None;
        }
        match self.before {
            Before::Subcommand(names) => {
                let (name, rest) = arguments.operands.split_first()?;
                name.is_one_of(names).then(|| options.read_leading(rest))
            }
            _ => Some(arguments),
        }
    }

    /// Returns the shell code that an option gives. The option may follow the operand: `flock F -c 'ls'`, `su root -c 'ls'`.
    fn code(&self, arguments: &Arguments) -> Option<Word> {
        if let Some(code) = arguments.values(self.code).last() {
            return Some(code.clone());
        }
        let options = ValueOptions(self.options);
        let (_, rest) = arguments.operands.split_first()?;
        let after = match self.before {
            // The shell of the user takes all that follows.
            Before::User if !arguments.has("u user") => options.read(rest),
            Before::Operand | Before::Log(_) => options.read_leading(rest),
            _ => return None,
        };
        after.values(self.code).last().cloned()
    }
}

/// Splits text such as the value of `env -S` into words, as a shell would.
pub(super) fn split_words(value: &Word) -> Vec<Word> {
    let script = parse(&value.source()).ok();
    let step = script.as_ref().and_then(Script::only_step);
    match step.map(|step| &step.command) {
        Some(ShellCommand::Simple { words, .. }) => words.clone(),
        _ => Vec::new(),
    }
}

impl Before {
    fn count(self, arguments: &Arguments) -> usize {
        let operands = &arguments.operands;
        match self {
            Self::Nothing | Self::Subcommand(_) => 0,
            Self::Operand | Self::Log(_) => 1,
            Self::Assignments => {
                let hyphen = usize::from(operands.first().is_some_and(|word| word.is("-")));
                let rest = operands.iter().skip(hyphen);
                hyphen + rest.take_while(|word| word.head().0.contains('=')).count()
            }
            Self::User if arguments.has("u user") => 0,
            Self::User => operands.len(),
        }
    }
}
