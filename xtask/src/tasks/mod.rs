//! The tasks, as a table: what each is called, what it takes, what it does.

mod api;
mod bench;
mod clients;
mod cross;
mod deny;
mod dist;
mod faults;
mod fix;
mod fuzz;
mod mutants;
mod oracle;
mod sdk;
mod service;
mod test;
mod typescript;
mod ui;

use crate::failure::Failure;
use crate::screen;

/// One task.
struct Task {
    name: &'static str,
    takes: &'static str,
    summary: &'static str,
    run: fn(&[String]) -> Result<(), Failure>,
}

/// Daily tasks first, then the slow lanes, which `test` never runs.
#[rustfmt::skip]
const TASKS: &[Task] = &[
    Task { name: "test", takes: "[ARGS]", summary: "Run all that CI runs; ARGS go to the test runner", run: test::run },
    Task { name: "fix", takes: "", summary: "Apply clippy's fixes, then format", run: fix::fix },
    Task { name: "bless", takes: "[ARGS]", summary: "Run the tests and accept all changed snapshots", run: fix::bless },
    Task { name: "oracle", takes: "[--through http] [DIR]", summary: "Run the recorded cases, in process or over HTTP, and print one row per file", run: oracle::run },
    Task { name: "sdk", takes: "[CLIENT...] [--only TEXT]", summary: "Test the MCP server with clients that others wrote, over stdio and HTTP", run: sdk::run },
    Task { name: "typescript", takes: "[ARGS]", summary: "Test the TypeScript client and examples/push, in Node, Bun and workerd; ARGS go to Node's test runner", run: typescript::run },
    Task { name: "ui", takes: "[ARGS] [--pictures]", summary: "Test the page of `serve --ui` in a browser; ARGS go to node's test runner", run: ui::run },
    Task { name: "api", takes: "[--seed N] [--examples N]", summary: "Check the service against its own OpenAPI document with schemathesis", run: api::run },
    Task { name: "service", takes: "[PART...]", summary: "Check the sandbox service with a real Prometheus", run: service::run },
    Task { name: "bench", takes: "[NAME] [ARGS]", summary: "Run one benchmark, or list them", run: bench::run },
    Task { name: "fuzz", takes: "[TARGET] [--seconds N]", summary: "Fuzz every target, or one, for 60 or N seconds each", run: fuzz::run },
    Task { name: "faults", takes: "[--full] [TEST]", summary: "Kill, refuse and cut off commits at every system call", run: faults::run },
    Task { name: "clients", takes: "[AGENT...] [--record]", summary: "Run real agents with a scripted model, and compare them with their transcripts", run: clients::run },
    Task { name: "dist", takes: "", summary: "Build a release: archive, manual pages, completions, checksums, formula", run: dist::run },
    Task { name: "deny", takes: "", summary: "Check the dependencies between crates, and licences", run: deny::run },
    Task { name: "cross", takes: "", summary: "Check that the program compiles for Windows and macOS, and the engine for WebAssembly", run: cross::run },
    Task { name: "mutants", takes: "[ARGS]", summary: "Run mutation tests on the engine", run: mutants::run },
];

/// Arguments that list the tasks.
const HELP: [&str; 3] = ["help", "--help", "-h"];

/// Runs the task named by the first argument with the others, or lists the tasks.
pub(crate) fn run(args: &[String]) -> Result<(), Failure> {
    let first = args.split_first();
    let Some((name, rest)) = first.filter(|(name, _)| !HELP.contains(&name.as_str())) else {
        list();
        return Ok(());
    };
    let task = TASKS
        .iter()
        .find(|task| task.name == name)
        .ok_or_else(|| Failure::Usage(format!("no task `{name}`; `cargo xtask` lists them")))?;
    (task.run)(rest)
}

fn list() {
    let rows: Vec<_> = TASKS
        .iter()
        .map(|task| {
            [
                format!("{} {}", task.name, task.takes),
                task.summary.to_owned(),
            ]
        })
        .collect();
    screen::line("Usage: cargo xtask TASK\n\nTasks:");
    screen::table(&rows);
}

/// Refuses arguments for a task that takes none, rather than dropping them.
fn takes_nothing(args: &[String]) -> Result<(), Failure> {
    match args {
        [] => Ok(()),
        [first, ..] => Err(Failure::Usage(format!(
            "this task takes no arguments, but got `{first}`"
        ))),
    }
}
