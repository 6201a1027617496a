//! `hashline hook`: the command that an agent runs before and after its own tools.
//!
//! Standard output has only the JSON that the agent expects. The exit code is 0, unless the agent understands only exit codes.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use hashline_agents::hook::{HookAnswer, HookOptions, answer_within};
use hashline_session::{ServiceOptions, is_off_by_variable};

use crate::args::{Global, HookArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::paths::config_overrides;

/// The environment variable that limits how many milliseconds a hook may work.
const TIME: &str = "HASHLINE_HOOK_TIME";
/// The environment variables in which agents name the project's folder.
const PROJECT: [&str; 2] = ["CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR"];
/// The environment variable that is set if the hook belongs to a plugin of Claude Code, in which our tools have longer names.
const PLUGIN: &str = "CLAUDE_PLUGIN_ROOT";
const PLUGIN_PREFIX: &str = "mcp__plugin_hashline_hl__";

/// Answers a hook whose command line has common options such as `--root`.
pub(super) fn run(global: &Global, args: HookArgs, out: &mut Output) -> Exit {
    let overrides = match config_overrides(global) {
        Ok(overrides) => overrides,
        // Exit code 2 would refuse everything the agent does.
        Err(trouble) => {
            out.message(&trouble.to_string());
            return Exit::Done;
        }
    };
    let service = ServiceOptions {
        roots: global.root.clone(),
        overrides,
        ..ServiceOptions::from_env()
    };
    answer(service, args, global.session().map(str::to_owned), out)
}

/// Answers a hook that is called exactly as `hashline setup` writes it, without common options.
pub(crate) fn run_alone(args: HookArgs, out: &mut Output) -> Exit {
    let session = variable("HASHLINE_SESSION").and_then(|name| name.into_string().ok());
    answer(ServiceOptions::from_env(), args, session, out)
}

fn answer(
    service: ServiceOptions,
    args: HookArgs,
    session: Option<String>,
    out: &mut Output,
) -> Exit {
    if io::stdin().is_terminal() {
        out.message("hint: agents run `hashline hook` with their JSON on standard input; see `hashline hook --help`");
        return Exit::Done;
    }
    let mut usual = HookOptions::default();
    if let Some(time) = variable(TIME).and_then(|word| word.to_str()?.parse().ok()) {
        usual.time = Duration::from_millis(time);
    }
    let options = HookOptions {
        off: is_off_by_variable(),
        service,
        session,
        cwd: std::env::current_dir().ok(),
        project: PROJECT.into_iter().find_map(variable).map(PathBuf::from),
        tool_prefix: variable(PLUGIN).map(|_| PLUGIN_PREFIX.to_owned()),
        dialect: args.dialect.get(),
        ..usual
    };
    // Called by the watchdog's thread when the time is over. It ends the process itself: the thread that works on the answer may hang.
    let give_up = |answer: HookAnswer| {
        let mut out = Output::new(false);
        let exit = print(&answer, &mut out);
        let _ = out.settle(exit);
        std::process::exit(0);
    };
    match answer_within(io::stdin().lock(), &options, give_up) {
        Some(answer) => print(&answer, out),
        // The watchdog is already answering, and ends the process.
        None => loop {
            std::thread::park();
        },
    }
}

fn print(answer: &HookAnswer, out: &mut Output) -> Exit {
    if let Some(object) = &answer.out {
        out.object(object);
    }
    if let Some(text) = &answer.err {
        out.message(text);
    }
    if answer.blocks {
        Exit::Failed
    } else {
        Exit::Done
    }
}

/// Returns the value of an environment variable, if it is set and not empty.
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|word| !word.is_empty())
}
